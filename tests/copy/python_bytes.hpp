// The bytes that a Python script prints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace copy_test {

/// What `script` (a path below tests/ and its arguments) prints, read from front to back.
class python_bytes {
public:
    explicit python_bytes(std::string const& script) {
        std::string const command = SLABWISE_PYTHON " " SLABWISE_TESTS "/" + script;
        std::FILE* const output = popen(command.c_str(), "r");
        if (output == nullptr) return;
        char part[65536];
        for (std::size_t size = 1; size != 0;) {
            size = std::fread(part, 1, sizeof part, output);
            bytes_.insert(bytes_.end(), reinterpret_cast<std::byte*>(part), reinterpret_cast<std::byte*>(part) + size);
        }
        EXPECT_EQ(pclose(output), 0) << command;
    }
    [[nodiscard]] bool at_end() const { return at_ == bytes_.size(); }
    [[nodiscard]] std::size_t size() const { return bytes_.size(); }

    /// The next `count` values of T. Fewer, and a failure, where there are not so many.
    template <class T>
    std::vector<T> values(std::size_t count) {
        if (count > (bytes_.size() - at_) / sizeof(T)) {
            ADD_FAILURE() << "the script printed too little";
            count = 0;
            at_ = bytes_.size();
        }
        std::vector<T> result(count);
        if (count != 0) std::memcpy(result.data(), bytes_.data() + at_, count * sizeof(T));
        at_ += count * sizeof(T);
        return result;
    }
    template <class T>
    T value() {
        auto const one = values<T>(1);
        return one.empty() ? T{} : one[0];
    }

private:
    std::vector<std::byte> bytes_;
    std::size_t at_ = 0;
};

}  // namespace copy_test
