// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/CountersBeside.h"

#include "core/profile/VariantCounters.h"
#include "core/schedule/Annealing.h"
#include "core/schedule/StaticCost.h"

#include <algorithm>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::schedule {

namespace {

const CounterSet* setOf(const ScheduleHistory& history, const std::vector<sass::Word>& words) {
    const std::string hash = hashOf(words);
    const auto found = std::find_if(history.counters.begin(), history.counters.end(),
                                    [&](const CounterSet& one) { return one.hash == hash; });
    return found == history.counters.end() ? nullptr : &*found;
}

CountersBeside measuredBeside(const CounterSet& original, const CounterSet& best) {
    CountersBeside beside;
    beside.isMeasured = true;
    beside.from = fmt::format("measured by Nsight Compute on {}, size {}", best.device, best.size);
    if (best.launches > 1) beside.from += fmt::format(", means of {} launches", best.launches);
    for (const profile::VariantCounter& one : profile::variantCounters()) {
        const CounterSet::Figure* before = original.find(one.name.metric);
        const CounterSet::Figure* after = best.find(one.name.metric);
        if (!before && !after) continue; // this version of Nsight Compute does not know it
        CountersBeside::Row row{std::string(name(one.group)),
                                std::string(one.name.label),
                                std::string(one.name.meaning),
                                before ? before->unit : after->unit,
                                {},
                                {}};
        if (before) row.original = before->value;
        if (after) row.best = after->value;
        beside.rows.push_back(std::move(row));
    }
    return beside;
}

} // namespace

std::string CountersBeside::Row::change() const {
    if (!original || !best) return {};
    if (*original == *best) return "=";
    if (*original == 0) return "new";
    return fmt::format("{:+.1f}%", 100 * (*best / *original - 1));
}

CountersBeside modelledBeside(const Subject& subject, const std::vector<sass::Word>& words) {
    CountersBeside beside;
    beside.from = "modelled: cycles of one warp alone, ten turns of each loop";
    const int capability = subject.original.computeCapability();
    const StallCycles before = stallCyclesOf(subject.words(), capability), after = stallCyclesOf(words, capability);
    const auto add = [&](std::string_view name, std::string_view meaning, double original, double best) {
        beside.rows.push_back({"cycles", std::string(name), std::string(meaning), "cycles", original, best});
    };
    add("all", "what one warp takes, which is what a modelled search goes by", before.total(), after.total());
    for (std::size_t i = 0; i < cycleUses; ++i)
        if (const auto use = CycleUse(i); before.of(use) > 0 || after.of(use) > 0)
            add(name(use), meaning(use), before.of(use), after.of(use));
    return beside;
}

CountersBeside countersBeside(const ScheduleHistory& history) {
    if (!history.best) return {};
    const CounterSet* original = setOf(history, history.subject.words());
    const CounterSet* best = setOf(history, history.bestWords);
    if (original && best) return measuredBeside(*original, *best);
    return modelledBeside(history.subject, history.bestWords);
}

nlohmann::json toJson(const CountersBeside& beside) {
    nlohmann::json rows = nlohmann::json::array();
    for (const CountersBeside::Row& row : beside.rows)
        rows.push_back({{"group", row.group},
                        {"name", row.name},
                        {"unit", row.unit},
                        {"original", row.original ? nlohmann::json(*row.original) : nlohmann::json()},
                        {"best", row.best ? nlohmann::json(*row.best) : nlohmann::json()}});
    return {{"measured", beside.isMeasured}, {"from", beside.from}, {"rows", rows}};
}

} // namespace kernelarium::schedule
