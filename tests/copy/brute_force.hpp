// A copy written as its definition reads, in memory laid out to catch what goes wrong.
#pragma once

#include <algorithm>
#include <array>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <new>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <sys/mman.h>

#include <seeded_random.hpp>
#include <slabwise/copy/copy_axis.hpp>
#include <slabwise/copy/copy_program.hpp>
#include <slabwise/copy/instruction_set.hpp>
#include <slabwise/index/byte_strides.hpp>

#if defined(__SANITIZE_ADDRESS__)
#define SLABWISE_TESTS_POISON 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SLABWISE_TESTS_POISON 1
#endif
#endif
#if defined(SLABWISE_TESTS_POISON)
#include <sanitizer/asan_interface.h>
#endif

namespace copy_test {

using slabwise::copy_axis;
using slabwise::index_t;
using bytes = std::vector<std::byte>;

class random : public slabwise_test::random_numbers {
public:
    using random_numbers::random_numbers;
    /// An integer from lowest to highest, both included.
    template <class T = index_t>
    T number(index_t lowest, index_t highest) {
        return static_cast<T>(random_numbers::number(lowest, highest));
    }
    bool chance(int percent) { return number(1, 100) <= percent; }
    bytes some_bytes(std::size_t count) {
        bytes result(count);
        auto state = number<std::uint32_t>(0, UINT32_MAX);
        for (std::byte& each : result) {
            state = state * 1664525U + 1013904223U;
            each = static_cast<std::byte>(state >> 24);
        }
        return result;
    }
};

/// Where each element comes from and goes to. **Units** bytes, from the first element.
using moves = std::vector<std::pair<index_t, index_t>>;

inline moves moves_of(std::span<copy_axis const> axes) {
    moves result{{0, 0}};
    for (copy_axis const& axis : axes) {
        moves longer;
        for (auto const& [source, destination] : result) {
            for (index_t i = 0; i < axis.count; ++i) {
                auto const k = static_cast<std::size_t>(i);
                longer.emplace_back(
                    source + (axis.source_offsets ? axis.source_offsets[k] : i * axis.source_byte_stride),
                    destination +
                        (axis.destination_offsets ? axis.destination_offsets[k] : i * axis.destination_byte_stride));
            }
        }
        result = std::move(longer);
    }
    return result;
}

inline std::string describe(std::size_t element_size, std::size_t swap_size, std::span<copy_axis const> axes) {
    std::string text = "element " + std::to_string(element_size) + " swap " + std::to_string(swap_size);
    for (copy_axis const& axis : axes) {
        text += " | " + std::to_string(axis.count) + ": " +
                (axis.source_offsets ? "table" : std::to_string(axis.source_byte_stride)) + " -> " +
                (axis.destination_offsets ? "table" : std::to_string(axis.destination_byte_stride));
    }
    return text;
}

/// Runs `copy(source, destination)` and compares all of the destination with what each element's own copy leaves there:
/// the elements, the gaps between them and 64 bytes on both sides. The source ends where its last element ends, so
/// that the address sanitizer sees a read past it.
template <class Copy>
void expect_like_brute_force(std::size_t element_size, std::size_t swap_size, std::span<copy_axis const> axes,
                             random& numbers, Copy&& copy) {
    moves const all = moves_of(axes);
    index_t source_lowest = 0, source_highest = 0, destination_lowest = 0, destination_highest = 0;
    bool is_first = true;
    for (auto const& [source, destination] : all) {
        source_lowest = is_first || source < source_lowest ? source : source_lowest;
        source_highest = is_first || source > source_highest ? source : source_highest;
        destination_lowest = is_first || destination < destination_lowest ? destination : destination_lowest;
        destination_highest = is_first || destination > destination_highest ? destination : destination_highest;
        is_first = false;
    }
    std::size_t const element_bytes = all.empty() ? 0 : element_size;
    auto const misaligned = numbers.number<std::size_t>(0, 15);
    std::size_t const sentinels = 64 + numbers.number<std::size_t>(0, 15);
    bytes const source =
        numbers.some_bytes(misaligned + static_cast<std::size_t>(source_highest - source_lowest) + element_bytes);
    bytes const poison = numbers.some_bytes(
        2 * sentinels + static_cast<std::size_t>(destination_highest - destination_lowest) + element_bytes);
    std::byte const* const from = source.data() + misaligned - source_lowest;

    bytes expected = poison;
    for (auto const& [source_offset, destination_offset] : all) {
        std::byte* const to = expected.data() + sentinels - destination_lowest + destination_offset;
        for (std::size_t i = 0; i < element_size; ++i) {
            std::size_t const word = i / swap_size * swap_size;
            to[i] = from[source_offset + static_cast<index_t>(word + swap_size - 1 - (i - word))];
        }
    }

    bytes actual = poison;
    copy(from, actual.data() + sentinels - destination_lowest);
    for (std::size_t i = 0; actual != expected && i < actual.size(); ++i) {
        ASSERT_EQ(std::to_integer<int>(actual[i]), std::to_integer<int>(expected[i]))
            << "byte " << static_cast<index_t>(i) - static_cast<index_t>(sentinels) + destination_lowest << " of "
            << describe(element_size, swap_size, axes);
    }
}

/// The sets that this program and its processor have, scalar first.
inline std::span<slabwise::instruction_set const> supported_sets() {
    using enum slabwise::instruction_set;
    static std::array sets{scalar, vector128, xsimd, avx2, avx512};
    static auto const end = std::remove_if(sets.begin(), sets.end(), [](auto set) { return !is_supported(set); });
    return {sets.begin(), end};
}

/// Random bytes, none of them 0, that nobody may write, between memory that nobody may read. Under the address
/// sanitizer nobody may read them either until they are allowed.
class guarded_bytes {
public:
    explicit guarded_bytes(std::size_t least_size, random numbers)
        : size_((least_size + guard_size - 1) / guard_size * guard_size) {
        void* const mapped =
            mmap(nullptr, size_ + 2 * guard_size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
        if (mapped == MAP_FAILED) throw std::bad_alloc();
        mapped_ = static_cast<std::byte*>(mapped);
        auto state = numbers.number<std::uint64_t>(0, UINT32_MAX);
        for (std::size_t i = 0; i < size_; ++i) {
            state = state * 6364136223846793005U + 1442695040888963407U;
            mapped_[guard_size + i] = static_cast<std::byte>((state >> 33) % 255 + 1);
        }
        mprotect(mapped_, guard_size, PROT_NONE);
        mprotect(mapped_ + guard_size, size_, PROT_READ);
        mprotect(mapped_ + guard_size + size_, guard_size, PROT_NONE);
        forbid(begin(), size_);
    }
    guarded_bytes(guarded_bytes const&) = delete;
    guarded_bytes& operator=(guarded_bytes const&) = delete;
    ~guarded_bytes() {
        allow(begin(), size_);
        munmap(mapped_, size_ + 2 * guard_size);
    }

    std::byte const* begin() const { return mapped_ + guard_size; }
    std::byte const* end() const { return begin() + size_; }
    std::size_t size() const { return size_; }

    static void allow([[maybe_unused]] std::byte const* first, [[maybe_unused]] std::size_t count) {
#if defined(SLABWISE_TESTS_POISON)
        __asan_unpoison_memory_region(first, count);
#endif
    }
    /// **Expects** that first is one that was allowed, so that the 8 bytes around it may be forbidden as well.
    static void forbid([[maybe_unused]] std::byte const* first, [[maybe_unused]] std::size_t count) {
#if defined(SLABWISE_TESTS_POISON)
        std::size_t const before = reinterpret_cast<std::uintptr_t>(first) % 8;
        __asan_poison_memory_region(first - before, before + count);
#endif
    }

private:
    static constexpr std::size_t guard_size = std::size_t{1} << 16;
    std::size_t size_;
    std::byte* mapped_;
};

/// Runs one copy after the other with each supported instruction set, from a source next to a guard, and compares
/// all of the destination with what each element's own copy leaves there: the elements, the gaps between them and 64
/// bytes on both sides, poisoned with another byte each time. After one failure it runs no more.
class copies_by_every_set {
public:
    /// Whether the source may be read from its first to its last byte, or each row of the last axis likewise and
    /// nothing between two rows.
    enum class reads { everything, each_row };
    /// The guard that the source is next to.
    enum class guard { before, after };

