// How the program fails: one sentence on stderr, and an exit code that says whose fault it is.
#pragma once

#include <stdexcept>
#include <string>

namespace program {

/// The command line asks for what cannot be: exit code 2.
class usage_failure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// The data cannot be read, or the result cannot be written: exit code 1.
class data_failure : public std::runtime_error {
    using std::runtime_error::runtime_error;
};

/// Whoever reads our output has gone: the program ends without a word.
class pipe_closed : public std::exception {};

}  // namespace program
