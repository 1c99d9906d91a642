// The short form of a source, for backends whose chunks are arrays of one C++ type:
//
//     struct squares {
//         using value_type = float;
//         chunk_grid<2> grid() const { return {{1000, 1000}, {100, 100}}; }
//         bool read(coord_t<2> chunk, std::span<float> values) const;   // false: the chunk is absent, all zeros
//     };
//
// Whatever reads from a ChunkSource takes such a type as it is.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

#include <slabwise/source/chunk_source.hpp>

namespace slabwise {

/// A source in the short form:
///
/// | expression                | result          | meaning                                                         |
/// |---------------------------|-----------------|-----------------------------------------------------------------|
/// | `Source::value_type`      | a type          | an arithmetic type, std::complex or std::byte                   |
/// | `source.grid()`           | `chunk_grid<R>` | the array's shape and its chunks                                |
/// | `source.read(coord, out)` | `bool`          | fills `out`, one chunk in C order; false when absent (zeros)    |
template <class Source>
concept TypedSource = HasGrid<Source> && has_regular_grid<Source> && requires(Source const& source, coord_t<source_rank<Source>> coord,
                                                  std::span<typename Source::value_type> values) {
    element_type_of<typename Source::value_type>;
    { source.read(coord, values) } -> std::same_as<bool>;
};

/// A TypedSource as a ChunkSource. It refers to the source, which must outlive it.
template <TypedSource Source>
class typed_source {
public:
    using value_type = typename Source::value_type;
    static constexpr std::size_t rank = source_rank<Source>;

    explicit typed_source(Source const& source) noexcept : source_(&source) {}

    [[nodiscard]] chunk_grid<rank> grid() const { return source_->grid(); }
    [[nodiscard]] chunk_layout<rank> layout() const {
        return chunk_layout<rank>::c_order(element_type_of<value_type>, grid().chunk_shape());
    }
    /// **Expects** room for one chunk. **Cost** one call of read; one more copy when `bytes` is not aligned.
    chunk_state read_chunk(coord_t<rank> const& coord, std::span<std::byte> bytes) const {
        std::size_t const count = bytes.size() / sizeof(value_type);
        if (reinterpret_cast<std::uintptr_t>(bytes.data()) % alignof(value_type) == 0) {
            return state(source_->read(coord, {reinterpret_cast<value_type*>(bytes.data()), count}));
        }
        std::unique_ptr<value_type[]> const aligned(new value_type[count]);
        auto const result = state(source_->read(coord, {aligned.get(), count}));
        if (result == chunk_state::present) std::memcpy(bytes.data(), aligned.get(), bytes.size());
        return result;
    }

private:
    static chunk_state state(bool present) noexcept { return present ? chunk_state::present : chunk_state::absent; }

    Source const* source_;
};

/// The ChunkSource that reads go to: the source itself, or a typed_source over it. Anything else is told what it lacks.
template <class Source>
decltype(auto) as_chunk_source(Source const& source) {
    if constexpr (TypedSource<Source> && !ChunkSource<Source>) {
        return typed_source<Source>(source);
    } else {
        detail::require_chunk_source<Source>();
        return (source);
    }
}

}  // namespace slabwise
