// A reader of an array whose rank is known at run time.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>

#include <slabwise/copy/conversion.hpp>
#include <slabwise/index/slice.hpp>
#include <slabwise/zarr/array.hpp>

namespace program {

namespace sw = slabwise;

class any_reader {
public:
    virtual ~any_reader() = default;
    /// Reads what the slices, one an axis, select: to `data`, where neighbours along an axis lie as many bytes apart as
    /// `byte_strides` says, in native byte order, converted when the reader was made so. **Throws** slabwise::error.
    virtual void read(std::span<sw::slice const> slices, std::byte* data,
                      std::span<std::int64_t const> byte_strides) = 0;
    /// How many of the chunks read up to now were not stored.
    [[nodiscard]] virtual std::int64_t missing_chunks() const = 0;
};

/// A reader that converts elements if `convert` is given, which is from the array's type.
std::unique_ptr<any_reader> make_any_reader(sw::zarr::any_array const& array, std::optional<sw::conversion> const& convert);

}  // namespace program
