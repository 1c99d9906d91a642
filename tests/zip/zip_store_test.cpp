#include <slabwise/store/zip_store.hpp>

#include <fstream>
#include <iterator>

#include "store/conformance.hpp"
#include "store/temporary_directory.hpp"

namespace conformance {

namespace {

void run_script(std::string const& arguments) {
    std::string const command = SLABWISE_PYTHON " " SLABWISE_TESTS "/zip/make_archives.py " + arguments;
    if (std::system(command.c_str()) != 0) throw std::runtime_error("failed: " + command);
}

/// Archives of Python's zipfile: method 0 stores, 8 deflates.
template <int Method>
struct in_archive {
    sw::zip_store make(std::map<std::string, std::string> const& objects) {
        for (auto const& [key, text] : objects) directory.write("all/" + key, text);
        std::string const all = (directory.path() / "all").string();
        run_script(all + ' ' + std::to_string(Method));
        return sw::zip_store(all + ".zip");
    }
    temporary_directory directory;
};

using makers = testing::Types<in_archive<0>, in_archive<8>>;
INSTANTIATE_TYPED_TEST_SUITE_P(Zip, StoreConformance, makers);

std::string archive(std::string const& name) {
    static temporary_directory const directory;
    static bool const written = (run_script(directory.string()), true);
    return (directory.path() / (name + (written ? ".zip" : ""))).string();
}

std::string content(std::string const& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

/// 0, 1, ... 255, forty times.
std::string counted() {
    std::string text;
    for (int i = 0; i < 256 * 40; ++i) text += static_cast<char>(i);
    return text;
}

std::string read(sw::zip_store const& store, std::string_view key, sw::byte_range range = {}) {
    counting_sink sink;
    EXPECT_EQ(store.get(key, range, sink), sw::object_state::present) << key;
    return sink.text();
}

/// Expects that reading the member "a" fails with a store_error that names archive and key and has these parts.
void expect_refused(std::string const& name, std::vector<std::string> parts, sw::byte_range range = {}) {
    SCOPED_TRACE(name);
    sw::zip_store const store(archive(name));
    counting_sink sink;
    try {
        store.get("a", range, sink);
        ADD_FAILURE() << "read " << sink.content.size() << " bytes";
    } catch (sw::store_error const& error) {
        EXPECT_STREQ(error.key(), "a");
        parts.push_back(name + ".zip: a ");
        for (auto const& part : parts) {
            EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << part << "\nin " << error.what();
        }
    }
    EXPECT_LE(sink.content.size(), counted().size() + 1);
}

TEST(ZipStore, TakesTheLastOfMembersOfOneName) {
    sw::zip_store const store(archive("duplicates"));
    EXPECT_EQ(read(store, "a/b"), "the last");
    EXPECT_EQ(read(store, "c"), "alone");
    EXPECT_EQ(store.list("").size(), 2u);
}

TEST(ZipStore, HidesMembersWhoseNamesAreNoKeys) {
    sw::zip_store const store(archive("bad_names"));
    auto const entries = store.list("");
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].name, "kept");
    for (char const* key : {"/absolute", "../out", "a//b", "./c"}) EXPECT_EQ(store.size(key), std::nullopt) << key;
}

TEST(ZipStore, ReadsAnArchiveOfNothing) { EXPECT_TRUE(sw::zip_store(archive("empty")).list("").empty()); }

TEST(ZipStore, ReadsZip64AndManyMembers) {
    EXPECT_EQ(read(sw::zip_store(archive("zip64")), "a"), counted());
    sw::zip_store const many(archive("many"));
    EXPECT_EQ(many.list("c").size(), 70'000u);
    EXPECT_EQ(read(many, "c/69999"), "69999");
}

TEST(ZipStore, NamesMethodsThatItDoesNotReadBeforeAnythingIsRead) {
    expect_refused("bzip2", {"compressed by method 12", "0 (stored) and 8 (deflated)"});
    expect_refused("encrypted", {"is encrypted"});
}

TEST(ZipStore, RefusesSizesThatCannotBeTrueBeforeItAsksForRoom) {
    expect_refused("bomb", {"cannot have 4294967280 bytes"});
    expect_refused("longer_than_stored", {"cannot have 4294967280 bytes", "10240"});
    expect_refused("behind_the_end", {"has 4294967280 bytes in an archive of"});
}

TEST(ZipStore, RefusesContentThatIsNotWhatTheDirectorySays) {
    expect_refused("bad_checksum", {"CRC"});
    expect_refused("bad_checksum_deflated", {"CRC"});
    expect_refused("one_more", {"bytes before the archive says"});
    expect_refused("one_less", {"more than the 10239 bytes"});
    expect_refused("far_header", {"cannot be opened"});
}

TEST(ZipStore, NamesAPathThatIsNoArchive) {
    temporary_directory const directory;
    directory.write("text.zip", "not an archive, and long enough to be looked at");
    directory.write("nothing.zip", "");
    for (std::string const name : {"text.zip", "absent.zip", "nothing.zip", ""}) {
        try {
            sw::zip_store((directory.path() / name).string());
            ADD_FAILURE() << name;
        } catch (sw::store_error const& error) {
            EXPECT_NE(std::string(error.what()).find((directory.path() / name).string()), std::string::npos)
                << error.what();
        }
    }
}

class CutArchive : public testing::TestWithParam<char const*> {};

TEST_P(CutArchive, IsReadOrRefusedButNeverWrong) {
    std::string const whole = content(archive(GetParam()));
    temporary_directory const directory;
    std::string const path = (directory.path() / "cut.zip").string();
    std::size_t refused = 0;
    for (std::size_t bytes = 0; bytes < whole.size(); ++bytes) {
        directory.write("cut.zip", std::string_view(whole).substr(0, bytes));
        try {
            sw::zip_store const store(path);
            std::string const found = store.size("a") ? read(store, "a") : counted();
            EXPECT_TRUE(found == counted()) << bytes;
        } catch (sw::store_error const&) {
            ++refused;
        }
    }
    EXPECT_GT(refused, 200u);
}

TEST_P(CutArchive, ChangedInOneByteIsReadOrRefusedButNeverWrong) {
    std::string const whole = content(archive(GetParam()));
    temporary_directory const directory;
    std::string const path = (directory.path() / "cut.zip").string();
    for (std::size_t at = 0; at < whole.size(); ++at) {
        std::string changed = whole;
        changed[at] = static_cast<char>(changed[at] ^ 0x41);
        directory.write("cut.zip", changed);
        try {
            sw::zip_store const store(path);
            // The name, and with it the member, may be another; its content may not.
            std::string const found = store.size("a") ? read(store, "a") : counted();
            EXPECT_TRUE(found == counted()) << at;
        } catch (sw::store_error const&) {
        }
    }
}

INSTANTIATE_TEST_SUITE_P(Zip, CutArchive, testing::Values("stored", "deflated"));

}  // namespace

}  // namespace conformance
