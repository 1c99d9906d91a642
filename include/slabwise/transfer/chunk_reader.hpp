// Reading the chunks of a plan, one after another, each to its place; and of chunks that hold chunks, those.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include <slabwise/plan/plan.hpp>
#include <slabwise/source/source_abilities.hpp>
#include <slabwise/transfer/chunk_copy.hpp>
#include <slabwise/transfer/chunk_memory.hpp>

namespace slabwise {

/// What a read did. **Units** chunks, but for bytes_decoded. Of chunks that hold chunks, the inner ones count; one that
/// is absent as a whole counts as one.
struct read_report {
    /// Chunks of the plan.
    index_t chunks = 0;
    /// Those of them that the source did not hold.
    index_t absent = 0;
    /// Those that were still there from the read before.
    index_t hits = 0;
    /// Bytes of the chunks that the source gave.
    index_t bytes_decoded = 0;
};

namespace detail {

/// Says in which chunk a value was that does not fit.
template <std::size_t R>
[[noreturn]] void throw_misfit_in(conversion_error const& error, char const* what, coord_t<R> const& chunk) {
    error_text text(error.what());
    text.append(what).append(" (");
    for (std::size_t axis = 0; axis < R; ++axis) text.append(axis == 0 ? "" : ", ").append(chunk[axis]);
    throw conversion_error(text.append(")"), error.position());
}

/// The axes of a plan's share of a chunk, which is on a regular grid.
template <class Axes>
struct axes_within {
    using type = Axes;
};
template <class Axis, std::size_t R>
struct axes_within<std::array<Axis, R>> {
    using type = std::array<decltype(std::declval<Axis const&>().within(piece{}, index_t{}, index_t{}, R)), R>;
};

template <class Source>
class chunk_reader;

/// Of a source whose chunks hold chunks: the last chunk opened, and what reads from it.
template <class Inner>
struct open_chunk_reader {
    std::optional<coord_t<source_rank<Inner>>> coord;
    std::optional<Inner> chunk;  // none: it is absent
    std::unique_ptr<chunk_reader<Inner>> reader;
    std::optional<conversion> convert;
    /// Where the indices of a list lie in the destination, for each axis.
    std::array<std::vector<index_t>, source_rank<Inner>> positions;
};
template <>
struct open_chunk_reader<void> {};

/// Reads from sources that are alike in grid and layout, one of which each call is given. It keeps the last chunk; after
/// a call with another source, forget() comes first. **Cost** memory: one chunk, and of nested sources one inner chunk
/// and what an open chunk keeps.
template <class Source>
class chunk_reader {
    template <class S>
    struct inner_source {
        using type = void;
    };
    template <NestsChunks S>
    struct inner_source<S> {
        using type = typename std::remove_cvref_t<
            decltype(std::declval<S const&>().open_chunk(coord_t<source_rank<S>>()))>::value_type;
    };
    using inner = typename inner_source<Source>::type;
    static constexpr bool can_nest = !std::is_void_v<inner>;

public:
    static constexpr std::size_t rank = source_rank<Source>;
    static_assert(has_regular_grid<Source> || VariesChunkShape<Source>,
                  "slabwise: a source on a rectilinear grid needs `stored_shape(coord) const` that returns a "
                  "slabwise::shape, and `byte_strides(coord) const` that returns a std::array");

    /// **Throws** selection_error for a layout whose elements lie outside their chunk, or whose fill is not one element.
    explicit chunk_reader(Source const& source)
        : grid_(source.grid()), copier_(source.layout()), byte_strides_(copier_.layout().byte_strides),
          chunk_bytes_(byte_count(grid_.chunk_elements(), static_cast<index_t>(copier_.layout().stored_size),
                                  "a chunk")) {
        require_layout(copier_.layout(), grid_.chunk_shape(), chunk_bytes_);
    }

    [[nodiscard]] source_grid<Source> const& grid() const noexcept { return grid_; }
    [[nodiscard]] chunk_copier<rank> const& copier() const noexcept { return copier_; }

    /// Converts elements from now on, or not.
    void set_conversion(std::optional<conversion> const& convert) {
        copier_.set_conversion(convert);
        if constexpr (can_nest) {
            open_.convert = convert;
            if (open_.reader) open_.reader->set_conversion(convert);
        }
    }

    /// How copies store from now on.
    void set_store_mode(store_mode stores) {
        stores_ = stores;
        copier_.set_store_mode(stores);
        if constexpr (can_nest) {
            if (open_.reader) open_.reader->set_store_mode(stores);
        }
    }

