// Encoding for tests.
#pragma once

#include <cstddef>
#include <string>

#include <libdeflate.h>

inline std::string compress(std::string const& text, bool is_gzip) {
    libdeflate_compressor* const compressor = libdeflate_alloc_compressor(6);
    std::string out(libdeflate_gzip_compress_bound(compressor, text.size()), '\0');
    auto const encode = is_gzip ? &libdeflate_gzip_compress : &libdeflate_zlib_compress;
    out.resize(encode(compressor, text.data(), text.size(), out.data(), out.size()));
    libdeflate_free_compressor(compressor);
    return out;
}
inline std::string gzip(std::string const& text) { return compress(text, true); }
inline std::string zlib(std::string const& text) { return compress(text, false); }
