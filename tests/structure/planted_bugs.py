"""Plants bugs in a copy of the headers, one at a time, and expects that a test goes red.

planted_bugs.py [--compiler CXX] [NAME...]  the named bugs, or all of them; some minutes, so it is run by hand
planted_bugs.py --places                    only whether each bug still has its place in the headers

Each bug names the test that must catch it, at compile time by a static_assert or at run time. The same tests are green
without a bug, or it says so.
"""

import argparse
import re
import subprocess
import sys
import tempfile
from collections import namedtuple
from pathlib import Path
from shutil import copytree

# The libraries of the codecs.
CODECS = ["-ldeflate", "-lzstd", "-lblosc", "-llz4", "-lbz2", "-llzma"]
tree = Path(__file__).resolve().parents[2]
Bug = namedtuple("Bug", "name header before after test")

BUGS = [
    Bug("round up too far", "index/arithmetic.hpp", "static_cast<T>((a - 1) / b + 1)", "static_cast<T>(a / b + 1)",
        "index/arithmetic"),
    Bug("round a negative quotient up", "index/arithmetic.hpp", "quotient * b > a ? 1 : 0", "0", "plan/slice_axis"),
    Bug("larger shares last", "index/arithmetic.hpp", "(share < rest ? share : rest)",
        "(share > n - rest ? share - (n - rest) : 0)", "index/arithmetic"),
    Bug("a single index keeps its stride", "index/slice.hpp", "stride_(count <= 1 ? 1 : stride)",
        "stride_(count == 0 ? 1 : stride)", "index/slice"),
    Bug("an empty slice keeps its first", "index/slice.hpp", "first_(count == 0 ? 0 : first)", "first_(first)",
        "index/slice"),
    Bug("python wraps one too far", "index/slice.hpp", "? *given + extent :", "? *given + extent - 1 :",
        "index/python_slice"),
    Bug("python's downward stop is 0", "index/slice.hpp", "stride < 0 ? -1 : 0;", "0;", "index/python_slice"),
    Bug("a clamped downward stop misses index 0", "index/slice.hpp", "stop < -1) stop = -1;", "stop < 0) stop = 0;",
        "index/slice"),
    Bug("one chunk too many in a grid", "grid/chunk_grid.hpp", "coord[axis] >= counts[axis]",
        "coord[axis] > counts[axis]", "grid/chunk_grid"),
    Bug("the index at the extent is let in", "plan/slice_axis.hpp", "if (highest >= extent)", "if (highest > extent)",
        "plan/slice_axis"),
    Bug("threshold off by one, rising", "plan/slice_axis.hpp", "rises ? -rest : chunk_length_ - rest",
        "rises ? -rest - 1 : chunk_length_ - rest", "plan/slice_axis"),
    Bug("threshold off by one, falling", "plan/slice_axis.hpp", "rises ? -rest : chunk_length_ - rest",
        "rises ? -rest : chunk_length_ - rest - 1", "plan/slice_axis"),
    Bug("the last piece is not clipped", "plan/slice_axis.hpp", "at.count = count < left ? count : left;",
        "at.count = left < 0 ? left : count;", "plan/slice_axis"),
    Bug("the edge chunk is not clipped", "plan/slice_axis.hpp",
        "at.valid = at.chunk == highest_chunk_ ? highest_valid_ : chunk_length_;", "at.valid = chunk_length_;",
        "plan/slice_axis"),
    Bug("a sparse position carries too little", "plan/slice_axis.hpp", "position_carry_ = -chunk_length_;",
        "position_carry_ = 1 - chunk_length_;", "plan/slice_axis"),
    Bug("a sparse chunk never carries", "plan/slice_axis.hpp", "chunk_carry_ = 1;", "chunk_carry_ = 0;",
        "plan/slice_axis"),
    Bug("a chunk between two indices is found", "plan/slice_axis.hpp", "slice_[i] / chunk_length_ == chunk ? i : size_",
        "i", "plan/slice_axis"),
    Bug("a strided piece is full", "plan/slice_axis.hpp", "if (magnitude(stride()) != 1) return 0;", "",
        "plan/slice_axis"),
    Bug("the odometer does not begin anew", "plan/plan_iterator.hpp", "cursor = axis.begin();", "", "plan/plan"),
    Bug("a jump ignores the earlier axes", "plan/plan_iterator.hpp", "place<Axes - 1>(k / axis.size())",
        "place<Axes - 1>(0)", "plan/iterator"),
    Bug("the mixed radix has no digits", "plan/plan.hpp", "k = k * size + digit;", "k = k + digit;", "plan/plan"),
    Bug("the prefix sum forgets the earlier axes", "plan/plan.hpp", "sum += weight * at.first_in_array * elements;",
        "sum += at.first_in_array * elements;", "plan/plan"),
    Bug("a run goes on where the row does not", "plan/plan.hpp", "later.whole * axis<D>().full_pieces()",
        "later.whole * axis<D>().size()", "plan/cost"),
    Bug("planning allocates", "plan/plan.hpp", "[[maybe_unused]] auto const lengths = grid.chunk_shape();",
        "[[maybe_unused]] auto const lengths = grid.chunk_shape(); delete new index_t(0);", "plan/allocation"),
    Bug("an edge chunk is never covered", "plan/projection.hpp", "pieces_[D].count == pieces_[D].valid", "pieces_[D].count > pieces_[D].valid",
        "plan/plan"),
    Bug("a chunk backwards is in order", "plan/projection.hpp", "(strides_[D] == 1 || pieces_[D].count == 1)",
        "true", "plan/plan"),
    Bug("a share of elements begins one late", "plan/part.hpp", "plan_->projection_of_element(e)",
        "plan_->projection_of_element(e) + 1", "plan/part"),
    Bug("a list loses its order", "plan/list_axis.hpp", "a < b : i < j", "a < b : i > j", "plan/mixed_plan"),
    Bug("a run begins where the one before began", "grid/rectilinear_grid.hpp",
        "runs_.push_back({run, chunk_count(), reach()});",
        "runs_.push_back({run, chunk_count(), chunk_count()});", "plan/rectilinear_axis"),
    Bug("a falling slice begins one late in a run", "plan/rectilinear_axis.hpp", "count_before(end - 1);",
        "count_before(end - 2);", "plan/rectilinear_axis"),
    Bug("the array's end does not clip a run", "plan/rectilinear_axis.hpp", "(std::min)(run.end(), extent_);",
        "run.end();", "plan/rectilinear_axis"),
    Bug("a piece keeps its place in its run", "plan/rectilinear_axis.hpp",
        "at.first_in_array += holds.first_in_array;", "", "plan/rectilinear_axis"),
    Bug("an inner chunk is not clipped", "plan/nested_plan.hpp", "chunk_grid<R>(valid_shape(shard)",
        "chunk_grid<R>(shard.chunk_lengths()", "plan/nested_plan"),
    Bug("short inner chunks are all touched", "plan/inner_count.hpp", "between - static_cast<index_t>(shards - touched)",
        "between", "plan/nested_plan"),
    Bug("the first short inner chunk counts twice", "plan/inner_count.hpp", "(starts_in_short ? 1 : 0)", "0",
        "plan/nested_plan"),
    Bug("the inner chunks before a shard are too few", "plan/nested_plan.hpp",
        "sum += weight * before(axis, digit) * inner;", "sum += before(axis, digit) * inner;", "plan/nested_plan"),
    Bug("the highest rank is refused", "plan/visit_rank.hpp", "if (rank > MaxRank)", "if (rank >= MaxRank)",
        "plan/visit_rank"),
    Bug("a gather reads a register past the row", "copy/gather.hpp", "i < last; i += width", "i <= last; i += width",
        "copy/kernels"),
    Bug("a gather begins before the row", "copy/vector_kernels.hpp", "fits = count > kernel::width",
        "fits = count >= kernel::width", "copy/kernels"),
    Bug("the last window begins a word early", "copy/gather.hpp", "IsLast ? byte_stride - index_t{Size} : 0",
        "IsLast ? byte_stride : 0", "copy/kernels"),
    Bug("the window of a row backwards begins a word late", "copy/gather.hpp", "Stride < 0 ? bytes - index_t{Size} :",
        "Stride < 0 ? bytes :", "copy/kernels"),
    Bug("a register backwards is not reversed", "copy/gather.hpp", "lanes::template shuffle<in_reverse>(words, words)",
        "lanes(words)", "copy/kernels"),
    Bug("a stream begins a register late", "copy/gather.hpp", "i = width - static_cast",
        "i = 2 * width - static_cast", "copy/kernels"),
    Bug("a stream into the middle of registers", "copy/gather.hpp", "destination) % Model::bytes / Size)",
        "destination) % 16 / Size)", "copy/kernels"),
    Bug("a stream of rows at other alignments", "copy/gather.hpp",
        "static_cast<std::uintptr_t>(rows.destination_byte_stride);", "0;", "copy/kernels"),
    Bug("a stream leaves out its first words", "copy/gather.hpp",
        "            copy_register<false, false>(source, destination);\n", "", "copy/kernels"),
    Bug("an odd stride selects the next word", "copy/gather.hpp", "(Register * count + i) % Stride",
        "(Register * count + i + 1) % Stride", "copy/kernels"),
    Bug("an odd stride forgets the phase", "copy/gather.hpp", "return (i * Stride + Phase) % count;",
        "return i * Stride % count;", "copy/kernels"),
    Bug("the upper half of a window is the lower", "copy/gather.hpp", "window + Stride / 2 * Model::bytes",
        "window + Stride / 4 * Model::bytes", "copy/kernels"),
    Bug("a gather of words that are none", "copy/kernels.hpp", "} else if (axes[0].source_byte_stride % size == 0) {",
        "} else {", "copy/kernels"),
    Bug("a blend lets the other word through", "copy/lanes.hpp", "(pairs_a & low_half) | (pairs_b << bits)",
        "pairs_a | (pairs_b << bits)", "copy/kernels"),
    Bug("words are reversed in no order", "copy/lanes.hpp", "Words + Words - 1 - i % Words", "Words + i % Words",
        "copy/kernels"),
    Bug("pairs of words change places", "copy/words.hpp", "if constexpr (sizeof(Word) != Bytes) turned",
        "if constexpr (false) turned", "copy/kernels"),
    Bug("a tile lies past the rows", "copy/transpose.hpp", "lesser(tile_0, count_0 - width)", "tile_0",
        "copy/transpose"),
    Bug("a tile lies past the columns", "copy/transpose.hpp", "lesser(tile_1, count_1 - columns)", "tile_1",
        "copy/transpose"),
    Bug("the last tile overlaps too much", "copy/transpose.hpp", "lesser(tile_0, count_0 - width)",
        "lesser(tile_0, count_0 - width - 1)", "copy/transpose"),
    Bug("a block of tiles ends early", "copy/transpose.hpp", "lesser(block_1 + block, count_1)",
        "lesser(block_1 + block - columns, count_1)", "copy/transpose"),
    Bug("the upper halves of a tile are the lower", "copy/transpose.hpp", " + Half * words / 2 +", " +",
        "copy/transpose"),
    Bug("pieces of a wide register lie too close", "copy/lanes.hpp", "source + pieces * piece_step",
        "source + piece_step", "copy/transpose"),
    Bug("a tile has no room", "copy/kernels.hpp", "outer.count >= 16 / unit", "outer.count >= 8 / unit",
        "copy/transpose"),
    Bug("the axis of the source pushes another out", "copy/copy_program.hpp", "k > 1; --k", "k > 2; --k",
        "copy/transpose"),
    Bug("a run leaves a register out", "copy/runs.hpp", "byte + Model::bytes < unit_size",
        "byte + 2 * Model::bytes < unit_size", "copy/kernels"),
    Bug("a run goes on a register too far", "copy/runs.hpp", "byte + Model::bytes < unit_size;", "byte < unit_size;",
        "copy/kernels"),
    Bug("the units left over step as those of the destination", "copy/loops.hpp", "from += source_step;",
        "from += destination_step;", "copy/kernels"),
    Bug("a repeat runs over its row", "copy/loops.hpp", "if (step > row_size - done) step = row_size - done;", "",
        "copy/kernels"),
    Bug("all rows repeat the first", "copy/loops.hpp", "row > 0 && rows.source_byte_stride == 0 &&", "row > 0 &&",
        "copy/kernels"),
    Bug("a streamed run begins within a line", "copy/runs.hpp", "% line) % line;", "% line) % line / 2 * 2;",
        "copy/kernels"),
    Bug("a streamed run has no tail", "copy/runs.hpp", "        std::memcpy(to + end, from + end, size - end);\n", "",
        "copy/kernels"),
    Bug("two pieces leave a gap", "copy/units.hpp", "source + size - Half", "source + Half", "copy/kernels"),
    Bug("blocks of 16 leave a gap", "copy/units.hpp", "i + 16 < size; i += 16", "i + 32 < size; i += 16",
        "copy/kernels"),
    Bug("upwards from the lower end", "copy/ordered_axes.hpp",
        "            source_base += axis.source_offset(axis.count - 1);", "", "copy/kernels"),
    Bug("an axis continues another on one side", "copy/ordered_axes.hpp",
        "outer.source_byte_stride == inner.count * inner.source_byte_stride &&", "", "copy/kernels"),
    Bug("a set that is not there is chosen", "copy/instruction_set.hpp",
        "        if (!is_supported(set)) throw_unsupported_set(name_of(set));", "", "copy/instruction_set"),
    Bug("an empty wish is a wish", "copy/instruction_set.hpp", "wanted == nullptr || *wanted == '\\0'",
        "wanted == nullptr", "copy/instruction_set"),
    Bug("a slice runs the program of an index list", "transfer/chunk_copy.hpp", " && !kind_[d].has_table()", "",
        "transfer/reader"),
    Bug("a program serves other counts", "transfer/chunk_copy.hpp", "kind_[d].count == next.count &&", "",
        "transfer/random_read"),
    Bug("a program serves other destinations", "transfer/chunk_copy.hpp",
        "kind_[d].destination_byte_stride == next.destination_byte_stride", "true", "transfer/random_read"),
    Bug("the other byte order is not turned", "transfer/chunk_copy.hpp",
        "layout.byte_order == std::endian::native ? 1 : layout.type.swap_size()", "1", "transfer/read"),
    Bug("complex numbers are turned whole", "copy/element_type.hpp",
        "element_kind::complex_floating ? size / 2 : size", "element_kind::complex_floating ? size : size",
        "transfer/read"),
    Bug("the fill keeps the byte order of the chunk", "transfer/chunk_copy.hpp",
        "reverse_words(native_fill_, swap_size_);", "", "transfer/read"),
    Bug("a clipped chunk is read in place", "transfer/chunk_copy.hpp", "!at.copies_chunk_in_order()",
        "!at.covers_chunk()", "transfer/reader"),
    Bug("in place across rows", "transfer/chunk_copy.hpp", " || to.byte_strides[axis] != dense", "",
        "transfer/reader"),
    Bug("in place in another layout", "transfer/chunk_copy.hpp", "layout_.byte_strides[axis] != dense || ", "",
        "transfer/reader"),
    Bug("in place in another byte order", "transfer/chunk_copy.hpp", "swap_size_ != 1 || ", "", "transfer/reader"),
    Bug("in place at the first element", "transfer/chunk_copy.hpp", "return to.data + offset;",
        "return to.data + 0 * offset;", "transfer/reader"),
    Bug("hardly ever in place", "transfer/chunk_copy.hpp", "dense *= length;", "dense = -1;", "transfer/reader"),
    Bug("a chunk is kept that a failed read went over", "transfer/chunk_reader.hpp",
        "held_ = held::nothing;  // should the source throw", "", "transfer/reader"),
    Bug("the kept chunk is known by its first axis", "transfer/chunk_reader.hpp",
        "if (held_ != held::nothing && coord == held_coord_) {", "if (held_ != held::nothing && coord[0] == held_coord_[0]) {",
        "transfer/read"),
    Bug("an absent chunk is kept as a chunk", "transfer/chunk_reader.hpp",
        "if (held_ == held::absent_chunk) {", "if (false) {", "transfer/reader"),
    Bug("the kept chunk has another coord", "transfer/chunk_reader.hpp", "        held_coord_ = coord;", "",
        "transfer/reader"),
    Bug("dropped axes shift the others", "transfer/chunk_copy.hpp", "to.byte_strides[kept++]",
        "to.byte_strides[Plan::array_rank - 1 - kept++]", "transfer/read"),
    Bug("listed indices go where they came from", "transfer/chunk_copy.hpp", "axis.in_array(part), place_of",
        "axis.in_chunk(part), place_of", "transfer/read"),
    Bug("another grid's plan is let in", "transfer/reader.hpp", "detail::require_grid(plan, grid(), std::make_index_sequence<rank>{});", "",
        "transfer/reader"),
    Bug("opaque elements of any size are let in", "transfer/read_options.hpp",
        "!stored.is_number() && stored.size == sizeof(T)", "!stored.is_number()",
        "transfer/reader"),
    Bug("other shapes are let in", "transfer/output_traits.hpp", "if (extent != extents[axis])",
        "if (false && extent != extents[axis])", "transfer/reader"),
    Bug("an absent chunk is copied", "source/typed_source.hpp", "if (result == chunk_state::present) ", "",
        "source/source"),
    Bug("an edge chunk is not clipped", "source/memory_source.hpp",
        "coord[axis] * grid_.chunk_shape()[axis], valid[axis]",
        "coord[axis] * grid_.chunk_shape()[axis], grid_.chunk_shape()[axis]", "source/source"),
    Bug("ties round up", "copy/binary_float.hpp", "(magnitude >> pair::shift & 1);", "1;", "copy/float16"),
    Bug("a NaN narrows to infinity", "copy/binary_float.hpp", " | (mask_less(payload, word{1}) & 1);", ";",
        "copy/float16"),
    Bug("infinity widens to a number", "copy/binary_float.hpp", " + (pair::rebias & ~is_finite);", ";", "copy/float16"),
    Bug("subnormal numbers of half the size", "copy/binary_float.hpp", "Wide::bias + 1 - Narrow::bias",
        "Wide::bias - Narrow::bias", "copy/float16"),
    Bug("unsigned becomes signed, not the other way", "copy/make_conversion.hpp", "{0, 2, 1, 3, 3, 4, -1, -1, -1}",
        "{0, 1, 2, 3, 3, 4, -1, -1, -1}", "copy/conversion"),
    Bug("NaN is the least integer", "copy/convert_value.hpp", "select_real(value == value, value, Real{0})", "value",
        "copy/conversion"),
    Bug("-0.5 is out of the range of unsigned", "copy/convert_value.hpp", ": real > least - 1;", ": real >= least;",
        "copy/conversion"),
    Bug("too large a double is infinity", "copy/convert_value.hpp", " - word{!fits<To>(value)});", ");",
        "copy/conversion"),
    Bug("an integer is rounded twice", "copy/convert_value.hpp", "is_short ? value : odd", "value", "copy/conversion"),
    Bug("a misfit is counted within its blocks", "copy/convert_loop.hpp",
        "if (fitting < blocks) return done + find_misfit", "if (fitting < blocks) return find_misfit",
        "copy/conversion"),
    Bug("elements before a cache line are left out", "copy/convert_loop.hpp",
        "if (run(0, 1) == 0) return find_misfit(kernel, source, scale);", "", "copy/conversion"),
    Bug("fills must fit", "copy/conversion.hpp", "std::memcmp(element, parts_.fill, parts_.from.size) == 0", "false",
        "copy/conversion_options"),
    Bug("gathered words keep their order", "copy/convert_program.hpp", "return {from_size(), swap_size_, axes};",
        "return {from_size(), 1, axes};", "copy/convert_program"),
    Bug("gathered words are turned again", "copy/convert_program.hpp", "swap_size = gathers_ ? 1 : swap_size_;",
        "swap_size = swap_size_;", "copy/convert_program"),
    Bug("the last rows are as many as the others", "copy/convert_program.hpp", "(at.rows != rows_ ? 2U : 0U)", "0U",
        "copy/convert_program"),
    Bug("a block begins at the table's start", "copy/convert_program.hpp",
        "if (axis.source_offsets != nullptr) axis.source_offsets += first;", "", "copy/convert_program"),
    Bug("elements to convert are read in place", "transfer/chunk_copy.hpp", "if (convert_ || swap_size_ != 1",
        "if (swap_size_ != 1", "transfer/convert_read"),
    Bug("an absent chunk's fill is not converted", "transfer/chunk_copy.hpp",
        "convert_ ? converted_fill() : native_fill_", "native_fill_", "transfer/convert_read"),
    Bug("a reader keeps its first conversion", "transfer/chunk_copy.hpp", "if (convert == convert_) return;",
        "if (convert_) return;", "transfer/convert_read"),
    Bug("a chunk is known by the chunk alone", "transfer/chunk_cache.hpp", "static std::atomic<std::uint64_t> next{0};\n        return next++;",
        "return 0;", "transfer/cached_source"),
    Bug("the chunk used last goes first", "transfer/chunk_cache.hpp", "kept.find(order.back())",
        "kept.find(order.front())", "transfer/cached_source"),
    Bug("a suffix is a range from the start", "store/byte_range.hpp", "return extent{object_bytes - length, length};",
        "return extent{0, length};", "zarr/shard"),
    Bug("inner chunks are counted along the array's axes", "zarr/chunk_level.hpp",
        "for (std::size_t const axis : counting_order) place", "for (std::size_t axis = 0; axis < R; ++axis) place",
        "zarr/shard"),
    Bug("the last inner chunks are as long as the others", "zarr/chunk_level.hpp",
        "if (is_in_shard) return grid.valid_extent(coord);", "if (is_in_shard) return grid.chunk_shape();",
        "zarr/shard"),
    Bug("shards that begin at one place have one index", "zarr/shard_index.hpp", "shard.known_length(), encoding, chunks}",
        "std::nullopt, encoding, chunks}", "zarr/shard"),
    Bug("a short shard has the index of a whole one", "zarr/shard_index.hpp", "shard.known_length(), encoding, chunks}",
        "shard.known_length(), encoding, 0}", "zarr/shard"),
    Bug("runs of inner chunks end with the last one", "zarr/shard.hpp", "(std::max)(runs_.back().end, end)", "end",
        "zarr/shard"),
    Bug("every inner chunk is a request", "zarr/shard.hpp", "begin > runs_.back().end", "begin >= runs_.back().end",
        "zarr/shard"),
    Bug("an inner chunk may have any length", "zarr/shard.hpp", "entry->length > level_->largest_stored", "false",
        "zarr/shard"),
    Bug("the index is read each time", "zarr/shard.hpp", "!stored.is_decoded() ? indexes", "stored.is_decoded() ? indexes",
        "zarr/shard"),
    Bug("absent inner chunks have an offset only", "zarr/shard_index.hpp", "found.offset == none && found.length == none",
        "found.length == none", "zarr/shard"),
    Bug("lists in shards forget the list outside", "transfer/chunk_reader.hpp", "inner_to.positions[k] = positions.data();",
        "", "zarr/shard"),
    Bug("a field begins where its structure does", "zarr/chunk_level.hpp",
        "level.layout.first_byte = static_cast<index_t>(part->offset);", "", "zarr/data_type"),
    Bug("memory for a chunk before it is there", "transfer/chunk_memory.hpp", "return bytes >= large && ", "return false && ",
        "zarr/array"),
    Bug("a cache does not tell what is there", "transfer/cached_source.hpp", "        requires TellsPresence<Source>",
        "        requires false", "zarr/array"),
    Bug("the names of fields may have any length", "zarr/data_type.hpp", "names_bytes_ > longest_names", "false",
        "zarr/data_type"),
    Bug("a block of lz4 may claim any size", "codec/lz4.hpp", "if (size / 255 > in.size())", "if (false)", "codec/claimed_size"),
    Bug("a chunk of blosc may claim any size", "codec/blosc.hpp", "if (size >> 16 > in.size())", "if (false)",
        "codec/claimed_size"),
    Bug("any number of codecs", "zarr/make_codec.hpp", "if (list.size() <= most) return;", "return;", "zarr/metadata"),
    Bug("structures lie apart by their fields", "zarr/data_type.hpp", "size_ + inner.offset}", "inner.offset}", "zarr/data_type"),
    Bug("base64 of three characters is one byte", "zarr/fill_value.hpp", "if (i % 4 != 0) bytes", "if (i % 4 == 1) bytes",
        "zarr/data_type"),
    Bug("checksums stand before the bytes", "codec/checksum.hpp", "place_ == checksum_place::before;", "true;",
        "zarr/make_codec"),
    Bug("the first difference is added", "codec/delta.hpp", "i + k == 0 ? next : add(so_far, next)", "add(next, next)",
        "zarr/make_codec"),
    Bug("shuffled bytes of whole buffers", "codec/shuffle.hpp", "in[byte * count + i]", "in[i * element_size_ + byte]",
        "zarr/make_codec"),
    Bug("an edge that repeats does not", "zarr/v3.hpp", 'extent(run[1], [&] { return name_of_run() + "[1]"; }, 1, key)', "1",
        "zarr/metadata"),
    Bug("chunks past the end make a grid rectilinear", "zarr/metadata.hpp", "runs.size() > 1 && runs[1].begin < shape[axis]",
        "runs.size() > 1", "zarr/metadata"),
    Bug("every shard is as long as the longest", "zarr/chunk_level.hpp", "if (stored_shape == inner->grid.shape()) return inner;",
        "if (stored_shape != shape<R>()) return inner;", "zarr/recorded_reads"),
    Bug("a reader keeps the inner grid of the shard before", "transfer/chunk_reader.hpp",
        "if (!open_.reader || open_.reader->grid() != open_.chunk->grid()) {", "if (!open_.reader) {", "zarr/recorded_reads"),
    Bug("cached inner chunks of unlike shards share a number", "transfer/cached_source.hpp",
        "number, source_.grid().chunk_shape()));", "number, shape<rank>([] { std::array<index_t, rank> n{}; n.fill(1); return n; }())));",
        "zarr/recorded_reads"),
    Bug("a view laid out anew is read as before", "transfer/cached_source.hpp",
        "bytes == spread.bytes ? spread.byte_strides :", "bytes == 0 ? spread.byte_strides :", "transfer/cached_source"),
    Bug("a reader does not ask again for a view", "transfer/chunk_reader.hpp",
        "if (auto found = source.view_spread_chunk(held_coord_)) view_ = std::move(*found);", "", "transfer/cached_source"),
    Bug("the last chunk ends with its run", "grid/rectilinear_grid.hpp", "return last + (std::min)(length, max_index - last);",
        "return last + length - (length > max_index - last ? max_index : 0);", "grid/rectilinear_grid"),
    Bug("the first bool is the lowest bit", "codec/packbits.hpp", "(7 - i % 8)", "(i % 8)", "zarr/make_codec"),
    Bug("a header of blosc is believed", "codec/blosc.hpp",
        "blosc_cbuffer_validate(in.data(), in.size(), &size) != 0", "(blosc_cbuffer_validate(in.data(), in.size(), &size), false)",
        "zarr/make_codec"),
    Bug("decoded bytes have no limit", "codec/codec.hpp", "if (found > limit) fail_decode", "if (false) fail_decode",
        "zarr/make_codec"),
    Bug("a walk ends with the first bad node", "zarr/hierarchy.hpp", "if (at.depth == 0) throw;", "throw;",
        "zarr/hierarchy"),
    Bug("typed chunks at any address", "source/typed_source.hpp", "% alignof(value_type) == 0", "% 1 == 0",
        "source/source"),
    Bug("a view begins where its array does", "interop/xtensor_array.hpp",
        "array.data() + static_cast<std::ptrdiff_t>(array.data_offset())", "array.data()", "interop/xtensor"),
    Bug("an index from the end is not wrapped", "interop/xtensor_slice.hpp", "index + extent : index", "index : index",
        "interop/xtensor"),
]


