// What turns the stored bytes of a chunk back into its elements, and chains of such codecs.
#pragma once

#include <concepts>
#include <cstddef>
#include <memory>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

namespace slabwise {

/// A codec from bytes to bytes. Any number of threads may use one at once. Both forms of decode throw codec_error
/// (without a key: the caller knows it) for bytes that are damaged or do not have the promised size.
///
/// | expression                          | meaning                                                             |
/// |-------------------------------------|---------------------------------------------------------------------|
/// | `codec.name()`                      | its name in messages, a string_view that stays valid                |
/// | `codec.decode(in, out)`             | fills the span `out` exactly                                        |
/// | `codec.decode_some(in, out, limit)` | sets the vector `out` to what `in` decodes to, at most `limit` bytes |
template <class C>
concept Codec = std::copyable<C> && requires(C const& codec, std::span<std::byte const> in, std::span<std::byte> out,
                                             std::vector<std::byte>& some, std::size_t limit) {
    { codec.name() } -> std::same_as<std::string_view>;
    codec.decode(in, out);
    codec.decode_some(in, some, limit);
};

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

    /// Decodes `in` into exactly `out`. **Throws** codec_error. **Expects** not empty().
    /// **Cost** one buffer for each codec but one.
    void decode(std::span<std::byte const> in, std::span<std::byte> out) const {
        std::vector<std::byte> decoded;
        for (std::size_t i = codecs_.size() - 1; i > 0; --i) {
            std::vector<std::byte> next;
            codecs_[i]->decode_some(in, next, largest_encoding(out.size()));
            decoded = std::move(next);
            in = decoded;
        }
        codecs_.front()->decode(in, out);
    }

    /// Sets `out` to what `in` decodes to, at most `limit` bytes. **Throws** codec_error. **Expects** not empty().
    void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const {
        std::vector<std::byte> decoded;
        for (std::size_t i = codecs_.size() - 1; i > 0; --i) {
            std::vector<std::byte> next;
            codecs_[i]->decode_some(in, next, largest_encoding(limit));
            decoded = std::move(next);
            in = decoded;
        }
        codecs_.front()->decode_some(in, out, limit);
    }

    /// The most bytes that `bytes` bytes may encode to.
    [[nodiscard]] std::size_t largest_encoding(std::size_t bytes) const noexcept {
        for (std::size_t i = 0; i < codecs_.size(); ++i) bytes = largest_of_one(bytes);
        return bytes;
    }

private:
    // No codec makes incompressible bytes longer than this; it bounds what hostile input can make us allocate.
    static constexpr std::size_t largest_of_one(std::size_t bytes) noexcept {
        return bytes > static_cast<std::size_t>(-1) / 2 - 65536 ? static_cast<std::size_t>(-1) : 2 * bytes + 65536;
    }

    struct interface {
        virtual ~interface() = default;
        virtual std::string_view name() const = 0;
        virtual void decode(std::span<std::byte const> in, std::span<std::byte> out) const = 0;
        virtual void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out,
                                 std::size_t limit) const = 0;
    };
    template <class C>
    struct model final : interface {
        explicit model(C&& codec) : codec_(std::move(codec)) {}
        std::string_view name() const override { return codec_.name(); }
        void decode(std::span<std::byte const> in, std::span<std::byte> out) const override { codec_.decode(in, out); }
        void decode_some(std::span<std::byte const> in, std::vector<std::byte>& out, std::size_t limit) const override {
            codec_.decode_some(in, out, limit);
        }
        C codec_;
    };

    std::vector<std::shared_ptr<interface const>> codecs_;
};

}  // namespace slabwise
