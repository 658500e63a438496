// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shared memory has 32 banks of 4 bytes. Lanes that read one word share it; different words of one bank follow one
// another. 8-byte accesses go by half warps and 16-byte ones by quarter warps (CUDA C++ Programming Guide, "Shared
// Memory"; Nsight Compute's wavefronts count the passes). Without conflicts each of these groups takes one pass. Two
// groups (the halves of a warp; the quarters of a half) take one pass together where lanes share their addresses in
// pairs: every lane with its neighbour, or every lane with the one two further on. So a 16-byte word that all lanes
// read costs two passes, and Nsight Compute's "Mem Busy" of products with such reads agrees
// (archive_data/starter_counters.json: 88% for shared_tiles, 62% for register_tile).
#include "gpu/emulator/counters/Tally.h"

#include <algorithm>
#include <bit>

namespace kernelarium::emulator {

namespace {

constexpr std::uint32_t banks = 32;

/// Distinct words by bank, for one pass over a group of lanes.
class Group {
public:
    void add(std::uint64_t word, bool alwaysNew) {
        const std::uint32_t bank = std::uint32_t(word) % banks;
        std::uint64_t* const words = m_words[bank];
        std::uint32_t& used = m_used[bank];
        if (!alwaysNew)
            for (std::uint32_t k = 0; k < used; ++k)
                if (words[k] == word) return;
        if (used < laneCount) words[used++] = word;
        ++m_total;
        m_deepest = std::max(m_deepest, used);
    }
    [[nodiscard]] std::uint32_t deepest() const { return m_deepest; }
    [[nodiscard]] std::uint32_t total() const { return m_total; }

private:
    std::uint64_t m_words[banks][laneCount];
    std::uint32_t m_used[banks] = {};
    std::uint32_t m_deepest = 0;
    std::uint32_t m_total = 0;
};

/// Passes of 32 lanes side by side or all at one address, what most accesses are; 0 for others.
std::uint32_t plainPasses(const std::uint64_t* at, std::uint32_t lanes, std::uint32_t bytes) {
    if (lanes != ~0u || bytes % 4 || at[0] % bytes) return 0;
    bool same = true, beside = true;
    for (std::uint32_t i = 1; i < laneCount; ++i) {
        same &= at[i] == at[0];
        beside &= at[i] == at[0] + std::uint64_t(bytes) * i;
    }
    return same ? std::max(1u, bytes / 8) : beside ? bytes / 4 : 0;
}

/// Whether each of these lanes has the address of its partner, where that is among them.
bool pairUp(const std::uint64_t* at, std::uint32_t lanes, std::uint32_t partner) {
    for (std::uint32_t m = lanes; m; m &= m - 1) {
        const auto lane = std::uint32_t(std::countr_zero(m));
        if (lanes >> (lane ^ partner) & 1 && at[lane] != at[lane ^ partner]) return false;
    }
    return true;
}

} // namespace

SharedCost sharedCost(const std::uint64_t* at, std::uint32_t lanes, std::uint32_t bytes, bool atomic) {
    if (const std::uint32_t passes = atomic || bytes > 16 ? 0 : plainPasses(at, lanes, bytes)) return {passes, passes};
    const std::uint32_t groupLanes = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
    SharedCost cost;
    std::uint32_t taken = 0;
    for (std::uint32_t first = 0; first < laneCount; first += taken) {
        const auto from = [first](std::uint32_t count) { return count == 32 ? ~0u : ((1u << count) - 1) << first; };
        taken = groupLanes;
        if (bytes > 4 && !atomic && first % (2 * groupLanes) == 0) {
            const std::uint32_t both = lanes & from(2 * groupLanes);
            if (pairUp(at, both, 1) || pairUp(at, both, 2)) taken = 2 * groupLanes;
        }
        const std::uint32_t members = from(taken);
        if (!(lanes & members)) continue;
        Group group;
        for (std::uint32_t m = lanes & members; m; m &= m - 1) {
            const auto lane = std::uint32_t(std::countr_zero(m));
            const std::uint64_t last = (at[lane] + bytes - 1) / 4;
            // Lanes that update one word do so one after another.
            for (std::uint64_t word = at[lane] / 4; word <= last; ++word)
                group.add(word, atomic);
        }
        cost.wavefronts += group.deepest();
        cost.ideal += (group.total() + banks - 1) / banks;
    }
    return cost;
}

} // namespace kernelarium::emulator
