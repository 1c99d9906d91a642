// A store whose type is forgotten, so that what reads from stores need not be compiled once for each of them.
#pragma once

#include <memory>
#include <utility>

#include <slabwise/error.hpp>
#include <slabwise/store/byte_store.hpp>

namespace slabwise {

/// Any ByteStore, as a handle. **Cost** one virtual call a request; one allocation when made.
class any_store {
public:
    // The first condition comes first: whether any_store is a ByteStore depends on this constructor.
    template <class Store>
        requires(!std::same_as<Store, any_store>)
    &&ByteStore<Store> any_store(Store store) : store_(std::make_shared<model<Store>>(std::move(store))) {}

    object_state get(std::string_view key, std::vector<std::byte>& bytes) const { return store_->get(key, bytes); }
    std::optional<std::uint64_t> get_into(std::string_view key, std::span<std::byte> to) const {
        return store_->get_into(key, to);
    }
    [[nodiscard]] std::optional<std::uint64_t> size(std::string_view key) const { return store_->size(key); }
    /// **Throws** store_error also when the store is one that cannot list.
    [[nodiscard]] std::vector<store_entry> list(std::string_view prefix) const { return store_->list(prefix); }

private:
    struct interface {
        virtual ~interface() = default;
        virtual object_state get(std::string_view key, std::vector<std::byte>& bytes) const = 0;
        virtual std::optional<std::uint64_t> get_into(std::string_view key, std::span<std::byte> to) const = 0;
        virtual std::optional<std::uint64_t> size(std::string_view key) const = 0;
        virtual std::vector<store_entry> list(std::string_view prefix) const = 0;
    };
    template <class Store>
    struct model final : interface {
        explicit model(Store&& store) : store_(std::move(store)) {}
        object_state get(std::string_view key, std::vector<std::byte>& bytes) const override {
            return store_.get(key, bytes);
        }
        std::optional<std::uint64_t> get_into(std::string_view key, std::span<std::byte> to) const override {
            return store_.get_into(key, to);
        }
        std::optional<std::uint64_t> size(std::string_view key) const override { return store_.size(key); }
        std::vector<store_entry> list(std::string_view prefix) const override {
            if constexpr (ListsKeys<Store>) {
                return store_.list(prefix);
            } else {
                error_text const key = error_text().append(prefix.data(), prefix.size());
                throw store_error(error_text(key.c_str()).append(": this kind of store cannot list its keys"), key);
            }
        }
        Store store_;
    };

    std::shared_ptr<interface const> store_;
};

}  // namespace slabwise
