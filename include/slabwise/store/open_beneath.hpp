// Opening a file below a directory without ever leaving it: no "..", and no symbolic link that leads out. Linux does it
// in one call, openat2 (since 5.6); elsewhere, and where a sandbox forbids that call, the path is walked step by step.
#pragma once

#include <cerrno>
#include <string_view>
#include <utility>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#if defined(__linux__) && __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#include <sys/syscall.h>
#define SLABWISE_HAS_OPENAT2 1
#endif

namespace slabwise::detail {

/// Owns an open file; -1 for none.
class file_descriptor {
public:
    explicit file_descriptor(int number = -1) noexcept : number_(number) {}
    file_descriptor(file_descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    file_descriptor& operator=(file_descriptor&& other) noexcept {
        std::swap(number_, other.number_);
        return *this;
    }
    ~file_descriptor() {
        if (number_ >= 0) ::close(number_);
    }
    [[nodiscard]] int number() const noexcept { return number_; }
    [[nodiscard]] bool is_open() const noexcept { return number_ >= 0; }
    int release() noexcept { return std::exchange(number_, -1); }

private:
    int number_;
};

/// Opens the file `path` below the directory `root` one component at a time, following no symbolic link at all.
/// Gives an open descriptor, or sets errno: ELOOP for a link. **Expects** is_plain_key(path), null-terminated.
/// **Cost** one system call a component.
inline file_descriptor open_beneath_by_steps(int root, char const* path, int flags) noexcept {
    std::string_view rest = path;
    file_descriptor directory;
    int at = root;
    for (std::size_t end = rest.find('/'); end != rest.npos; end = rest.find('/')) {
        char part[256];
        if (end >= sizeof part) {
            errno = ENAMETOOLONG;
            return file_descriptor();
        }
        part[rest.copy(part, end)] = '\0';
        file_descriptor next(::openat(at, part, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC));
        if (!next.is_open()) {
            struct stat status {};
            // A link in place of a directory is reported as ENOTDIR, which would mean "absent".
            if (errno == ENOTDIR) {
                bool const is_link = ::fstatat(at, part, &status, AT_SYMLINK_NOFOLLOW) == 0 && S_ISLNK(status.st_mode);
                errno = is_link ? ELOOP : ENOTDIR;
            }
            return next;
        }
        directory = std::move(next);
        at = directory.number();
        rest.remove_prefix(end + 1);
    }
    return file_descriptor(::openat(at, rest.data(), flags | O_NOFOLLOW | O_CLOEXEC));
}

/// Opens the file `path` below the directory `root`. A symbolic link that stays below `root` is followed where the
/// system has openat2. Gives an open descriptor, or sets errno: EXDEV or ELOOP for a link that leads out.
/// **Expects** is_plain_key(path), null-terminated. **Cost** one system call with openat2, else one a component.
/// **Source** openat2(2), RESOLVE_BENEATH.
inline file_descriptor open_beneath(int root, char const* path, int flags) noexcept {
#if defined(SLABWISE_HAS_OPENAT2)
    open_how how{};
    how.flags = static_cast<unsigned>(flags | O_CLOEXEC);
    how.resolve = RESOLVE_BENEATH | RESOLVE_NO_MAGICLINKS;
    // EAGAIN means that something was renamed meanwhile and the kernel could not be sure; it is asked again.
    for (int attempt = 0; attempt < 16; ++attempt) {
        file_descriptor file(static_cast<int>(::syscall(SYS_openat2, root, path, &how, sizeof how)));
        if (file.is_open()) return file;
        if (errno == ENOSYS || errno == EPERM) return open_beneath_by_steps(root, path, flags);
        if (errno != EAGAIN && errno != EINTR) return file;
    }
    return file_descriptor();
#else
    return open_beneath_by_steps(root, path, flags);
#endif
}

}  // namespace slabwise::detail
