// The filter that stores differences of neighbours.
#pragma once

#include <slabwise/codec/numbers.hpp>

namespace slabwise {

/// The first number, then the difference of each to the one before. **Source** numcodecs, codec "delta".
class delta_codec : public detail::number_filter<delta_codec> {
public:
    using number_filter::number_filter;
    [[nodiscard]] std::string_view name() const noexcept { return "delta"; }

    /// Sums as numpy does: integers wrap; floating sums are rounded at each step to the type that has room for both.
    void convert(std::byte const* in, std::size_t count, std::byte* out) const {
        if (!decoded().is_floating()) return sum<std::uint64_t>(in, count, out);
        // A floating type holds the integers of half its size.
        std::size_t const needed = encoded().is_floating() ? encoded().type.size : 2 * encoded().type.size;
        switch ((std::max)(decoded().type.size, needed)) {
        case 2: return sum<float16>(in, count, out);
        case 4: return sum<float>(in, count, out);
        default: return sum<double>(in, count, out);
        }
    }

private:
    template <class Sum>
    void sum(std::byte const* in, std::size_t count, std::byte* out) const {
        detail::visit_wide(encoded(), [&](auto wide) {
            detail::number_block<decltype(wide)> block;
            using total = std::conditional_t<std::is_same_v<Sum, std::uint64_t>, std::uint64_t, double>;
            detail::number_block<total> sums;
            Sum so_far{};
            for (std::size_t i = 0; i < count; i += detail::numbers_a_block) {
                std::size_t const n = (std::min)(count - i, detail::numbers_a_block);
                detail::load_numbers(encoded(), in + i * encoded().type.size, n, block.data());
                for (std::size_t k = 0; k < n; ++k) {
                    auto const next = detail::as_number<Sum>(block[k]);
                    // The first is taken as it is: -0.0 stays.
                    so_far = i + k == 0 ? next : add(so_far, next);
                    sums[k] = static_cast<total>(so_far);
                }
                detail::store_numbers(decoded(), sums.data(), n, out + i * decoded().type.size);
            }
        });
    }
    template <class Sum>
    static Sum add(Sum a, Sum b) noexcept {
        if constexpr (std::is_same_v<Sum, float16>) {
            return float16(static_cast<float>(a) + static_cast<float>(b));
        } else {
            return a + b;
        }
    }
};

}  // namespace slabwise
