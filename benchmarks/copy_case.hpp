// One copy of a benchmark: its axes, where it reads and writes, the program, and the check of what arrives.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include <sys/mman.h>

#include <slabwise/copy/copy_program.hpp>

#include "bars.hpp"

namespace copy_bench {

namespace sw = slabwise;
using bars::side;
using sw::index_t;

constexpr std::size_t KiB = 1024;
constexpr std::size_t MiB = 1024 * KiB;

/// Zero-filled memory in pages of 4 KiB: with huge pages some copies are twice as fast, and who gets them is luck.
class pages {
public:
    explicit pages(std::size_t bytes) {
        void* const mapped = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        bars::require(mapped != MAP_FAILED, "mmap");
        madvise(mapped, bytes, MADV_NOHUGEPAGE);
        data_ = static_cast<std::byte*>(mapped);
    }
    [[nodiscard]] std::byte* data() const { return data_; }

private:
    std::byte* data_;  // for as long as the program runs
};

/// What all cases read: random bytes.
inline std::byte const* source_bytes() {
    static pages const memory = [] {
        constexpr std::size_t bytes = 68 * MiB;
        pages const made(bytes);
        std::uint64_t state = 1;
        for (std::size_t i = 0; i < bytes; i += sizeof(state)) {
            state = state * 6364136223846793005u + 1442695040888963407u;
            std::uint64_t const word = state ^ (state >> 29);
            std::memcpy(made.data() + i, &word, sizeof(word));
        }
        return made;
    }();
    return memory.data();
}

/// Where all copies write, ours and the rivals' the same: which lines of a cache collide depends on the pages that
/// memory is given. The first byte lies elsewhere in its page than that of the source: loads wait for stores of which
/// they are a multiple of 4096 bytes away.
inline std::byte* destination() {
    static pages const memory(68 * MiB);
    constexpr std::size_t place_in_page = 2112;
    return memory.data() + place_in_page;
}

/// A copy to a contiguous destination. **Units** of the strides: elements.
struct copy_case {
    std::string name;
    std::size_t element_size;
    std::size_t swap_size;
    std::vector<index_t> counts;
    std::vector<index_t> strides;
    std::byte const* source = source_bytes();
    sw::copy_program program;

    copy_case(std::string const& called, std::size_t element_bytes, std::vector<index_t> const& element_counts,
              std::vector<index_t> const& source_strides, std::size_t swapped_bytes = 1)
        : name(called), element_size(element_bytes), swap_size(swapped_bytes), counts(element_counts),
          strides(source_strides), program(element_bytes, swapped_bytes, axes()) {
        for (std::size_t d = 0; d < counts.size(); ++d) {
            if (strides[d] < 0) source -= (counts[d] - 1) * strides[d] * static_cast<index_t>(element_size);
        }
    }

    [[nodiscard]] index_t element_count() const {
        index_t product = 1;
        for (index_t count : counts) product *= count;
        return product;
    }
    [[nodiscard]] std::size_t destination_bytes() const {
        return static_cast<std::size_t>(element_count()) * element_size;
    }
    /// How often to do the copy in one piece of work, so that what calls it does not count.
    [[nodiscard]] index_t passes() const { return std::max<index_t>(1, 2000 / element_count()); }

    /// `copy` of the case, as often as passes() says.
    template <class Copy>
    [[nodiscard]] side repeated(Copy copy) const {
        return {[copy, times = passes()] {
                    for (index_t i = 0; i < times; ++i) copy();
                },
                static_cast<double>(element_count() * passes())};
    }
    [[nodiscard]] side ours() const {
        return repeated([made = std::make_shared<sw::copy_program const>(program), from = source] {
            (*made)(from, destination());
        });
    }

    /// The elements one by one, in the order of the destination.
    [[nodiscard]] std::vector<std::byte> expected() const {
        std::vector<std::byte> elements(destination_bytes());
        std::vector<index_t> at(counts.size(), 0);
        for (std::size_t place = 0; place < elements.size(); place += element_size) {
            index_t offset = 0;
            for (std::size_t d = 0; d < at.size(); ++d) offset += at[d] * strides[d];
            std::byte const* const element = source + offset * static_cast<index_t>(element_size);
            for (std::size_t byte = 0; byte < element_size; ++byte) {
                std::size_t const word = byte / swap_size * swap_size;
                elements[place + byte] = element[word + (swap_size - 1 - (byte - word))];
            }
            for (std::size_t d = at.size(); d-- > 0 && ++at[d] == counts[d];) at[d] = 0;
        }
        return elements;
    }

    /// Ends the program unless `copy` writes the elements to destination(), and nothing around them.
    void verify(side const& copy, std::string const& who) const { verify(expected(), copy, who); }
    void verify(std::vector<std::byte> const& elements, side const& copy, std::string const& who) const {
        std::byte* const first = destination();
        constexpr std::size_t around = 64;
        constexpr std::byte poison{0xA5};
        std::size_t const bytes = elements.size();
        std::memset(first - around, static_cast<int>(poison), bytes + 2 * around);
        copy.work();
        bool holds = std::memcmp(first, elements.data(), bytes) == 0;
        for (std::size_t i = 0; i < around; ++i) {
            holds = holds && first[static_cast<index_t>(i) - static_cast<index_t>(around)] == poison &&
                    first[bytes + i] == poison;
        }
        bars::require(holds, who + ", " + name);
    }

private:
    [[nodiscard]] std::vector<sw::copy_axis> axes() const {
        auto const element = static_cast<index_t>(element_size);
        std::vector<sw::copy_axis> made(counts.size(), sw::copy_axis{1, 0, 0});
        index_t destination_stride = element;
        for (std::size_t d = counts.size(); d-- > 0;) {
            made[d] = {counts[d], strides[d] * element, destination_stride};
            destination_stride *= counts[d];
        }
        return made;
    }
};

/// Ours against a rival of the same case. Both are verified.
inline bars::contest verified(copy_case const& one, std::string const& rival_name, side const& rival) {
    auto const elements = one.expected();
    auto const ours = one.ours();
    one.verify(elements, ours, "ours");
    one.verify(elements, rival, rival_name);
    return {one.name + "/over:" + rival_name, ours, rival};
}
/// Ours against a rival that does less, a memcpy say: ours is verified.
inline bars::contest against_less(copy_case const& one, std::string const& rival_name, side const& rival) {
    auto const ours = one.ours();
    one.verify(ours, "ours");
    return {one.name + "/over:" + rival_name, ours, rival};
}

}  // namespace copy_bench
