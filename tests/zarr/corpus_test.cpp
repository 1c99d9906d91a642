// Stores that other software wrote, with what they hold: each reads as recorded, or is refused by the name of what it
// needs. The folder comes with the project's data, not with its sources; SLABWISE_CORPUS names it elsewhere.
#include <slabwise/plan/plan.hpp>
#include <slabwise/store/directory_store.hpp>
#include <slabwise/transfer/read.hpp>
#include <slabwise/zarr/array.hpp>
#include <slabwise/zarr/locate.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

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

/// What each array that cannot be read is refused for.
std::map<std::string, std::string> const refused{
    {"gdal/order_f_u1", "order F is not supported"},
    {"gdal/order_f_u8", "order F is not supported"},
    {"gdal/order_f_u1_3d", "order F is not supported"},
    {"gdal/compound_complex", "structured data types cannot be read"},
    {"gdal/delta_filter_i4", "filters are not supported; the first is \"delta\""},
    {"gdal/lz4", "\"lz4\" is not supported"},
    {"gdal/zstd", "\"zstd\" is not supported"},
    {"gdal/fixedscaleoffset_dtype_f8_astype_u2", "filters are not supported; the first is \"fixedscaleoffset\""},
    {"gdal/v3_simple_sharding", "\"sharding_indexed\" is not supported"},
    {"gdal/v3_transposed_sharding", "\"transpose\" is not supported"},
    {"gdal/v3_sharding_big_endian", "\"sharding_indexed\" is not supported"},
    {"gdal/v3_sharding_with_crc32_then_byte_byte_codec", "\"sharding_indexed\" is not supported"},
    {"gdal/v3_order_f_u2", "\"transpose\" is not supported"},
    {"gdal/v3_null_terminated_bytes", "null_terminated_bytes"},
    {"zarr-java/sharding_index_start", "\"sharding_indexed\" is not supported"},
    {"zarr-java/v2_bool", "\"blosc\" is not supported"},
    {"zarr-java/v2_subgroup_array", "\"blosc\" is not supported"},
    {"zarr-java/ome_v0.5_0", "\"zstd\" is not supported"},
    {"zarrita.js/v2_1d.chunked.ragged.i2", "\"blosc\" is not supported"},
    {"zarrita.js/v2_3d.chunked.mixed.i2.F", "order F is not supported"},
    {"zarrita.js/v2_1d.contiguous.f4.be", "\"blosc\" is not supported"},
    {"zarrita.js/v2_1d.contiguous.lz4.i2", "\"lz4\" is not supported"},
    {"zarrita.js/v3_2d.chunked.ragged.compressed.sharded.i2", "\"sharding_indexed\" is not supported"},
    {"zarrita.js/v3_3d.chunked.mixed.i2.F", "\"transpose\" is not supported"},
    {"zarrita.js/v3_1d.contiguous.f4.be", "\"blosc\" is not supported"},
    {"zarr.js/simple_nested", "\"blosc\" is not supported"},
    {"zarr.js/simple_float16_BE", "\"blosc\" is not supported"},
    {"jzarr/example_3", "\"blosc\" is not supported"},
    {"n5-zarr/mid_sharded", "\"sharding_indexed\" is not supported"},
    {"netcdf-c/ref_data", "\"blosc\" is not supported"},
    {"netcdf-c/ref_quotes", "\"blosc\" is not supported"},
    {"zarrs/v2_array_blosc_F", "order F is not supported"},
    {"zarrs/v2_array_zstd_C", "\"zstd\" is not supported"},
    {"zarrs/sharded_array_write_read", "\"sharding_indexed\" is not supported"},
};

template <std::size_t R>
void expect_reads(zarr::array<R> const& array, zarr::json const& recorded) {
    for (auto const& read : recorded["reads"]) {
        std::array<sw::slice, R> slices;
        for (std::size_t axis = 0; axis != R; ++axis) {
            zarr::json const& slice = read["slices"][axis];
            // A stop null means that a negative stride goes on through index 0.
            auto const at = [&](std::size_t i) { return slice[i].is_null() ? -1 : slice[i].get<sw::index_t>(); };
            slices[axis] = sw::slice(at(0), at(1), at(2));
        }
        auto const plan = sw::make_plan(array.grid(), sw::hyperslab<R>(slices));
        std::size_t const element_size = array.layout().type.size;
        std::vector<std::byte> found(static_cast<std::size_t>(plan.element_count()) * element_size, std::byte{0xee});
        sw::read_bytes_into(array, plan, found);
        EXPECT_EQ(sha256(found), read["sha256"].get_ref<std::string const&>()) << read["name"];
    }
}

TEST(Sha256, HasTheDigestsOfTheStandard) {
    std::vector<std::byte> const abc{std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(abc), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Corpus, ReadsAsRecordedOrIsRefusedByName) {
    std::ifstream file(corpus() / "INDEX.json");
    if (!file) GTEST_SKIP() << "there is no " << corpus() / "INDEX.json";
    zarr::json const index = zarr::json::parse(file);
    std::size_t refusals = 0;
    for (auto const& recorded : index["arrays"]) {
        auto const id = recorded["id"].get<std::string>();
        SCOPED_TRACE(id);
        auto const place = zarr::locate((corpus() / recorded["path"].get<std::string>()).string());
        auto const reason = refused.find(id);
        try {
            auto const array = zarr::open_any(sw::directory_store(place.store), place.path);
            EXPECT_EQ(reason, refused.end());
            array.visit([&](auto const& typed) { expect_reads(typed, recorded); });
        } catch (sw::metadata_error const& error) {
            ASSERT_NE(reason, refused.end()) << error.what();
            EXPECT_NE(std::string(error.what()).find(reason->second), std::string::npos) << error.what();
            ++refusals;
        }
    }
    EXPECT_EQ(refusals, refused.size());
}

}  // namespace
