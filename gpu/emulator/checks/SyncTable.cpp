// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/checks/SyncTable.h"

namespace kernelarium::emulator {

namespace {
bool same(const BlockClocks::Release& a, const BlockClocks::Release& b) {
    return a.warp == b.warp && a.clock == b.clock && a.floor == b.floor && a.wide == b.wide;
}
} // namespace

std::uint64_t SyncTable::publish(std::uint64_t variable, std::uint32_t block, const BlockClocks::Release& release) {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t stamp = m_stamp.load(std::memory_order_relaxed) + 1;
    m_variables[variable] = stamp;
    std::vector<Entry>& entries = m_releases[block];
    if (entries.empty() || !same(entries.back().release, release)) entries.push_back({stamp, release});
    m_stamp.store(stamp, std::memory_order_release);
    return stamp;
}

std::uint64_t SyncTable::stampOf(std::uint64_t variable) const {
    const std::lock_guard lock(m_mutex);
    const auto found = m_variables.find(variable);
    return found == m_variables.end() ? 0 : found->second;
}

bool SyncTable::covers(std::uint32_t block, std::uint32_t warp, std::uint32_t clock, std::uint64_t stamp,
                       bool sameBlock) const {
    if (stamp == 0) return false;
    const std::lock_guard lock(m_mutex);
    const auto found = m_releases.find(block);
    if (found == m_releases.end()) return false;
    for (auto e = found->second.rbegin(); e != found->second.rend(); ++e) {
        if (e->stamp > stamp || !(sameBlock || e->release.wide)) continue;
        if (clock < e->release.floor || (warp == e->release.warp && clock < e->release.clock)) return true;
    }
    return false;
}

} // namespace kernelarium::emulator
