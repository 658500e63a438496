// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/emulator/checks/SyncTable.h"

namespace kernelarium::emulator {

void SyncTable::publish(std::uint64_t variable, std::uint32_t party, std::uint32_t block,
                        const BlockClocks::Release& release) {
    const std::lock_guard lock(m_mutex);
    const std::uint64_t stamp = m_stamp.load(std::memory_order_relaxed) + 1;
    Variable& v = m_variables[variable];
    v.stamps.raise(party, stamp);
    v.acquired.raise(party, release.acquired);
    enter(block, release, stamp);
}

void SyncTable::note(std::uint32_t block, const BlockClocks::Release& release) {
    const std::lock_guard lock(m_mutex);
    enter(block, release, m_stamp.load(std::memory_order_relaxed) + 1);
}

void SyncTable::enter(std::uint32_t block, const BlockClocks::Release& release, std::uint64_t stamp) {
    if (release.wide) {
        std::vector<Entry>& entries = m_releases[block];
        const Knowledge::Clocks* seen = release.more ? &release.seen->own.accesses : nullptr;
        // Whoever asks again and again publishes the same each time.
        const auto isSame = [&](const Entry& e) {
            return e.warp == release.warp && e.clock == release.clock && e.floor == release.floor &&
                   (e.seen && seen ? *e.seen == *seen : !e.seen == !seen);
        };
        const bool repeated = !entries.empty() && isSame(entries.back());
        if (!repeated)
            entries.push_back({stamp, release.warp, release.clock, release.floor,
                               seen ? std::make_shared<const Knowledge::Clocks>(*seen) : nullptr});
    }
    m_stamp.store(stamp, std::memory_order_release);
}

bool SyncTable::isVariable(std::uint64_t variable) const {
    if (isEmpty()) return false;
    const std::lock_guard lock(m_mutex);
    return m_variables.contains(variable);
}

SyncTable::FarSeen SyncTable::seenBy(std::uint32_t party, std::uint64_t variable) const {
    if (isEmpty()) return {};
    const std::lock_guard lock(m_mutex);
    const auto found = m_variables.find(variable);
    if (found == m_variables.end()) return {};
    return {found->second.stamps.without(party), found->second.acquired.without(party)};
}

bool SyncTable::covers(std::uint32_t block, std::uint32_t warp, std::uint32_t clock, std::uint64_t stamp) const {
    if (stamp == 0) return false;
    const std::lock_guard lock(m_mutex);
    const auto found = m_releases.find(block);
    if (found == m_releases.end()) return false;
    for (auto e = found->second.rbegin(); e != found->second.rend(); ++e) {
        if (e->stamp > stamp) continue;
        if (clock < e->floor || (warp == e->warp && clock < e->clock) || (e->seen && clock < (*e->seen)[warp]))
            return true;
    }
    return false;
}

} // namespace kernelarium::emulator
