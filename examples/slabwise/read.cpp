// `slabwise read`: the selected elements, as text or as a file.
#include <algorithm>
#include <array>
#include <chrono>
#include <cstring>
#include <memory>

#include <fmt/format.h>
#include <unistd.h>

#include "any_plan.hpp"
#include "any_reader.hpp"
#include "commands.hpp"
#include "failure.hpp"
#include "npy.hpp"
#include "open.hpp"
#include "output_file.hpp"
#include "print_array.hpp"
#include "statistics.hpp"
#include "text.hpp"
#include "unpacking.hpp"
#include "writer.hpp"

namespace program {

namespace {

/// Reading more chunks than this is to be confirmed.
constexpr std::int64_t most_chunks = 10000000;
/// Text is written from blocks of about this many bytes, so that it need not fit the memory.
constexpr std::int64_t block_bytes = std::int64_t{64} << 20;

enum class format { numpy_text, npy, csv, raw, json };

format format_of(read_options const& options) {
    if (!options.format) {
        if (!options.output) return format::numpy_text;
        if (options.output->ends_with(".npy")) return format::npy;
        throw usage_failure(fmt::format("--output {}: a NumPy file ends in .npy; --format names another format",
                                        printable(*options.output)));
    }
    if (*options.format == "npy") return format::npy;
    if (*options.format == "csv") return format::csv;
    if (*options.format == "raw") return format::raw;
    if (*options.format == "json") return format::json;
    throw usage_failure(fmt::format("--format: '{}' is none of npy, csv, raw, json", printable(*options.format)));
}

/// One selection of one array, ready to be read.
class selected_read {
public:
    /// **Throws** usage_failure for a selection that is to be confirmed, and for one whose bytes no 63 bits count.
    /// With `convert`, elements are read so.
    selected_read(opened_array opened, selection selected, bool is_confirmed, std::optional<sw::conversion> const& convert)
        : opened_(std::move(opened)), selected_(std::move(selected)), convert_(convert),
          plan_(make_any_plan(opened_.axes.extents, metadata().edges, selected_)), shape_(selected_.shape()) {
        if (plan_->size() > most_chunks && !is_confirmed) {
            throw usage_failure(fmt::format("the selection touches {} chunks; above {} a read needs --yes",
                                            plan_->size(), most_chunks));
        }
        auto const bytes = bounded_product(std::array{plan_->element_count(), element_size()});
        if (!bytes)
            throw usage_failure(
                fmt::format("the {} elements selected have more than 2^63 - 1 bytes", plan_->element_count()));
        bytes_ = *bytes;
    }

    [[nodiscard]] sw::element_type type() const { return convert_ ? convert_->to() : metadata().type; }
    [[nodiscard]] std::vector<std::int64_t> const& shape() const { return shape_; }
    [[nodiscard]] std::int64_t bytes() const { return bytes_; }

    /// **Throws** usage_failure for a block of that many bytes when the machine has less memory.
    void require_memory(std::int64_t needed) const {
        auto const bound = static_cast<std::int64_t>(::sysconf(_SC_PHYS_PAGES)) * ::sysconf(_SC_PAGESIZE);
        if (needed > bound) {
            throw usage_failure(
                fmt::format("the read needs {} of memory for {} bytes selected, the machine has {} ({} bytes)",
                            byte_text(needed), bytes_, byte_text(bound), bound));
        }
    }

    /// Reads everything to `data`.
    void read_whole(std::byte* data) { read(selected_.slices, data, dense_strides(selected_.slices)); }

    /// Calls use(span of bytes) with blocks that make up the result in its order. A block holds whole chunks along the
    /// first axis that has more than one index, so that no chunk is read twice.
    template <class Use>
    void read_blocks(Use use) {
        if (bytes_ == 0) return;
        auto slices = selected_.slices;
        auto const longer =
            std::find_if(slices.begin(), slices.end(), [](auto const& slice) { return slice.count() > 1; });
        if (longer == slices.end()) {
            read_block(slices, use);
            return;
        }
        sw::slice const all = *longer;
        auto const& along = plan_->axis(static_cast<std::size_t>(longer - slices.begin()));
        for (std::int64_t piece = 0; piece < along.size();) {
            std::int64_t const first = along[piece].first_in_array;
            std::int64_t const end = block_end(along, piece);
            *longer = sw::slice::counted(all[first], end - first, all.stride());
            read_block(slices, use);
            piece = end == along.count() ? along.size() : along.piece_of(end);
        }
    }

