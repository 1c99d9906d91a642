#include <slabwise/store/any_store.hpp>
#include <slabwise/store/directory_store.hpp>

#include <atomic>
#include <map>
#include <thread>

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "store/map_store.hpp"
#include "store/temporary_directory.hpp"

namespace sw = slabwise;
using namespace std::string_literals;

static_assert(sw::ByteStore<sw::directory_store> && sw::ListsKeys<sw::directory_store>);
static_assert(sw::ByteStore<sw::any_store> && sw::ListsKeys<sw::any_store>);
static_assert(sw::ByteStore<map_store> && !sw::ListsKeys<map_store>);

namespace {

std::string text_of(std::vector<std::byte> const& bytes) {
    return {reinterpret_cast<char const*>(bytes.data()), bytes.size()};
}

/// The message of the store_error that `f` throws, whose key must be `key`; "" when it throws none.
template <class F>
std::string failure(std::string_view key, F f) {
    try {
        f();
    } catch (sw::store_error const& error) {
        EXPECT_EQ(error.key(), key);
        return error.what();
    }
    return "";
}

bool has(std::string const& text, std::string const& part) { return text.find(part) != text.npos; }

/// What a get of the key answers: the content, "absent", or the error.
std::string answer(sw::any_store const& store, std::string const& key) {
    std::vector<std::byte> bytes{std::byte{9}};
    try {
        return store.get(key, bytes) == sw::object_state::absent ? "absent" : "present:" + text_of(bytes);
    } catch (sw::store_error const& error) {
        return error.what();
    }
}

class DirectoryStore : public testing::Test {
protected:
    temporary_directory directory;
    sw::directory_store store{directory.string()};
    sw::any_store any{store};
};

TEST_F(DirectoryStore, TellsAbsentEmptyAndPresentApart) {
    directory.write("a/full", "hello");
    directory.write("a/empty", "");
    EXPECT_EQ(answer(store, "a/full"), "present:hello");
    EXPECT_EQ(answer(store, "a/empty"), "present:");
    EXPECT_EQ(answer(store, "a/none"), "absent");
    EXPECT_EQ(answer(store, "b/none"), "absent");
    EXPECT_EQ(answer(store, "a/full/below"), "absent");
    EXPECT_EQ(store.size("a/full"), 5u);
    EXPECT_EQ(store.size("a/empty"), 0u);
    EXPECT_EQ(store.size("a/none"), std::nullopt);
}

TEST_F(DirectoryStore, ReadsIntoASpanOnlyWhatFitsExactly) {
    directory.write("x", "hello");
    std::string to = "#######";
    auto const bytes = std::as_writable_bytes(std::span(to));
    EXPECT_EQ(any.get_into("x", bytes.subspan(1, 5)), 5u);
    EXPECT_EQ(to, "#hello#");
    EXPECT_EQ(any.get_into("x", bytes.first(4)), 5u);
    EXPECT_EQ(any.get_into("x", bytes.first(6)), 5u);
    EXPECT_EQ(any.get_into("none", bytes), std::nullopt);
    EXPECT_EQ(to, "#hello#");
}

TEST_F(DirectoryStore, RefusesKeysThatCouldLeaveIt) {
    directory.write("a", "x");
    for (auto const& key :
         {""s, "/a"s, "a/"s, "a//b"s, ".."s, "../a"s, "b/../a"s, "b/.."s, "./a"s, "a/."s, "/"s, "a\0b"s}) {
        std::vector<std::byte> bytes;
        EXPECT_THROW((void)any.get(key, bytes), sw::store_error) << key;
        EXPECT_THROW((void)any.get_into(key, {}), sw::store_error) << key;
        EXPECT_THROW((void)store.size(key), sw::store_error) << key;
        if (!key.empty()) {
            EXPECT_THROW((void)store.list(key), sw::store_error) << key;
        }
    }
    EXPECT_EQ(answer(store, "..a"), "absent");
    EXPECT_EQ(answer(store, "a..b/...c"), "absent");
}

TEST_F(DirectoryStore, FollowsNoLinkOutOfIt) {
    temporary_directory outside;
    outside.write("secret", "s");
    std::filesystem::create_symlink(outside.path() / "secret", directory.path() / "file");
    std::filesystem::create_directory_symlink(outside.path(), directory.path() / "folder");
    std::filesystem::create_symlink("../" + outside.path().filename().string() + "/secret",
                                    directory.path() / "relative");
    for (std::string key : {"file", "folder/secret", "relative"}) {
        EXPECT_TRUE(has(failure(key, [&] { (void)store.size(key); }), "symbolic link")) << key;
        EXPECT_TRUE(has(answer(store, key), "symbolic link")) << key;
    }
    EXPECT_TRUE(has(failure("folder", [&] { (void)store.list("folder"); }), "folder"));
    EXPECT_TRUE(store.list("").empty());
}

TEST_F(DirectoryStore, WalksStepByStepWithoutFollowingLinks) {
    directory.write("a/b/c", "x");
    std::filesystem::create_directory_symlink("a", directory.path() / "inside");
    std::filesystem::create_symlink("b/c", directory.path() / "a" / "link");
    sw::detail::file_descriptor const root(::open(directory.string().c_str(), O_RDONLY | O_DIRECTORY));
    auto const code = [&](char const* path) {
        errno = 0;
        return sw::detail::open_beneath_by_steps(root.number(), path, O_RDONLY).is_open() ? 0 : errno;
    };
    EXPECT_EQ(code("a/b/c"), 0);
    EXPECT_EQ(code("a/b/d"), ENOENT);
    EXPECT_EQ(code("x/b/c"), ENOENT);
    EXPECT_EQ(code("a/b/c/d"), ENOTDIR);
    EXPECT_EQ(code("inside/b/c"), ELOOP);
    EXPECT_EQ(code("a/link"), ELOOP);
    EXPECT_EQ(code((std::string(300, 'n') + "/x").c_str()), ENAMETOOLONG);
}

TEST_F(DirectoryStore, SaysWhatIsNoObject) {
    directory.write("folder/x", "");
    ASSERT_EQ(::mkfifo((directory.path() / "fifo").c_str(), 0600), 0);
    EXPECT_TRUE(has(failure("folder", [&] { (void)store.size("folder"); }), "folder is a directory"));
    EXPECT_TRUE(has(answer(store, "folder"), "folder is a directory"));
    EXPECT_TRUE(has(answer(store, "fifo"), "fifo is not a regular file"));
    EXPECT_TRUE(has(answer(store, std::string(300, 'n')), "File name too long"));
}

TEST_F(DirectoryStore, SaysWhatMayNotBeRead) {
    directory.write("secret", "s");
    std::filesystem::permissions(directory.path(), std::filesystem::perms(0755));
    std::filesystem::permissions(directory.path() / "secret", std::filesystem::perms::none);
    // Root may read everything, so it acts as somebody else meanwhile.
    uid_t const user = ::geteuid();
    if (user == 0) {
        ASSERT_EQ(::seteuid(65534), 0);
    }
    std::string const found = answer(store, "secret");
    if (user == 0) {
        ASSERT_EQ(::seteuid(0), 0);
    }
    EXPECT_TRUE(has(found, "secret cannot be opened: Permission denied")) << found;
}

TEST_F(DirectoryStore, ListsFilesAndDirectories) {
    directory.write("top", "1234");
    directory.write("a/one", "1");
    directory.write("a/b/two", "22");
    directory.write("a/.hidden", "");
    ::mkfifo((directory.path() / "a" / "fifo").c_str(), 0600);
    auto const names = [&](std::string_view prefix) {
        std::map<std::string, std::string> found;
        for (auto const& entry : store.list(prefix)) {
            found[entry.name] = entry.is_prefix ? "prefix" : std::to_string(entry.bytes);
        }
        return found;
    };
    EXPECT_EQ(names(""), (std::map<std::string, std::string>{{"a", "prefix"}, {"top", "4"}}));
    EXPECT_EQ(names("a"), (std::map<std::string, std::string>{{"b", "prefix"}, {"one", "1"}, {".hidden", "0"}}));
    EXPECT_TRUE(names("none").empty());
    EXPECT_TRUE(names("top").empty());
}

TEST_F(DirectoryStore, NeedsADirectory) {
    directory.write("file", "");
    std::string const none = directory.string() + "/none";
    EXPECT_TRUE(has(failure(none, [&] { sw::directory_store{none}; }), "No such file or directory"));
    EXPECT_THROW(sw::directory_store{directory.string() + "/file"}, sw::store_error);
}

TEST_F(DirectoryStore, NoticesAFileCutShort) {
    std::string const path = (directory.path() / "shrinks").string();
    directory.write("shrinks", std::string(1 << 20, 'x'));
    std::atomic<bool> done = false;
    std::thread writer([&] {
        while (!done) {
            if (::truncate(path.c_str(), 10) != 0 || ::truncate(path.c_str(), 1 << 20) != 0) break;
        }
    });
    int complete = 0;
    int cut_short = 0;
    for (int i = 0; i < 2000 && cut_short == 0; ++i) {
        std::vector<std::byte> bytes;
        try {
            (void)any.get("shrinks", bytes);
            EXPECT_TRUE(bytes.size() == 10 || bytes.size() == 1 << 20);
            ++complete;
        } catch (sw::store_error const& error) {
            EXPECT_TRUE(has(error.what(), "was cut short while it was read")) << error.what();
            ++cut_short;
        }
    }
    done = true;
    writer.join();
    EXPECT_GT(complete + cut_short, 0);
}

TEST(AnyStore, ForgetsTheTypeAndSaysWhenItCannotList) {
    sw::any_store const store = map_store({{"k", "value"}, {"empty", ""}});
    EXPECT_EQ(answer(store, "k"), "present:value");
    EXPECT_EQ(answer(store, "empty"), "present:");
    EXPECT_EQ(answer(store, "none"), "absent");
    EXPECT_EQ(store.size("k"), 5u);
    EXPECT_TRUE(has(failure("p", [&] { (void)store.list("p"); }), "cannot list"));
}

}  // namespace
