// An array as text that goes out while it is read.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <slabwise/copy/element_type.hpp>

namespace program {

namespace sw = slabwise;

/// csv: a line for each row along the last axis. json: nested lists.
enum class text_form { csv, json };

class text_writer {
public:
    /// `sink` is called with pieces of the text.
    text_writer(text_form form, sw::element_type type, std::vector<std::int64_t> shape,
                std::function<void(std::string_view)> sink);

    /// The next elements, in C order and native byte order.
    void add(std::span<std::byte const> elements);
    /// After the last element.
    void finish();

private:
    text_form form_;
    sw::element_type type_;
    std::vector<std::int64_t> shape_;
    std::vector<std::int64_t> index_;
    std::function<void(std::string_view)> sink_;
    std::string text_;
};

}  // namespace program