    /// The elements that a summary shows; see shown_shape.
    std::vector<std::byte> read_shown() {
        auto const shown = shown_shape(shape_);
        std::vector<std::int64_t> strides(rank());
        std::int64_t stride = element_size();
        std::size_t kept = shown.size();
        for (std::size_t axis = rank(); axis-- > 0;) {
            if (selected_.drops_axis[axis]) continue;
            strides[axis] = stride;
            stride *= shown[--kept];
        }
        std::vector<std::byte> elements(static_cast<std::size_t>(stride));
        if (bytes_ > 0) read_corners(0, selected_.slices, elements.data(), strides);
        return elements;
    }

    [[nodiscard]] std::string report() const {
        return fmt::format("chunks   {} ({} missing)\nbytes    {}\nseconds  {:.6f}\n", plan_->size(), missing_chunks_,
                           bytes_, seconds_);
    }

    /// The largest block that read_blocks makes.
    [[nodiscard]] std::int64_t largest_block() const {
        for (std::size_t axis = 0; axis < rank() && bytes_ > 0; ++axis) {
            auto const& along = plan_->axis(axis);
            if (along.count() < 2) continue;
            std::int64_t const row_bytes = bytes_ / along.count();
            auto const step = sw::magnitude(along.stride());
            auto const length = static_cast<std::uint64_t>(metadata().chunk_shape[axis]);
            std::int64_t const rows_of_chunk =
                std::min(static_cast<std::int64_t>(sw::ceil_divide(length, step)), along.count());
            return std::min(bytes_, row_bytes * rows_of_chunk > block_bytes ? row_bytes * rows_of_chunk : block_bytes);
        }
        return bytes_;
    }

private:
    [[nodiscard]] sw::zarr::array_metadata const& metadata() const { return opened_.array.metadata(); }
    [[nodiscard]] std::size_t rank() const { return opened_.axes.rank(); }
    [[nodiscard]] std::int64_t element_size() const { return static_cast<std::int64_t>(type().size); }

    /// Where a block that begins with `piece` ends, counted in selected indices.
    [[nodiscard]] std::int64_t block_end(sw::rectilinear_axis const& along, std::int64_t piece) const {
        std::int64_t const row_bytes = bytes_ / along.count();
        std::int64_t const first = along[piece].first_in_array;
        std::int64_t const rows = std::max<std::int64_t>(block_bytes / row_bytes, 1);
        if (rows >= along.count() - first) return along.count();
        auto const last = along[along.piece_of(first + rows - 1)];  // in the block when it ends there
        std::int64_t const end = last.first_in_array + last.count;
        if (end - first <= rows) return end;
        return last.first_in_array > first ? last.first_in_array : end;
    }

    template <class Use>
    void read_block(std::vector<sw::slice> const& slices, Use use) {
        std::int64_t bytes = element_size();
        for (auto const& slice : slices) bytes *= slice.count();
        if (block_size_ < bytes) {
            block_.reset(new std::byte[static_cast<std::size_t>(bytes)]);
            block_size_ = bytes;
        }
        read(slices, block_.get(), dense_strides(slices));
        use(std::span<std::byte const>(block_.get(), static_cast<std::size_t>(bytes)));
    }

    /// Reads the first and the last indices of each axis that the summary cuts, and all of the others.
    void read_corners(std::size_t axis, std::vector<sw::slice> slices, std::byte* data,
                      std::vector<std::int64_t> const& strides) {
        if (axis == rank()) {
            read(slices, data, strides);
            return;
        }
        sw::slice const whole = slices[axis];
        if (!is_summarised(shape_) || whole.count() <= 2 * edge_items) {
            read_corners(axis + 1, std::move(slices), data, strides);
            return;
        }
        slices[axis] = sw::slice::counted(whole.first(), edge_items, whole.stride());
        read_corners(axis + 1, slices, data, strides);
        slices[axis] = sw::slice::counted(whole[whole.count() - edge_items], edge_items, whole.stride());
        read_corners(axis + 1, std::move(slices), data + edge_items * strides[axis], strides);
    }

    [[nodiscard]] std::vector<std::int64_t> dense_strides(std::vector<sw::slice> const& slices) const {
        std::vector<std::int64_t> strides(slices.size());
        std::int64_t stride = element_size();
        for (std::size_t axis = slices.size(); axis-- > 0;) {
            strides[axis] = stride;
            stride *= slices[axis].count();
        }
        return strides;
    }

