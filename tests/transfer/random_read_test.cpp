// Random arrays, layouts, selections and destinations: every read leaves what nested loops over the whole array leave.
#include <slabwise/transfer/reader.hpp>

#include <array>
#include <cstddef>
#include <utility>
#include <vector>

#include <gtest/gtest.h>

#include <seeded_random.hpp>
#include <transfer/computed_source.hpp>

namespace sw = slabwise;
using slabwise_test::random_numbers;
using sw::index_t;

namespace {

// What to select on an axis.
struct by_slice {
    static constexpr bool drops_axis = false;
    static sw::slice choose(index_t extent, random_numbers& numbers) {
        if (extent == 0) return {};
        index_t const first = numbers.number(0, extent - 1);
        if (numbers.number(0, 3) == 0) return sw::slice::all(extent);
        index_t const stride = numbers.number(1, numbers.number(0, 1) == 1 ? 2 : extent + 2);
        bool const rises = numbers.number(0, 1) == 1;
        index_t const most = (rises ? extent - 1 - first : first) / stride + 1;
        return sw::slice::counted(first, numbers.number(numbers.number(0, 9) == 0 ? 0 : 1, most),
                                  rises ? stride : -stride);
    }
};
struct by_index {
    static constexpr bool drops_axis = true;
    static index_t choose(index_t extent, random_numbers& numbers) { return numbers.number(0, extent - 1); }
};
struct by_list {
    static constexpr bool drops_axis = false;
    static sw::index_list choose(index_t extent, random_numbers& numbers) {
        std::vector<index_t> indices;
        index_t const count = extent == 0 ? 0 : numbers.number(numbers.number(0, 9) == 0 ? 0 : 1, 6);
        for (index_t i = 0; i < count; ++i) indices.push_back(numbers.number(0, extent - 1));
        return sw::index_list(std::span<index_t const>(indices));
    }
};

constexpr sw::element_type types[] = {{sw::element_kind::unsigned_integer, 1},  {sw::element_kind::unsigned_integer, 2},
                                      {sw::element_kind::signed_integer, 4},    {sw::element_kind::floating, 4},
                                      {sw::element_kind::floating, 8},          {sw::element_kind::complex_floating, 8},
                                      {sw::element_kind::complex_floating, 16}, {sw::element_kind::opaque, 12}};

template <std::size_t R>
sw::chunk_grid<R> random_grid(random_numbers& numbers, index_t shortest) {
    std::array<index_t, R> extents{};
    std::array<index_t, R> chunks{};
    for (std::size_t axis = 0; axis < R; ++axis) {
        extents[axis] = numbers.number(0, 30) == 0 ? shortest : numbers.number(1, R > 3 ? 5 : 9);
        chunks[axis] = numbers.number(1, R > 3 ? 4 : 11);
    }
    return {extents, chunks};
}

template <class... Axes>
struct selection {
    static constexpr std::size_t rank = sizeof...(Axes);
    static constexpr std::size_t kept = (std::size_t{0} + ... + (Axes::drops_axis ? 0U : 1U));

    static constexpr std::array<std::size_t, kept> kept_axes() {
        [[maybe_unused]] constexpr bool drops[] = {Axes::drops_axis..., false};
        std::array<std::size_t, kept> axes{};
        std::size_t next = 0;
        for (std::size_t axis = 0; axis < rank; ++axis) {
            if (!drops[axis]) axes[next++] = axis;
        }
        return axes;
    }

    // One read of some part of the array.
    template <class Reader>
    static void check_once(transfer_test::computed_source<rank> const& source, Reader& from, random_numbers& numbers) {
        check_selectors(source, from, numbers, std::make_index_sequence<rank>{});
    }

private:
    template <class Reader, std::size_t... D>
    static void check_selectors(transfer_test::computed_source<rank> const& source, Reader& from,
                                random_numbers& numbers, std::index_sequence<D...>) {
        check_selectors(source, from, numbers, Axes::choose(source.grid().shape()[D], numbers)...);
    }
    template <class Reader, class... Selectors>
    static void check_selectors(transfer_test::computed_source<rank> const& source, Reader& from,
                                random_numbers& numbers, Selectors const&... selectors) {
        auto const plan = [&] {
            if constexpr (rank == 0) {
                return sw::make_plan(source.grid(), sw::hyperslab<0>{});
            } else {
                return sw::make_plan(source.grid(), selectors...);
            }
        }();
        std::array<std::vector<index_t>, rank> const selected{transfer_test::indices_of(selectors)...};
        std::size_t const size = source.layout().type.size;
        auto const byte_strides = numbers.number(0, 1) == 1
                                      ? sw::c_order_byte_strides(plan.shape(), size)
                                      : transfer_test::random_byte_strides(plan.shape(), size, numbers, true);
        transfer_test::destination<kept> to(plan.shape(), byte_strides, size, numbers);
        transfer_test::expect(source, selected, kept_axes(), to);
        std::size_t const reads_before = source.coords.size();
        auto const report = from.read_bytes(plan, {to.data(), byte_strides});
        ASSERT_TRUE(to.memory == to.expected) << "rank " << rank << ", element size " << size;
        EXPECT_EQ(report.chunks, plan.size());
        EXPECT_EQ(report.hits + static_cast<index_t>(source.coords.size() - reads_before), plan.size());
        index_t absent = 0;
        for (auto const projection : plan) absent += source.is_absent(projection.coord()) ? 1 : 0;
        EXPECT_EQ(report.absent, absent);
    }
};

// Several reads of each of several arrays through one reader, whose state of one read must not leak into the next.
template <class... Selections>
void check(std::uint64_t stream, int arrays) {
    constexpr std::size_t rank = std::max({Selections::rank...});
    static_assert((... && (Selections::rank == rank)));
    bool const any_drops = (... || (Selections::kept != rank));
    random_numbers numbers(stream);
    for (int array = 0; array < arrays; ++array) {
        auto const grid = random_grid<rank>(numbers, any_drops ? 1 : 0);
        auto const type = types[numbers.number(0, std::ssize(types) - 1)];
        auto const source = transfer_test::random_source(grid, type, numbers);
        sw::reader from(source);
        for (int read = 0; read < 10; ++read) {
            (Selections::check_once(source, from, numbers), ...);
            if (testing::Test::HasFatalFailure()) return;
        }
    }
}

}  // namespace

TEST(random_read, scalar) { check<selection<>>(100, 20); }
TEST(random_read, one_axis) { check<selection<by_slice>, selection<by_index>, selection<by_list>>(101, 500); }
TEST(random_read, two_axes) {
    check<selection<by_slice, by_slice>, selection<by_list, by_slice>, selection<by_slice, by_index>,
          selection<by_index, by_slice>, selection<by_list, by_list>, selection<by_index, by_index>>(102, 400);
}
TEST(random_read, three_axes) {
    check<selection<by_slice, by_slice, by_slice>, selection<by_slice, by_list, by_slice>,
          selection<by_index, by_slice, by_list>, selection<by_slice, by_index, by_slice>>(103, 300);
}
TEST(random_read, four_axes) {
    check<selection<by_slice, by_slice, by_slice, by_slice>, selection<by_slice, by_list, by_index, by_slice>>(104,
                                                                                                               200);
}
TEST(random_read, five_axes) { check<selection<by_slice, by_slice, by_slice, by_slice, by_slice>>(105, 200); }
