// A zip archive as a store: a key is the name of a member.
#pragma once

#include <algorithm>
#include <array>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <mutex>
#include <system_error>
#include <utility>

#include <zip.h>

#include <slabwise/error.hpp>
#include <slabwise/store/byte_store.hpp>
#include <slabwise/store/keys.hpp>

namespace slabwise {

/// The members of a zip archive, stored or deflated. Of members of one name the last counts; directories, and members
/// whose names are no keys (absolute, with an empty, "." or ".." part), are no objects. Of a member that is read whole
/// the checksum is compared too. **Cost** a handle, copied by reference count; the archive's directory is read once; get:
/// one thread at a time, a range of a stored member by a seek, of a deflated one by decoding all that is before it.
/// **Source** APPNOTE.TXT 6.3, libzip.
class zip_store {
public:
    /// **Throws** store_error when the file cannot be opened or is no zip archive.
    explicit zip_store(std::string path) : archive_(std::make_shared<archive const>(std::move(path))) {}

    /// The path that the store was made with.
    [[nodiscard]] std::string const& path() const noexcept { return archive_->path; }

    /// Reads a range of a member into the room that `to` gives. **Throws** store_error, also for a member that is
    /// encrypted, compressed by another method, or not what the archive's directory says.
    object_state get(std::string_view key, byte_range range, byte_sink& to) const {
        auto const found = archive_->members.find(key);
        if (found == archive_->members.end()) return object_state::absent;
        member const& wanted = found->second;
        auto const [offset, length] = detail::require_within(range, wanted.bytes, key);
        require_readable(key, wanted);
        auto const room = to.room(length);
        if (!room.empty()) read(key, wanted, offset, room);
        return object_state::present;
    }

    /// The size of a member when decoded, as the archive's directory has it.
    [[nodiscard]] std::optional<std::uint64_t> size(std::string_view key) const {
        auto const found = archive_->members.find(key);
        return found == archive_->members.end() ? std::nullopt : std::optional<std::uint64_t>(found->second.bytes);
    }

    [[nodiscard]] std::vector<store_entry> list(std::string_view prefix) const {
        return detail::list_below(archive_->members, prefix, [](member const& of) { return of.bytes; });
    }

private:
    struct member {
        zip_uint64_t index = 0;
        std::uint64_t bytes = 0;
        std::uint64_t stored_bytes = 0;
        zip_uint16_t method = ZIP_CM_STORE;
        bool is_encrypted = false;
    };
    using zip_handle = std::unique_ptr<zip_t, decltype(&::zip_discard)>;

    struct archive {
        explicit archive(std::string&& at) : path(std::move(at)), handle(nullptr, &::zip_discard) {
            std::error_code failure;
            bytes = std::filesystem::file_size(path, failure);
            if (failure) refuse(failure.message());
            int code = ZIP_ER_OK;
            handle.reset(::zip_open(path.c_str(), ZIP_RDONLY, &code));
            if (!handle) {
                zip_error_t error;
                ::zip_error_init_with_code(&error, code);
                std::string const text = ::zip_error_strerror(&error);
                ::zip_error_fini(&error);
                refuse(text);
            }
            auto const count = static_cast<zip_uint64_t>(std::max<zip_int64_t>(::zip_get_num_entries(handle.get(), 0), 0));
            for (zip_uint64_t i = 0; i < count; ++i) add(i);
        }

        void add(zip_uint64_t index) {
            zip_stat_t status;
            ::zip_stat_init(&status);
            constexpr auto needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE | ZIP_STAT_COMP_METHOD;
            if (::zip_stat_index(handle.get(), index, 0, &status) != 0) refuse(::zip_strerror(handle.get()));
            if ((status.valid & needed) != needed || !detail::is_plain_key(status.name)) return;
            bool const is_encrypted = (status.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && status.encryption_method != ZIP_EM_NONE;
            members.insert_or_assign(status.name,
                                     member{index, status.size, status.comp_size, status.comp_method, is_encrypted});
        }

        [[noreturn]] void refuse(std::string const& why) const {
            std::string const text = "zip archive " + path + " cannot be opened: " + why;
            throw store_error(error_text().append(text.data(), text.size()),
                              error_text().append(path.data(), path.size()));
        }

        std::string path;
        std::uint64_t bytes = 0;
        zip_handle handle;
        std::map<std::string, member, std::less<>> members;
        /// Held by the thread that uses the handle.
        mutable std::mutex mutex;
    };

