#include "drawing.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <vector>

#include <fmt/format.h>

#include "drawn_axis.hpp"
#include "edges.hpp"
#include "failure.hpp"
#include "text.hpp"

namespace program {

namespace {

// Lengths are in pixels of the drawing.
constexpr std::int64_t most_elements = 4000;  // drawn one by one
constexpr double character_width = 7.6;       // of the font at size 12
constexpr double nearest_lines = 5;           // below this they would hide the shades
constexpr double nearest_elements = 3.5;      // below this they could not be told apart
constexpr double longest_side = 560;
constexpr double shortest_side = 190;
constexpr double top = 92;
constexpr double legend_gap = 48;
constexpr double legend_width = 150;

std::string escaped(std::string_view text) {
    std::string result;
    for (char const character : printable(text)) {
        switch (character) {
        case '&':
            result += "&amp;";
            break;
        case '<':
            result += "&lt;";
            break;
        case '>':
            result += "&gt;";
            break;
        default:
            result += character;
        }
    }
    return result;
}

/// Where a share stands on the scale of shades, which is stretched at its lower end: strided selections use little.
double place_of(double share) { return std::cbrt(std::clamp(share, 0.0, 1.0)); }

/// The shade at a place from 0 to 1: from nearly white to dark blue.
std::string shade(double place_of_share) {
    constexpr std::array<std::array<double, 3>, 4> colours{
        {{222, 235, 247}, {158, 202, 225}, {66, 146, 198}, {8, 69, 148}}};
    double const place = place_of_share * 3;
    auto const from = static_cast<std::size_t>(std::min(place, 2.999));
    double const rest = place - static_cast<double>(from);
    std::array<int, 3> mixed{};
    for (std::size_t i = 0; i < 3; ++i) {
        mixed[i] = static_cast<int>(std::lround(colours[from][i] + rest * (colours[from + 1][i] - colours[from][i])));
    }
    return fmt::format("#{:02x}{:02x}{:02x}", mixed[0], mixed[1], mixed[2]);
}

class picture {
public:
    picture(any_plan const& plan, array_axes const& axes, std::string const& title,
            std::optional<std::span<std::int64_t const>> at)
        : plan_(plan), axes_(axes), title_(title), fixed_(plan.rank() > 2 ? plan.rank() - 2 : 0) {
        fix(at);
        std::size_t const rank = plan.rank();
        auto const name = [&](std::size_t axis) {
            return axes.names.empty() || axes.names[axis].empty() ? fmt::format("axis {}", axis) : axes.names[axis];
        };
        if (rank > 0) columns_ = drawn_axis(plan.axis(rank - 1), name(rank - 1));
        if (rank > 1) rows_ = drawn_axis(plan.axis(rank - 2), name(rank - 2));
        double const aspect = rank < 2 ? 0
                                       : static_cast<double>(std::max<std::int64_t>(rows_.extent(), 1)) /
                                             static_cast<double>(std::max<std::int64_t>(columns_.extent(), 1));
        width_ = aspect > 1 ? std::max(longest_side / aspect, shortest_side * 2) : longest_side;
        height_ = rank < 2 ? 60 : std::clamp(longest_side * std::min(aspect, 1.0), shortest_side, longest_side);
        left_ = 62 + character_width * static_cast<double>(std::to_string(rows_.along().extent()).size());
        columns_.set_pixels(left_, width_);
        rows_.set_pixels(top, height_);
    }

