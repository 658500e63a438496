// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/counters/Tally.h"

#include <bit>

namespace kernelarium::emulator {

namespace {

struct Majority {
    std::int64_t value = 0;
    std::uint64_t lead = 0;
    void vote(std::int64_t next) {
        if (lead == 0) value = next;
        lead += value == next ? 1 : std::uint64_t(-1);
    }
};

} // namespace

std::int64_t laneStride(const std::uint64_t* at, std::uint32_t lanes) {
    Majority majority;
    for (std::uint32_t pairs = lanes & lanes >> 1; pairs; pairs &= pairs - 1) {
        const auto lane = std::uint32_t(std::countr_zero(pairs));
        majority.vote(std::int64_t(at[lane + 1] - at[lane]));
    }
    return majority.lead ? majority.value : 0;
}

void addWaste(InstructionTally& t, std::uint64_t cost, std::uint64_t ideal, std::int64_t stride) {
    ++t.wasteful;
    t.wastefulCost += cost;
    t.wastefulIdeal += ideal;
    Majority majority{t.stride, t.strideLead};
    majority.vote(stride);
    t.stride = majority.value;
    t.strideLead = majority.lead;
}

} // namespace kernelarium::emulator
