#include "selection.hpp"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include "failure.hpp"
#include "text.hpp"

namespace program {

namespace {

std::string_view trimmed(std::string_view text) {
    auto const begin = text.find_first_not_of(" \t\n\r");
    if (begin == text.npos) return {};
    return text.substr(begin, text.find_last_not_of(" \t\n\r") + 1 - begin);
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (;;) {
        auto const end = text.find(separator);
        parts.push_back(trimmed(text.substr(0, end)));
        if (end == text.npos) return parts;
        text.remove_prefix(end + 1);
    }
}

/// An integer as Python writes it; one that 64 bits do not hold becomes the nearest that they do.
struct integer {
    std::int64_t value;
    bool is_exact;
};

std::optional<integer> parse_integer(std::string_view text) {
    bool const is_negative = text.starts_with('-');
    if (is_negative || text.starts_with('+')) text.remove_prefix(1);
    if (text.empty() || text.find_first_not_of("0123456789") != text.npos) return std::nullopt;
    std::string const signed_text = (is_negative ? "-" : "") + std::string(text);
    integer result{0, true};
    auto const [end, error] =
        std::from_chars(signed_text.data(), signed_text.data() + signed_text.size(), result.value);
    if (error != std::errc{}) result = {is_negative ? INT64_MIN : INT64_MAX, false};
    return result;
}

/// One item of the selection for one axis.
void select(selection& result, std::size_t axis, std::string_view item, array_axes const& axes) {
    std::int64_t const extent = axes.extents[axis];
    auto const refuse = [&](std::string const& reason) {
        throw usage_failure(fmt::format("{}: {}", axes.label(axis), reason));
    };
    if (auto const index = parse_integer(item)) {
        std::int64_t const wrapped = index->value < 0 ? index->value + extent : index->value;
        if (!index->is_exact || wrapped < 0 || wrapped >= extent) {
            refuse(fmt::format("index {} is out of bounds for extent {}", item, extent));
        }
        result.slices[axis] = sw::slice::counted(wrapped, 1);
        result.drops_axis[axis] = true;
        return;
    }
    auto const bounds = split(item, ':');
    if (bounds.size() < 2 || bounds.size() > 3) {
        refuse(fmt::format("'{}' is neither an integer nor first:stop:stride", printable(item)));
    }
    std::optional<std::int64_t> parsed[3];
    for (std::size_t i = 0; i < bounds.size(); ++i) {
        if (bounds[i].empty() || bounds[i] == "None") continue;
        auto const bound = parse_integer(bounds[i]);
        if (!bound) refuse(fmt::format("'{}' in '{}' is not an integer", printable(bounds[i]), printable(item)));
        parsed[i] = bound->value;
    }
    if (parsed[2] == 0) refuse(fmt::format("stride 0 in '{}'; a stride is at least 1 or at most -1", printable(item)));
    result.slices[axis] = sw::slice::python(parsed[0], parsed[1], parsed[2], extent);
}

selection whole(array_axes const& axes) {
    selection result;
    for (std::int64_t const extent : axes.extents) result.slices.push_back(sw::slice::all(extent));
    result.drops_axis.resize(axes.rank());
    return result;
}

/// Refuses the name of an axis when another axis has it too. **Expects** that `first` is the first that has it.
void refuse_ambiguous(array_axes const& axes, std::size_t first) {
    std::string const& name = axes.names[first];
    std::string others = std::to_string(first);
    std::string last;
    for (std::size_t axis = first + 1; axis < axes.rank(); ++axis) {
        if (axes.names[axis] != name) continue;
        if (!last.empty()) others += ", " + last;
        last = std::to_string(axis);
    }
    if (last.empty()) return;
    throw usage_failure(
        fmt::format("axis name '{}' is ambiguous: axes {} and {} have it", printable(name), others, last));
}

void select_by_name(selection& result, std::vector<std::string_view> const& items, array_axes const& axes) {
    std::vector<bool> is_selected(axes.rank());
    for (std::string_view const item : items) {
        auto const equals = item.find('=');
        if (equals == item.npos) {
            throw usage_failure(fmt::format("'{}' has no dimension name, the other axes have", printable(item)));
        }
        std::string_view const name = trimmed(item.substr(0, equals));
        auto const found = std::find(axes.names.begin(), axes.names.end(), name);
        if (axes.names.empty() || name.empty() || found == axes.names.end()) {
            std::string const known = axes.names.empty() ? "none has a name" : "they are " + joined(axes.names);
            throw usage_failure(
                fmt::format("'{}' names no dimension of the array: {}", printable(name), printable(known)));
        }
        auto const axis = static_cast<std::size_t>(found - axes.names.begin());
        refuse_ambiguous(axes, axis);
        if (is_selected[axis]) throw usage_failure(fmt::format("{} is selected twice", axes.label(axis)));
        is_selected[axis] = true;
        select(result, axis, trimmed(item.substr(equals + 1)), axes);
    }
}

void select_by_position(selection& result, std::vector<std::string_view> const& items, array_axes const& axes) {
    auto const ellipses = std::count(items.begin(), items.end(), "...");
    if (ellipses > 1) throw usage_failure("a selection has at most one '...'");
    std::size_t const named = items.size() - static_cast<std::size_t>(ellipses);
    for (std::string_view const item : items) {
        if (item == "None" || item == "newaxis" || item == "np.newaxis") {
            throw usage_failure(fmt::format("{} would add an axis; only axes of the array can be selected from", item));
        }
    }
    if (named > axes.rank()) {
        throw usage_failure(fmt::format("the selection has {} axes, the array has {}", named, axes.rank()));
    }
    std::size_t axis = 0;
    for (std::string_view const item : items) {
        if (item == "...") {
            axis += axes.rank() - named;
        } else {
            select(result, axis++, item, axes);
        }
    }
}

}  // namespace

std::string array_axes::label(std::size_t axis) const {
    if (names.empty() || names[axis].empty()) return fmt::format("axis {}", axis);
    return fmt::format("axis {} ({})", axis, printable(names[axis]));
}

std::vector<std::int64_t> selection::shape() const {
    std::vector<std::int64_t> kept;
    for (std::size_t axis = 0; axis < slices.size(); ++axis) {
        if (!drops_axis[axis]) kept.push_back(slices[axis].count());
    }
    return kept;
}

std::optional<std::int64_t> selection::element_count() const {
    std::int64_t product = 1;
    bool fits = true;
    for (auto const& slice : slices) {
        if (slice.empty()) return 0;
        fits = fits && sw::multiply_into(product, slice.count());
    }
    return fits ? std::optional(product) : std::nullopt;
}

selection parse_selection(std::string_view text, array_axes const& axes) {
    text = trimmed(text);
    if (text.starts_with('[') && text.ends_with(']') && text.size() >= 2) {
        text = trimmed(text.substr(1, text.size() - 2));
    }
    selection result = whole(axes);
    if (text.empty()) return result;
    auto items = split(text, ',');
    if (items.back().empty() && items.size() > 1) items.pop_back();  // Python's [5,]
    bool const by_name = std::any_of(items.begin(), items.end(), [](auto item) { return item.find('=') != item.npos; });
    if (by_name) {
        select_by_name(result, items, axes);
    } else {
        select_by_position(result, items, axes);
    }
    return result;
}

selection parse_hyperslab(std::optional<std::string> const& start, std::optional<std::string> const& count,
                          std::optional<std::string> const& stride, array_axes const& axes) {
    auto const numbers = [&](std::string_view option, std::optional<std::string> const& text, std::int64_t absent) {
        if (!text) return std::vector(axes.rank(), absent);
        auto result = parse_numbers(option, *text);
        if (result.size() != axes.rank()) {
            throw usage_failure(fmt::format("{} has {} axes, the array has {}", option, result.size(), axes.rank()));
        }
        return result;
    };
    auto const starts = numbers("--start", start, 0);
    auto const counts = numbers("--count", count, -1);
    auto const strides = numbers("--stride", stride, 1);
    selection result = whole(axes);
    for (std::size_t axis = 0; axis < axes.rank(); ++axis) {
        std::int64_t const extent = axes.extents[axis];
        auto const refuse = [&](std::string const& reason) {
            throw usage_failure(fmt::format("{}: {}", axes.label(axis), reason));
        };
        if (strides[axis] < 1) refuse(fmt::format("--stride {} is below 1", strides[axis]));
        if (starts[axis] < 0 || starts[axis] > extent) {
            refuse(fmt::format("--start {} is out of bounds for extent {}", starts[axis], extent));
        }
        std::int64_t const available = sw::ceil_divide(extent - starts[axis], strides[axis]);
        if (counts[axis] < -1 || counts[axis] > available) {
            refuse(fmt::format("--count {} is out of bounds: {} fit from {} on by {} in extent {}", counts[axis],
                               available, starts[axis], strides[axis], extent));
        }
        result.slices[axis] =
            sw::slice::counted(starts[axis], counts[axis] == -1 ? available : counts[axis], strides[axis]);
    }
    return result;
}

std::vector<std::int64_t> parse_numbers(std::string_view option, std::string_view text) {
    text = trimmed(text);
    if (text.starts_with('[') && text.ends_with(']') && text.size() >= 2) {
        text = trimmed(text.substr(1, text.size() - 2));
    }
    std::vector<std::int64_t> numbers;
    if (text.empty()) return numbers;
    for (std::string_view const part : split(text, ',')) {
        auto const number = parse_integer(part);
        if (!number) throw usage_failure(fmt::format("{}: '{}' is not an integer", option, printable(part)));
        if (!number->is_exact) throw usage_failure(fmt::format("{}: {} does not fit 64 bits", option, part));
        numbers.push_back(number->value);
    }
    return numbers;
}

}  // namespace program
