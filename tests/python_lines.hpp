// What a Python script prints, line by line.
#pragma once

#include <cstdio>
#include <string>

#include <gtest/gtest.h>

namespace slabwise_test {

/// Runs `script` (a path below tests/ and its arguments) and calls visit(line) for each line that it prints, until a
/// fatal failure.
template <class Visit>
void for_each_line_of(std::string const& script, Visit visit) {
    std::string const command = SLABWISE_PYTHON " " SLABWISE_TESTS "/" + script;
    std::FILE* const output = popen(command.c_str(), "r");
    ASSERT_NE(output, nullptr) << command;
    std::string line;
    for (int character = std::fgetc(output); character != EOF && !testing::Test::HasFatalFailure();
         character = std::fgetc(output)) {
        if (character != '\n') {
            line.push_back(static_cast<char>(character));
        } else {
            visit(line);
            line.clear();
        }
    }
    int const status = pclose(output);
    EXPECT_TRUE(status == 0 || testing::Test::HasFatalFailure()) << command;
}

}  // namespace slabwise_test
