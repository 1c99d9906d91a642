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
};

TEST(Sha256, HasTheDigestsOfTheStandard) {
    std::vector<std::byte> const abc{std::byte{'a'}, std::byte{'b'}, std::byte{'c'}};
    EXPECT_EQ(sha256({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256(abc), "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(ZarrPython, EveryTypeWithEveryCodecReadsAsNumpySays) {
    EXPECT_EQ(expect_written_reads("make_matrix.py"), 23u * 13u);
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
