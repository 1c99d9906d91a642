// What turns the stored bytes of a chunk back into its elements, and chains of such codecs.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include <slabwise/error.hpp>

namespace slabwise {

/// A codec from bytes to bytes. Any number of threads may use one at once. Both forms of decode throw codec_error
/// (without a key: the caller knows it) for bytes that are damaged or do not have the promised size.
///
/// | expression                          | meaning                                                             |
/// |-------------------------------------|---------------------------------------------------------------------|
/// | `codec.name()`                      | its name in messages, a string_view that stays valid                |
/// | `codec.largest_encoding(bytes)`     | the most bytes that so many bytes encode to, for an honest encoder  |
/// | `codec.decode(in, out)`             | fills the span `out` exactly                                        |
/// | `codec.decode_some(in, out, limit)` | sets the vector `out` to what `in` decodes to, at most `limit` bytes |
template <class C>
concept Codec = std::copyable<C> && requires(C const& codec, std::span<std::byte const> in, std::span<std::byte> out,
                                             std::vector<std::byte>& some, std::size_t limit) {
    { codec.name() } -> std::same_as<std::string_view>;
    { codec.largest_encoding(limit) } -> std::same_as<std::size_t>;
    codec.decode(in, out);
    codec.decode_some(in, some, limit);
};

namespace detail {

/// What no compressor makes of incompressible bytes: it bounds what hostile input can make us allocate.
constexpr std::size_t generous_encoding(std::size_t bytes) noexcept {
    return bytes > static_cast<std::size_t>(-1) / 2 - 65536 ? static_cast<std::size_t>(-1) : 2 * bytes + 65536;
}
/// a + b, or the largest size.
constexpr std::size_t saturating_add(std::size_t a, std::size_t b) noexcept {
    return a > static_cast<std::size_t>(-1) - b ? static_cast<std::size_t>(-1) : a + b;
}
/// ceil(bytes * times / parts), or the largest size. **Expects** parts > 0.
constexpr std::size_t saturating_scale(std::size_t bytes, std::size_t times, std::size_t parts) noexcept {
    if (times != 0 && bytes > (static_cast<std::size_t>(-1) - parts) / times) return static_cast<std::size_t>(-1);
    return (bytes * times + parts - 1) / parts;
}

/// The errors of a codec: "NAME: SENTENCE", with up to two numbers.
[[noreturn]] inline void fail_decode(std::string_view name, char const* sentence) {
    throw codec_error(error_text().append(name.data(), name.size()).append(": ").append(sentence), error_text());
}
[[noreturn]] inline void fail_decode(std::string_view name, char const* before, std::uint64_t value, char const* after) {
    throw codec_error(
        error_text().append(name.data(), name.size()).append(": ").append(before).append(value).append(after),
        error_text());
}
[[noreturn]] inline void fail_size(std::string_view name, std::uint64_t found, std::uint64_t expected) {
    throw codec_error(error_text()
                          .append(name.data(), name.size())
                          .append(": decodes to ")
                          .append(found)
                          .append(" bytes, ")
                          .append(expected)
                          .append(" expected"),
                      error_text());
}
inline void require_decoded_size(std::string_view name, std::uint64_t found, std::uint64_t expected) {
    if (found != expected) fail_size(name, found, expected);
}
inline void require_within_limit(std::string_view name, std::uint64_t found, std::uint64_t limit) {
    if (found > limit) fail_decode(name, "decodes to more than ", limit, " bytes");
}
[[noreturn]] inline void fail_damaged(std::string_view name, std::size_t encoded_bytes) {
    fail_decode(name, "the encoded bytes are damaged or cut short (", encoded_bytes, " bytes)");
}

}  // namespace detail

/// Codecs one after another, in the order in which they encode; a handle that is cheap to copy.
class codec_chain {
public:
    /// Appends a codec, which encodes what the former ones have encoded.
    template <Codec C>
    void push_back(C codec) {
        codecs_.push_back(std::make_shared<model<C>>(std::move(codec)));
    }

    [[nodiscard]] bool empty() const noexcept { return codecs_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return codecs_.size(); }
    /// The name of the i-th codec. **Expects** i < size().
    [[nodiscard]] std::string_view name(std::size_t i) const { return codecs_[i]->name(); }

    /// The most bytes that so many bytes may encode to.
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const {
        return largest_before(codecs_.size(), bytes);
    }

    /// Decodes `in` into exactly `out`. **Throws** codec_error. **Expects** not empty(); `in` is in no buffer of this
    /// thread's former calls. **Cost** no allocation once the thread has buffers of that size, two for three codecs or
    /// more.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        codecs_.front()->decode(decode_to_first(in, out.size()), out);
    }
    /// Sets `out` to what `in` decodes to, at most `limit` bytes. **Throws**, **Expects**, **Cost** as decode.
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        codecs_.front()->decode_some(decode_to_first(in, limit), out, limit);
    }

private:
    /// The most bytes that enter codec i, or leave the last one, for so many decoded bytes.
    [[nodiscard]] std::size_t largest_before(std::size_t i, std::size_t bytes) const {
        for (std::size_t k = 0; k < i; ++k) bytes = codecs_[k]->largest_encoding(bytes);
        return bytes;
    }

    /// What the first codec made of at most `bytes` bytes.
    [[nodiscard]] std::span<std::byte const> decode_to_first(std::span<std::byte const> in, std::size_t bytes) const {
        thread_local std::vector<std::byte> buffers[2];
        for (std::size_t i = codecs_.size() - 1; i > 0; --i) {
            auto& next = buffers[i % 2];
            codecs_[i]->decode_some(in, next, largest_before(i, bytes));
            in = next;
        }
        return in;
    }

    struct interface {
        virtual ~interface() = default;
        virtual std::string_view name() const = 0;
        virtual std::size_t largest_encoding(std::size_t bytes) const = 0;
        virtual void decode(std::span<std::byte const> in, std::span<std::byte> out) const = 0;
        virtual void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out,
                                 std::size_t limit) const = 0;
    };
    template <class C>
    struct model final : interface {
        explicit model(C&& codec) : codec_(std::move(codec)) {}
        std::string_view name() const override { return codec_.name(); }
        std::size_t largest_encoding(std::size_t bytes) const override { return codec_.largest_encoding(bytes); }
        void decode(std::span<std::byte const> in, std::span<std::byte> out) const override { codec_.decode(in, out); }
        void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const override {
            codec_.decode_some(in, out, limit);
        }
        C codec_;
    };

    std::vector<std::shared_ptr<interface const>> codecs_;
};

}  // namespace slabwise
