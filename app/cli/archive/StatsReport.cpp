// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/archive/StatsReport.h"

#include <cmath>

namespace kernelarium::cli {
namespace {

using nlohmann::json;

json realOrNull(double value) {
    return std::isnan(value) ? json() : json(value);
}

json groupsJson(const std::vector<archive::GroupStatistics>& groups) {
    json list = json::array();
    for (const auto& group : groups)
        list.push_back(groupJson(group));
    return list;
}

json fastJson(const statistics::FastCurve& curve) {
    json points = json::array();
    for (const auto& point : curve.points)
        points.push_back({{"p", point.p},
                          {"tasks_native", point.tasksNative},
                          {"tasks_compile", point.tasksCompile},
                          {"kernels_native", point.kernelsNative},
                          {"kernels_compile", point.kernelsCompile}});
    return {{"tasks", curve.tasks},
            {"kernels", curve.kernels},
            {"tasks_without_claim", curve.tasksUnclaimed},
            {"kernels_without_claim", curve.kernelsUnclaimed},
            {"points", points}};
}

json binsJson(const statistics::SpeedupBins& bins) {
    json edges = json::array();
    for (int i = 0; i <= statistics::SpeedupBins::count; ++i)
        edges.push_back(statistics::SpeedupBins::lowerEdge(i));
    return {{"edges", edges},
            {"native", bins.native},
            {"compile", bins.compile},
            {"below_native", bins.belowNative},
            {"above_native", bins.aboveNative},
            {"below_compile", bins.belowCompile},
            {"above_compile", bins.aboveCompile}};
}

json errorsJson(const statistics::ErrorCounts& counts) {
    json errors = json::object();
    for (std::size_t i = 0; i < counts.byKind.size(); ++i)
        errors[std::string(archive::errorKindWords[i])] = counts.byKind[i];
    errors["unknown"] = counts.unknown;
    return errors;
}

json bestJson(const archive::KernelTable& table, statistics::Rows best) {
    json list = json::array();
    for (const auto row : best)
        list.push_back({{"level", table.level[row]},
                        {"task", table.task[row]},
                        {"label", table.label(row)},
                        {"speedup_native", table.speedupNative[row]},
                        {"speedup_compile", realOrNull(table.speedupCompile[row])}});
    return list;
}

json wordsJson(const std::vector<statistics::NameWord>& words) {
    json list = json::array();
    for (const auto& word : words)
        list.push_back({{"word", word.word},
                        {"kernels", word.kernels},
                        {"tasks", word.tasks},
                        {"median_relative_speedup", word.medianRelative},
                        {"median_speedup_native", word.medianSpeedup}});
    return list;
}

} // namespace

json groupJson(const archive::GroupStatistics& group) {
    const auto share = [](std::int64_t part, std::int64_t whole) {
        return whole > 0 ? json(double(part) / double(whole)) : json();
    };
    json j = {{"rows", group.rows},
              {"correct", group.correct},
              {"incorrect", group.incorrect},
              {"unknown", group.unknown},
              {"share_correct", share(group.correct, group.correct + group.incorrect)},
              {"with_error", group.withError},
              {"tasks", group.tasks},
              {"tasks_with_claim", group.tasksClaimed},
              {"tasks_with_correct", group.tasksWithCorrect},
              {"conversion_rate", share(group.tasksWithCorrect, group.tasksClaimed)},
              {"tasks_faster_than_native", group.tasksFasterThanNative},
              {"share_faster_than_native", realOrNull(group.shareFasterThanNative)},
              {"share_faster_than_compile", realOrNull(group.shareFasterThanCompile)},
              {"share_over_2x_native", realOrNull(group.shareOverTwiceNative)},
              {"share_over_2x_compile", realOrNull(group.shareOverTwiceCompile)},
              {"median_speedup_native", realOrNull(group.medianSpeedupNative)},
              {"median_speedup_compile", realOrNull(group.medianSpeedupCompile)},
              {"best_speedup_native", realOrNull(group.bestSpeedupNative)},
              {"median_runtime_ms", realOrNull(group.medianRuntime)}};
    if (group.level != 0) j["level"] = group.level;
    if (group.task != 0) j["task"] = group.task;
    if (group.operatorClass) j["class"] = archive::operatorClassWord(*group.operatorClass);
    return j;
}

json selectionJson(const archive::KernelTable& table, const statistics::Description& description) {
    json j = groupJson(description.groups.all);
    j["levels"] = groupsJson(description.groups.levels);
    j["classes"] = groupsJson(description.groups.classes);
    j["per_task"] = groupsJson(description.groups.tasks);
    j["fast_p"] = fastJson(description.fast);
    j["speedup_bins"] = binsJson(description.bins);
    j["errors"] = errorsJson(description.errors);
    j["best"] = bestJson(table, description.best);
    j["name_words"] = wordsJson(description.words);
    return j;
}

json profilesJson(const statistics::ProfileStatistics& profiles) {
    json metrics = json::array();
    for (const auto& metric : profiles.metrics)
        metrics.push_back({{"metric", metric.metric},
                           {"unit", metric.unit},
                           {"fast", metric.fast},
                           {"slow", metric.slow},
                           {"median_fast", realOrNull(metric.medianFast)},
                           {"median_slow", realOrNull(metric.medianSlow)}});
    return {{"clang_tidy",
             {{"kernels", profiles.tidied},
              {"warnings", profiles.warnings},
              {"mean", realOrNull(profiles.meanWarnings)},
              {"median", realOrNull(profiles.medianWarnings)},
              {"by_check", profiles.warningsByCheck}}},
            {"ncu", {{"kernels", profiles.profiled}, {"metrics", metrics}, {"rules", profiles.rules}}},
            {"unreadable", profiles.unreadable}};
}

json contradictionsJson(const archive::KernelTable& table, const statistics::Findings& findings) {
    json list = json::array();
    for (const auto& contradiction : findings.contradictions)
        list.push_back(
            {{"label", table.label(contradiction.row)}, {"archived", "correct"}, {"verdict", contradiction.verdict}});
    return {{"judged", findings.judged.size()}, {"failing", findings.failing.size()}, {"contradictions", list}};
}

} // namespace kernelarium::cli
