// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/StallCycles.h"

#include <numeric>

namespace kernelarium::schedule {

std::string_view name(CycleUse use) {
    static constexpr std::array<std::string_view, cycleUses> names{
        "issue",         "fixed latency", "global memory",     "local memory", "shared memory",
        "copies",        "constants",     "special functions", "exchange",     "special registers",
        "other results", "operands",      "register fetch"};
    return names[std::size_t(use)];
}

std::string_view meaning(CycleUse use) {
    switch (use) {
    case CycleUse::issue: return "one cycle for each instruction";
    case CycleUse::fixedLatency: return "stalls: results of fixed latency, pipes and branches";
    case CycleUse::globalMemory: return "waits for scoreboards of loads from global memory and of atomics";
    case CycleUse::localMemory: return "waits for scoreboards of loads from local memory";
    case CycleUse::sharedMemory: return "waits for scoreboards of loads from shared memory";
    case CycleUse::copies: return "waits for copies from global to shared memory";
    case CycleUse::constants: return "waits for scoreboards of loads of constants";
    case CycleUse::specialFunctions: return "waits for scoreboards of special functions and conversions";
    case CycleUse::exchange: return "waits for scoreboards of shuffles and votes";
    case CycleUse::specialRegisters: return "waits for scoreboards of special registers";
    case CycleUse::otherResults: return "waits for scoreboards of other results";
    case CycleUse::operands: return "waits for scoreboards until operands have been read";
    case CycleUse::registerFetch:
        return "cycles until all registers that are not kept from the instruction before have been fetched";
    }
    return {};
}

double StallCycles::total() const {
    return std::accumulate(cycles.begin(), cycles.end(), 0.0);
}

CycleUse useOfWaiting(const sass::Instruction& producer, bool forResult) {
    using Space = sass::Access::Space;
    if (producer.access && producer.access->space == Space::globalToShared) return CycleUse::copies;
    if (!forResult) return CycleUse::operands;
    const std::string_view mnemonic = producer.mnemonic;
    if (mnemonic.starts_with("LDC") || mnemonic.starts_with("ULDC")) return CycleUse::constants;
    if (mnemonic == "SHFL" || mnemonic.starts_with("VOTE") || mnemonic == "REDUX" || mnemonic == "MATCH")
        return CycleUse::exchange;
    if (mnemonic == "S2R" || mnemonic == "S2UR" || mnemonic == "CS2R") return CycleUse::specialRegisters;
    if (producer.access) switch (producer.access->space) {
        case Space::global:
        case Space::generic: return CycleUse::globalMemory;
        case Space::local: return CycleUse::localMemory;
        case Space::shared: return CycleUse::sharedMemory;
        case Space::globalToShared: break;
        }
    return producer.unit == sass::Unit::conversion ? CycleUse::specialFunctions : CycleUse::otherResults;
}

} // namespace kernelarium::schedule
