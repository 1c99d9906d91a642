// A store whose type is forgotten, so that what reads from stores need not be compiled once for each of them.
#pragma once

#include <memory>
#include <utility>

#include <slabwise/error.hpp>
#include <slabwise/store/byte_store.hpp>

namespace slabwise {

namespace detail {

/// Makes a vector as long as the answer.
class vector_sink final : public byte_sink {
public:
    explicit vector_sink(std::vector<std::byte>& bytes) noexcept : bytes_(bytes) {}
    std::span<std::byte> room(std::uint64_t bytes) override {
        bytes_.resize(static_cast<std::size_t>(bytes));
        return bytes_;
    }

private:
    std::vector<std::byte>& bytes_;
};

/// Takes an answer of one size only.
class exact_sink final : public byte_sink {
public:
    explicit exact_sink(std::span<std::byte> to) noexcept : to_(to) {}
    std::span<std::byte> room(std::uint64_t bytes) override {
        found_ = bytes;
        return bytes == to_.size() ? to_ : std::span<std::byte>();
    }
    [[nodiscard]] std::uint64_t found() const noexcept { return found_; }

private:
    std::span<std::byte> to_;
    std::uint64_t found_ = 0;
};

/// One request of many as a request of its own.
class request_sink final : public byte_sink {
public:
    request_sink(fetch_sink& to, std::size_t request) noexcept : to_(to), request_(request) {}
    std::span<std::byte> room(std::uint64_t bytes) override { return to_.room(request_, bytes); }

private:
    fetch_sink& to_;
    std::size_t request_;
};

}  // namespace detail

/// Any ByteStore, as a handle, with all that stores may offer: what the store itself does not is made of what it does,
/// or answered by nothing. **Cost** one virtual call a request; one allocation when made.
class any_store {
public:
    // The first condition comes first: whether any_store is a ByteStore depends on this constructor.
    template <class Store>
        requires(!std::same_as<Store, any_store>)
    &&ByteStore<Store> any_store(Store store) : store_(std::make_shared<model<Store>>(std::move(store))) {}

    object_state get(std::string_view key, byte_range range, byte_sink& to) const {
        return store_->get(key, range, to);
    }
    [[nodiscard]] std::optional<std::uint64_t> size(std::string_view key) const { return store_->size(key); }
    /// Answers all requests: at once where the store can, otherwise one after another.
    void fetch(std::span<fetch_request const> requests, fetch_sink& sink) const { store_->fetch(requests, sink); }
    [[nodiscard]] std::optional<shared_bytes> map(std::string_view key) const { return store_->map(key); }
    /// **Throws** store_error also when the store is one that cannot list.
    [[nodiscard]] std::vector<store_entry> list(std::string_view prefix) const { return store_->list(prefix); }
    [[nodiscard]] bool can_list() const noexcept { return store_->can_list(); }

    /// Reads an object, or a range of it, into `bytes`, whose former content is gone unless it is absent.
    object_state get(std::string_view key, std::vector<std::byte>& bytes, byte_range range = {}) const {
        detail::vector_sink sink(bytes);
        return get(key, range, sink);
    }
    /// Reads an object, or a range of it, of exactly to.size() bytes; gives the size of any other without reading it,
    /// nothing when the object is absent.
    std::optional<std::uint64_t> get_into(std::string_view key, std::span<std::byte> to, byte_range range = {}) const {
        detail::exact_sink sink(to);
        if (get(key, range, sink) == object_state::absent) return std::nullopt;
        return sink.found();
    }

private:
    struct interface {
        virtual ~interface() = default;
        virtual object_state get(std::string_view key, byte_range range, byte_sink& to) const = 0;
        virtual std::optional<std::uint64_t> size(std::string_view key) const = 0;
        virtual void fetch(std::span<fetch_request const> requests, fetch_sink& sink) const = 0;
        virtual std::optional<shared_bytes> map(std::string_view key) const = 0;
        virtual std::vector<store_entry> list(std::string_view prefix) const = 0;
        virtual bool can_list() const noexcept = 0;
    };
    template <class Store>
    struct model final : interface {
        explicit model(Store&& store) : store_(std::move(store)) {}
        object_state get(std::string_view key, byte_range range, byte_sink& to) const override {
            return store_.get(key, range, to);
        }
        std::optional<std::uint64_t> size(std::string_view key) const override { return store_.size(key); }
        void fetch(std::span<fetch_request const> requests, fetch_sink& sink) const override {
            if constexpr (FetchesMany<Store>) {
                store_.fetch(requests, sink);
            } else {
                for (std::size_t i = 0; i < requests.size(); ++i) fetch_one(requests[i], i, sink);
            }
        }
        void fetch_one(fetch_request const& request, std::size_t i, fetch_sink& sink) const {
            object_state state = object_state::absent;
            try {
                detail::request_sink to(sink, i);
                state = store_.get(request.key, request.range, to);
            } catch (...) {
                sink.failed(i, std::current_exception());
                return;
            }
            state == object_state::present ? sink.present(i) : sink.absent(i);
        }
        std::optional<shared_bytes> map([[maybe_unused]] std::string_view key) const override {
            if constexpr (MapsObjects<Store>) {
                return store_.map(key);
            } else {
                return std::nullopt;
            }
        }
        std::vector<store_entry> list(std::string_view prefix) const override {
            if constexpr (ListsKeys<Store>) {
                return store_.list(prefix);
            } else {
                error_text const key = error_text().append(prefix.data(), prefix.size());
                throw store_error(error_text(key.c_str()).append(": this kind of store cannot list its keys"), key);
            }
        }
        bool can_list() const noexcept override { return ListsKeys<Store>; }
        Store store_;
    };

    std::shared_ptr<interface const> store_;
};

}  // namespace slabwise
