#include "npy.hpp"

#include <bit>

#include <fmt/format.h>

#include "element.hpp"

namespace program {

std::string npy_header(sw::element_type type, std::span<std::int64_t const> shape) {
    bool const has_byte_order = type.swap_size() > 1;
    char const byte_order = !has_byte_order ? '|' : std::endian::native == std::endian::little ? '<' : '>';
    std::string extents;
    for (std::int64_t const extent : shape) extents += fmt::format("{}, ", extent);
    if (shape.size() > 1) extents.resize(extents.size() - 2);
    std::string const text =
        fmt::format("{{'descr': '{}{}', 'fortran_order': False, 'shape': ({}), }}", byte_order, code_of(type), extents);
    std::size_t const length = (10 + text.size() + 1 + 63) / 64 * 64 - 10;
    std::string header("\x93NUMPY\x01\x00", 8);
    header += static_cast<char>(length & 0xff);
    header += static_cast<char>(length >> 8);
    return header + text + std::string(length - text.size() - 1, ' ') + '\n';
}

}  // namespace program
