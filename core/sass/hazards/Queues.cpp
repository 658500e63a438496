// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/hazards/Queues.h"

namespace kernelarium::sass {

namespace {
bool isAny(std::string_view mnemonic, std::initializer_list<std::string_view> names) {
    for (const std::string_view one : names)
        if (one == mnemonic) return true;
    return false;
}
} // namespace

Queue resultQueue(const Instruction& i) {
    if (!i.isVariable()) return Queue::none;
    if (isAny(i.mnemonic, {"LDS", "LDSM", "SHFL", "STS", "STSM"})) return Queue::shared;
    if (i.mnemonic == "LDC") return Queue::constants;
    if (i.mnemonic == "S2R") return Queue::specials;
    if (i.unit == Unit::special) return Queue::uniformSpecials;
    if (i.unit == Unit::queuedDouble) return Queue::doubles;
    if (i.unit == Unit::conversion) return Queue::conversions;
    return Queue::none;
}

Queue operandQueue(const Instruction& i) {
    if (!i.isVariable()) return Queue::none;
    if (i.mnemonic == "LDC") return Queue::constants;
    if (i.unit == Unit::special) return Queue::uniformSpecials;
    if (i.unit == Unit::queuedDouble) return Queue::doubles;
    if (i.unit == Unit::conversion) return Queue::conversions;
    if (i.mnemonic.substr(0, 4) == "BMOV") return Queue::none; // a queue of its own, of which nothing is known
    return i.unit == Unit::memory ? Queue::memory : Queue::none;
}

IssuePipe issuePipe(const Instruction& i) {
    switch (i.unit) {
    case Unit::integer: return IssuePipe::integer;
    case Unit::floating: return IssuePipe::floating;
    case Unit::multiply: return IssuePipe::multiply;
    case Unit::half: return IssuePipe::half;
    case Unit::doubled:
    case Unit::queuedDouble: return IssuePipe::doubled;
    case Unit::halfMatrix: return IssuePipe::halfMatrix;
    case Unit::matrix:
    case Unit::doubleMatrix: return IssuePipe::matrix;
    case Unit::uniform: return IssuePipe::uniform;
    case Unit::uniformMove: return IssuePipe::uniformMove;
    case Unit::toUniform: return IssuePipe::toUniform;
    case Unit::special: return IssuePipe::special;
    case Unit::conversion: return i.mnemonic == "LDC" ? IssuePipe::constant : IssuePipe::conversion;
    case Unit::memory: return i.access || i.mnemonic == "SHFL" ? IssuePipe::memory : IssuePipe::other;
    case Unit::branch: return IssuePipe::branch;
    case Unit::unknown: break;
    }
    return IssuePipe::other;
}

std::string_view name(IssuePipe pipe) {
    switch (pipe) {
    case IssuePipe::integer: return "integer";
    case IssuePipe::floating: return "floating-point";
    case IssuePipe::multiply: return "integer multiply";
    case IssuePipe::half: return "half-precision";
    case IssuePipe::doubled: return "double-precision";
    case IssuePipe::halfMatrix: return "half-precision matrix";
    case IssuePipe::matrix: return "matrix";
    case IssuePipe::uniform: return "uniform";
    case IssuePipe::uniformMove: return "uniform move";
    case IssuePipe::toUniform: return "to uniform";
    case IssuePipe::memory: return "load and store";
    case IssuePipe::conversion: return "special function";
    case IssuePipe::constant: return "constant";
    case IssuePipe::special: return "special register";
    case IssuePipe::branch: return "branch";
    case IssuePipe::other: break;
    }
    return "other";
}

namespace {
bool isWarpgroupProduct(const Instruction& i) {
    return i.fence == Fence::asynchronous && i.unit == Unit::matrix;
}
} // namespace

RegisterSet lateReads(const Instruction& i) {
    if (!i.isVariable()) return {};
    const RegisterSet reads = trackedReads(i) - i.guardReads;
    return i.fence == Fence::asynchronous ? reads : reads.of(RegisterFile::general);
}

RegisterSet trackedReads(const Instruction& i) {
    return isWarpgroupProduct(i) ? i.reads - i.reads.of(RegisterFile::general) : i.reads;
}

RegisterSet trackedWrites(const Instruction& i) {
    return isWarpgroupProduct(i) ? i.writes - i.writes.of(RegisterFile::general) : i.writes;
}

} // namespace kernelarium::sass
