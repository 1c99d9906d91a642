// Random numbers whose seed can be read back.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <iostream>
#include <random>

namespace slabwise_test {

/// The seed of the random tests: SLABWISE_SEED where it is set, otherwise a new one; printed once.
inline std::uint64_t seed() {
    static std::uint64_t const value = [] {
        char const* const given = std::getenv("SLABWISE_SEED");
        std::uint64_t const chosen = given != nullptr ? std::strtoull(given, nullptr, 10) : std::random_device{}();
        std::cout << "SLABWISE_SEED=" << chosen << '\n';
        return chosen;
    }();
    return value;
}

class random_numbers {
public:
    /// Tests with different streams see different numbers.
    explicit random_numbers(std::uint64_t stream) : engine_(seed() + stream) {}
    /// An integer from lowest to highest, both included.
    std::int64_t number(std::int64_t lowest, std::int64_t highest) {
        return std::uniform_int_distribution<std::int64_t>(lowest, highest)(engine_);
    }

private:
    std::mt19937_64 engine_;
};

}  // namespace slabwise_test