def verdict_of(compiler, include, test):
    """How `test` goes with the headers in `include`: "green", "red ...", or "broken: ..." where no test fails."""
    with tempfile.TemporaryDirectory() as directory:
        program = Path(directory) / "test"
        compiled = subprocess.run(
            [compiler, "-std=c++20", f"-I{include}", f"-I{tree}/tests", f'-DSLABWISE_PYTHON="{sys.executable}"',
             f'-DSLABWISE_TESTS="{tree}/tests"', f"{tree}/tests/{test}_test.cpp", "-o", program, "-lgtest",
             "-lgtest_main", "-pthread", *CODECS], capture_output=True, text=True)
        if compiled.returncode != 0:
            caught = re.search(r"error:.*static.assert", compiled.stderr)
            return "red at compile time" if caught else "broken: " + compiled.stderr
        try:
            run = subprocess.run([program, "--gtest_brief=1"], capture_output=True, text=True, timeout=120)
        except subprocess.TimeoutExpired:
            return "red, by never ending"
        failed = re.findall(r"\[  FAILED  \] (\S+) ", run.stdout)
        return "green" if run.returncode == 0 else "red: " + (", ".join(failed) or f"status {run.returncode}")


def misplaced(bug, text):
    """What is wrong with the place of a bug in the text of its header; nothing when it has one."""
    count = text.count(bug.before)
    return None if count == 1 else f"broken: {bug.header} has `{bug.before}` {count} times"


