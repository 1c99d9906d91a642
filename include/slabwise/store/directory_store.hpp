// A directory as a store: a key is the path of a file below it.
#pragma once

#include <cerrno>
#include <memory>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <slabwise/error.hpp>
#include <slabwise/store/byte_store.hpp>
#include <slabwise/store/keys.hpp>
#include <slabwise/store/open_beneath.hpp>

namespace slabwise {

/// Whether files may be read where the system keeps them, by mmap.
enum class file_maps : unsigned char { off, on };

/// The files below one directory. A key stays below it: one that is absolute or has an empty, "." or ".." part is
/// refused, and so is a symbolic link that leads out. What is no regular file (a directory, a FIFO) is an error, not an
/// object. **Cost** a handle, copied by reference count; get: open, fstat, pread, close.
class directory_store {
public:
    /// **Throws** store_error when there is no such directory.
    explicit directory_store(std::string root, file_maps maps = file_maps::on) {
        detail::file_descriptor directory(::open(root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
        if (!directory.is_open()) {
            int const code = errno;
            throw store_error(sentence("directory " + root + " cannot be opened", code), key_text(root));
        }
        root_ = std::make_shared<root_directory const>(std::move(root), std::move(directory), maps);
    }

    /// The path that the store was made with.
    [[nodiscard]] std::string const& root() const noexcept { return root_->path; }

    /// Reads a range of an object into the room that `to` gives. **Throws** store_error, also for a file that is cut short
    /// while it is read.
    object_state get(std::string_view key, byte_range range, byte_sink& to) const {
        opened_object const object = open(key, O_RDONLY | O_NONBLOCK);
        if (!object.file.is_open()) return object_state::absent;
        auto const [offset, length] = detail::require_within(range, object.bytes, key);
        read(key, object, offset, to.room(length));
        return object_state::present;
    }

    /// All bytes of an object, read where the system keeps them; nothing when it is absent, or when the store was made
    /// without maps. A file that is cut short while it is mapped raises the signal SIGBUS where its lost part is read.
    /// **Throws** store_error. **Cost** open, fstat, mmap, close; later munmap and one page fault for each 64 KiB or so
    /// that are touched.
    [[nodiscard]] std::optional<shared_bytes> map(std::string_view key) const {
        if (root_->maps == file_maps::off) return std::nullopt;
        opened_object const object = open(key, O_RDONLY | O_NONBLOCK);
        if (!object.file.is_open()) return std::nullopt;
        auto const length = static_cast<std::size_t>(object.bytes);
        if (length == 0) return shared_bytes();
        void* const begin = ::mmap(nullptr, length, PROT_READ, MAP_SHARED, object.file.number(), 0);
        if (begin == MAP_FAILED) return std::nullopt;  // some file systems cannot; get() can
        std::shared_ptr<void const> owner(begin, [length](void* at) { ::munmap(at, length); });
        return shared_bytes(std::move(owner), {static_cast<std::byte const*>(begin), length});
    }

    /// The size of an object, without reading it. **Throws** store_error.
    [[nodiscard]] std::optional<std::uint64_t> size(std::string_view key) const {
        opened_object const object = open(key, O_RDONLY | O_NONBLOCK);
        if (!object.file.is_open()) return std::nullopt;
        return object.bytes;
    }

    /// The files and directories directly below a directory of the store ("" for its root), in no order. Left out: what
    /// is neither, and links that lead nowhere or out. **Throws** store_error. **Cost** one stat an entry.
    [[nodiscard]] std::vector<store_entry> list(std::string_view prefix) const {
        std::string const path = prefix.empty() ? std::string() : checked(prefix);
        int const flags = O_RDONLY | O_DIRECTORY;
        detail::file_descriptor directory =
            path.empty() ? detail::file_descriptor(::openat(root_->directory.number(), ".", flags | O_CLOEXEC))
                         : detail::open_beneath(root_->directory.number(), path.c_str(), flags);
        if (!directory.is_open()) {
            if (errno == ENOENT || errno == ENOTDIR) return {};
            fail(prefix, "cannot be listed", errno);
        }
        std::unique_ptr<DIR, int (*)(DIR*)> const stream(::fdopendir(directory.number()), &::closedir);
        if (!stream) fail(prefix, "cannot be listed", errno);
        directory.release();
        std::vector<store_entry> entries;
        for (;;) {
            errno = 0;
            dirent const* const found = ::readdir(stream.get());
            if (found == nullptr) {
                if (errno != 0) fail(prefix, "cannot be listed", errno);
                return entries;
            }
            std::string name = found->d_name;
            if (name == "." || name == "..") continue;
            struct stat status {};
            if (::fstatat(::dirfd(stream.get()), found->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0) continue;
            if (S_ISLNK(status.st_mode) && !follow(path.empty() ? name : path + '/' + name, status)) continue;
            if (S_ISDIR(status.st_mode)) entries.push_back({std::move(name), true, 0});
            if (S_ISREG(status.st_mode)) {
                entries.push_back({std::move(name), false, static_cast<std::uint64_t>(status.st_size)});
            }
        }
    }

private:
    struct root_directory {
        root_directory(std::string&& p, detail::file_descriptor&& d, file_maps m)
            : path(std::move(p)), directory(std::move(d)), maps(m) {}
        std::string path;
        detail::file_descriptor directory;
        file_maps maps;
    };
    struct opened_object {
        detail::file_descriptor file;
        std::uint64_t bytes = 0;
    };

    [[nodiscard]] opened_object open(std::string_view key, int flags) const {
        opened_object object{detail::open_beneath(root_->directory.number(), checked(key).c_str(), flags)};
        if (!object.file.is_open()) {
            if (errno == ENOENT || errno == ENOTDIR) return object;
            if (errno == EXDEV || errno == ELOOP) fail(key, "is a symbolic link that is not followed out of the store");
            fail(key, "cannot be opened", errno);
        }
        struct stat status {};
        if (::fstat(object.file.number(), &status) != 0) fail(key, "cannot be examined", errno);
        if (S_ISDIR(status.st_mode)) fail(key, "is a directory, not a file");
        if (!S_ISREG(status.st_mode)) fail(key, "is not a regular file");
        object.bytes = static_cast<std::uint64_t>(status.st_size);
        return object;
    }

    void read(std::string_view key, opened_object const& object, std::uint64_t offset, std::span<std::byte> to) const {
        while (!to.empty()) {
            ssize_t const got = ::pread(object.file.number(), to.data(), to.size(), static_cast<off_t>(offset));
            if (got < 0 && errno == EINTR) continue;
            if (got < 0) fail(key, "cannot be read", errno);
            if (got == 0) {
                std::string const missing = std::to_string(to.size());
                fail(key, "was cut short while it was read: " + missing + " of " + std::to_string(object.bytes) +
                              " bytes are missing");
            }
            offset += static_cast<std::uint64_t>(got);
            to = to.subspan(static_cast<std::size_t>(got));
        }
    }

    bool follow(std::string const& path, struct stat& status) const {
        auto const target = detail::open_beneath(root_->directory.number(), path.c_str(), O_RDONLY | O_NONBLOCK);
        return target.is_open() && ::fstat(target.number(), &status) == 0;
    }

    [[nodiscard]] std::string checked(std::string_view key) const {
        if (!detail::is_plain_key(key))
            fail(key, "is no key: a key is a path below the store, without empty, . and .. parts");
        return std::string(key);
    }

    static error_text key_text(std::string_view key) noexcept { return error_text().append(key.data(), key.size()); }
    static error_text sentence(std::string text, int code) {
        if (code != 0) text += ": " + std::generic_category().message(code);
        return error_text().append(text.data(), text.size());
    }
    [[noreturn]] void fail(std::string_view key, std::string const& what, int code = 0) const {
        bool const is_transient = code == EMFILE || code == ENFILE || code == EAGAIN || code == ENOMEM;
        std::string const name = key.empty() ? "\"\"" : std::string(key);
        throw store_error(sentence("store " + root() + ": " + name + ' ' + what, code), key_text(key), is_transient);
    }

    std::shared_ptr<root_directory const> root_;
};

}  // namespace slabwise
