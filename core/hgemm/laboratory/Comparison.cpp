// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/Comparison.h"

#include "core/hgemm/family/Pool.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::hgemm {

namespace {

bool hasTime(const Measured& m) {
    return m.error.empty() && m.time.count > 0 && m.time.median > 0;
}

} // namespace

const Measured* Comparison::best(Subject::Kind kind) const {
    const Measured* found = nullptr;
    for (const Measured& m : answer.measured)
        if (m.subject.kind == kind && hasTime(m) && (!found || m.time.median < found->time.median)) found = &m;
    return found;
}

std::optional<double> Comparison::speedup(Subject::Kind library) const {
    const Measured* theirs = best(library);
    const Measured* ours = best(fellBack ? Subject::Kind::ltFastest : Subject::Kind::family);
    if (!theirs || !ours) return {};
    return theirs->time.median / ours->time.median;
}

MeasureRequest comparisonRequest(std::span<const BestRow> table, const Shape& shape, Mode mode, bool& fallsBack,
                                 const ComparisonParts& parts) {
    MeasureRequest request;
    request.shape = shape;
    request.mode = mode;
    std::vector<BestRow> rows;
    for (const BestRow& row : table)
        if (std::find(parts.layouts.begin(), parts.layouts.end(), row.configuration.layout) != parts.layouts.end())
            rows.push_back(row);
    std::optional<Configuration> ours;
    const BestRow* row = bestFor(rows, shape, mode, parts.halfSums);
    if (row && !row->fallsBackIn(mode))
        ours = row->configuration;
    else if (!row && parts.halfSums)
        for (const Layout layout : parts.layouts)
            for (const Configuration& c : candidates(shape, layout, true, 1))
                if (!ours || modelledSeconds(c, shape) < modelledSeconds(*ours, shape)) ours = c;
    fallsBack = !ours;
    if (ours) request.subjects.push_back({Subject::Kind::family, ours->layout, *ours, ours->halfSums});
    for (const Subject::Kind kind : parts.libraries)
        for (const Layout layout : parts.layouts)
            request.subjects.push_back({kind, layout, {}, false});
    return request;
}

ComparisonSummary summarise(std::span<const Speedup> speedups, Subject::Kind library) {
    ComparisonSummary s;
    s.library = library;
    double logarithms = 0;
    for (const Speedup& one : speedups) {
        if (s.shapes == 0 || one.ratio < s.least) s.least = one.ratio, s.leastAt = one.shape;
        if (s.shapes == 0 || one.ratio > s.most) s.most = one.ratio, s.mostAt = one.shape;
        ++s.shapes;
        s.fellBack += one.fellBack ? 1 : 0;
        s.slower += !one.fellBack && one.ratio < 1 ? 1 : 0;
        logarithms += std::log(one.ratio);
    }
    s.geometricMean = s.shapes ? std::exp(logarithms / double(s.shapes)) : 0;
    return s;
}

ComparisonSummary summarise(std::span<const Comparison> comparisons, Mode mode, Subject::Kind library) {
    std::vector<Speedup> speedups;
    for (const Comparison& c : comparisons)
        if (const std::optional<double> speedup = c.mode == mode ? c.speedup(library) : std::nullopt)
            speedups.push_back({c.shape, *speedup, c.fellBack});
    return summarise(speedups, library);
}

std::string_view name(Subject::Kind kind) {
    switch (kind) {
    case Subject::Kind::family: return "ours";
    case Subject::Kind::cublas: return "cuBLAS";
    case Subject::Kind::ltFirst: return "cuBLASLt, heuristic";
    case Subject::Kind::ltFastest: return "cuBLASLt, autotuned";
    }
    return {};
}

std::string key(Subject::Kind library) {
    const std::string text = Subject{library, Layout::tn, {}, false}.text();
    return text.substr(0, text.find(' '));
}

nlohmann::json toJson(const Comparison& c) {
    nlohmann::json j = {{"shape", {c.shape.m, c.shape.n, c.shape.k}},
                        {"mode", name(c.mode)},
                        {"clock", isWallTime(c.mode) ? "wall" : "device"},
                        {"fell_back", c.fellBack},
                        {"speedup", nlohmann::json::object()},
                        {"answer", toJson(c.answer)}};
    const ComparisonParts all;
    for (const Subject::Kind kind : all.libraries) {
        const std::optional<double> speedup = c.speedup(kind);
        j["speedup"][key(kind)] = speedup ? nlohmann::json(*speedup) : nlohmann::json();
    }
    return j;
}

} // namespace kernelarium::hgemm