def misplaced_bugs():
    for bug in BUGS:
        fault = misplaced(bug, (tree / "include/slabwise" / bug.header).read_text())
        if fault:
            yield f"{bug.name}: {fault}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--places", action="store_true")
    parser.add_argument("--compiler", default="g++")
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    if arguments.places:
        faults = list(misplaced_bugs())
        print("\n".join(faults) or "no faults")
        return bool(faults)
    bugs = [bug for bug in BUGS if not arguments.names or bug.name in arguments.names]
    faults = [f"no bug of this name: {name}" for name in arguments.names if name not in [bug.name for bug in bugs]]
    for test in sorted({bug.test for bug in bugs}):
        verdict = verdict_of(arguments.compiler, tree / "include", test)
        if verdict != "green":
            faults.append(f"{test} without a bug: {verdict}")
    for bug in bugs:
        with tempfile.TemporaryDirectory() as directory:
            include = Path(directory) / "include"
            copytree(tree / "include", include)
            header = include / "slabwise" / bug.header
            text = header.read_text()
            verdict = misplaced(bug, text)
            if verdict is None:
                header.write_text(text.replace(bug.before, bug.after))
                verdict = verdict_of(arguments.compiler, include, bug.test)
            print(f"{bug.name}: {bug.test}: {verdict}", flush=True)
            if not verdict.startswith("red"):
                faults.append(f"{bug.name}: {bug.test}: {verdict}")
    print("\n".join(faults) or "no faults")
    return bool(faults)


if __name__ == "__main__":
    sys.exit(main())
