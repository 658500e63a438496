// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/proof/Ordering.h"

namespace kernelarium::sass {

namespace {

using Space = Access::Space;

bool mayMeet(Space a, Space b) {
    if (a == Space::generic || b == Space::generic) return true;
    const auto global = [](Space s) { return s == Space::global || s == Space::globalToShared; };
    const auto shared = [](Space s) { return s == Space::shared || s == Space::globalToShared; };
    return (global(a) && global(b)) || (shared(a) && shared(b)) || (a == Space::local && b == Space::local);
}

/// The same base registers hold the same addresses for both: what writes them in between depends on both.
bool areApart(const Access& a, const Access& b) {
    if (!a.isLocated || !b.isLocated || a.space != b.space) return false;
    if (a.base != b.base || a.uniformBase != b.uniformBase) return false;
    return a.offset + a.bytes <= b.offset || b.offset + b.bytes <= a.offset;
}

bool keepsMemoryOrder(const Access& a, const Access& b) {
    if (a.isAsynchronous && b.isAsynchronous) return true; // copies are committed in groups
    if (!a.writes && !b.writes) return false;
    if (!mayMeet(a.space, b.space)) return false;
    if (a.order == Access::Order::constant || b.order == Access::Order::constant) return false;
    return !areApart(a, b);
}

} // namespace

std::string_view name(OrderRule rule) {
    switch (rule) {
    case OrderRule::none: return "independent";
    case OrderRule::fence: return "nothing moves past it";
    case OrderRule::readAfterWrite: return "reads what the other writes";
    case OrderRule::writeAfterWrite: return "writes what the other writes";
    case OrderRule::writeAfterRead: return "writes what the other reads";
    case OrderRule::memory: return "may touch the same memory";
    case OrderRule::convergence: break;
    }
    return "both look at other threads of the warp";
}

OrderRule orderOf(const Instruction& first, const Instruction& second) {
    if (first.fence != Fence::none || second.fence != Fence::none) return OrderRule::fence;
    if (first.writes.meets(second.reads)) return OrderRule::readAfterWrite;
    if (first.writes.meets(second.writes)) return OrderRule::writeAfterWrite;
    if (first.reads.meets(second.writes)) return OrderRule::writeAfterRead;
    if (first.access && second.access && keepsMemoryOrder(*first.access, *second.access)) return OrderRule::memory;
    if (first.isConvergent && second.isConvergent) return OrderRule::convergence;
    return OrderRule::none;
}

} // namespace kernelarium::sass
