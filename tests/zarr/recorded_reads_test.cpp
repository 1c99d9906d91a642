// Arrays whose values are recorded: written now by zarr-python, netCDF-C and a small writer of Zarr 3, written once by
// zarrita and kept in zarrita/, and those of a folder of stores that other software wrote, which comes with the
// project's data, not with its sources; SLABWISE_CORPUS names it elsewhere.
#include <slabwise/plan/rectilinear_axis.hpp>
#include <slabwise/store/directory_store.hpp>
#include <slabwise/transfer/cached_source.hpp>
#include <slabwise/transfer/read.hpp>
#include <slabwise/zarr/array.hpp>
#include <slabwise/zarr/locate.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "store/temporary_directory.hpp"
#include "zarr/sha256.hpp"

namespace sw = slabwise;
namespace zarr = slabwise::zarr;

namespace {

std::filesystem::path corpus() {
    char const* const named = std::getenv("SLABWISE_CORPUS");
    std::filesystem::path const root =
        named != nullptr ? std::filesystem::path(named) : std::filesystem::path(SLABWISE_TESTS) / "../../shared/corpus";
    return root / "zarr";
}

/// Expects that each of the `reads`, {slices: [first, stop, stride] an axis, sha256}, gives the recorded values.
template <std::size_t R, class Grid>
void expect_reads(zarr::array<R, Grid> const& array, zarr::json const& reads) {
    sw::cached_source const cached(array, sw::chunk_cache{1 << 16});
    for (auto const& read : reads) {
        std::array<sw::slice, R> slices;
        for (std::size_t axis = 0; axis != R; ++axis) {
            auto const& slice = read["slices"][axis];
            // A stop null means that a negative stride goes on through index 0.
            auto const at = [&](std::size_t i) { return slice[i].is_null() ? -1 : slice[i].template get<sw::index_t>(); };
            slices[axis] = sw::slice(at(0), at(1), at(2));
        }
        auto const plan = sw::make_plan(array.grid(), sw::hyperslab<R>(slices));
        std::size_t const element_size = array.layout().type.size;
        std::vector<std::byte> found(static_cast<std::size_t>(plan.element_count()) * element_size, std::byte{0xee});
        sw::read_bytes_into(array, plan, found);
        EXPECT_EQ(sha256(found), read["sha256"].template get_ref<std::string const&>()) << read.dump();
        std::fill(found.begin(), found.end(), std::byte{0xee});
        sw::read_bytes_into(cached, plan, found);
        EXPECT_EQ(sha256(found), read["sha256"].template get_ref<std::string const&>()) << "cached: " << read.dump();
    }
}

/// The same for an array whose rank is known at run time.
void expect_reads(zarr::any_array const& array, zarr::json const& reads) {
    array.visit([&](auto const& typed) { expect_reads(typed, reads); });
}

/// Expects that each of the arrays in a directory's cases.json, {path, reads} of each, reads so from a store that maps
/// its files and from one that does not. Gives the number of arrays.
std::size_t expect_recorded_reads(std::string const& directory) {
    std::ifstream file(directory + "/cases.json");
    auto const cases = zarr::json::parse(file);
    for (auto const& one : cases) {
        SCOPED_TRACE(one.dump().substr(0, 1500));
        for (auto const maps : {sw::file_maps::on, sw::file_maps::off}) {
            sw::directory_store const store(directory, maps);
            expect_reads(zarr::open_any(store, one["path"].get<std::string>()), one["reads"]);
        }
    }
    return cases.size();
}

/// The same of a directory that a script in tests/zarr/ writes. The seed is SLABWISE_SEED, or always the same.
std::size_t expect_written_reads(std::string const& script) {
    char const* const given = std::getenv("SLABWISE_SEED");
    std::string const seed = given != nullptr ? given : "20261201";
    SCOPED_TRACE("SLABWISE_SEED=" + seed);
    temporary_directory const directory;
    std::string const command =
        SLABWISE_PYTHON " -B -W ignore " SLABWISE_TESTS "/zarr/" + script + ' ' + directory.string() + ' ' + seed;
    EXPECT_EQ(std::system(command.c_str()), 0);
    return expect_recorded_reads(directory.string());
}

TEST(Sha256, HasTheDigestsOfTheStandard) {
    std::vector<std::byte> const abc{std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(abc), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Version3, GridsAndShardsOfEveryFormReadAsNumpySays) {
    EXPECT_EQ(expect_written_reads("make_v3.py"), 160u);
}

TEST(ZarrPython, EveryTypeWithEveryCodecReadsAsNumpySays) {
    EXPECT_EQ(expect_written_reads("make_matrix.py"), 23u * 13u);
}

TEST(NetcdfC, EveryTypeWithEveryShapeReadsAsNumpySays) {
    EXPECT_EQ(expect_written_reads("make_netcdf.py"), 2u * 10u * 10u * 4u);
}

TEST(Zarrita, EveryFormThatItWritesReadsAsRecorded) {
    EXPECT_EQ(expect_recorded_reads(SLABWISE_TESTS "/zarr/zarrita"), 22u);
}

TEST(Corpus, ReadsAsRecorded) {
    std::ifstream file(corpus() / "INDEX.json");
    if (!file) GTEST_SKIP() << "there is no " << corpus() / "INDEX.json";
    zarr::json const index = zarr::json::parse(file);
    EXPECT_EQ(index["arrays"].size(), 41u);
    for (auto const& recorded : index["arrays"]) {
        SCOPED_TRACE(recorded["id"].get<std::string>());
        auto const place = zarr::locate((corpus() / recorded["path"].get<std::string>()).string());
        EXPECT_NO_THROW(expect_reads(zarr::open_any(sw::directory_store(place.store), place.path), recorded["reads"]));
    }
}

}  // namespace
