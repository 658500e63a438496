// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/perf/MultiprocessorLimits.h"

#include <algorithm>
#include <array>
#include <cctype>

namespace kernelarium::perf {

namespace {

constexpr std::uint32_t kilo = 1024;

constexpr MultiprocessorLimits limitsWith(std::uint32_t warps, std::uint32_t blocks, std::uint32_t sharedBytes,
                                          std::uint32_t barriers = 0) {
    MultiprocessorLimits l;
    l.threads = warps * lanesOfWarp;
    l.warps = warps;
    l.blocks = blocks;
    l.sharedBytes = sharedBytes;
    l.reservedSharedBytes = kilo;
    l.sharedBytesPerBlock = sharedBytes - kilo;
    l.barriers = barriers;
    return l;
}

/// Volta and Turing keep no shared memory for the system, and give it out in larger steps.
constexpr MultiprocessorLimits limitsBefore80(std::uint32_t warps, std::uint32_t blocks, std::uint32_t sharedBytes) {
    MultiprocessorLimits l = limitsWith(warps, blocks, sharedBytes);
    l.reservedSharedBytes = 0;
    l.sharedBytesPerBlock = sharedBytes;
    l.sharedUnit = 256;
    return l;
}

constexpr std::array<ArchitectureLimits, 12> known{{
    {"sm_70", limitsBefore80(64, 32, 96 * kilo)},
    {"sm_75", limitsBefore80(32, 16, 64 * kilo)},
    {"sm_80", limitsWith(64, 32, 164 * kilo)},
    {"sm_86", limitsWith(48, 16, 100 * kilo)},
    {"sm_87", limitsWith(48, 16, 164 * kilo)},
    {"sm_89", limitsWith(48, 24, 100 * kilo)},
    {"sm_90", limitsWith(64, 32, 228 * kilo, 64)},
    {"sm_100", limitsWith(64, 32, 228 * kilo, 64)},
    {"sm_103", limitsWith(64, 32, 228 * kilo, 64)},
    {"sm_110", limitsWith(48, 24, 228 * kilo, 24)},
    {"sm_120", limitsWith(48, 24, 100 * kilo, 24)},
    {"sm_121", limitsWith(48, 24, 100 * kilo, 24)},
}};

std::string_view digitsOf(std::string_view arch) {
    const auto isDigit = [](char c) { return std::isdigit(static_cast<unsigned char>(c)) != 0; };
    const auto first = std::find_if(arch.begin(), arch.end(), isDigit);
    const auto last = std::find_if_not(first, arch.end(), isDigit);
    return {first, last};
}

} // namespace

std::span<const ArchitectureLimits> architectureLimits() {
    return known;
}

const MultiprocessorLimits* limitsOf(std::string_view arch) {
    const std::string_view digits = digitsOf(arch);
    const std::string_view before = arch.substr(0, arch.find(digits));
    if (digits.empty() || (before != "sm_" && before != "compute_")) return nullptr;
    const std::string_view behind = arch.substr(before.size() + digits.size());
    if (!behind.empty() && behind != "a" && behind != "f") return nullptr; // sm_90a, sm_100f
    for (const ArchitectureLimits& a : known)
        if (digitsOf(a.arch) == digits) return &a.limits;
    return nullptr;
}

std::string architectureWords() {
    std::string words;
    for (const ArchitectureLimits& a : known)
        words += (words.empty() ? "" : ", ") + std::string(a.arch);
    return words;
}

} // namespace kernelarium::perf
