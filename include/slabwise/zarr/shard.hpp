// A shard as a ChunkSource of its own: its inner chunks, each of which is read by itself.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <slabwise/source/source_abilities.hpp>
#include <slabwise/transfer/chunk_reader.hpp>
#include <slabwise/zarr/chunk_level.hpp>
#include <slabwise/zarr/object_part.hpp>
#include <slabwise/zarr/shard_index.hpp>

namespace slabwise::zarr {

namespace detail {

/// Decodes the stored bytes of a chunk that holds elements, all of them in `encoded`, into `bytes`.
/// **Throws** codec_error.
inline void decode_chunk(codec_chain const& codecs, object_part const& stored, std::span<std::byte const> encoded,
                         std::span<std::byte> bytes) {
    if (codecs.empty()) {
        stored.require_size(encoded.size(), bytes.size());
        std::copy_n(encoded.begin(), bytes.size(), bytes.begin());
        return;
    }
    try {
        codecs.decode(encoded, bytes);
    } catch (codec_error const& error) {
        refuse_bytes(stored.key(), error.what());
    }
}

/// Reads and decodes a chunk that holds elements into `bytes`. **Throws** codec_error, store_error.
inline chunk_state read_chunk(codec_chain const& codecs, object_part const& stored, std::uint64_t largest_stored,
                              std::span<std::byte> bytes) {
    auto const state_of = [](object_state state) {
        return state == object_state::present ? chunk_state::present : chunk_state::absent;
    };
    if (stored.memory()) {
        decode_chunk(codecs, stored, stored.memory()->bytes(), bytes);
        return chunk_state::present;
    }
    if (codecs.empty()) return state_of(stored.read(bytes));
    // Kept from chunk to chunk: growing it anew would write each of its bytes once more.
    thread_local std::vector<std::byte> encoded;
    auto const state = state_of(stored.read(encoded, largest_stored));
    if (state == chunk_state::present) decode_chunk(codecs, stored, encoded, bytes);
    return state;
}

}  // namespace detail

/// One shard of an array, as a ChunkSource of its inner chunks. A handle that threads may share; it keeps what it reads
/// from alive.
template <std::size_t R>
class shard {
public:
    /// The shard whose bytes are `stored`, or nothing when it is absent; `outer` is the level of the shards, and this one
    /// is stored at `extents`. `owner` keeps the encoding of `outer`. **Throws** codec_error for a damaged shard;
    /// store_error. **Cost** one request, none when the index is still in the cache; of a shard that is encoded as a
    /// whole, reading and decoding all of it.
    template <class Grid>
    static std::optional<shard> open(detail::object_part stored, detail::chunk_level<R, Grid> const& outer,
                                     shape<R> const& extents, std::shared_ptr<detail::shard_index_cache> indexes,
                                     std::shared_ptr<void const> owner) {
        codec_chain const& codecs = outer.encoding->codecs;
        if (!codecs.empty()) {
            std::vector<std::byte> encoded;
            if (stored.read(encoded, outer.largest_stored) == object_state::absent) return std::nullopt;
            auto const decoded = std::make_shared<std::vector<std::byte>>();
            try {
                codecs.decode_some(encoded, *decoded, outer.largest_stored);
            } catch (codec_error const& error) {
                detail::refuse_bytes(stored.key(), error.what());
            }
            stored = detail::object_part(shared_bytes(decoded, *decoded), stored.key(), true);
        }
        auto level = outer.inner_of(extents);
        auto const chunks = static_cast<std::size_t>(level->grid.chunk_count());
        auto const read = [&] { return detail::read_shard_index(stored, *outer.encoding->shards, chunks); };
        // What was decoded as a whole has no place of its own in an object.
        auto index = !stored.is_decoded() ? indexes->get(stored, outer.encoding, chunks, read) : read();
        if (index == nullptr) return std::nullopt;
        return shard(std::move(stored), std::move(level), std::move(index), std::move(indexes), std::move(owner));
    }

    [[nodiscard]] chunk_grid<R> const& grid() const noexcept { return level_->grid; }
    [[nodiscard]] chunk_layout<R> const& layout() const noexcept { return level_->layout; }

    /// The shape at which an inner chunk is stored: the last ones of a shard may be shorter.
    [[nodiscard]] shape<R> stored_shape(coord_t<R> const& coord) const noexcept {
        return level_->stored_shape(coord, true);
    }
    [[nodiscard]] std::array<index_t, R> byte_strides(coord_t<R> const& coord) const noexcept {
        return level_->byte_strides(stored_shape(coord));
    }