    explicit copies_by_every_set(std::size_t source_bytes, std::size_t destination_bytes, std::uint64_t stream = 0)
        : source_(source_bytes, random(stream)), expected_(destination_bytes), actual_(destination_bytes + 64),
          actual_begin_(actual_.data() + (64 - reinterpret_cast<std::uintptr_t>(actual_.data()) % 64)) {
        programs_.reserve(2 * supported_sets().size());
#if !defined(SLABWISE_TESTS_POISON)
        std::signal(SIGSEGV, [](int) {
            if (running_ != nullptr) std::fprintf(stderr, "forbidden memory: %s\n", running_->describe_run().c_str());
            std::signal(SIGSEGV, SIG_DFL);
        });
#endif
    }
    copies_by_every_set(copies_by_every_set const&) = delete;
    copies_by_every_set& operator=(copies_by_every_set const&) = delete;
    ~copies_by_every_set() { running_ = nullptr; }

    /// What is copied from now on.
    void prepare(std::size_t element_size, std::size_t swap_size, std::span<copy_axis const> axes,
                 reads allowed = reads::everything) {
        element_size_ = element_size;
        swap_size_ = swap_size;
        axes_ = axes;
        allowed_ = allowed;
        from_ = to_ = {};
        bool is_empty = false;
        for (copy_axis const& axis : axes) is_empty = is_empty || axis.count == 0;
        for (copy_axis const& axis : axes) {
            if (is_empty) break;
            from_ = sum(from_, hull_of(axis.count, axis.source_byte_stride, axis.source_offsets));
            to_ = sum(to_, hull_of(axis.count, axis.destination_byte_stride, axis.destination_offsets));
        }
        std::size_t const last = is_empty ? 0 : element_size;
        from_bytes_ = static_cast<std::size_t>(from_.highest - from_.lowest) + last;
        to_bytes_ = static_cast<std::size_t>(to_.highest - to_.lowest) + last;
        programs_.clear();
        has_failed_ = has_failed_ || from_bytes_ + 64 > source_.size() || to_bytes_ + 192 > expected_.size();
        ASSERT_FALSE(has_failed_) << "no room for " << describe(element_size, swap_size, axes);
        for (auto const set : supported_sets()) programs_.emplace_back(element_size, swap_size, axes, set);
        if (programs_.front().unit_size() <= slabwise::detail::longest_inline_run) return;
        for (auto const set : supported_sets()) {
            programs_.emplace_back(element_size, swap_size, axes, set, slabwise::store_mode::streamed);
        }
    }

