// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/SweepRest.h"

#include "gpu/protocol/BestText.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <algorithm>
#include <unordered_set>

namespace kernelarium::ui {

namespace {

/// A run on this machine times the best of measured points again, in fresh processes.
bool isToBeConfirmed(const TuneDesk& desk, const TuneOrder& order) {
    const TuneSubject& subject = *desk.subject();
    if (!subject.isMeasured() || order.array) return false;
    const tuning::Judged* best = protocol::bestOf(desk.points());
    if (!best || best->candidate.key == subject.space().key(subject.space().start())) return false;
    const auto sizes = protocol::sizesOf(subject.request->points);
    return !std::all_of(sizes.begin(), sizes.end(), [&](const std::string& size) {
        return std::any_of(
            desk.confirmations().begin(), desk.confirmations().end(), [&](const protocol::Confirmation& confirmation) {
                return confirmation.key == best->candidate.key && confirmation.size == size && confirmation.timed();
            });
    });
}

} // namespace

QString nothingLeft(const TuneDesk& desk, const TuneOrder& order) {
    const TuneSubjectPointer& subject = desk.subject();
    if (!subject || !subject->request || desk.isRunning() || desk.hasArray() || isToBeConfirmed(desk, order)) return {};
    double spent = 0;
    std::unordered_set<std::string> looked;
    for (const tuning::Judged& judged : desk.points()) {
        if (judged.looked()) spent += judged.candidate.effort;
        if (judged.candidate.effort >= 1) looked.insert(judged.candidate.key);
    }
    if (subject->allowed && *subject->allowed > 0 && looked.size() >= *subject->allowed)
        return protocol::bestOf(desk.points())
                   ? Words::tr("every point has been looked at: open the best, or mark more values in the text")
                   : Words::tr("every point has been looked at, and none is right: mark other values in the text");
    constexpr double rounding = 1e-9; // as the search has it
    if (order.budget.looks && spent >= *order.budget.looks - rounding)
        return Words::tr("the budget of %1 points is spent: raise it to go on, or open the best")
            .arg(numberText(*order.budget.looks, 7));
    const TuneState& state = desk.state();
    const bool same = order.strategy == desk.lastOrder().strategy && order.seed == desk.lastOrder().seed;
    if (state.stage == Stage::finished && !state.array && state.answer.why == tuning::Ended::Why::usedUp && same)
        return Words::tr("the strategy has no more points: choose another one or another seed, or open the best");
    return {};
}

} // namespace kernelarium::ui
