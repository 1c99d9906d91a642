// SHA-256, to compare with recorded digests. Source: FIPS 180-4.
#pragma once

#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

inline std::string sha256(std::vector<std::byte> message) {
    // The constants are the first 32 bits of the fractional parts of roots of the first primes.
    std::array<std::uint32_t, 64> k{};
    std::array<std::uint32_t, 8> h{};
    std::size_t count = 0;
    for (unsigned n = 2; count < 64; ++n) {
        bool is_prime = true;
        for (unsigned d = 2; d * d <= n; ++d) is_prime = is_prime && n % d != 0;
        if (!is_prime) continue;
        auto const bits = [](long double root) {
            return static_cast<std::uint32_t>((root - std::floor(root)) * 4294967296.0L);
        };
        k[count] = bits(std::cbrt(static_cast<long double>(n)));
        if (count < 8) h[count] = bits(std::sqrt(static_cast<long double>(n)));
        ++count;
    }
    std::uint64_t const length = message.size() * 8;
    message.push_back(std::byte{0x80});
    while (message.size() % 64 != 56) message.push_back(std::byte{0});
    for (int shift = 56; shift >= 0; shift -= 8) message.push_back(static_cast<std::byte>(length >> shift));
    for (std::size_t block = 0; block < message.size(); block += 64) {
        std::array<std::uint32_t, 64> w{};
        for (std::size_t i = 0; i < 64; ++i)
            w[i / 4] = w[i / 4] << 8 | std::to_integer<std::uint32_t>(message[block + i]);
        for (std::size_t i = 16; i < 64; ++i) {
            w[i] = w[i - 16] + (std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ w[i - 15] >> 3) + w[i - 7] +
                   (std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ w[i - 2] >> 10);
        }
        auto v = h;
        for (std::size_t i = 0; i < 64; ++i) {
            std::uint32_t const first = v[7] + (std::rotr(v[4], 6) ^ std::rotr(v[4], 11) ^ std::rotr(v[4], 25)) +
                                        ((v[4] & v[5]) ^ (~v[4] & v[6])) + k[i] + w[i];
            std::uint32_t const second = (std::rotr(v[0], 2) ^ std::rotr(v[0], 13) ^ std::rotr(v[0], 22)) +
                                         ((v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]));
            v = {first + second, v[0], v[1], v[2], v[3] + first, v[4], v[5], v[6]};
        }
        for (std::size_t i = 0; i < 8; ++i) h[i] += v[i];
    }
    std::string hex;
    for (std::uint32_t const word : h) {
        for (int shift = 28; shift >= 0; shift -= 4) hex += "0123456789abcdef"[word >> shift & 15];
    }
    return hex;
}
