#include "writer.hpp"

#include <algorithm>

#include "element.hpp"

namespace program {

namespace {

constexpr std::size_t piece_bytes = std::size_t{1} << 18;

/// The lists of an array without elements, down to the axis that has no index.
void append_empty_lists(std::string& text, std::span<std::int64_t const> shape) {
    text += '[';
    for (std::int64_t i = 0; i < shape[0]; ++i) {
        if (i > 0) text += ", ";
        append_empty_lists(text, shape.subspan(1));
    }
    text += ']';
}

}  // namespace

text_writer::text_writer(text_form form, sw::element_type type, std::vector<std::int64_t> shape,
                         std::function<void(std::string_view)> sink)
    : form_(form), type_(type), shape_(std::move(shape)), index_(shape_.size()), sink_(std::move(sink)) {
    if (form_ != text_form::json) return;
    if (std::find(shape_.begin(), shape_.end(), 0) != shape_.end()) {
        append_empty_lists(text_, shape_);
    } else {
        text_.append(shape_.size(), '[');
    }
}

void text_writer::add(std::span<std::byte const> elements) {
    bool const is_json = form_ == text_form::json;
    for (std::size_t at = 0; at < elements.size(); at += type_.size) {
        append_element(text_, type_, &elements[at], is_json ? notation::json : notation::numpy);
        std::size_t axis = shape_.size();
        while (axis > 0 && ++index_[axis - 1] == shape_[axis - 1]) index_[--axis] = 0;
        std::size_t const closed = shape_.size() - axis;  // axes that have come to their end
        if (is_json) {
            text_.append(closed, ']');
            if (axis > 0) text_ += closed == 0 ? ", " : ",\n";
            if (axis > 0) text_.append(closed, '[');
        } else {
            text_ += closed == 0 && axis > 0 ? ',' : '\n';
        }
        if (text_.size() > piece_bytes) {
            sink_(text_);
            text_.clear();
        }
    }
}

void text_writer::finish() {
    if (form_ == text_form::json) text_ += '\n';
    sink_(text_);
    text_.clear();
}

}  // namespace program
