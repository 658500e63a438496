// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/evidence/Evidence.h"

#include <nlohmann/json.hpp>

namespace kernelarium::proof {

using nlohmann::json;

std::string_view name(Rung rung) {
    switch (rung) {
    case Rung::field: return "field";
    case Rung::keyed: return "keyed";
    case Rung::ordered: return "ordered";
    case Rung::float64: return "float64";
    case Rung::range: return "range";
    }
    return {};
}
std::string_view name(Outcome outcome) {
    switch (outcome) {
    case Outcome::passed: return "passed";
    case Outcome::failed: return "failed";
    case Outcome::doesNotApply: return "does_not_apply";
    }
    return {};
}
json toJson(const Evidence& e) {
    json j{{"rung", name(e.rung)}, {"outcome", name(e.outcome)}, {"seconds", e.seconds}};
    const std::pair<const char*, const std::string*> texts[] = {
        {"reason", &e.reason}, {"drawn", &e.drawn}, {"covers", &e.covers}, {"leaves_out", &e.leavesOut}};
    for (const auto& [key, text] : texts)
        if (!text->empty()) j[key] = *text;
    if (e.draws > 0) j["draws"] = e.draws;
    if (e.voidDraws > 0) j["void_draws"] = e.voidDraws;
    if (e.exponentials > 0) j["exponentials"] = e.exponentials;
    if (e.degree) j["degree"] = *e.degree;
    if (e.errorBound) j["error_bound"] = *e.errorBound;
    if (!e.remarks.empty()) j["remarks"] = e.remarks;
    if (const auto& c = e.counterexample) {
        j["counterexample"] = {{"output", c->output}, {"element", c->element}, {"expected", c->expected},
                               {"got", c->got},       {"seed", c->seed},       {"draw", c->draw}};
        if (!c->size.empty()) j["counterexample"]["size"] = c->size;
    }
    return j;
}

} // namespace kernelarium::proof
