#include "text.hpp"

#include <algorithm>

#include <fmt/format.h>

namespace program {

namespace {

/// The code point that starts at `position`, which moves past it; U+FFFD for what is not UTF-8.
char32_t next_code_point(std::string_view text, std::size_t& position) {
    auto const lead = static_cast<unsigned char>(text[position++]);
    if (lead < 0x80) return lead;
    std::size_t const following = lead >= 0xf0 ? 3 : lead >= 0xe0 ? 2 : 1;
    if (lead < 0xc2 || lead > 0xf4 || text.size() - position < following) return 0xfffd;
    char32_t code = lead & (0x3fU >> following);
    for (std::size_t i = 0; i < following; ++i) {
        auto const next = static_cast<unsigned char>(text[position + i]);
        if ((next & 0xc0) != 0x80) return 0xfffd;
        code = code << 6 | (next & 0x3f);
    }
    constexpr char32_t smallest[] = {0, 0x80, 0x800, 0x10000};
    if (code < smallest[following] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0xfffd;
    position += following;
    return code;
}

}  // namespace

std::string printable(std::string_view text) {
    std::string result;
    for (std::size_t position = 0; position < text.size();) {
        std::size_t const start = position;
        char32_t const code = next_code_point(text, position);
        bool const is_control = code < 0x20 || (code >= 0x7f && code < 0xa0) || code == 0xfffd ||
                                (code >= 0x202a && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069);
        if (is_control) {
            result += '?';
        } else {
            result += text.substr(start, position - start);
        }
    }
    return result;
}

std::string byte_text(std::optional<std::int64_t> bytes) {
    if (!bytes) return "more than 8 EiB";
    if (*bytes < 1024) return fmt::format("{} B", *bytes);
    constexpr char const* units[] = {"KiB", "MiB", "GiB", "TiB", "PiB", "EiB"};
    auto amount = static_cast<double>(*bytes) / 1024;
    std::size_t unit = 0;
    for (; amount >= 1023.95 && unit < 5; ++unit) amount /= 1024;
    return fmt::format("{:.1f} {}", amount, units[unit]);
}

std::string joined(std::span<std::string const> words) { return fmt::format("{}", fmt::join(words, ", ")); }
std::string joined(std::span<std::int64_t const> numbers) { return fmt::format("{}", fmt::join(numbers, ", ")); }

std::string counted(std::int64_t count, std::string_view noun) {
    return fmt::format("{} {}{}", count, noun, count == 1 ? "" : "s");
}

std::string table(std::vector<std::vector<std::string>> const& rows) {
    std::vector<std::size_t> widths;
    for (auto const& row : rows) {
        widths.resize(std::max(widths.size(), row.size()));
        for (std::size_t column = 0; column < row.size(); ++column) {
            widths[column] = std::max(widths[column], row[column].size());
        }
    }
    std::string result;
    for (auto const& row : rows) {
        for (std::size_t column = 0; column < row.size(); ++column) {
            result += fmt::format("{}{:>{}}", column == 0 ? "" : "  ", row[column], widths[column]);
        }
        result.resize(result.find_last_not_of(' ') + 1);
        result += '\n';
    }
    return result;
}

}  // namespace program
