// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/superopt/candidates/Candidates.h"

#include <nlohmann/json.hpp>

namespace kernelarium::superopt {

using nlohmann::json;

json toJson(const Candidate& c, bool withText) {
    json j{{"name", c.name},
           {"emitter", c.emitter},
           {"skeleton", c.file.skeleton},
           {"why", c.file.why},
           {"rewrites", c.rewrites},
           {"launches", c.launches},
           {"flops", c.flops},
           {"bytes", c.bytes},
           {"modelled", perf::toJson(c.modelled)},
           {"bound_seconds", c.boundSeconds},
           {"over_bound", c.overBound},
           {"levels", kernelgen::toJson(c.file.levels)}};
    if (c.stages) j["chosen_rewrites"] = *c.stages;
    if (withText) j["text"] = c.file.text;
    if (c.proof) j["proof"] = proof::toJson(*c.proof);
    if (!c.verified.empty()) {
        j["verified"] = json::array();
        for (const Verified& v : c.verified)
            j["verified"].push_back({{"size", v.size},
                                     {"backend", v.backend},
                                     {"verdict", v.verdict},
                                     {"summary", v.summary},
                                     {"passed", v.passed}});
    }
    if (c.measured)
        j["measured"] = {{"device", c.measured->device},
                         {"seconds", c.measured->seconds},
                         {"noise", c.measured->noise},
                         {"samples", c.measured->samples}};
    return j;
}

json toJson(const Candidates& candidates, bool withTexts) {
    json j{{"task", candidates.task},
           {"name", candidates.name},
           {"size", candidates.size},
           {"device", candidates.device->id},
           {"bound_seconds", candidates.explanation.after.seconds},
           {"candidates", json::array()},
           {"refused", json::array()}};
    for (const Candidate& c : candidates.all)
        j["candidates"].push_back(toJson(c, withTexts));
    for (const Refused& r : candidates.refused)
        j["refused"].push_back({{"name", r.name}, {"code", r.reason.code}, {"reason", r.reason.text()}});
    return j;
}

} // namespace kernelarium::superopt
