// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/warp/BlockOrder.h"
#include "gpu/emulator/warp/Warp.h"

#include <bit>
#include <fmt/format.h>

namespace kernelarium::emulator {

namespace {
bool isSameFault(const Fault& a, const Fault& b) {
    const int lineA = a.other ? a.other->line : -1, lineB = b.other ? b.other->line : -1;
    return a.kind == b.kind && a.line == b.line && a.kernel == b.kernel && lineA == lineB &&
           a.sameValue == b.sameValue && a.effect == b.effect;
}
} // namespace

void FaultLog::add(Fault fault) {
    const std::lock_guard lock(m_mutex);
    for (Fault& f : m_faults)
        if (isSameFault(f, fault)) {
            f.count += fault.count;
            return;
        }
    // What decides a verdict is not to be crowded out by other races.
    if (m_kinds[fault.kind + char('0' + int(fault.effect))]++ < m_perKind) m_faults.push_back(std::move(fault));
}

std::vector<Fault> FaultLog::take() {
    const std::lock_guard lock(m_mutex);
    return std::move(m_faults);
}

void LaunchState::finish(LaunchEnd how, std::string why) {
    int expected = -1;
    if (!end.compare_exchange_strong(expected, int(how))) return;
    const std::lock_guard lock(reasonMutex);
    reason = std::move(why);
}

Dim3 LaunchState::blockAt(std::uint64_t place) const {
    const auto at = [](std::uint64_t k, const Dim3& size) {
        return Dim3{std::uint32_t(k % size[0]), std::uint32_t(k / size[0] % size[1]),
                    std::uint32_t(k / size[0] / size[1])};
    };
    const Dim3& grid = config->grid;
    const std::uint64_t members = std::uint64_t(cluster[0]) * cluster[1] * cluster[2];
    if (members == 1) return at(order->at(place), grid);
    const Dim3 which =
        at(order->at(place / members), {grid[0] / cluster[0], grid[1] / cluster[1], grid[2] / cluster[2]});
    const Dim3 within = at(place % members, cluster);
    Dim3 block{};
    for (std::size_t d = 0; d < 3; ++d)
        block[d] = which[d] * cluster[d] + within[d];
    return block;
}

Fault faultAt(const Warp& w, const Inst* ip, std::uint32_t lane) {
    Fault f;
    const Code& code = *w.worker->launch->code;
    if (w.worker->launch->config && !w.worker->hostOwner)
        f.kernel = code.functions[w.worker->launch->config->function].name;
    if (w.block) {
        const Dim3& size = w.worker->launch->config->block;
        const std::uint32_t thread = w.index * laneCount + lane;
        f.block = w.block->index;
        f.thread = {thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]};
    }
    if (ip && ip->source >= 0) f.line = code.sources[std::size_t(ip->source)].userLine;
    return f;
}

void reportFault(Warp& w, const Inst* ip, std::uint32_t lanes, const char* kind, std::string message,
                 bool leavesAllocation) {
    if (lanes == 0) return;
    if (w.block && w.block->witness) w.block->witness->noteFault(w, lanes, kind, message);
    Fault f = faultAt(w, ip, std::uint32_t(std::countr_zero(lanes)));
    f.kind = kind;
    f.message = std::move(message);
    f.count = std::uint64_t(std::popcount(lanes));
    f.leavesAllocation = leavesAllocation;
    // Without checks, or in host code, there is no going on after an access outside memory.
    const bool fatal = w.worker->hostOwner ? leavesAllocation : leavesAllocation && !w.worker->checks;
    const std::string why = f.message;
    const int line = f.line;
    w.worker->launch->faults->add(std::move(f));
    if (!fatal) return;
    w.worker->launch->finish(LaunchEnd::trapped, line ? fmt::format("{} (line {})", why, line) : why);
    w.pause = Pause::stop;
    w.ip = ip;
}

const Inst* trap(Warp& w, const Inst* ip, std::string why) {
    Fault f = faultAt(w, ip, std::uint32_t(std::countr_zero(w.active | 0x80000000u)));
    if (w.block && w.block->witness) w.block->witness->noteFault(w, w.active, "trap", why);
    f.kind = "trap";
    f.message = why;
    const int line = f.line;
    w.worker->launch->faults->add(std::move(f));
    w.worker->launch->finish(LaunchEnd::trapped, line ? fmt::format("{} (line {})", why, line) : why);
    w.pause = Pause::stop;
    w.ip = ip;
    return nullptr;
}

const Inst* trapDivisionByZero(Warp& w, const Inst* ip) {
    return trap(w, ip, "floating point exception: integer division by zero");
}

const Inst* trapDivisionOverflow(Warp& w, const Inst* ip) {
    return trap(w, ip, "floating point exception: the most negative integer divided by -1");
}

} // namespace kernelarium::emulator
