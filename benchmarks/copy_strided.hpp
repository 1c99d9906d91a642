// Copies of one axis, an element out of every `stride`, and their rivals.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "copy_case.hpp"
#include "copy_rivals.hpp"

namespace copy_bench {

/// What the source of a case spans, all elements that are skipped included.
struct level {
    char const* name;
    std::size_t span_bytes;
};
constexpr level L1{"L1", 16 * KiB};
constexpr level L2{"L2", 512 * KiB};
constexpr level memory{"memory", 64 * MiB};

/// Fewer elements measure the call.
constexpr index_t fewest_elements = 64;

/// `use` with an element of that size.
template <class Use>
auto with_element(std::size_t element_size, Use use) {
    switch (element_size) {
    case 1:
        return use(std::uint8_t{});
    case 2:
        return use(std::uint16_t{});
    case 4:
        return use(std::uint32_t{});
    case 8:
        return use(std::uint64_t{});
    case 16:
        return use(rivals::pair_of_words{});
    default:
        throw std::invalid_argument("an element is of 1, 2, 4, 8 or 16 bytes");
    }
}

struct strided_case {
    copy_case copy;

    strided_case(std::string const& name, std::size_t element_size, index_t stride, index_t count)
        : copy(name + "/bytes:" + std::to_string(element_size) + "/stride:" + std::to_string(stride), element_size,
               {count}, {stride}) {}
    strided_case(level const& at, std::size_t element_size, index_t stride)
        : strided_case(at.name, element_size, stride, elements_of(at, element_size, stride)) {}

    [[nodiscard]] index_t stride() const { return copy.strides[0]; }
    [[nodiscard]] index_t count() const { return copy.counts[0]; }

    [[nodiscard]] side plain_at_0() const {
        return of_rival([]<class Element>(Element) { return &rivals::plain_at_0<Element>; });
    }
    [[nodiscard]] side plain_at_32() const {
        return of_rival([]<class Element>(Element) { return &rivals::plain_at_32<Element>; });
    }
    [[nodiscard]] side unrolled() const {
        return of_rival([]<class Element>(Element) { return &rivals::unrolled<Element>; });
    }
    /// A memcpy of all of the source's lines that hold an element.
    [[nodiscard]] side touched_lines() const {
        constexpr index_t line = 64;
        auto const element = static_cast<index_t>(copy.element_size);
        index_t const step = (stride() < 0 ? -stride() : stride()) * element;
        index_t const bytes = step < line ? (count() - 1) * step + element : count() * line;
        return copy.repeated(
            [bytes] { rivals::copy_bytes(source_bytes(), destination(), static_cast<std::size_t>(bytes)); });
    }

    [[nodiscard]] bars::contest over_unrolled() const { return verified(copy, "unrolled", unrolled()); }
    [[nodiscard]] bars::contest over_touched_lines() const {
        return against_less(copy, "touched_lines", touched_lines());
    }

private:
    static index_t elements_of(level const& at, std::size_t element_size, index_t stride) {
        auto const step = (stride < 0 ? -stride : stride) * static_cast<index_t>(element_size);
        return std::max(fewest_elements, static_cast<index_t>(at.span_bytes) / step);
    }

    template <class Choose>
    [[nodiscard]] side of_rival(Choose choose) const {
        return with_element(copy.element_size, [&]<class Element>(Element element) {
            auto const loop = choose(element);
            return copy.repeated([loop, from = copy.source, by = stride(), times = count()] {
                loop(reinterpret_cast<Element const*>(from), by, reinterpret_cast<Element*>(destination()), times);
            });
        });
    }
};

/// The nanoseconds an element of several works: the median of interleaved repeats each.
inline std::vector<double> median_nanoseconds(std::vector<side> const& sides, std::size_t repeats) {
    // Long enough for the clock, and short enough for many cases.
    constexpr double sample_seconds = 5e-5;
    std::vector<std::int64_t> times;
    for (auto const& one : sides) {
        one.work();
        times.push_back(1 + static_cast<std::int64_t>(sample_seconds / one.seconds()));
    }
    std::vector<std::vector<double>> samples(sides.size());
    for (std::size_t i = 0; i < repeats; ++i) {
        for (std::size_t k = 0; k < sides.size(); ++k) {
            samples[k].push_back(1e9 * sides[k].seconds_an_item(times[k]));
        }
    }
    std::vector<double> medians;
    for (auto& values : samples) {
        auto const middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
        std::nth_element(values.begin(), middle, values.end());
        medians.push_back(*middle);
    }
    return medians;
}

}  // namespace copy_bench