    void read(std::vector<sw::slice> const& slices, std::byte* data, std::vector<std::int64_t> const& strides) {
        if (bytes_ == 0) return;
        if (!reader_) reader_ = make_any_reader(opened_.array, convert_);
        auto const begin = std::chrono::steady_clock::now();
        reader_->read(slices, data, strides);
        seconds_ += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        missing_chunks_ = reader_->missing_chunks();
    }

    opened_array opened_;
    selection selected_;
    std::optional<sw::conversion> convert_;
    std::unique_ptr<any_plan const> plan_;
    std::vector<std::int64_t> shape_;
    std::int64_t bytes_ = 0;
    std::unique_ptr<any_reader> reader_;
    std::unique_ptr<std::byte[]> block_;
    std::int64_t block_size_ = 0;
    std::int64_t missing_chunks_ = 0;
    double seconds_ = 0;
};

/// The elements go straight to their place in the file, so that there is no second copy of them in memory.
void write_binary_file(selected_read& reading, output_file& file, std::string const& header, statistics* numbers) {
    auto total = static_cast<std::int64_t>(header.size());
    if (!sw::add_into(total, reading.bytes())) throw usage_failure("the file would have more than 2^63 - 1 bytes");
    if (total == 0) return;
    auto const mapped = file.map(static_cast<std::uint64_t>(total));
    std::memcpy(mapped.data(), header.data(), header.size());
    auto const elements = mapped.subspan(header.size());
    reading.read_whole(elements.data());
    if (numbers != nullptr) numbers->add(elements);
}

void write_stream(selected_read& reading, format form, std::function<void(std::string_view)> const& sink,
                  statistics* numbers) {
    reading.require_memory(reading.largest_block());
    bool const is_text = form == format::csv || form == format::json;
    if (form == format::npy) sink(npy_header(reading.type(), reading.shape()));
    text_writer text(form == format::json ? text_form::json : text_form::csv, reading.type(), reading.shape(), sink);
    reading.read_blocks([&](std::span<std::byte const> elements) {
        if (numbers != nullptr) numbers->add(elements);
        if (is_text) {
            text.add(elements);
        } else {
            sink({reinterpret_cast<char const*>(elements.data()), elements.size()});
        }
    });
    if (is_text) text.finish();
}

/// Unless statistics are wanted too, only what is shown is read.
void print_summary(selected_read& reading, statistics* numbers) {
    if (numbers != nullptr) {
        reading.require_memory(reading.largest_block());
        reading.read_blocks([&](std::span<std::byte const> elements) { numbers->add(elements); });
    }
    std::string const report = reading.report();
    print(array_text(reading.shape(), reading.type(), reading.read_shown()) + '\n');
    if (numbers != nullptr) print(report + numbers->text());
}

void run(read_options const& options, opened_array opened) {
    format const form = format_of(options);
    selection selected = options.selected.parse(opened.axes);
    std::optional<sw::conversion> convert;
    if (options.is_unpacked) convert = unpacking_of(opened.array.metadata());
    selected_read reading(std::move(opened), std::move(selected), options.is_confirmed, convert);
    if (options.with_stats && !reading.type().is_number()) {
        throw usage_failure(fmt::format("--stats: {} elements are no numbers", sw::name_of(reading.type()).c_str()));
    }
    statistics numbers(reading.type());
    statistics* const wanted = options.with_stats ? &numbers : nullptr;
    if (form == format::numpy_text) {
        print_summary(reading, wanted);
        return;
    }
    if (options.output) {
        output_file file("--output", *options.output, options.overwrites);
        if (form == format::npy || form == format::raw) {
            std::string const header = form == format::npy ? npy_header(reading.type(), reading.shape()) : "";
            write_binary_file(reading, file, header, wanted);
        } else {
            write_stream(
                reading, form, [&](std::string_view text) { file.write(text); }, wanted);
        }
        file.commit();
    } else {
        write_stream(reading, form, print, wanted);
    }
    // Where the elements are on the standard output, nothing else may be.
    if (wanted != nullptr)
        write_all(options.output ? STDOUT_FILENO : STDERR_FILENO, reading.report() + numbers.text(),
                  "the standard output");
}

}  // namespace

void run_read(read_options const& options) {
    if (options.overwrites && !options.output) throw usage_failure("--force is for --output");
    if (options.output && options.output->empty()) throw usage_failure("--output: the name of the file is empty");
    auto opened = open_array(options.path);
    std::string const store = opened.store;
    naming_store(store, [&] { run(options, std::move(opened)); });
}

}  // namespace program
