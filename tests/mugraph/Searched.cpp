// SPDX-License-Identifier: GPL-3.0-or-later
#include "Searched.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::mugraph::test {

Searched::Searched(int level, int task, int operators, const std::string& size)
    : card(*task::loadCard(level, task))
    , problem(*problemOf(card, *card.size(size))) {
    limits.operators = operators;
    units = *mugraph::units(problem, limits);
    Result<Explorer> explorer = Explorer::of(problem, limits);
    for (const Unit& unit : units)
        results.push_back(*explorer->explore(unit));
    merged = *merge(units, results);
}

MuGraph Searched::written(const std::string& key) const {
    return canonical(problem, *graphFromKey(key));
}

const Merged::Candidate* Searched::find(const MuGraph& graph) const {
    const std::string hash = hashOf(problem, graph);
    for (const Merged::Candidate& c : merged.candidates)
        if (c.found.hash == hash) return &c;
    return nullptr;
}

MuGraph Searched::graphOf(const Merged::Candidate& candidate) const {
    return *muGraphFrom(problem, nlohmann::json::parse(candidate.found.graph));
}

std::string textOf(const Merged& merged) {
    UnitResult counts;
    counts.counts = merged.counts;
    std::string text = fmt::format("{} of {} {}\n", merged.done, merged.units, toJson(counts).dump());
    for (const Merged::Candidate& c : merged.candidates)
        text += fmt::format("{} {} {} {} {} {}\n", c.state, c.found.hash, c.found.unit, c.found.state, c.found.seconds,
                            c.found.graph);
    return text;
}

} // namespace kernelarium::mugraph::test