    /// Lets go of the chunk that is kept.
    void forget() noexcept {
        held_ = held::nothing;
        if constexpr (can_nest) {
            open_.coord.reset();
            open_.chunk.reset();
            if (open_.reader) open_.reader->forget();
        }
    }

    /// **Expects** a plan of grid().
    template <class Plan>
    void read(Source const& source, Plan const& plan, byte_destination<Plan::array_rank> const& to,
              read_report& report) {
        if constexpr (can_nest) {
            if (source.is_nested()) {
                for (auto const projection : plan) read_nested(source, plan, projection, to, report);
                return;
            }
        }
        report.chunks += plan.size();
        if constexpr (ReadsManyChunks<Source>) {
            read_many(source, plan, to, report);
        } else {
            for (auto const projection : plan) read_projection(source, plan, projection, to, report);
        }
    }

private:
    enum class held : unsigned char { nothing, absent_chunk, buffer, view };

    template <class Plan>
    void read_nested(Source const& source, Plan const& plan, typename Plan::value_type const& at,
                     byte_destination<Plan::array_rank> const& to, read_report& report) {
        auto const coord = at.coord();
        if (open_.coord != coord) {
            forget();
            open_.chunk = source.open_chunk(coord);
            open_.coord = coord;
        }
        if (!open_.chunk) {
            ++report.chunks;
            ++report.absent;
            copier_.fill(plan, at, to);
            return;
        }
        if (!open_.reader || open_.reader->grid() != open_.chunk->grid()) {
            open_.reader = std::make_unique<chunk_reader<inner>>(*open_.chunk);
            open_.reader->set_conversion(open_.convert);
            open_.reader->set_store_mode(stores_);
        }
        auto const [share, place] = share_of(plan, at, to, std::make_index_sequence<rank>{});
        try {
            open_.reader->read(*open_.chunk, share, place, report);
        } catch (conversion_error const& error) {
            throw_misfit_in<rank>(error, " of the chunk", coord);
        }
    }

    /// The plan of a projection's share of its chunk, on the grid of the inner chunks, and its destination.
    template <class Plan, std::size_t... D>
    auto share_of(Plan const& plan, typename Plan::value_type const& at,
                          byte_destination<Plan::array_rank> const& to, std::index_sequence<D...>) {
        auto const& extents = open_.reader->grid().shape();
        auto const lengths = open_.reader->grid().chunk_shape();
        byte_destination<Plan::array_rank> inner_to = to;
        std::size_t kept = 0;
        [[maybe_unused]] auto const narrow = [&](auto const& axis, piece const& part, std::size_t d) {
            using axis_type = std::remove_cvref_t<decltype(axis)>;
            if constexpr (!axis_type::drops_axis) {
                std::size_t const k = kept++;
                if constexpr (axis_type::is_affine) {
                    inner_to.data += part.first_in_array * to.byte_strides[k];
                } else {
                    auto& positions = open_.positions[d];
                    positions.clear();
                    for (index_t const i : axis.in_array(part)) positions.push_back(to.position(k, i));
                    inner_to.positions[k] = positions.data();
                }
            }
            return axis.within(part, extents[d], lengths[d], d);
        };
        using axes = typename axes_within<typename Plan::axes_type>::type;
        return std::pair(basic_plan<axes>(axes{narrow(plan.template axis<D>(), at.pieces()[D], D)...}), inner_to);
    }

    template <class Plan>
    void read_projection(Source const& source, Plan const& plan, typename Plan::value_type const& at,
                         byte_destination<Plan::array_rank> const& to, read_report& report) {
        auto const coord = at.coord();
        set_byte_strides(source, coord);
        if (held_ != held::nothing && coord == held_coord_) {
            ++report.hits;
            use_again(source, plan, at);
        } else if (copier_.template is_in_place<Plan>(at, to)) {
            std::span<std::byte> const place{chunk_copier<rank>::template begin_in<Plan>(at, to), bytes_of(source, coord)};
            if (source.read_chunk(coord, place) == chunk_state::present) {
                report.bytes_decoded += static_cast<index_t>(place.size());
            } else {
                ++report.absent;
                copier_.fill(plan, at, to);
            }
            return;
        } else {
            hold(source, plan, at, report);
        }
        put(source, plan, at, to, report);
    }

