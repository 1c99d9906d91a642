// What the fuzz targets share: memory that ends where it may be touched, the errors that may come, and small reads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <span>
#include <string_view>
#include <vector>

#include <sys/mman.h>
#include <unistd.h>

#include <slabwise/error.hpp>
#include <slabwise/transfer/read.hpp>
#include <slabwise/zarr/array.hpp>

namespace fuzz {

namespace sw = slabwise;

/// What must hold. A target stops where it does not, and the fuzzer keeps its input.
inline void require(bool holds, char const* what, char const* detail = "") {
    if (holds) return;
    std::fprintf(stderr, "not so: %s: %s\n", what, detail);
    std::abort();
}

/// The bytes of an input, taken from its start.
class input {
public:
    input(std::uint8_t const* data, std::size_t size) : rest_(std::as_bytes(std::span(data, size))) {}

    /// The next byte, 0 behind the end.
    unsigned byte() {
        if (rest_.empty()) return 0;
        auto const value = std::to_integer<unsigned>(rest_.front());
        rest_ = rest_.subspan(1);
        return value;
    }
    /// A little-endian number of two bytes.
    unsigned short_number() {
        unsigned const low = byte();
        return low | byte() << 8;
    }
    [[nodiscard]] std::span<std::byte const> rest() const { return rest_; }

private:
    std::span<std::byte const> rest_;
};

/// Memory before a page that may not be touched: what goes past its end stops at once, in libraries without
/// instrumentation, too.
class guarded_memory {
public:
    explicit guarded_memory(std::size_t capacity) {
        auto const page = static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
        capacity_ = (capacity + page - 1) / page * page;
        void* const all =
            ::mmap(nullptr, capacity_ + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        require(all != MAP_FAILED, "memory can be mapped");
        begin_ = static_cast<std::byte*>(all);
        require(::mprotect(begin_ + capacity_, page, PROT_NONE) == 0, "memory can be protected");
    }
    guarded_memory(guarded_memory const&) = delete;
    guarded_memory& operator=(guarded_memory const&) = delete;

    /// The last bytes. **Expects** no more than the capacity.
    [[nodiscard]] std::span<std::byte> last(std::size_t bytes) const {
        require(bytes <= capacity_, "an input fits the memory that is guarded");
        return {begin_ + (capacity_ - bytes), bytes};
    }
    /// A copy of `bytes` that ends where the memory does.
    [[nodiscard]] std::span<std::byte const> copy(std::span<std::byte const> bytes) const {
        auto const to = last(bytes.size());
        std::copy(bytes.begin(), bytes.end(), to.begin());
        return to;
    }

private:
    std::byte* begin_;
    std::size_t capacity_;
};

/// True when f throws nothing, false for one of the errors that are allowed, which must be one line. Whatever else is
/// thrown goes on, and the fuzzer reports it.
template <class... Allowed, class F>
bool succeeds(F f) {
    try {
        f();
        return true;
    } catch (sw::error const& error) {
        require((... || (dynamic_cast<Allowed const*>(&error) != nullptr)), "the error may be thrown here", error.what());
        std::string_view const text = error.what();
        bool const is_line =
            std::all_of(text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) >= ' '; });
        require(!text.empty() && is_line, "an error is one line", error.what());
        return false;
    }
}

/// The first and the last index of each axis, as far as the elements stay below 64 and 1 MiB.
template <class Source>
auto corners(Source const& source) {
    constexpr std::size_t rank = sw::source_rank<Source>;
    auto const extents = source.grid().shape();
    std::size_t elements = (std::min)(std::size_t{64}, (std::size_t{1} << 20) / source.layout().type.size);
    return sw::hyperslab<rank>::generate([&](std::size_t axis) {
        sw::index_t const extent = extents[axis];
        if (extent < 2 || elements < 2) return sw::slice::counted(0, (std::min)(extent, sw::index_t{1}));
        elements /= 2;
        return sw::slice::counted(0, 2, extent - 1);
    });
}

/// What a slab of a source holds, in native byte order.
template <class Source, std::size_t R>
std::vector<std::byte> read_slab(Source const& source, sw::hyperslab<R> const& slab) {
    auto const plan = sw::make_plan(source.grid(), slab);
    std::vector<std::byte> bytes(static_cast<std::size_t>(plan.element_count()) * source.layout().type.size);
    sw::read_bytes_into(source, plan, bytes);
    return bytes;
}

}  // namespace fuzz
