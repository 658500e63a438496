// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/proof/Proof.h"

#include <nlohmann/json.hpp>

namespace kernelarium::proof {

using nlohmann::json;

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

json toJson(const Proof& proof) {
    json j{{"verdict", name(proof.verdict)}, {"summary", proof.summary()}, {"seconds", proof.seconds}};
    json size = json::object();
    for (const auto& [symbol, value] : proof.tinySize)
        size[symbol] = value;
    j["tiny_size"] = size;
    j["rungs"] = json::array();
    for (const Evidence& e : proof.rungs)
        j["rungs"].push_back(toJson(e));
    return j;
}

} // namespace kernelarium::proof