    /// Copies from the chunk that is held.
    template <class Plan>
    void put([[maybe_unused]] Source const& source, Plan const& plan, typename Plan::value_type const& at,
             byte_destination<Plan::array_rank> const& to, read_report& report) {
        set_held_byte_strides(source, at.coord());
        try {
            if (held_ == held::absent_chunk) {
                ++report.absent;
                copier_.fill(plan, at, to);
            } else {
                copier_.copy(plan, at, held_ == held::view ? view_.bytes().data() : buffer_.get(), to);
            }
        } catch (conversion_error const& error) {
            throw_misfit_in<rank>(error, ", of what is read from chunk", at.coord());
        }
    }

    void set_byte_strides([[maybe_unused]] Source const& source, [[maybe_unused]] coord_t<rank> const& coord) {
        if constexpr (VariesChunkShape<Source>) {
            copier_.set_byte_strides(source.byte_strides(coord));
        } else if constexpr (LaysOutViews<Source>) {
            copier_.set_byte_strides(byte_strides_);
        }
    }
    /// Those of the chunk that is held.
    void set_held_byte_strides(Source const& source, coord_t<rank> const& coord) {
        if constexpr (LaysOutViews<Source>) {
            if (held_ == held::view) {
                copier_.set_byte_strides(source.view_byte_strides(coord, view_.bytes().size()));
                return;
            }
        }
        set_byte_strides(source, coord);
    }

    template <class Plan>
    void hold(Source const& source, Plan const& plan, typename Plan::value_type const& at, read_report& report) {
        held_ = held::nothing;  // should the source throw
        if (view(source, plan, at, report)) return;
        auto const coord = at.coord();
        if (needs_no_buffer(source, coord)) return set_held(held::absent_chunk, coord);
        auto const bytes = buffer_for(source, coord);
        auto const state = source.read_chunk(coord, bytes);
        if (state == chunk_state::present) report.bytes_decoded += static_cast<index_t>(bytes.size());
        set_held(state == chunk_state::present ? held::buffer : held::absent_chunk, coord);
    }

    /// Holds a chunk where it lies, if the source can show it.
    template <class Plan>
    bool view([[maybe_unused]] Source const& source, [[maybe_unused]] Plan const& plan,
              [[maybe_unused]] typename Plan::value_type const& at, [[maybe_unused]] read_report& report) {
        if constexpr (ViewsChunks<Source>) {
            auto const coord = at.coord();
            auto found = [&] {
                if constexpr (LaysOutViews<Source>) {
                    if (copier_.takes_far_apart(plan, at)) return source.view_spread_chunk(coord);
                }
                return source.view_chunk(coord);
            }();
            if (found) {
                view_ = std::move(*found);
                report.bytes_decoded += static_cast<index_t>(bytes_of(source, coord));
                set_held(held::view, coord);
                return true;
            }
        }
        return false;
    }

    void set_held(held what, coord_t<rank> const& coord) noexcept {
        held_ = what;
        held_coord_ = coord;
        is_view_spread_ = false;
    }

    /// Asks once more for the view that is held, for a copy that gains when the source lays it out anew.
    template <class Plan>
    void use_again([[maybe_unused]] Source const& source, [[maybe_unused]] Plan const& plan,
                   [[maybe_unused]] typename Plan::value_type const& at) {
        if constexpr (LaysOutViews<Source>) {
            if (held_ != held::view || is_view_spread_ || !copier_.takes_far_apart(plan, at)) return;
            is_view_spread_ = true;
            if (auto found = source.view_spread_chunk(held_coord_)) view_ = std::move(*found);
        }
    }

    /// True for an absent chunk that is better not given a buffer, when there is none of its size yet.
    [[nodiscard]] bool needs_no_buffer(Source const& source, coord_t<rank> const& coord) const {
        std::size_t const bytes = bytes_of(source, coord);
        return bytes > buffer_bytes_ && is_large_and_absent(source, coord, bytes);
    }

    std::span<std::byte> buffer_for(Source const& source, coord_t<rank> const& coord) {
        std::size_t const bytes = bytes_of(source, coord);
        if (bytes > buffer_bytes_) {
            buffer_.reset();
            buffer_bytes_ = 0;
            buffer_ = allocate_chunk(bytes);
            buffer_bytes_ = bytes;
        }
        return {buffer_.get(), bytes};
    }

