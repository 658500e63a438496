// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/Sha256.h"

#include <algorithm>
#include <bit>
#include <cstring>

namespace kernelarium::archive {
namespace {

/// FIPS 180-4 section 4.2.2: the fractional parts of the cube roots of the first 64 primes.
constexpr std::array<std::uint32_t, 64> roundConstants = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

using State = std::array<std::uint32_t, 8>;

std::uint32_t bigEndianWord(const unsigned char* bytes) {
    return std::uint32_t(bytes[0]) << 24 | std::uint32_t(bytes[1]) << 16 | std::uint32_t(bytes[2]) << 8 | bytes[3];
}

void absorbBlock(State& state, const unsigned char* block) {
    std::array<std::uint32_t, 64> w;
    for (int i = 0; i < 16; ++i)
        w[i] = bigEndianWord(block + 4 * i);
    for (int i = 16; i < 64; ++i) {
        const auto s0 = std::rotr(w[i - 15], 7) ^ std::rotr(w[i - 15], 18) ^ (w[i - 15] >> 3);
        const auto s1 = std::rotr(w[i - 2], 17) ^ std::rotr(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
    auto [a, b, c, d, e, f, g, h] = state;
    for (int i = 0; i < 64; ++i) {
        const auto sum1 = std::rotr(e, 6) ^ std::rotr(e, 11) ^ std::rotr(e, 25);
        const auto t1 = h + sum1 + ((e & f) ^ (~e & g)) + roundConstants[i] + w[i];
        const auto sum0 = std::rotr(a, 2) ^ std::rotr(a, 13) ^ std::rotr(a, 22);
        const auto t2 = sum0 + ((a & b) ^ (a & c) ^ (b & c));
        h = g;
        g = f;
        f = e;
        e = d + t1;
        d = c;
        c = b;
        b = a;
        a = t1 + t2;
    }
    const State next = {a, b, c, d, e, f, g, h};
    for (int i = 0; i < 8; ++i)
        state[i] += next[i];
}

} // namespace

void Sha256::add(std::string_view bytes) {
    const auto* data = reinterpret_cast<const unsigned char*>(bytes.data());
    std::size_t left = bytes.size();
    const std::size_t held = m_bytes % 64;
    m_bytes += left;
    if (held > 0) {
        const std::size_t taken = std::min(left, 64 - held);
        if (taken > 0) std::memcpy(m_tail.data() + held, data, taken);
        data += taken;
        left -= taken;
        if (held + taken < 64) return;
        absorbBlock(m_state, m_tail.data());
    }
    for (; left >= 64; data += 64, left -= 64)
        absorbBlock(m_state, data);
    if (left > 0) std::memcpy(m_tail.data(), data, left);
}

Digest Sha256::digest() {
    // The rest, a one bit, zeros, and the length in bits as a big-endian 64-bit number: one block or two.
    const std::size_t rest = m_bytes % 64;
    std::fill(m_tail.begin() + std::ptrdiff_t(rest), m_tail.end(), static_cast<unsigned char>(0));
    m_tail[rest] = 0x80;
    const std::size_t tailSize = rest < 56 ? 64 : 128;
    const std::uint64_t bits = m_bytes * 8;
    for (int i = 0; i < 8; ++i)
        m_tail[tailSize - 1 - i] = static_cast<unsigned char>(bits >> (8 * i));
    for (std::size_t at = 0; at < tailSize; at += 64)
        absorbBlock(m_state, m_tail.data() + at);

    Digest digest;
    for (int i = 0; i < 32; ++i)
        digest[i] = static_cast<std::uint8_t>(m_state[i / 4] >> (24 - 8 * (i % 4)));
    return digest;
}

Digest sha256(std::string_view bytes) {
    Sha256 sum;
    sum.add(bytes);
    return sum.digest();
}

std::string toHex(const Digest& digest, std::size_t digits) {
    constexpr char alphabet[] = "0123456789abcdef";
    std::string text;
    for (std::size_t i = 0; i < digits && i < 64; ++i) {
        const auto byte = digest[i / 2];
        text += alphabet[i % 2 == 0 ? byte >> 4 : byte & 15];
    }
    return text;
}

} // namespace kernelarium::archive
