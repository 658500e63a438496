// SPDX-License-Identifier: GPL-3.0-or-later
//
// Shared memory has 32 banks of 4 bytes. Lanes that read one word share it; different words of one bank follow one
// another. 8-byte accesses go by half warps and 16-byte ones by quarter warps (CUDA C++ Programming Guide, "Shared
// Memory"; Nsight Compute's wavefronts count the passes). Without conflicts each of these groups takes one pass.
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

/// 32 lanes side by side or all on one word: what most accesses are.
bool isPlain(const std::uint64_t* at, std::uint32_t lanes) {
    if (lanes != ~0u || at[0] % 4) return false;
    bool same = true, beside = true;
    for (std::uint32_t i = 1; i < laneCount; ++i) {
        same &= at[i] == at[0];
        beside &= at[i] == at[0] + 4 * i;
    }
    return same || beside;
}

} // namespace

SharedCost sharedCost(const std::uint64_t* at, std::uint32_t lanes, std::uint32_t bytes, bool atomic) {
    if (bytes == 4 && !atomic && isPlain(at, lanes)) return {1, 1};
    const std::uint32_t groupLanes = bytes <= 4 ? 32 : bytes <= 8 ? 16 : 8;
    SharedCost cost;
    for (std::uint32_t first = 0; first < laneCount; first += groupLanes) {
        const std::uint32_t members = groupLanes == 32 ? ~0u : ((1u << groupLanes) - 1) << first;
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
