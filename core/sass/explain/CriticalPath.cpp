// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/explain/CriticalPath.h"

#include <algorithm>

namespace kernelarium::sass {

namespace {

/// The dependence of fixed latency that kept an issue where it is: none to spare, and no wait for a scoreboard between
/// the two. -1: none.
int tightProducer(const LoopModel& model, int at, const InstructionWaits& waits) {
    for (const DistanceNeed& need : waits.distances) { // the tightest first
        if (need.slack() != 0) break;
        const int from = model.indexOf(need.met.producer);
        if (from < 0 || from >= at) continue;
        const int passed = model.issues[std::size_t(at)].time - model.issues[std::size_t(from)].time;
        if (passed == need.met.distance) return from;
    }
    return -1;
}

PathStep stepTo(const LoopModel& model, int at, const std::vector<InstructionWaits>& waits) {
    const ModelledIssue& issue = model.issues[std::size_t(at)];
    PathStep step{issue.instruction, -1, IssueCause::order, issue.time, 0, 0};
    int from = at - 1;
    if (issue.waited > 0) {
        step.cause = IssueCause::scoreboard;
        step.scoreboard = issue.scoreboard;
        const int holder = model.indexOf(issue.waitedFor);
        from = holder < at ? holder : -1; // else it was held in the turn before
    } else if (waits[std::size_t(issue.instruction)].stallBefore > 1) {
        if (const int producer = tightProducer(model, at, waits[std::size_t(issue.instruction)]); producer >= 0) {
            step.cause = IssueCause::distance;
            from = producer;
        }
    }
    const int begin = from >= 0 ? model.issues[std::size_t(from)].time : 0;
    if (from >= 0) step.from = model.issues[std::size_t(from)].instruction;
    step.cycles = issue.time - begin;
    return step;
}

} // namespace

CriticalPath criticalPath(const LoopModel& model, const std::vector<InstructionWaits>& waits) {
    CriticalPath path;
    if (model.issues.empty()) return path;
    // The branch back takes its stall, too.
    path.order = model.cycles - model.issues.back().time;
    for (int at = int(model.issues.size()) - 1; at >= 0;) {
        const PathStep step = stepTo(model, at, waits);
        (step.cause == IssueCause::order      ? path.order
         : step.cause == IssueCause::distance ? path.distance
                                              : path.scoreboard) += step.cycles;
        path.steps.push_back(step);
        at = model.indexOf(step.from);
    }
    std::reverse(path.steps.begin(), path.steps.end());
    return path;
}

} // namespace kernelarium::sass