    /// Where an inner chunk lies in its object; nothing when it is absent. **Units** bytes.
    [[nodiscard]] std::optional<byte_range::extent> stored_range(coord_t<R> const& coord) const {
        auto const stored = find(coord);
        if (!stored) return std::nullopt;
        return byte_range::extent{stored->offset(), stored->length()};
    }

    /// True when the inner chunks are shards themselves.
    [[nodiscard]] bool is_nested() const noexcept { return level_->inner != nullptr; }
    /// **Expects** is_nested().
    [[nodiscard]] std::optional<shard> open_chunk(coord_t<R> const& coord) const {
        auto stored = find(coord);
        if (!stored) return std::nullopt;
        auto inner = open(std::move(*stored), *level_, stored_shape(coord), indexes_, owner_);
        if (!inner) refuse_gone();
        return inner;
    }

    /// True when the index says where an inner chunk lies. **Throws** codec_error for a place outside the shard.
    [[nodiscard]] bool has_chunk(coord_t<R> const& coord) const { return find(coord).has_value(); }

    /// An inner chunk that is stored as it is and lies in memory. **Throws** codec_error.
    [[nodiscard]] std::optional<shared_bytes> view_chunk(coord_t<R> const& coord) const {
        if (is_nested() || !level_->encoding->codecs.empty() || !stored_.memory()) return std::nullopt;
        auto const stored = find(coord);
        if (!stored) return std::nullopt;
        naming(coord, [&] {
            stored->require_size(stored->memory()->bytes().size(), level_->bytes_of(stored_shape(coord)));
        });
        return stored->memory();
    }

    /// Reads one inner chunk. **Throws** codec_error, store_error.
    chunk_state read_chunk(coord_t<R> const& coord, std::span<std::byte> bytes) const {
        if (is_nested()) {
            auto const inner = open_chunk(coord);
            if (!inner) return chunk_state::absent;
            slabwise::detail::read_whole(*inner, level_->byte_strides(stored_shape(coord)), bytes);
            return chunk_state::present;
        }
        auto const stored = find(coord);
        if (!stored) return chunk_state::absent;
        auto const state = naming(coord, [&] {
            return detail::read_chunk(level_->encoding->codecs, *stored, level_->largest_stored, bytes);
        });
        if (state == chunk_state::absent) refuse_gone();
        return chunk_state::present;
    }

    /// Reads many inner chunks: those whose bytes touch or overlap with one request together, and all requests at once.
    /// **Expects** not is_nested(). **Throws** codec_error, store_error, and what the sink throws.
    /// **Cost** memory: the stored bytes of these chunks.
    void read_chunks(std::span<coord_t<R> const> coords, chunk_sink& sink) const {
        std::vector<wanted_chunk> wanted;
        for (std::size_t i = 0; i < coords.size(); ++i) {
            auto const stored = find(coords[i]);
            if (!stored) {
                sink.ready(i, chunk_state::absent);
            } else {
                wanted.push_back({i, *stored});
            }
        }
        if (stored_.memory()) {
            for (wanted_chunk const& chunk : wanted) {
                give(coords, chunk, chunk.stored.memory()->bytes(), sink);
            }
            return;
        }
        std::sort(wanted.begin(), wanted.end(), [](wanted_chunk const& a, wanted_chunk const& b) {
            return a.stored.offset() < b.stored.offset();
        });
        fetched_runs const runs(wanted);
        if (runs.is_gone()) refuse_gone();
        for (wanted_chunk const& chunk : wanted) give(coords, chunk, runs.bytes_of(chunk), sink);
    }

private:
    struct wanted_chunk {
        std::size_t i;
        detail::object_part stored;
    };

    /// Stored bytes that touch or overlap, each run of them fetched with one request.
    class fetched_runs final : public fetch_sink {
    public:
        /// **Expects** chunks in the order of their offsets. **Throws** store_error, codec_error.
        explicit fetched_runs(std::span<wanted_chunk const> chunks) {
            for (wanted_chunk const& chunk : chunks) {
                std::uint64_t const begin = chunk.stored.offset();
                std::uint64_t const end = begin + chunk.stored.length();
                if (runs_.empty() || begin > runs_.back().end) {
                    runs_.push_back({begin, end, {}});
                } else {
                    runs_.back().end = (std::max)(runs_.back().end, end);
                }
            }
            if (runs_.empty()) return;
            detail::object_part const& any = chunks.front().stored;
            std::vector<fetch_request> requests;
            for (run const& at : runs_) {
                requests.push_back({any.key(), byte_range::of(at.begin, at.end - at.begin)});
            }
            any.store().fetch(requests, *this);
            if (error_) std::rethrow_exception(error_);
        }

