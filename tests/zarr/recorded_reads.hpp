// Reads whose values are known by their digests.
#pragma once

#include <array>
#include <cstddef>
#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include <slabwise/plan/plan.hpp>
#include <slabwise/store/directory_store.hpp>
#include <slabwise/transfer/read.hpp>
#include <slabwise/zarr/array.hpp>

#include "store/temporary_directory.hpp"
#include "zarr/sha256.hpp"

/// Expects that each of the `reads`, {name, slices: [first, stop, stride] an axis, sha256}, gives the recorded values.
template <std::size_t R>
void expect_reads(slabwise::zarr::array<R> const& array, slabwise::zarr::json const& reads) {
    for (auto const& read : reads) {
        std::array<slabwise::slice, R> slices;
        for (std::size_t axis = 0; axis != R; ++axis) {
            auto const& slice = read["slices"][axis];
            // A stop null means that a negative stride goes on through index 0.
            auto const at = [&](std::size_t i) { return slice[i].is_null() ? -1 : slice[i].template get<slabwise::index_t>(); };
            slices[axis] = slabwise::slice(at(0), at(1), at(2));
        }
        auto const plan = slabwise::make_plan(array.grid(), slabwise::hyperslab<R>(slices));
        std::size_t const element_size = array.layout().type.size;
        std::vector<std::byte> found(static_cast<std::size_t>(plan.element_count()) * element_size, std::byte{0xee});
        slabwise::read_bytes_into(array, plan, found);
        EXPECT_EQ(sha256(found), read["sha256"].template get_ref<std::string const&>()) << read["name"];
    }
}

/// Has a script in tests/zarr/ write arrays and cases.json, {path, reads} of each, and expects that each reads so from a
/// directory that maps its files and from one that does not. Gives the number of arrays. The seed is SLABWISE_SEED, or
/// always the same.
inline std::size_t expect_written_reads(std::string const& script) {
    char const* const given = std::getenv("SLABWISE_SEED");
    std::string const seed = given != nullptr ? given : "20261201";
    SCOPED_TRACE("SLABWISE_SEED=" + seed);
    temporary_directory const directory;
    std::string const command =
        SLABWISE_PYTHON " -B -W ignore " SLABWISE_TESTS "/zarr/" + script + ' ' + directory.string() + ' ' + seed;
    EXPECT_EQ(std::system(command.c_str()), 0);
    std::ifstream file(directory.path() / "cases.json");
    auto const cases = slabwise::zarr::json::parse(file);
    for (auto const& one : cases) {
        SCOPED_TRACE(one.dump().substr(0, 1500));
        for (auto const maps : {slabwise::file_maps::on, slabwise::file_maps::off}) {
            slabwise::directory_store const store(directory.string(), maps);
            slabwise::zarr::open_any(store, one["path"].get<std::string>()).visit([&](auto const& array) {
                expect_reads(array, one["reads"]);
            });
        }
    }
    return cases.size();
}