    /// Refuses what cannot be read, and sizes that cannot be true, before anyone makes room for them.
    void require_readable(std::string_view key, member const& wanted) const {
        if (wanted.is_encrypted) fail(key, "is encrypted");
        if (wanted.method != ZIP_CM_STORE && wanted.method != ZIP_CM_DEFLATE) {
            fail(key, "is compressed by method " + std::to_string(wanted.method) +
                          "; supported are 0 (stored) and 8 (deflated)");
        }
        if (wanted.stored_bytes > archive_->bytes) {
            fail(key, "has " + std::to_string(wanted.stored_bytes) + " bytes in an archive of " +
                          std::to_string(archive_->bytes));
        }
        // No deflated byte gives more than 1032.
        bool const fits = wanted.method == ZIP_CM_STORE ? wanted.bytes == wanted.stored_bytes
                                                        : wanted.bytes / 1032 <= wanted.stored_bytes;
        if (!fits) {
            fail(key, "cannot have " + std::to_string(wanted.bytes) + " bytes: the archive holds " +
                          std::to_string(wanted.stored_bytes) + " of it");
        }
    }

    void read(std::string_view key, member const& wanted, std::uint64_t offset, std::span<std::byte> to) const {
        std::lock_guard const lock(archive_->mutex);
        std::unique_ptr<zip_file_t, decltype(&::zip_fclose)> const file(
            ::zip_fopen_index(archive_->handle.get(), wanted.index, 0), &::zip_fclose);
        if (!file) fail(key, std::string("cannot be opened: ") + ::zip_strerror(archive_->handle.get()));
        bool const ends = offset + to.size() == wanted.bytes;
        if (wanted.method == ZIP_CM_STORE) {
            if (offset != 0 && ::zip_fseek(file.get(), static_cast<zip_int64_t>(offset), SEEK_SET) != 0) {
                fail(key, std::string("cannot be read: ") + ::zip_file_strerror(file.get()));
            }
        } else {
            std::array<std::byte, 16384> passed;
            while (offset != 0) {
                auto const some = static_cast<std::size_t>(std::min<std::uint64_t>(offset, passed.size()));
                read_on(key, *file, std::span(passed).first(some));
                offset -= some;
            }
        }
        read_on(key, *file, to);
        // At its end libzip compares the checksum of what was read from the first byte on.
        std::byte behind{};
        zip_int64_t const more = ends ? ::zip_fread(file.get(), &behind, 1) : 0;
        if (more < 0) fail(key, std::string("cannot be read: ") + ::zip_file_strerror(file.get()));
        if (more > 0) fail(key, "has more than the " + std::to_string(wanted.bytes) + " bytes that the archive says");
    }

    void read_on(std::string_view key, zip_file_t& file, std::span<std::byte> to) const {
        while (!to.empty()) {
            zip_int64_t const got = ::zip_fread(&file, to.data(), to.size());
            if (got < 0) fail(key, std::string("cannot be read: ") + ::zip_file_strerror(&file));
            if (got == 0) fail(key, "ends " + std::to_string(to.size()) + " bytes before the archive says");
            to = to.subspan(static_cast<std::size_t>(got));
        }
    }

    [[noreturn]] void fail(std::string_view key, std::string const& what) const {
        std::string const text = "zip archive " + path() + ": " + std::string(key) + ' ' + what;
        throw store_error(error_text().append(text.data(), text.size()), error_text().append(key.data(), key.size()));
    }

    std::shared_ptr<archive const> archive_;
};

}  // namespace slabwise
