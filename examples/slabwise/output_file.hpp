// A file that appears under its name complete or not at all.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace program {

/// A new file that commit() puts in place in one step, with the mode of the file that it replaces. Until then it has no
/// name, so that nothing is left of it however the program ends; where the file system has no files without a name, it
/// has a temporary one, which is removed also when SIGINT, SIGTERM or SIGHUP end the program. There is one such file at
/// a time.
class output_file {
public:
    /// `option` is the one that names the path, for messages.
    /// **Throws** usage_failure when `path` exists and `overwrites` is false, or when it is no regular file;
    /// data_failure when no file can be made there.
    output_file(std::string const& option, std::string path, bool overwrites);
    output_file(output_file const&) = delete;
    output_file& operator=(output_file const&) = delete;
    ~output_file();

    /// Reserves this many bytes and maps them for writing. **Throws** data_failure, also for a full disk.
    std::span<std::byte> map(std::uint64_t bytes);
    /// Appends text. **Throws** data_failure, also for a full disk.
    void write(std::string_view text);
    /// Puts the file in place. **Throws** usage_failure when another file has come to be there meanwhile and
    /// overwriting is not allowed, data_failure when it cannot be put there.
    void commit();

private:
    /// Gives the new file the mode of the one that it replaces, which the umask may have cut.
    void keep_mode(unsigned mode);
    [[noreturn]] void fail(char const* what, int code) const;

    std::string path_;
    std::string name_;  // in messages
    std::string temporary_path_;
    bool overwrites_;
    bool has_temporary_name_ = false;
    int file_ = -1;
    std::span<std::byte> mapped_;
};

/// Writes all of `text` to the file descriptor. **Throws** pipe_closed, and data_failure that says `name` and why.
void write_all(int file, std::string_view text, std::string const& name);

}  // namespace program