    /// The size of a chunk, decoded.
    [[nodiscard]] std::size_t bytes_of([[maybe_unused]] Source const& source,
                                       [[maybe_unused]] coord_t<rank> const& coord) const {
        auto bytes = static_cast<std::size_t>(chunk_bytes_);
        if constexpr (VariesChunkShape<Source>) {
            auto const shape = source.stored_shape(coord);
            bytes = copier_.layout().stored_size;
            for (std::size_t axis = 0; axis < rank; ++axis) bytes *= static_cast<std::size_t>(shape[axis]);
        }
        return bytes;
    }

    /// As many chunks at once as this many decoded bytes hold, but at least one and at most that many.
    static constexpr index_t many_bytes = index_t{8} << 20;
    static constexpr index_t many_chunks = 64;

    template <class Plan>
    class many_sink final : public chunk_sink {
    public:
        many_sink(chunk_reader& to_read, Source const& source, Plan const& plan,
                  byte_destination<Plan::array_rank> const& to, read_report& report) noexcept
            : reader_(to_read), source_(source), plan_(plan), to_(to), report_(report) {}

        std::vector<typename Plan::value_type> projections;
        std::vector<coord_t<rank>> coords;

        std::span<std::byte> room(std::size_t i) override {
            auto const& at = projections[i];
            reader_.set_byte_strides(source_, coords[i]);
            is_in_place_ = reader_.copier_.template is_in_place<Plan>(at, to_);
            reader_.held_ = held::nothing;
            if (!is_in_place_) return reader_.buffer_for(source_, coords[i]);
            return {chunk_copier<rank>::template begin_in<Plan>(at, to_), reader_.bytes_of(source_, coords[i])};
        }
        void ready(std::size_t i, chunk_state state) override {
            if (state == chunk_state::present) {
                report_.bytes_decoded += static_cast<index_t>(reader_.bytes_of(source_, coords[i]));
                if (is_in_place_) return;
            }
            reader_.set_held(state == chunk_state::present ? held::buffer : held::absent_chunk, coords[i]);
            reader_.put(source_, plan_, projections[i], to_, report_);
        }

    private:
        chunk_reader& reader_;
        Source const& source_;
        Plan const& plan_;
        byte_destination<Plan::array_rank> const& to_;
        read_report& report_;
        bool is_in_place_ = false;
    };

    template <class Plan>
    void read_many(Source const& source, Plan const& plan, byte_destination<Plan::array_rank> const& to,
                   read_report& report) {
        many_sink<Plan> sink(*this, source, plan, to, report);
        index_t const at_once = (std::clamp)(many_bytes / chunk_bytes_, index_t{1}, many_chunks);
        for (auto const projection : plan) {
            auto const coord = projection.coord();
            bool const is_held = held_ != held::nothing && coord == held_coord_;
            if (is_held || view(source, plan, projection, report)) {
                report.hits += is_held ? 1 : 0;
                if (is_held) use_again(source, plan, projection);
                put(source, plan, projection, to, report);
                continue;
            }
            if (needs_no_buffer(source, coord)) {
                set_held(held::absent_chunk, coord);
                put(source, plan, projection, to, report);
                continue;
            }
            sink.projections.push_back(projection);
            sink.coords.push_back(coord);
            if (static_cast<index_t>(sink.coords.size()) == at_once) read_batch(source, sink);
        }
        if (!sink.coords.empty()) read_batch(source, sink);
    }
    template <class Sink>
    static void read_batch(Source const& source, Sink& sink) {
        source.read_chunks(sink.coords, sink);
        sink.projections.clear();
        sink.coords.clear();
    }

    source_grid<Source> grid_;
    chunk_copier<rank> copier_;
    std::array<index_t, rank> byte_strides_;
    index_t chunk_bytes_;
    chunk_memory buffer_;
    std::size_t buffer_bytes_ = 0;
    shared_bytes view_;
    store_mode stores_ = store_mode::cached;
    held held_ = held::nothing;
    bool is_view_spread_ = false;
    coord_t<rank> held_coord_{};
    [[no_unique_address]] open_chunk_reader<inner> open_;
};

/// Reads all of a source, fill values included, in native byte order into a buffer with these byte strides.
template <class Source, std::size_t R>
void read_whole(Source const& source, std::array<index_t, R> const& byte_strides, std::span<std::byte> bytes) {
    chunk_reader<Source> reader(source);
    read_report report;
    auto const plan = make_plan(source.grid(), hyperslab<R>::all(source.grid().shape()));
    reader.read(source, plan, byte_destination<R>{bytes.data(), byte_strides}, report);
}

}  // namespace detail
}  // namespace slabwise
