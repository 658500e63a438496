// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/SizeTimes.h"

#include "core/text/UntrustedJson.h"

#include <algorithm>
#include <nlohmann/json.hpp>

namespace kernelarium::protocol {

std::vector<SizeTime> sizeTimesOf(const tuning::Judged& judged) {
    std::vector<SizeTime> all;
    const nlohmann::json details = text::untrustedJson(judged.outcome.details);
    const auto sizes = details.is_object() ? details.find("sizes") : details.end();
    if (!details.is_object() || sizes == details.end() || !sizes->is_array()) return all;
    const auto textAt = [](const nlohmann::json& of, const char* name) {
        const auto at = of.find(name);
        return at != of.end() && at->is_string() ? at->get<std::string>() : std::string();
    };
    for (const nlohmann::json& at : *sizes) {
        if (!at.is_object()) continue;
        SizeTime time;
        time.size = textAt(at, "at");
        const auto milliseconds = at.find("ms");
        if (milliseconds != at.end() && milliseconds->is_number()) time.seconds = milliseconds->get<double>() / 1e3;
        time.verified = textAt(at, "verdict") == "verified";
        time.verifiedAt = textAt(at, "size");
        if (time.seconds > 0 && !time.size.empty()) all.push_back(std::move(time));
    }
    return all;
}

std::vector<SizeBest> bestForEachSize(const std::vector<std::string>& sizes, const std::vector<tuning::Judged>& all,
                                      const std::string& start, bool verifiedOnly) {
    std::vector<SizeBest> bests;
    for (const std::string& size : sizes)
        bests.push_back({size, nullptr, {}, {}});
    for (const tuning::Judged& judged : all) {
        if (!judged.ranks()) continue;
        for (SizeTime& time : sizeTimesOf(judged)) {
            const auto at =
                std::find_if(bests.begin(), bests.end(), [&](const SizeBest& b) { return b.size == time.size; });
            if (at == bests.end()) continue;
            if (judged.candidate.key == start) at->startSeconds = time.seconds;
            if ((verifiedOnly && !time.verified) || (at->judged != nullptr && time.seconds >= at->time.seconds))
                continue;
            at->judged = &judged;
            at->time = std::move(time);
        }
    }
    return bests;
}

} // namespace kernelarium::protocol
