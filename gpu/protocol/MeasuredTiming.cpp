// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/MeasuredTiming.h"

#include "core/task/Cost.h"
#include "core/text/UntrustedJson.h"

#include <nlohmann/json.hpp>

namespace kernelarium::protocol {

namespace {

/// What cannot be put into columns: enough to judge the time later without the device.
std::string timingDetail(const TimeSummary& s) {
    nlohmann::json j = toJson(s);
    for (const char* own : {"end", "reason", "size"})
        j.erase(own); // the attempt has them
    return j.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
}

void addWork(session::Timing& timing, const task::Card* card) {
    if (!card) return;
    const Result<task::Symbols> symbols = card->size(timing.size);
    if (!symbols) return;
    const Result<task::Cost> cost = task::costOf(*card, *symbols);
    if (!cost) return;
    timing.flops = cost->flops;
    timing.bytes = cost->compulsoryBytes;
    timing.byteSource = "compulsory";
}

} // namespace

session::Timing measuredTiming(const TimeSummary& s, const task::Card* card) {
    session::Timing timing;
    timing.origin = session::Timing::Origin::measured;
    timing.milliseconds = s.summary.median * 1e3;
    timing.device = s.device;
    timing.size = s.size;
    timing.relativeNoise = s.summary.relativeNoise;
    timing.detailJson = timingDetail(s);
    addWork(timing, card);
    return timing;
}

Result<TimeSummary> summaryOf(const session::Timing& timing) {
    nlohmann::json j = text::untrustedJson(timing.detailJson);
    if (!j.is_object()) return Error{"protocol", "No samples are kept with this time."};
    j["end"] = "finished";
    j["size"] = timing.size;
    return timeSummaryFromJson(j);
}

} // namespace kernelarium::protocol
