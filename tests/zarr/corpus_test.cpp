// Stores that other software wrote, with what they hold: each reads as recorded, or is refused by the name of what it
// needs. The folder comes with the project's data, not with its sources; SLABWISE_CORPUS names it elsewhere.
#include <slabwise/store/directory_store.hpp>
#include <slabwise/zarr/array.hpp>
#include <slabwise/zarr/locate.hpp>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>

#include <gtest/gtest.h>

#include "zarr/recorded_reads.hpp"

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
    {"gdal/compound_complex", "structured data types cannot be read"},
    {"gdal/delta_filter_i4", "filters are not supported; the first is \"delta\""},
    {"gdal/lz4", "\"lz4\" is not supported"},
    {"gdal/zstd", "\"zstd\" is not supported"},
    {"gdal/fixedscaleoffset_dtype_f8_astype_u2", "filters are not supported; the first is \"fixedscaleoffset\""},
    {"gdal/v3_simple_sharding", "\"zstd\" is not supported"},
    {"gdal/v3_transposed_sharding", "\"zstd\" is not supported"},
    {"gdal/v3_sharding_big_endian", "\"crc32c\" is not supported"},
    {"gdal/v3_sharding_with_crc32_then_byte_byte_codec", "\"crc32c\" is not supported"},
    {"gdal/v3_null_terminated_bytes", "null_terminated_bytes"},
    {"zarr-java/sharding_index_start", "\"blosc\" is not supported"},
    {"zarr-java/v2_bool", "\"blosc\" is not supported"},
    {"zarr-java/v2_subgroup_array", "\"blosc\" is not supported"},
    {"zarr-java/ome_v0.5_0", "\"zstd\" is not supported"},
    {"zarrita.js/v2_1d.chunked.ragged.i2", "\"blosc\" is not supported"},
    {"zarrita.js/v2_3d.chunked.mixed.i2.F", "\"blosc\" is not supported"},
    {"zarrita.js/v2_1d.contiguous.f4.be", "\"blosc\" is not supported"},
    {"zarrita.js/v2_1d.contiguous.lz4.i2", "\"lz4\" is not supported"},
    {"zarrita.js/v3_2d.chunked.ragged.compressed.sharded.i2", "\"crc32c\" is not supported"},
    {"zarrita.js/v3_3d.chunked.mixed.i2.F", "\"blosc\" is not supported"},
    {"zarrita.js/v3_1d.contiguous.f4.be", "\"blosc\" is not supported"},
    {"zarr.js/simple_nested", "\"blosc\" is not supported"},
    {"zarr.js/simple_float16_BE", "\"blosc\" is not supported"},
    {"jzarr/example_3", "\"blosc\" is not supported"},
    {"netcdf-c/ref_data", "\"blosc\" is not supported"},
    {"netcdf-c/ref_quotes", "\"blosc\" is not supported"},
    {"zarrs/v2_array_blosc_F", "\"blosc\" is not supported"},
    {"zarrs/v2_array_zstd_C", "\"zstd\" is not supported"},
    {"zarrs/sharded_array_write_read", "\"crc32c\" is not supported"},
};

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
            array.visit([&](auto const& typed) { expect_reads(typed, recorded["reads"]); });
        } catch (sw::metadata_error const& error) {
            ASSERT_NE(reason, refused.end()) << error.what();
            EXPECT_NE(std::string(error.what()).find(reason->second), std::string::npos) << error.what();
            ++refusals;
        }
    }
    EXPECT_EQ(refusals, refused.size());
}

}  // namespace
