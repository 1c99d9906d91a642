// What every store must do, whatever it keeps its objects in. Instantiate StoreConformance with a type that has
// `auto make(std::map<std::string, std::string> const& objects)`, which gives a store that holds just those, for as long
// as the maker lives.
#pragma once

#include <algorithm>
#include <atomic>
#include <map>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include <slabwise/store/any_store.hpp>

namespace conformance {

namespace sw = slabwise;

/// The content of an object of that many bytes, no two places of which are followed by the same bytes.
inline std::string numbered(std::size_t bytes) {
    std::string text;
    for (int i = 0; text.size() < bytes; ++i) text += std::to_string(i) + ',';
    text.resize(bytes);
    return text;
}

inline std::map<std::string, std::string> const& objects() {
    static std::map<std::string, std::string> const all{
        {"empty", ""},
        {"zarr.json", "{}"},
        {"pr/c/0/0", "hello"},
        {"pr/c/0/1", numbered(100'000)},
        {"pr/c/10", numbered(255)},
        {"pr/.zarray", "[1, 2]"},
        {"pr0", "a neighbour of pr/ in the order of keys"},
        {"temp\xc3\xa9rature/0.0", std::string("\0\xff\0", 3)},
    };
    return all;
}

/// A sink that counts, and takes what it was told to take.
class counting_sink final : public sw::byte_sink {
public:
    explicit counting_sink(bool wanted = true) : wanted_(wanted) {}
    std::span<std::byte> room(std::uint64_t bytes) override {
        ++calls;
        told = bytes;
        if (wanted_) content.resize(static_cast<std::size_t>(bytes));
        return content;
    }
    std::string text() const { return {reinterpret_cast<char const*>(content.data()), content.size()}; }

    int calls = 0;
    std::uint64_t told = 0;
    std::vector<std::byte> content;

private:
    bool wanted_;
};

class refusing_sink final : public sw::byte_sink {
public:
    std::span<std::byte> room(std::uint64_t) override { throw std::length_error("no room"); }
};

/// The answers to many requests as texts: "absent", "failed", or ":" and the bytes.
class text_sink final : public sw::fetch_sink {
public:
    explicit text_sink(std::size_t requests) : contents(requests), answers(requests) {}
    std::span<std::byte> room(std::size_t request, std::uint64_t bytes) override {
        contents[request].resize(static_cast<std::size_t>(bytes));
        return contents[request];
    }
    void present(std::size_t request) override {
        auto const& bytes = contents[request];
        answers[request] += ':' + std::string(reinterpret_cast<char const*>(bytes.data()), bytes.size());
    }
    void absent(std::size_t request) override { answers[request] += "absent"; }
    void failed(std::size_t request, std::exception_ptr) override { answers[request] += "failed"; }

    std::vector<std::vector<std::byte>> contents;
    std::vector<std::string> answers;
};

template <class Maker>
class StoreConformance : public testing::Test {
protected:
    Maker maker;
    sw::any_store const store = maker.make(objects());

    std::vector<std::string> listed(std::string_view prefix) const {
        std::vector<std::string> lines;
        for (auto const& entry : store.list(prefix)) {
            lines.push_back(entry.name + (entry.is_prefix ? "/" : " " + std::to_string(entry.bytes)));
        }
        std::sort(lines.begin(), lines.end());
        return lines;
    }
};

TYPED_TEST_SUITE_P(StoreConformance);

TYPED_TEST_P(StoreConformance, GivesWholeObjectsAndTheirSizes) {
    for (auto const& [key, text] : objects()) {
        counting_sink sink;
        EXPECT_EQ(this->store.get(key, {}, sink), sw::object_state::present) << key;
        EXPECT_EQ(sink.text(), text) << key;
        EXPECT_EQ(sink.calls, 1) << key;
        EXPECT_EQ(sink.told, text.size()) << key;
        EXPECT_EQ(this->store.size(key), text.size()) << key;
    }
}

TYPED_TEST_P(StoreConformance, GivesEveryRangeThatIsThere) {
    std::string const& text = objects().at("pr/c/10");
    for (std::size_t offset = 0; offset <= text.size(); offset += 5) {
        for (std::size_t length = 0; length <= text.size() - offset; length += 7) {
            counting_sink sink;
            EXPECT_EQ(this->store.get("pr/c/10", sw::byte_range::of(offset, length), sink), sw::object_state::present);
            EXPECT_EQ(sink.text(), text.substr(offset, length)) << offset << ' ' << length;
            EXPECT_EQ(sink.calls, 1);
        }
    }
    std::string const& large = objects().at("pr/c/0/1");
    for (auto const& [offset, length] : {std::pair<std::size_t, std::size_t>{0, 1}, {65'535, 2}, {99'999, 1}, {40'000, 60'000}}) {
        counting_sink sink;
        this->store.get("pr/c/0/1", sw::byte_range::of(offset, length), sink);
        EXPECT_EQ(sink.text(), large.substr(offset, length)) << offset << ' ' << length;
    }
}

TYPED_TEST_P(StoreConformance, GivesTheLastBytesOrAllThatThereAre) {
    for (std::size_t length : {0U, 1U, 5U, 254U, 255U, 256U, 100'000U}) {
        counting_sink sink;
        this->store.get("pr/c/10", sw::byte_range::last(length), sink);
        std::string const& text = objects().at("pr/c/10");
        EXPECT_EQ(sink.text(), text.substr(text.size() - std::min(length, text.size()))) << length;
    }
}

TYPED_TEST_P(StoreConformance, NamesKeyAndNumbersOfARangeBehindTheEnd) {
    std::uint64_t const far = ~std::uint64_t{0};
    for (auto const& [offset, length] :
         {std::pair<std::uint64_t, std::uint64_t>{0, 256}, {255, 1}, {256, 0}, {far, 1}, {1, far}, {far, far}}) {
        counting_sink sink;
        try {
            this->store.get("pr/c/10", sw::byte_range::of(offset, length), sink);
            ADD_FAILURE() << offset << ' ' << length;
        } catch (sw::store_error const& error) {
            EXPECT_STREQ(error.key(), "pr/c/10");
            for (std::string const& part : {std::string("pr/c/10"), std::to_string(offset), std::to_string(length),
                                            std::string("255")}) {
                EXPECT_NE(std::string(error.what()).find(part), std::string::npos) << error.what();
            }
        }
        EXPECT_EQ(sink.calls, 0);
    }
}

TYPED_TEST_P(StoreConformance, TellsThatAnObjectIsAbsentWithoutAskingForRoom) {
    for (char const* key : {"pr/c/0/2", "pr/c/0/0/0", "nothing/at/all", "emptyy", "empt", "PR/C/10"}) {
        counting_sink sink;
        EXPECT_EQ(this->store.get(key, {}, sink), sw::object_state::absent) << key;
        EXPECT_EQ(this->store.get(key, sw::byte_range::of(5, 10), sink), sw::object_state::absent) << key;
        EXPECT_EQ(sink.calls, 0) << key;
        EXPECT_EQ(this->store.size(key), std::nullopt) << key;
    }
}

TYPED_TEST_P(StoreConformance, GivesNothingForWhatIsNoKey) {
    for (char const* key : {"", "/", "/empty", "empty/", "pr//c/10", "./empty", "pr/../empty", "..", "../x", "pr"}) {
        counting_sink sink;
        auto state = sw::object_state::absent;
        try {
            state = this->store.get(key, {}, sink);
        } catch (sw::store_error const& error) {
            EXPECT_STREQ(error.key(), key);
        }
        EXPECT_EQ(state, sw::object_state::absent) << key;
        EXPECT_EQ(sink.calls, 0) << key;
    }
}

TYPED_TEST_P(StoreConformance, StopsWhenTheBytesAreNotWanted) {
    counting_sink sink(false);
    EXPECT_EQ(this->store.get("pr/c/0/1", {}, sink), sw::object_state::present);
    EXPECT_EQ(sink.calls, 1);
    EXPECT_EQ(sink.told, 100'000u);
    refusing_sink refusing;
    EXPECT_THROW(this->store.get("pr/c/0/1", {}, refusing), std::length_error);
}

TYPED_TEST_P(StoreConformance, MapsWhatItCanAndElseNothing) {
    for (auto const& [key, text] : objects()) {
        auto const mapped = this->store.map(key);
        if (!mapped) continue;
        std::string const found(reinterpret_cast<char const*>(mapped->bytes().data()), mapped->bytes().size());
        EXPECT_EQ(found, text) << key;
    }
    EXPECT_EQ(this->store.map("nothing"), std::nullopt);
}

TYPED_TEST_P(StoreConformance, ListsWhatLiesDirectlyBelow) {
    if (!this->store.can_list()) return;
    using names = std::vector<std::string>;
    EXPECT_EQ(this->listed(""), (names{"empty 0", "pr/", "pr0 39", "temp\xc3\xa9rature/", "zarr.json 2"}));
    EXPECT_EQ(this->listed("pr"), (names{".zarray 6", "c/"}));
    EXPECT_EQ(this->listed("pr/c"), (names{"0/", "10 255"}));
    EXPECT_EQ(this->listed("pr/c/0"), (names{"0 5", "1 100000"}));
    EXPECT_EQ(this->listed("nothing"), names{});
    EXPECT_EQ(this->listed("p"), names{});
    EXPECT_EQ(this->listed("empty"), names{});
}

TYPED_TEST_P(StoreConformance, AnswersEachOfManyRequestsOnce) {
    std::vector<sw::fetch_request> const requests{{"pr/c/0/0", {}},
                                                  {"nothing", {}},
                                                  {"pr/c/0/0", sw::byte_range::of(4, 2)},
                                                  {"pr/c/0/0", sw::byte_range::of(1, 3)},
                                                  {"pr/c/0/0", sw::byte_range::of(1, 3)},
                                                  {"empty", {}},
                                                  {"zarr.json", sw::byte_range::last(1)}};
    text_sink sink(requests.size());
    this->store.fetch(requests, sink);
    EXPECT_EQ(sink.answers, (std::vector<std::string>{":hello", "absent", "failed", ":ell", ":ell", ":", ":}"}));
}

TYPED_TEST_P(StoreConformance, AnswersManyThreadsAtOnce) {
    std::atomic<int> wrong = 0;
    std::vector<std::thread> threads;
    for (unsigned i = 0; i < 4; ++i) {
        threads.emplace_back([&, i] {
            for (std::size_t round = 0; round < 50; ++round) {
                std::size_t const offset = (i * 7919 + round * 1013) % 90'000;
                counting_sink sink;
                this->store.get("pr/c/0/1", sw::byte_range::of(offset, 1000), sink);
                wrong += sink.text() != objects().at("pr/c/0/1").substr(offset, 1000);
            }
        });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(wrong, 0);
}

REGISTER_TYPED_TEST_SUITE_P(StoreConformance, GivesWholeObjectsAndTheirSizes, GivesEveryRangeThatIsThere,
                            GivesTheLastBytesOrAllThatThereAre, NamesKeyAndNumbersOfARangeBehindTheEnd,
                            TellsThatAnObjectIsAbsentWithoutAskingForRoom, GivesNothingForWhatIsNoKey,
                            StopsWhenTheBytesAreNotWanted, MapsWhatItCanAndElseNothing, ListsWhatLiesDirectlyBelow,
                            AnswersEachOfManyRequestsOnce, AnswersManyThreadsAtOnce);

}  // namespace conformance