    /// Copies from a source that is so many bytes away from its guard to a destination so many bytes off 64.
    void expect_right(guard next_to, std::size_t distance, std::size_t misalignment) {
        if (has_failed_) return;
        std::byte const* const first =
            next_to == guard::before ? source_.begin() + distance : source_.end() - distance - from_bytes_;
        std::byte const* const source = first - from_.lowest;
        index_t const offset = static_cast<index_t>(64 + misalignment) - to_.lowest;
        std::size_t const all = 64 + misalignment + to_bytes_ + 64;
        poison_ = (poison_ * 77 + 101) % 256;
        if (allowed_ == reads::each_row) {
            each_row(0, source);
        } else {
            source_.allow(first, from_bytes_);
        }
        std::memset(expected_.data(), poison_, all);
        copy_elements(0, source, expected_.data() + offset);
        running_ = this;
        for (program_ = 0; program_ < programs_.size(); ++program_) {
            std::memset(actual_begin_, poison_, all);
            programs_[program_](source, actual_begin_ + offset);
            if (std::memcmp(actual_begin_, expected_.data(), all) == 0) continue;
            has_failed_ = true;
            std::size_t i = 0;
            while (actual_begin_[i] == expected_[i]) ++i;
            FAIL() << "byte " << static_cast<index_t>(i) - offset << " is " << std::to_integer<int>(actual_begin_[i])
                   << ", not " << std::to_integer<int>(expected_[i]) << ": " << describe_run();
        }
        source_.forbid(first, from_bytes_);
    }

