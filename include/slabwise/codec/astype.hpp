// The filters that store numbers as those of another type.
#pragma once

#include <slabwise/codec/numbers.hpp>

namespace slabwise {

/// Numbers stored as another type. **Source** numcodecs, codec "astype".
class astype_codec : public detail::number_filter<astype_codec> {
public:
    using number_filter::number_filter;
    [[nodiscard]] std::string_view name() const noexcept { return "astype"; }

    void convert(std::byte const* in, std::size_t count, std::byte* out) const {
        detail::visit_wide(encoded(), [&](auto wide) {
            detail::number_block<decltype(wide)> block;
            for (std::size_t i = 0; i < count; i += detail::numbers_a_block) {
                std::size_t const n = (std::min)(count - i, detail::numbers_a_block);
                detail::load_numbers(encoded(), in + i * encoded().type.size, n, block.data());
                detail::store_numbers(decoded(), block.data(), n, out + i * decoded().type.size);
            }
        });
    }
};

/// Floating numbers that were rounded when they were stored, perhaps as another type; decoding changes the type alone.
/// **Source** numcodecs, codec "quantize".
class quantize_codec : public astype_codec {
public:
    using astype_codec::astype_codec;
    [[nodiscard]] std::string_view name() const noexcept { return "quantize"; }
};

}  // namespace slabwise
