// The filter that stores numbers scaled and shifted, as integers mostly.
#pragma once

#include <slabwise/codec/numbers.hpp>

namespace slabwise {

/// encoded / scale + offset. **Source** numcodecs, codec "fixedscaleoffset".
class fixed_scale_offset_codec : public detail::number_filter<fixed_scale_offset_codec> {
public:
    fixed_scale_offset_codec(number_type encoded, number_type decoded, double scale, double offset) noexcept
        : number_filter(encoded, decoded), scale_(scale), offset_(offset) {}
    [[nodiscard]] std::string_view name() const noexcept { return "fixedscaleoffset"; }

    void convert(std::byte const* in, std::size_t count, std::byte* out) const {
        detail::visit_wide(encoded(), [&](auto wide) {
            detail::number_block<decltype(wide)> block;
            detail::number_block<double> scaled;
            for (std::size_t i = 0; i < count; i += detail::numbers_a_block) {
                std::size_t const n = (std::min)(count - i, detail::numbers_a_block);
                detail::load_numbers(encoded(), in + i * encoded().type.size, n, block.data());
                for (std::size_t k = 0; k < n; ++k) scaled[k] = decode_one(block[k]);
                detail::store_numbers(decoded(), scaled.data(), n, out + i * decoded().type.size);
            }
        });
    }

private:
    /// In the precision in which numpy computes: that of the stored floating type, double for integers.
    template <class Wide>
    [[nodiscard]] double decode_one(Wide value) const noexcept {
        if (encoded().is_floating() && encoded().type.size == 4) {
            return static_cast<float>(value) / static_cast<float>(scale_) + static_cast<float>(offset_);
        }
        if (encoded().is_floating() && encoded().type.size == 2) {
            float const quotient(float16(static_cast<float>(value) / static_cast<float>(float16(scale_))));
            return static_cast<double>(static_cast<float>(float16(quotient + static_cast<float>(float16(offset_)))));
        }
        return static_cast<double>(value) / scale_ + offset_;
    }

    double scale_;
    double offset_;
};

}  // namespace slabwise