    [[nodiscard]] bool has_failed() const { return has_failed_; }

private:
    static slabwise::byte_hull sum(slabwise::byte_hull const& a, slabwise::byte_hull const& b) {
        return {a.lowest + b.lowest, a.highest + b.highest};
    }
    static slabwise::byte_hull hull_of(index_t count, index_t byte_stride, index_t const* offsets) {
        if (offsets == nullptr) {
            slabwise::byte_hull hull;
            hull.add_axis(count, byte_stride);
            return hull;
        }
        auto const [lowest, highest] = std::minmax_element(offsets, offsets + count);
        return {*lowest, *highest};
    }

    void each_row(std::size_t axis, std::byte const* source) const {
        if (axis + 1 < axes_.size()) {
            for (index_t i = 0; i < axes_[axis].count; ++i) each_row(axis + 1, source + axes_[axis].source_offset(i));
            return;
        }
        copy_axis const& row = axes_[axis];
        if (row.count == 0) return;
        auto const hull = hull_of(row.count, row.source_byte_stride, row.source_offsets);
        source_.allow(source + hull.lowest, static_cast<std::size_t>(hull.highest - hull.lowest) + element_size_);
    }

    void copy_elements(std::size_t axis, std::byte const* source, std::byte* destination) const {
        if (axis == axes_.size()) {
            copy_element(source, destination);
            return;
        }
        copy_axis const& over = axes_[axis];
        bool const is_last = axis + 1 == axes_.size();
        for (index_t i = 0; i < over.count; ++i) {
            std::byte const* const from = source + over.source_offset(i);
            std::byte* const to = destination + over.destination_offset(i);
            is_last ? copy_element(from, to) : copy_elements(axis + 1, from, to);
        }
    }

    void copy_element(std::byte const* source, std::byte* destination) const {
        if (swap_size_ == 1) {
            std::memcpy(destination, source, element_size_);
        } else {
            for (std::size_t word = 0; word < element_size_; word += swap_size_) {
                for (std::size_t i = 0; i < swap_size_; ++i) destination[word + i] = source[word + swap_size_ - 1 - i];
            }
        }
    }

    std::string describe_run() const {
        auto const sets = supported_sets();
        return describe(element_size_, swap_size_, axes_) + " by " + name_of(sets[program_ % sets.size()]) +
               (program_ < sets.size() ? "" : ", streamed");
    }

    static inline copies_by_every_set const* running_ = nullptr;

    guarded_bytes source_;
    bytes expected_;
    bytes actual_;
    std::byte* actual_begin_;
    std::vector<slabwise::copy_program> programs_;
    std::size_t program_ = 0;
    std::size_t element_size_ = 0;
    std::size_t swap_size_ = 0;
    std::span<copy_axis const> axes_;
    reads allowed_ = reads::everything;
    slabwise::byte_hull from_;
    slabwise::byte_hull to_;
    std::size_t from_bytes_ = 0;
    std::size_t to_bytes_ = 0;
    int poison_ = 0;
    bool has_failed_ = false;
};

}  // namespace copy_test
