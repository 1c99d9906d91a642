// The errors of slabwise. Their texts live in fixed buffers, so that the slice math needs neither <string> nor
// <stdexcept>, and throwing never allocates on our side.
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>

#if !defined(__cpp_exceptions)
#error "slabwise: exceptions are required; -fno-exceptions is not supported"
#endif

namespace slabwise {

/// A text of bounded length, built piece by piece; what does not fit is cut and ends in "...".
/// **Cost** appending is O(length); no allocation.
class error_text {
public:
    static constexpr std::size_t capacity = 511;

    constexpr error_text() noexcept = default;
    constexpr error_text(char const* text) noexcept { append(text); }

    /// Appends a text that ends in a null character.
    constexpr error_text& append(char const* text) noexcept {
        while (*text != '\0') append_character(*text++);
        return *this;
    }
    /// Appends `size` characters; control characters, which would garble a terminal, become '?'.
    constexpr error_text& append(char const* text, std::size_t size) noexcept {
        for (std::size_t i = 0; i < size; ++i) {
            auto const code = static_cast<unsigned char>(text[i]);
            append_character(code < 0x20 || code == 0x7f ? '?' : text[i]);
        }
        return *this;
    }
    /// Appends a number in decimal.
    constexpr error_text& append(std::int64_t value) noexcept {
        if (value < 0) append_character('-');
        return append(value < 0 ? 0 - static_cast<std::uint64_t>(value) : static_cast<std::uint64_t>(value));
    }
    constexpr error_text& append(std::uint64_t value) noexcept {
        char digits[20] = {};
        std::size_t length = 0;
        do {
            digits[length++] = static_cast<char>('0' + value % 10);
            value /= 10;
        } while (value != 0);
        while (length != 0) append_character(digits[--length]);
        return *this;
    }

    [[nodiscard]] constexpr char const* c_str() const noexcept { return text_; }
    [[nodiscard]] constexpr std::size_t size() const noexcept { return size_; }

private:
    constexpr void append_character(char character) noexcept {
        if (size_ < capacity) {
            text_[size_++] = character;
            text_[size_] = '\0';
        } else {
            text_[capacity - 1] = text_[capacity - 2] = text_[capacity - 3] = '.';
        }
    }

    char text_[capacity + 1] = {};
    std::size_t size_ = 0;
};

/// What every error of slabwise derives from; what() is one sentence that names the thing, the value and the bound.
class error : public std::exception {
public:
    explicit error(error_text const& text) noexcept : text_(text) {}
    [[nodiscard]] char const* what() const noexcept override { return text_.c_str(); }

private:
    error_text text_;
};

/// A selection, a shape or a grid that cannot be: thrown before any I/O.
class selection_error : public error {
public:
    /// What axis() gives when the error belongs to no single axis.
    static constexpr std::size_t no_axis = static_cast<std::size_t>(-1);

    explicit selection_error(error_text const& text, std::size_t axis = no_axis, std::int64_t value = 0,
                             std::int64_t bound = 0) noexcept
        : error(text), axis_(axis), value_(value), bound_(bound) {}

    /// The axis that is wrong, from 0, or no_axis.
    [[nodiscard]] std::size_t axis() const noexcept { return axis_; }
    /// The value that is wrong.
    [[nodiscard]] std::int64_t value() const noexcept { return value_; }
    /// The bound that the value breaks.
    [[nodiscard]] std::int64_t bound() const noexcept { return bound_; }

private:
    std::size_t axis_;
    std::int64_t value_;
    std::int64_t bound_;
};

/// A value that does not fit the type that it is converted to. Some of the destination is written by then.
class conversion_error : public error {
public:
    conversion_error(error_text const& text, std::int64_t position) noexcept : error(text), position_(position) {}
    /// Which element of the copy it is: its place in C order of the axes of the copy, from 0.
    [[nodiscard]] std::int64_t position() const noexcept { return position_; }

private:
    std::int64_t position_;
};

/// An error that belongs to one object of a store, whose key it carries.
class keyed_error : public error {
public:
    keyed_error(error_text const& text, error_text const& key) noexcept : error(text), key_(key) {}
    /// The key of the object (cut at error_text::capacity characters).
    [[nodiscard]] char const* key() const noexcept { return key_.c_str(); }

private:
    error_text key_;
};

/// Metadata that is malformed, contradicts itself or asks for what is not supported.
class metadata_error : public keyed_error {
public:
    using keyed_error::keyed_error;
};

/// Encoded bytes that do not decode to what the metadata promises.
class codec_error : public keyed_error {
public:
    using keyed_error::keyed_error;
};

/// A store that could not answer. An object that is absent is an answer, not an error.
class store_error : public keyed_error {
public:
    store_error(error_text const& text, error_text const& key, bool is_transient = false) noexcept
        : keyed_error(text, key), is_transient_(is_transient) {}
    /// True when the same request may succeed later.
    [[nodiscard]] bool is_transient() const noexcept { return is_transient_; }

private:
    bool is_transient_;
};

}  // namespace slabwise
