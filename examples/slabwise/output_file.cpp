#include "output_file.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fmt/format.h>

#include "failure.hpp"
#include "text.hpp"

namespace program {

namespace {

/// The temporary name that the signal handler removes.
char removed_path[4096];

void remove_and_die(int signal) {
    ::unlink(removed_path);
    ::raise(signal);  // the handler is reset to the default one, which ends the program when this one returns
}

void remove_on_signals(std::string const& path) {
    if (path.size() >= sizeof removed_path) return;
    std::memcpy(removed_path, path.c_str(), path.size() + 1);
    struct sigaction action {};
    action.sa_handler = remove_and_die;
    action.sa_flags = static_cast<int>(SA_RESETHAND);
    for (int const signal : {SIGINT, SIGTERM, SIGHUP}) {
        struct sigaction current {};
        ::sigaction(signal, nullptr, &current);
        if (current.sa_handler != SIG_IGN) ::sigaction(signal, &action, nullptr);
    }
}

}  // namespace

void write_all(int file, std::string_view text, std::string const& name) {
    while (!text.empty()) {
        ssize_t const written = ::write(file, text.data(), text.size());
        if (written < 0) {
            if (errno == EINTR) continue;
            if (errno == EPIPE) throw pipe_closed();
            throw data_failure(fmt::format("{} cannot be written: {}", name, std::strerror(errno)));
        }
        text.remove_prefix(static_cast<std::size_t>(written));
    }
}

output_file::output_file(std::string const& option, std::string path, bool overwrites)
    : path_(std::move(path)), name_(option + ' ' + printable(path_)), overwrites_(overwrites) {
    struct stat status {};
    mode_t mode = 0666;
    bool is_replacement = false;
    if (::stat(path_.c_str(), &status) == 0) {
        if (!S_ISREG(status.st_mode)) {
            throw usage_failure(name_ + " is not a regular file");
        }
        if (!overwrites_) {
            throw usage_failure(name_ + " exists; --force replaces it");
        }
        mode = status.st_mode & 0777;
        is_replacement = true;
    }
    auto const slash = path_.rfind('/');
    std::string const directory = slash == path_.npos ? "." : path_.substr(0, slash + 1);
    temporary_path_ = fmt::format("{}.partial-{}", path_, ::getpid());
    // Without /proc a file that has no name could not get one.
    bool const may_get_name = ::access("/proc/self/fd", X_OK) == 0;
    if (may_get_name) file_ = ::open(directory.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
    if (!may_get_name || (file_ < 0 && (errno == EOPNOTSUPP || errno == EISDIR || errno == EINVAL))) {
        remove_on_signals(temporary_path_);
        file_ = ::open(temporary_path_.c_str(), O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, mode);
        has_temporary_name_ = file_ >= 0;
    }
    if (file_ < 0) fail("cannot be created", errno);
    if (is_replacement) keep_mode(mode);
}

output_file::~output_file() {
    if (!mapped_.empty()) ::munmap(mapped_.data(), mapped_.size());
    if (file_ >= 0) ::close(file_);
    if (has_temporary_name_) ::unlink(temporary_path_.c_str());
}

void output_file::keep_mode(unsigned mode) {
    struct stat status {};
    if (::fstat(file_, &status) == 0 && (status.st_mode & 0777) == mode) return;
    if (::fchmod(file_, static_cast<mode_t>(mode)) == 0) return;
    int const code = errno;
    ::close(file_);  // an exception from the constructor, after which no destructor runs
    if (has_temporary_name_) ::unlink(temporary_path_.c_str());
    fail("cannot be given the mode of the file that it replaces", code);
}

std::span<std::byte> output_file::map(std::uint64_t bytes) {
    if (bytes > static_cast<std::uint64_t>(INT64_MAX)) fail("cannot be written", EFBIG);
    // Blocks that are reserved now cannot run out later, when a store to the mapped memory could only raise SIGBUS.
    int code = 0;
    do {
        code = ::posix_fallocate(file_, 0, static_cast<off_t>(bytes));
    } while (code == EINTR);
    if (code != 0) fail("cannot be written", code);
    void* const start = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file_, 0);
    if (start == MAP_FAILED) fail("cannot be mapped", errno);
    mapped_ = {static_cast<std::byte*>(start), bytes};
    return mapped_;
}

void output_file::write(std::string_view text) { write_all(file_, text, name_); }

void output_file::commit() {
    if (!mapped_.empty()) {
        ::munmap(mapped_.data(), mapped_.size());
        mapped_ = {};
    }
    auto const named_by_descriptor = [&](std::string const& name) {
        std::string const source = fmt::format("/proc/self/fd/{}", file_);
        return ::linkat(AT_FDCWD, source.c_str(), AT_FDCWD, name.c_str(), AT_SYMLINK_FOLLOW) == 0;
    };
    bool is_in_place = false;
    if (overwrites_) {
        if (!has_temporary_name_) {
            remove_on_signals(temporary_path_);
            has_temporary_name_ = named_by_descriptor(temporary_path_);
        }
        is_in_place = has_temporary_name_ && ::rename(temporary_path_.c_str(), path_.c_str()) == 0;
        if (is_in_place) has_temporary_name_ = false;
    } else {
        is_in_place =
            has_temporary_name_ ? ::link(temporary_path_.c_str(), path_.c_str()) == 0 : named_by_descriptor(path_);
    }
    if (!is_in_place) {
        if (errno == EEXIST && !overwrites_) {
            throw usage_failure(name_ + " exists; --force replaces it");
        }
        fail("cannot be put in place", errno);
    }
    int const closed = ::close(file_);
    file_ = -1;
    if (closed != 0) fail("cannot be written", errno);
}

void output_file::fail(char const* what, int code) const {
    throw data_failure(fmt::format("{} {}: {}", name_, what, std::strerror(code)));
}

}  // namespace program
