// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/FinalFigure.h"

#include "core/perf/Samples.h"

#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <vector>

namespace kernelarium::schedule {

namespace {

using nlohmann::json;

std::string percentOff(double ratio) {
    return fmt::format("{:.1f}% {}", std::abs(100 * (ratio - 1)), ratio <= 1 ? "faster" : "slower");
}

/// Told as 0.0%.
bool roundsToNothing(double ratio) {
    return percentOff(ratio).starts_with("0.0%");
}

} // namespace

FinalFigure finalFigure(std::string hash, std::string mode, std::string device,
                        std::span<const perf::TimedPair> pairs) {
    FinalFigure figure;
    figure.hash = std::move(hash);
    figure.mode = std::move(mode);
    figure.device = std::move(device);
    figure.when =
        std::chrono::duration_cast<std::chrono::milliseconds>(std::chrono::system_clock::now().time_since_epoch())
            .count();
    const perf::PairedTimes times = perf::comparePairs(pairs, 0);
    figure.pairs = times.pairs;
    if (figure.pairs == 0) {
        figure.reason = "no pair was timed";
        return figure;
    }
    const perf::RatioInterval interval = perf::ratioInterval(pairs);
    figure.ratio = times.ratio;
    figure.low = interval.low;
    figure.high = interval.high;
    std::vector<double> own, original;
    for (const perf::TimedPair& pair : pairs) {
        own.push_back(pair.first);
        original.push_back(pair.second);
    }
    figure.seconds = perf::medianOf(own);
    figure.originalSeconds = perf::medianOf(original);
    return figure;
}

json toJson(const FinalFigure& figure) {
    return {{"schedule", figure.hash}, {"mode", figure.mode},        {"device", figure.device},
            {"pairs", figure.pairs},   {"ratio", figure.ratio},      {"low", figure.low},
            {"high", figure.high},     {"ms", figure.seconds * 1e3}, {"original_ms", figure.originalSeconds * 1e3},
            {"reason", figure.reason}, {"fault", figure.isFaulted},  {"when", figure.when}};
}

Result<FinalFigure> finalFigureFrom(const json& fields) {
    try {
        FinalFigure figure;
        figure.hash = fields.at("schedule");
        figure.mode = fields.at("mode");
        figure.device = fields.at("device");
        figure.pairs = fields.at("pairs");
        figure.ratio = fields.at("ratio");
        figure.low = fields.at("low");
        figure.high = fields.at("high");
        figure.seconds = fields.at("ms").get<double>() / 1e3;
        figure.originalSeconds = fields.at("original_ms").get<double>() / 1e3;
        figure.reason = fields.at("reason");
        figure.isFaulted = fields.at("fault");
        figure.when = fields.at("when");
        return figure;
    } catch (const json::exception& e) {
        return Error{"bad_input", e.what()};
    }
}

Result<tuning::Record> recordOf(const FinalFigure& figure) {
    json fields = toJson(figure);
    fields["key"] = figure.hash + "\n" + figure.mode;
    fields["rank"] = figure.isFaulted ? 2 : figure.isTimed() ? 1 : 0;
    return tuning::recordOf("final", std::move(fields));
}

Result<FinalFigure> finalFigureFrom(const tuning::Record& record) {
    return finalFigureFrom(record.fields);
}

std::string finalWords(const FinalFigure& figure) {
    if (figure.isFaulted) return fmt::format("{}: FAULTED in a fresh process: {}", figure.mode, figure.reason);
    if (!figure.isTimed()) return fmt::format("{}: not timed in a fresh process: {}", figure.mode, figure.reason);
    const std::string where = fmt::format("{} pairs in a fresh process", figure.pairs);
    if ((!figure.isFaster() && !figure.isSlower()) || roundsToNothing(figure.ratio))
        return fmt::format("{}: no gain found (between {} and {}), {}", figure.mode, percentOff(figure.low),
                           percentOff(figure.high), where);
    return fmt::format("{}: {} (between {} and {}), {}", figure.mode, percentOff(figure.ratio), percentOff(figure.low),
                       percentOff(figure.high), where);
}

} // namespace kernelarium::schedule
