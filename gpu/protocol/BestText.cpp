// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/BestText.h"

#include "core/quantities/Quantities.h"
#include "core/tuning/emit/Dispatch.h"
#include "core/tuning/space/PointText.h"
#include "gpu/protocol/Trial.h"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>
#include <map>

namespace kernelarium::protocol {

namespace {

using tuning::Judged;

/// A point that is written, and the sizes that it serves.
struct WrittenPoint {
    BestText::Version version;
    tuning::PointText made;
};

Result<WrittenPoint> writtenAt(const SweepRequest& request, const std::string& key) {
    const auto point = request.tunable.space.pointOf(key);
    if (!point) return Error{"bad_input", fmt::format("`{}` is no point of this sweep.", key)};
    return WrittenPoint{{key, {}},
                        tuning::pointText(request.tunable, *point, request.points.compiler, request.points.fastMath)};
}

/// How a point is compiled: one file has one way.
std::string optionsOf(const tuning::PointText& made) {
    return text::lineOf(made.settings) + (made.fastMath ? " --fast-math" : "");
}

/// The best for each size of those points that are compiled in the same way, of all ways the one whose versions are the
/// fastest in the geometric mean; empty where none has a version for every size.
std::vector<SizeBest> bestsOfOneWay(const SweepRequest& request, const std::vector<Judged>& all,
                                    std::map<std::string, std::vector<Judged>>& ways) {
    for (const Judged& judged : all) {
        const Result<WrittenPoint> point = writtenAt(request, judged.candidate.key);
        if (judged.ranks() && point) ways[optionsOf(point->made)].push_back(judged);
    }
    std::vector<SizeBest> best;
    double least = 0;
    for (const auto& [options, points] : ways) {
        std::vector<SizeBest> bests = bestForEachSize(request, points);
        double logs = 0;
        for (const SizeBest& at : bests)
            logs += at.judged != nullptr ? std::log(at.time.seconds) : INFINITY;
        if (!std::isfinite(logs) || (!best.empty() && logs >= least)) continue;
        least = logs;
        best = std::move(bests);
    }
    return best;
}

struct Chosen {
    std::vector<WrittenPoint> points;
    std::vector<std::string> slower;
};

Result<Chosen> chosenOne(const SweepRequest& request, const std::vector<Judged>& all) {
    const Judged* best = bestOf(all);
    if (!best) return Error{"nothing_found", "No point has a time and right results.", "See `tune show`."};
    Result<WrittenPoint> point = writtenAt(request, best->candidate.key);
    if (!point) return point.error();
    return Chosen{{std::move(*point)}, {}};
}

Result<Chosen> chosenForSizes(const SweepRequest& request, const std::vector<Judged>& all) {
    const std::vector<SizeBest> free = bestForEachSize(request, all);
    for (const SizeBest& best : free)
        if (best.judged == nullptr)
            return Error{"nothing_found", fmt::format("No point has a time and right results at {}.", best.size),
                         "See `tune show`."};
    std::map<std::string, std::vector<Judged>> ways; // what the bests point to
    const std::vector<SizeBest> bests = bestsOfOneWay(request, all, ways);
    if (bests.empty())
        return Error{
            "not_mergeable",
            "The versions cannot be put into one file: no compiler options have a right version for each size.",
            "Tune with the register cap and fast math at one value, or print versions with --text KEY."};
    Chosen chosen;
    for (std::size_t i = 0; i < bests.size(); ++i) {
        const std::string& key = bests[i].judged->candidate.key;
        if (bests[i].time.seconds > free[i].time.seconds)
            chosen.slower.push_back(fmt::format("{}: {} instead of {} with other compiler options ({})", bests[i].size,
                                                quantities::seconds(bests[i].time.seconds),
                                                quantities::seconds(free[i].time.seconds),
                                                free[i].judged->candidate.key));
        auto at = std::find_if(chosen.points.begin(), chosen.points.end(),
                               [&](const WrittenPoint& p) { return p.version.key == key; });
        if (at == chosen.points.end()) {
            Result<WrittenPoint> point = writtenAt(request, key);
            if (!point) return point.error();
            chosen.points.push_back(std::move(*point));
            at = chosen.points.end() - 1;
        }
        at->version.sizes.push_back(bests[i].size);
    }
    return chosen;
}

Result<std::vector<tuning::DispatchShape>> shapesOf(const SweepRequest& request,
                                                    const std::vector<WrittenPoint>& points) {
    std::vector<tuning::DispatchShape> shapes;
    const task::Card& card = *request.points.run.card;
    for (const std::string& size : request.points.sizes) {
        const Result<task::Symbols> symbols = card.size(size);
        if (!symbols) return symbols.error();
        const Result<std::vector<tensor::Shape>> tensors = task::tensorShapes(card, *symbols);
        if (!tensors) return tensors.error();
        tuning::DispatchShape shape;
        shape.name = size;
        for (const auto& [key, value] : *symbols)
            if (size.find('=') == std::string::npos) shape.name += fmt::format(" {}={}", key, value);
        for (std::size_t v = 0; v < points.size(); ++v) {
            const std::vector<std::string>& served = points[v].version.sizes;
            if (std::find(served.begin(), served.end(), size) != served.end()) shape.version = v;
        }
        for (const auto& [name, argument] : card.call) {
            const auto* tensor = std::get_if<task::CardTensorRef>(&argument.kind);
            shape.extents.emplace_back();
            if (tensor != nullptr && tensor->index < tensors->size())
                shape.extents.back().assign((*tensors)[tensor->index].begin(), (*tensors)[tensor->index].end());
        }
        shapes.push_back(std::move(shape));
    }
    return shapes;
}

/// What was put together has to compile by itself.
Result<void> compiles(const SweepRequest& request, const BestText& best, const std::vector<std::string>& command,
                      const std::stop_token& stop) {
    KernelClient compiler(command);
    CompileParameters parameters;
    parameters.source = best.text;
    parameters.arch = request.points.arch;
    parameters.fastMath = best.fastMath;
    parameters.settings = best.settings;
    parameters.early = false;
    const Result<KernelClient::Unit> unit = compiler.compile(parameters, {.compileLimit = compileLimit, .stop = stop});
    if (!unit) return unit.error();
    if ((*unit)->ok) return {};
    return Error{"not_mergeable", "The versions compile one by one, and not in one file: " + errorsText(**unit),
                 "`tune show STORE --text KEY` prints one version's text."};
}

} // namespace

const Judged* bestOf(const std::vector<Judged>& all) {
    const Judged* best = nullptr;
    for (const Judged& judged : all)
        if (judged.leads() && (!best || judged.isBetterThan(*best))) best = &judged;
    return best;
}

std::vector<SizeBest> bestForEachSize(const SweepRequest& request, const std::vector<Judged>& all) {
    if (request.points.sizes.empty()) return {};
    return bestForEachSize(request.points.sizes, all, request.tunable.space.key(request.tunable.space.start()),
                           request.points.verify != PointSettings::Verify::none);
}

Result<BestText> bestText(const SweepRequest& request, const std::vector<Judged>& all,
                          const std::vector<std::string>& compileCommand, std::stop_token stop) {
    const Result<Chosen> chosen = request.points.sizes.empty() ? chosenOne(request, all) : chosenForSizes(request, all);
    if (!chosen) return chosen.error();
    const tuning::PointText& first = chosen->points.front().made;
    BestText best{first.text, {}, chosen->slower, first.settings, first.fastMath};
    std::vector<tuning::DispatchVersion> parts;
    for (const WrittenPoint& point : chosen->points) {
        best.versions.push_back(point.version);
        parts.push_back({point.made.text, point.version.key});
    }
    if (parts.size() == 1) return best;
    const Result<std::vector<tuning::DispatchShape>> shapes = shapesOf(request, chosen->points);
    if (!shapes) return shapes.error();
    Result<std::string> merged = tuning::dispatchingText(parts, *shapes, request.points.run.function);
    if (!merged) return merged.error();
    best.text = std::move(*merged);
    if (const Result<void> compiled = compiles(request, best, compileCommand, stop); !compiled) return compiled.error();
    return best;
}

} // namespace kernelarium::protocol