    std::string svg() {
        draw_cells();
        draw_grid();
        draw_elements();
        draw_axes();
        draw_legend();
        draw_words();
        for (std::string const& note : notes_) {
            longest_line_ = std::max(longest_line_, character_width * static_cast<double>(note.size()));
        }
        double const full_width = std::max(left_ + width_ + legend_gap + legend_width + 16, 48 + longest_line_);
        double const full_height = std::max(top + height_ + 74, top + 220.0) + 18 * static_cast<double>(notes_.size());
        std::string notes;
        for (std::size_t i = 0; i < notes_.size(); ++i) {
            notes += fmt::format("<text x=\"24\" y=\"{:.1f}\" fill=\"#666\">{}</text>\n",
                                 full_height - 18 * static_cast<double>(notes_.size() - i), notes_[i]);
        }
        return fmt::format("<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0:.0f}\" height=\"{1:.0f}\" "
                           "viewBox=\"0 0 {0:.0f} {1:.0f}\" font-family=\"DejaVu Sans, Helvetica, Arial, sans-serif\" "
                           "font-size=\"12\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fff\"/>\n",
                           full_width, full_height) +
               body_ + notes + "</svg>\n";
    }

private:
    /// The index of each fixed axis, and the shares of its chunk there that are used.
    void fix(std::optional<std::span<std::int64_t const>> at) {
        if (at && at->size() != fixed_) {
            throw usage_failure(fmt::format("--at has {} axes, but the drawing leaves out {}", at->size(), fixed_));
        }
        for (std::size_t axis = 0; axis < fixed_; ++axis) {
            auto const& along = plan_.axis(axis);
            std::int64_t const index = at ? (*at)[axis] : along.selected().first();
            if (at && (index < 0 || index >= along.extent())) {
                throw usage_failure(fmt::format("{}: --at {} is out of bounds for extent {}", axes_.label(axis), index,
                                                along.extent()));
            }
            at_.push_back(index);
            std::int64_t const piece = along.find(along.edges().chunk_of(index));
            if (piece == along.size()) {
                fixed_share_ = 0;
                fixed_stored_share_ = 0;
            } else {
                auto const used = static_cast<double>(along[piece].count);
                fixed_share_ *= used / static_cast<double>(along[piece].valid);
                fixed_stored_share_ *= used / static_cast<double>(along.stored_length(along[piece]));
            }
            has_elements_ = has_elements_ && along.find_index(index) < along.size();
        }
    }

    void rectangle(std::int64_t row, std::int64_t column, std::string const& fill) {
        // At whole pixels, or seams show between the cells.
        auto const edge = [](drawn_axis const& axis, std::int64_t index) {
            return std::lround(axis.pixel(static_cast<double>(index)));
        };
        auto const x = edge(columns_, columns_.begin(column));
        auto const y = edge(rows_, rows_.begin(row));
        body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n", x, y,
                             edge(columns_, columns_.end(column)) - x, edge(rows_, rows_.end(row)) - y, fill);
    }

    /// What is used of one chunk, within the array; or of all the elements of the chunks that the cell stands for.
    [[nodiscard]] double share_of(part const& down, part const& across) const {
        double const used = down.used * across.used;
        return down.chunks * across.chunks > 1 ? fixed_stored_share_ * used / std::max(down.stored * across.stored, 1.0)
                                               : fixed_share_ * used / std::max(down.valid * across.valid, 1.0);
    }

    [[nodiscard]] bool groups_chunks() const { return columns_.group() > 1 || rows_.group() > 1; }

    void draw_cells() {
        body_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{:.2f}\" height=\"{:.2f}\" fill=\"#f7f7f7\"/>\n", left_,
                             top, width_, height_);
        if (plan_.size() == 0) return;
        body_ += "<g shape-rendering=\"crispEdges\">\n";
        for (std::int64_t row = 0; row < rows_.cells(); ++row) {
            part const down = rows_.part_of(row);
            for (std::int64_t column = 0; column < columns_.cells(); ++column) {
                part const across = columns_.part_of(column);
                double const share = share_of(down, across);
                if (share > 0) rectangle(row, column, shade(place_of(share)));
            }
        }
        body_ += "</g>\n";
    }

    /// Where cells begin and end; nothing where lines would lie too close.
    static std::vector<double> lines(drawn_axis const& axis) {
        double const first = axis.pixel(static_cast<double>(axis.begin(0)));
        double const last = axis.pixel(static_cast<double>(axis.end(axis.cells() - 1)));
        std::vector<double> pixels{first, last};
        if ((last - first) / static_cast<double>(axis.cells()) < nearest_lines) return pixels;
        for (std::int64_t cell = 1; cell < axis.cells(); ++cell) {
            pixels.push_back(axis.pixel(static_cast<double>(axis.begin(cell))));
        }
        return pixels;
    }

    void draw_grid() {
        std::string path;
        for (double const x : lines(columns_)) path += fmt::format("M{:.2f} {}V{:.2f}", x, top, top + height_);
        for (double const y : lines(rows_)) path += fmt::format("M{:.2f} {:.2f}H{:.2f}", left_, y, left_ + width_);
        body_ += fmt::format("<path d=\"{}\" stroke=\"#8c8c8c\" stroke-width=\"{}\" fill=\"none\"/>\n", path,
                             std::max(columns_.cells(), rows_.cells()) > 32 ? 0.4 : 0.8);
    }

