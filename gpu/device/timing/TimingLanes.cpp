// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/timing/TimingLanes.h"

#include <algorithm>
#include <map>
#include <optional>

namespace kernelarium::device {

namespace {

using Stream = std::uint64_t;
/// For each lane, how many of the trace's actions, counted from its beginning, hold only such of it as are done.
using Done = std::map<std::size_t, std::size_t>;

class Planner {
public:
    explicit Planner(const std::vector<TimedAction>& actions)
        : m_actions(actions) {}

    TimedLanes plan() {
        for (std::size_t i = 0; i < m_actions.size(); ++i) {
            const bool launch = m_actions[i].kind == TimedAction::Kind::launch;
            m_plan.actions.emplace_back();
            if (launch)
                addLaunch(i);
            else
                addBarrier(i);
        }
        for (const auto& [lane, last] : m_last) {
            if (lane == 0) continue;
            m_plan.lasts.push_back(last);
            m_plan.actions[last].awaited = true;
        }
        m_plan.lanes = m_lanes.size();
        return std::move(m_plan);
    }

private:
    std::size_t laneOf(Stream stream) {
        return m_lanes.try_emplace(stream == 1 ? 0 : stream, m_lanes.size()).first->second;
    }

    /// The last launch in the stream that is one of its first `items` pieces of work.
    [[nodiscard]] std::optional<std::size_t> launchAt(Stream stream, std::size_t items) const {
        std::optional<std::size_t> found;
        const auto launches = m_launches.find(stream == 1 ? 0 : stream);
        if (launches == m_launches.end()) return found;
        for (const auto& [item, action] : launches->second)
            if (item <= items) found = action;
        return found;
    }

    void waitFor(std::size_t action, std::size_t other) {
        TimedLanes::Place& place = m_plan.actions[action];
        const std::size_t lane = m_plan.actions[other].lane;
        std::size_t& known = m_done[place.lane][lane];
        if (lane == place.lane || known > other) return;
        place.after.push_back(other);
        m_plan.actions[other].awaited = true;
        known = other + 1;
        for (const auto& [third, done] : m_seen[other]) {
            std::size_t& seen = m_done[place.lane][third];
            seen = std::max(seen, done);
        }
    }

    void settle(std::size_t action) {
        const std::size_t lane = m_plan.actions[action].lane;
        m_seen.push_back(m_done[lane]);
        m_last[lane] = action;
    }

    void addLaunch(std::size_t i) {
        const host::KernelLaunch& launch = m_actions[i].launch;
        m_plan.actions[i].lane = laneOf(launch.stream);
        if (m_barrier) waitFor(i, *m_barrier);
        std::vector<std::size_t> before;
        for (const auto& [stream, items] : launch.after)
            if (const auto found = launchAt(stream, items)) before.push_back(*found);
        // The latest first: what it waited for itself need not be waited for again.
        std::sort(before.rbegin(), before.rend());
        for (const std::size_t other : before)
            waitFor(i, other);
        m_launches[launch.stream == 1 ? 0 : launch.stream].emplace_back(launch.item, i);
        settle(i);
    }

    void addBarrier(std::size_t i) {
        for (const auto& [lane, last] : m_last)
            waitFor(i, last);
        m_barrier = i;
        settle(i);
    }

    const std::vector<TimedAction>& m_actions;
    TimedLanes m_plan;
    std::map<Stream, std::size_t> m_lanes{{0, 0}};
    std::map<Stream, std::vector<std::pair<std::size_t, std::size_t>>> m_launches; ///< item on its stream, action
    std::map<std::size_t, Done> m_done;                                            ///< what each lane has waited for
    std::vector<Done> m_seen;                                                      ///< the same as each action began
    std::map<std::size_t, std::size_t> m_last;
    std::optional<std::size_t> m_barrier;
};

} // namespace

std::size_t TimedLanes::commands() const {
    if (!overlaps()) return 0;
    std::size_t count = 1 + (lanes - 1) + lasts.size();
    for (const Place& place : actions)
        count += place.after.size() + (place.awaited ? 1 : 0);
    return count;
}

TimedLanes lanesOf(const std::vector<TimedAction>& actions) {
    return Planner(actions).plan();
}

} // namespace kernelarium::device
