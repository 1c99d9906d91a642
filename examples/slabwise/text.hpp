// Small pieces of text: what comes from files made fit for a terminal, numbers of bytes, JSON strings.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace program {

/// `text` with its control characters, and those that turn the direction of writing, replaced by '?', so that a file
/// cannot steer the terminal.
std::string printable(std::string_view text);

/// "1.5 MiB"; "more than 8 EiB" for a number that no 63 bits hold.
std::string byte_text(std::optional<std::int64_t> bytes);

/// "a, b, c".
std::string joined(std::span<std::string const> words);
std::string joined(std::span<std::int64_t const> numbers);

/// `count` followed by `noun`, with an s unless count is 1.
std::string counted(std::int64_t count, std::string_view noun);

/// The rows as columns of equal width, two spaces apart, right-justified; no spaces at the ends of lines.
std::string table(std::vector<std::vector<std::string>> const& rows);

}  // namespace program