        /// True when the object was absent.
        [[nodiscard]] bool is_gone() const noexcept { return is_gone_; }
        [[nodiscard]] std::span<std::byte const> bytes_of(wanted_chunk const& chunk) const {
            auto const past = std::upper_bound(runs_.begin(), runs_.end(), chunk.stored.offset(),
                                               [](std::uint64_t offset, run const& at) { return offset < at.begin; });
            run const& here = *std::prev(past);
            return std::span<std::byte const>(here.bytes)
                .subspan(static_cast<std::size_t>(chunk.stored.offset() - here.begin),
                         static_cast<std::size_t>(chunk.stored.length()));
        }

        std::span<std::byte> room(std::size_t request, std::uint64_t bytes) override {
            runs_[request].bytes.resize(static_cast<std::size_t>(bytes));
            return runs_[request].bytes;
        }
        void present(std::size_t) override {}
        void absent(std::size_t) override {
            std::lock_guard const lock(mutex_);
            is_gone_ = true;
        }
        void failed(std::size_t, std::exception_ptr error) override {
            std::lock_guard const lock(mutex_);
            if (!error_) error_ = std::move(error);
        }

    private:
        struct run {
            std::uint64_t begin;
            std::uint64_t end;
            std::vector<std::byte> bytes;
        };
        std::vector<run> runs_;
        std::mutex mutex_;
        bool is_gone_ = false;
        std::exception_ptr error_;
    };

    shard(detail::object_part&& stored, std::shared_ptr<detail::chunk_level<R> const>&& level,
          std::shared_ptr<detail::shard_index const>&& index, std::shared_ptr<detail::shard_index_cache>&& indexes,
          std::shared_ptr<void const>&& owner)
        : stored_(std::move(stored)), level_(std::move(level)), index_(std::move(index)), indexes_(std::move(indexes)),
          owner_(std::move(owner)) {}

    void give(std::span<coord_t<R> const> coords, wanted_chunk const& chunk, std::span<std::byte const> encoded,
              chunk_sink& sink) const {
        auto const room = sink.room(chunk.i);
        naming(coords[chunk.i],
               [&] { detail::decode_chunk(level_->encoding->codecs, chunk.stored, encoded, room); });
        sink.ready(chunk.i, chunk_state::present);
    }

    /// What f gives; its codec_error says in which inner chunk it was.
    template <class F>
    auto naming(coord_t<R> const& coord, F f) const {
        try {
            return f();
        } catch (codec_error const& error) {
            error_text text(error.what());
            text.append(", in the inner chunk (");
            for (std::size_t axis = 0; axis < R; ++axis) text.append(axis == 0 ? "" : ", ").append(coord[axis]);
            throw codec_error(text.append(") of the shard"), error.key());
        }
    }
    [[noreturn]] void refuse_gone() const {
        detail::refuse_bytes(stored_.key(), "the shard is gone, after its index was read");
    }

    /// The stored bytes of an inner chunk, checked as far as they can be before they are read; nothing when it is absent.
    [[nodiscard]] std::optional<detail::object_part> find(coord_t<R> const& coord) const {
        auto const entry = (*index_)[level_->place_of(coord)];
        if (!entry) return std::nullopt;
        return naming(coord, [&] {
            if (entry->length > level_->largest_stored) {
                detail::refuse_bytes(stored_.key(), "the index gives " + std::to_string(entry->length) +
                                                        " bytes, at most " + std::to_string(level_->largest_stored) +
                                                        " expected");
            }
            return stored_.part(entry->offset, entry->length);
        });
    }

    detail::object_part stored_;
    std::shared_ptr<detail::chunk_level<R> const> level_;
    std::shared_ptr<detail::shard_index const> index_;
    std::shared_ptr<detail::shard_index_cache> indexes_;
    std::shared_ptr<void const> owner_;
};

}  // namespace slabwise::zarr