    void draw_elements() {
        auto const& across = columns_.along().selected();
        auto const& down = rows_.along().selected();
        if (!has_elements_ || plan_.size() == 0) return;
        auto const spacing = [](drawn_axis const& axis) {
            auto const& slice = axis.along().selected();
            return slice.count() < 2 ? longest_side : axis.scale() * static_cast<double>(sw::magnitude(slice.stride()));
        };
        double const nearest = std::min(spacing(columns_), spacing(rows_));
        if (nearest < nearest_elements || across.count() > most_elements / std::max<std::int64_t>(down.count(), 1))
            return;
        draws_elements_ = true;
        double const radius = std::clamp(nearest * 0.3, 1.0, 3.0);
        body_ += "<g fill=\"#e6550d\" stroke=\"#fff\" stroke-width=\"0.5\">\n";
        for (std::int64_t i = 0; i < down.count(); ++i) {
            for (std::int64_t j = 0; j < across.count(); ++j) {
                body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"{:.1f}\"/>\n",
                                     columns_.pixel(static_cast<double>(across[j]) + 0.5),
                                     rows_.pixel(static_cast<double>(down[i]) + 0.5), radius);
            }
        }
        body_ += "</g>\n";
    }

    /// The indices at which cells begin, as many as there is room for, and the end. The first label and the last may
    /// need more room.
    static std::vector<std::int64_t> ticks(drawn_axis const& axis, double room, double more_at_first = 0,
                                           double more_at_last = 0) {
        std::vector<std::int64_t> indices;
        double next = -1e9;
        double const last = axis.pixel(static_cast<double>(axis.end(axis.cells() - 1)));
        for (std::int64_t cell = 0; cell < axis.cells(); ++cell) {
            double const pixel = axis.pixel(static_cast<double>(axis.begin(cell)));
            if (pixel < next || (cell > 0 && last - pixel < room + more_at_last)) continue;
            indices.push_back(axis.begin(cell));
            next = pixel + room + (cell == 0 ? more_at_first : 0);
        }
        indices.push_back(axis.end(axis.cells() - 1));
        return indices;
    }

    void draw_axes() {
        double const bottom = top + height_;
        if (columns_.is_named()) {
            auto const text_width = [](std::int64_t index) {
                return character_width * static_cast<double>(std::to_string(index).size());
            };
            std::int64_t const first = columns_.begin(0);
            std::int64_t const last = columns_.end(columns_.cells() - 1);
            // A long label in the middle below its tick would leave the picture, or run into the legend.
            double const beside_first = text_width(first) / 2 > left_ - 8 ? text_width(first) / 2 : 0;
            double const beside_last = text_width(last) / 2 > legend_gap - 10 ? text_width(last) / 2 : 0;
            double const room = 14 + text_width(columns_.along().extent());
            for (std::int64_t const index : ticks(columns_, room, beside_first, beside_last)) {
                double const x = columns_.pixel(static_cast<double>(index));
                char const* const anchor = index == last && beside_last > 0     ? "end"
                                           : index == first && beside_first > 0 ? "start"
                                                                                : "middle";
                body_ +=
                    fmt::format("<path d=\"M{0:.1f} {1:.1f}v5\" stroke=\"#444\"/><text x=\"{0:.1f}\" y=\"{2:.1f}\" "
                                "text-anchor=\"{4}\">{3}</text>\n",
                                x, bottom, bottom + 18, index, anchor);
            }
            body_ += fmt::format("<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n",
                                 left_ + width_ / 2, bottom + 42, label(columns_));
        }
        if (rows_.is_named()) {
            for (std::int64_t const index : ticks(rows_, 16)) {
                double const y = rows_.pixel(static_cast<double>(index));
                body_ += fmt::format("<path d=\"M{0} {1:.1f}h-5\" stroke=\"#444\"/><text x=\"{2}\" y=\"{3:.1f}\" "
                                     "text-anchor=\"end\">{4}</text>\n",
                                     left_, y, left_ - 9, y + 4, index);
            }
            body_ +=
                fmt::format("<text transform=\"translate(28 {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
                            top + height_ / 2, label(rows_));
        }
    }

    static std::string label(drawn_axis const& axis) {
        return fmt::format("<tspan font-weight=\"bold\">{}</tspan> {} in chunks of {}", escaped(axis.name()),
                           axis.along().extent(), length_text(axis.along().edges(), axis.along().extent()));
    }

    void draw_legend() {
        double const x = left_ + width_ + legend_gap;
        constexpr double bar_height = 120;
        body_ += fmt::format("<text x=\"{:.1f}\" y=\"{}\" font-weight=\"bold\">share of the</text>"
                             "<text x=\"{:.1f}\" y=\"{}\" font-weight=\"bold\">{} that is used</text>\n",
                             x, top + 10, x, top + 25, groups_chunks() ? "chunks" : "chunk");
        body_ += "<g shape-rendering=\"crispEdges\">\n";
        constexpr int steps = 24;
        for (int step = 0; step < steps; ++step) {
            double const height = bar_height / steps;
            body_ += fmt::format("<rect x=\"{:.1f}\" y=\"{:.2f}\" width=\"18\" height=\"{:.2f}\" fill=\"{}\"/>\n", x,
                                 top + 36 + step * height, height, shade(1 - (step + 0.5) / steps));
        }
        body_ += "</g>\n";
        for (int const percent : {100, 50, 10, 1}) {
            double const y = top + 36 + bar_height * (1 - place_of(percent / 100.0));
            body_ += fmt::format(
                "<path d=\"M{:.1f} {:.1f}h4\" stroke=\"#444\"/><text x=\"{:.1f}\" y=\"{:.1f}\">{} %</text>\n", x + 18,
                y, x + 27, y + 4, percent);
        }
        double y = top + 36 + bar_height + 24;
        body_ += fmt::format(
            "<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"18\" height=\"12\" fill=\"#f7f7f7\" stroke=\"#8c8c8c\" "
            "stroke-width=\"0.8\"/><text x=\"{:.1f}\" y=\"{:.1f}\">not touched</text>\n",
            x, y - 10, x + 27, y);
        if (draws_elements_) {
            y += 22;
            body_ += fmt::format("<circle cx=\"{:.1f}\" cy=\"{:.1f}\" r=\"3\" fill=\"#e6550d\"/>"
                                 "<text x=\"{:.1f}\" y=\"{:.1f}\">selected element</text>\n",
                                 x + 9, y - 4, x + 27, y);
        }
    }

    void line_of_words(double y, double size, std::string const& attributes, std::string const& words) {
        body_ +=
            fmt::format("<text x=\"24\" y=\"{}\" font-size=\"{}\" {}>{}</text>\n", y, size, attributes, escaped(words));
        longest_line_ = std::max(longest_line_, size / 12 * character_width * static_cast<double>(words.size()));
    }

    void draw_words() {
        line_of_words(30, 16, "font-weight=\"bold\"", title_);
        auto const chunks = plan_.chunks_of_array();
        line_of_words(50, 12, "fill=\"#444\"",
                      fmt::format("{}{} touched, {} selected", counted(plan_.size(), "chunk"),
                                  chunks ? fmt::format(" of {}", *chunks) : "",
                                  counted(plan_.element_count(), "element")));
        if (fixed_ > 0) {
            std::string where;
            for (std::size_t axis = 0; axis < fixed_; ++axis) {
                bool const is_named = !axes_.names.empty() && !axes_.names[axis].empty();
                where += fmt::format("{}{} = {}", axis == 0 ? "" : ", ",
                                     is_named ? axes_.names[axis] : fmt::format("axis {}", axis), at_[axis]);
            }
            line_of_words(68, 12, "fill=\"#444\"", "drawn at " + where);
        }
        if (columns_.is_partial() || rows_.is_partial())
            notes_.push_back("Only the part of the array around the selection is drawn.");
        if (groups_chunks()) {
            notes_.push_back(fmt::format(
                "A cell stands for up to {} x {} chunks; its shade is the share that is used of all their elements.",
                rows_.group(), columns_.group()));
        }
        if (plan_.size() > 0 && fixed_share_ == 0) notes_.push_back("No chunk is touched there.");
    }

    any_plan const& plan_;
    array_axes const& axes_;
    std::string title_;
    std::size_t fixed_;
    std::vector<std::int64_t> at_;
    double fixed_share_ = 1;         // of the indices that the array has
    double fixed_stored_share_ = 1;  // of all the indices of the chunks
    bool has_elements_ = true;
    bool draws_elements_ = false;
    drawn_axis columns_;
    drawn_axis rows_;
    double left_ = 0;
    double width_ = 0;
    double height_ = 0;
    double longest_line_ = 0;
    std::string body_;
    std::vector<std::string> notes_;
};

}  // namespace

std::string drawing(any_plan const& plan, array_axes const& axes, std::string const& title,
                    std::optional<std::span<std::int64_t const>> at) {
    return picture(plan, axes, title, at).svg();
}

}  // namespace program
