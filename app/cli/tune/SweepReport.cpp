// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/tune/SweepReport.h"

#include "app/cli/Output.h"
#include "app/cli/tune/SizesReport.h"
#include "core/quantities/Quantities.h"
#include "core/tuning/search/Summary.h"
#include "core/tuning/store/Record.h"
#include "core/tuning/strategies/Importance.h"
#include "core/tuning/strategies/SweepTable.h"
#include "gpu/protocol/BestText.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <string_view>
#include <tuple>
#include <unistd.h>

namespace kernelarium::cli {

namespace {

using nlohmann::json;
using tuning::Judged;
using tuning::Outcome;
using Align = TextTable::Align;

constexpr std::uint64_t mostCounted = 10'000'000;

json detailsOf(const Judged& judged) {
    json details = json::parse(judged.outcome.details, nullptr, false);
    return details.is_object() ? details : json::object();
}

std::string wordAt(const json& details, const char* name) {
    const auto at = details.find(name);
    if (at == details.end()) return "-";
    return at->is_string() ? at->get<std::string>() : at->dump();
}

const Judged* startOf(const protocol::SweepRequest& request, const std::vector<Judged>& all) {
    const std::string key = request.tunable.space.key(request.tunable.space.start());
    const auto found = std::find_if(all.begin(), all.end(),
                                    [&](const Judged& j) { return j.candidate.key == key && j.candidate.effort >= 1; });
    return found == all.end() ? nullptr : &*found;
}

/// By Outcome::Kind; last those that were refused before they were compiled, which the others leave out.
std::array<std::size_t, 5> countsOf(const std::vector<Judged>& all) {
    std::array<std::size_t, 5> counts{};
    for (const Judged& judged : all)
        ++counts[judged.filtered ? 4 : std::size_t(judged.outcome.kind)];
    return counts;
}

/// Ranked ones first, then wrong, refused, failed ones, and last those that were not compiled.
std::vector<tuning::SweepTable::Line> ordered(const tuning::SweepTable& table, const std::vector<Judged>& all) {
    auto lines = table.lines;
    const auto group = [&all](const tuning::SweepTable::Line& line) {
        if (line.rank) return 0;
        if (all[line.candidate].filtered) return 5;
        switch (all[line.candidate].outcome.kind) {
        case Outcome::Kind::valued: return 1;
        case Outcome::Kind::wrong: return 2;
        case Outcome::Kind::refused: return 3;
        case Outcome::Kind::failed: break;
        }
        return 4;
    };
    const auto place = [&](const tuning::SweepTable::Line& line) {
        return std::tuple(group(line), line.rank.value_or(0), std::string_view(all[line.candidate].candidate.key));
    };
    std::stable_sort(lines.begin(), lines.end(), [&](const auto& a, const auto& b) { return place(a) < place(b); });
    return lines;
}

/// No character of UTF-8 is cut in two.
std::string oneLine(const std::string& text, std::size_t most) {
    std::string line = printable(text);
    std::replace_if(
        line.begin(), line.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    if (line.size() <= most) return line;
    while (most > 0 && (static_cast<unsigned char>(line[most]) & 0xC0) == 0x80)
        --most;
    return line.substr(0, most);
}

/// "verified", and where, when that is not where it was modelled or timed.
std::string resultOf(const protocol::SweepRequest& request, const Judged& judged, const json& details) {
    if (judged.outcome.kind == Outcome::Kind::valued) {
        const std::string verdict = wordAt(details, "verdict"), size = wordAt(details, "size");
        if (verdict == "-") return "not verified";
        return size == "-" || size == request.points.size ? verdict : verdict + " at " + size;
    }
    if (judged.filtered) return "not compiled: " + judged.outcome.reason;
    const std::string word(tuning::wordOf(judged.outcome.kind));
    return judged.outcome.reason.starts_with(word) ? judged.outcome.reason : word + ": " + judged.outcome.reason;
}

std::string rowsText(const protocol::SweepRequest& request, const std::vector<Judged>& all, std::size_t most) {
    const tuning::Space& space = request.tunable.space;
    std::vector<TextTable::Column> columns{{"RANK", Align::right}};
    for (const tuning::Parameter& parameter : space.parameters())
        columns.push_back({parameter.name, Align::right});
    for (const char* title : {"TIME", "TO BEST"})
        columns.push_back({title, Align::right});
    columns.push_back({"REGISTERS", Align::right});
    columns.push_back({"LIMITER"});
    columns.push_back({"RESULT"});
    TextTable text(columns);
    std::size_t shown = 0;
    for (const auto& line : ordered(tuning::tableOf(space, all), all)) {
        if (most > 0 && shown++ >= most) break;
        const Judged& judged = all[line.candidate];
        const json details = detailsOf(judged);
        std::vector<std::string> cells{line.rank ? std::to_string(*line.rank) : "-"};
        for (std::size_t i = 0; i < space.parameters().size(); ++i)
            cells.push_back(tuning::textOf(space.value(line.point, i)));
        cells.push_back(judged.outcome.value ? quantities::seconds(*judged.outcome.value) : "-");
        cells.push_back(line.ratio ? quantities::times(*line.ratio) : "-");
        cells.push_back(wordAt(details, "registers"));
        cells.push_back(wordAt(details, "limiter"));
        cells.push_back(oneLine(resultOf(request, judged, details), 60));
        text.add(std::move(cells));
    }
    return text.text();
}

json rowJson(const protocol::SweepRequest& request, const Judged& judged, const tuning::SweepTable::Line& line) {
    const tuning::Space& space = request.tunable.space;
    json parameters = json::object();
    for (std::size_t i = 0; i < space.parameters().size(); ++i)
        std::visit([&](const auto& value) { parameters[space.parameters()[i].name] = value; },
                   space.value(line.point, i));
    return {{"key", judged.candidate.key},
            {"parameters", std::move(parameters)},
            {"outcome", tuning::wordOf(judged.outcome.kind)},
            {"value_ms", judged.outcome.value ? json(*judged.outcome.value * 1e3) : json(nullptr)},
            {"rank", line.rank ? json(*line.rank) : json(nullptr)},
            {"reason", judged.outcome.reason},
            {"filtered", judged.filtered},
            {"details", detailsOf(judged)},
            {"seconds", judged.seconds}};
}

} // namespace

std::string sweepText(const protocol::SweepRequest& request, const std::vector<Judged>& all,
                      const std::vector<protocol::Confirmation>& confirmations, std::size_t most) {
    const tuning::Space& space = request.tunable.space;
    const auto counts = countsOf(all);
    std::string text = fmt::format("{}{}  ({})\n", request.label, request.task.empty() ? "" : "  task " + request.task,
                                   protocol::valueWords(request));
    const auto allowed = space.countAllowed(mostCounted);
    text += fmt::format("  points     {} looked at of {}: {} with a time, {} refused, {} wrong, {} failed\n",
                        all.size() - counts[4], allowed ? quantities::count(double(*allowed)) : "very many", counts[0],
                        counts[1], counts[2], counts[3]);
    if (counts[4] > 0)
        text += fmt::format("  left out   {} before they were compiled, each with its reason\n", counts[4]);
    for (const std::string& remark : request.tunable.remarks)
        text += fmt::format("  space      {}\n", printable(remark));
    const Judged* start = startOf(request, all);
    const Judged* best = protocol::bestOf(all);
    const auto line = [](const char* what, const Judged& judged) {
        return fmt::format("  {:<10} {}  {}\n", what, quantities::seconds(*judged.outcome.value), judged.candidate.key);
    };
    if (start && start->outcome.value) text += line("as it was", *start);
    if (!best)
        text += "  best       none: no point has a time and right results.\n";
    else {
        text += line("best", *best);
        if (start && start->ranks() && start == best)
            text += "  Nothing faster than the kernel as it stands was found.\n";
        else if (start && start->ranks())
            text += fmt::format("  The best is {} as fast as the kernel as it stands.\n",
                                quantities::times(*start->outcome.value / *best->outcome.value));
        for (const protocol::Confirmation& confirmation : confirmations)
            text += fmt::format("  {:<10} {}\n", confirmations.size() > 1 ? confirmation.size : "again",
                                printable(protocol::confirmationWords(confirmation)));
    }
    if (const auto importance = tuning::importanceOf(space, all)) {
        text += "  matters   ";
        for (std::size_t i = 0; i < space.parameters().size(); ++i)
            text += fmt::format(" {} {}", space.parameters()[i].name, quantities::percent(importance->shares[i]));
        text += fmt::format("  (a forest that explains {} of the variance)\n",
                            quantities::percent(std::max(0.0, importance->explained)));
    }
    return text + "\n" + sizesText(request, all) + rowsText(request, all, most);
}

json sweepJson(const protocol::SweepRequest& request, const std::vector<Judged>& all,
               const std::vector<protocol::Confirmation>& confirmations) {
    const tuning::Space& space = request.tunable.space;
    const auto counts = countsOf(all);
    const tuning::SweepTable table = tuning::tableOf(space, all);
    json rows = json::array();
    json best = nullptr, start = nullptr;
    const Judged* bestPoint = protocol::bestOf(all);
    const Judged* startPoint = startOf(request, all);
    for (const auto& line : ordered(table, all)) {
        rows.push_back(rowJson(request, all[line.candidate], line));
        if (&all[line.candidate] == bestPoint) best = rows.back();
        if (&all[line.candidate] == startPoint) start = rows.back();
    }
    json curve = json::array();
    for (const tuning::BestStep& step : tuning::bestSoFar(all))
        curve.push_back({{"looks", step.looks}, {"value_ms", step.value * 1e3}, {"key", step.key}});
    json importance = json::array();
    if (const auto found = tuning::importanceOf(space, all))
        for (std::size_t i = 0; i < space.parameters().size(); ++i)
            importance.push_back({{"parameter", space.parameters()[i].name}, {"share", found->shares[i]}});
    json confirmed = json::array();
    for (const protocol::Confirmation& confirmation : confirmations)
        confirmed.push_back(toJson(confirmation));
    const auto allowed = space.countAllowed(mostCounted);
    return {{"kernel", request.label},
            {"task", request.task.empty() ? json(nullptr) : json(request.task)},
            {"size", request.points.size},
            {"value", request.points.run.backend == "cuda" ? "measured" : "modelled"},
            {"device", request.points.run.backend == "cuda" ? json(nullptr) : json(request.points.device)},
            {"strategy", request.strategy},
            {"remarks", request.tunable.remarks},
            {"points", space.size()},
            {"allowed", allowed ? json(*allowed) : json(nullptr)},
            {"counts",
             {{"valued", counts[0]},
              {"refused", counts[1]},
              {"wrong", counts[2]},
              {"failed", counts[3]},
              {"filtered", counts[4]}}},
            {"start", start},
            {"best", best},
            {"sizes", sizesJson(request, all)},
            {"confirmations", std::move(confirmed)},
            {"best_so_far", curve},
            {"importance", importance},
            {"rows", rows}};
}

std::string comparisonText(const tuning::Comparison& comparison) {
    std::vector<TextTable::Column> columns{{"STRATEGY"}};
    for (const double looks : comparison.looks)
        columns.push_back({fmt::format("AFTER {:g}", looks), Align::right});
    TextTable table(columns);
    for (const auto& line : comparison.lines) {
        std::vector<std::string> cells{line.strategy};
        for (const double ratio : line.ratios)
            cells.push_back(std::isfinite(ratio) ? fmt::format("{:.3f}", ratio) : "-");
        table.add(std::move(cells));
    }
    return fmt::format("Best value found by the optimum, median of the seeds; {} points recorded, {} with a value.\n"
                       "optimum    {}  {}\n\n",
                       comparison.points, comparison.valued, quantities::seconds(comparison.optimum),
                       comparison.optimumKey) +
           table.text();
}

json comparisonJson(const tuning::Comparison& comparison) {
    json lines = json::array();
    for (const auto& line : comparison.lines) {
        json ratios = json::array();
        for (const double ratio : line.ratios)
            ratios.push_back(std::isfinite(ratio) ? json(ratio) : json(nullptr));
        lines.push_back({{"strategy", line.strategy}, {"ratios", std::move(ratios)}});
    }
    return {{"looks", comparison.looks},        {"optimum_ms", comparison.optimum * 1e3},
            {"optimum", comparison.optimumKey}, {"points", comparison.points},
            {"valued", comparison.valued},      {"missing", comparison.missing},
            {"strategies", std::move(lines)}};
}

SweepProgressLine::SweepProgressLine()
    : m_terminal(::isatty(STDERR_FILENO) == 1)
    , m_last(std::chrono::steady_clock::now()) {}

void SweepProgressLine::show(const tuning::Progress& progress) {
    const auto now = std::chrono::steady_clock::now();
    const auto pause = m_terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
    if (now - m_last < pause) return;
    m_last = now;
    std::string line = fmt::format("{} points", progress.done());
    if (progress.total) line = fmt::format("{} of {} points", progress.done(), *progress.total);
    if (progress.perSecond > 0) line += fmt::format(", {:.2f}/s", progress.perSecond);
    if (progress.secondsLeft) line += ", time left: " + quantities::timeLeft(*progress.secondsLeft);
    if (progress.best && progress.best->outcome.value)
        line += fmt::format("; best {} {}", quantities::seconds(*progress.best->outcome.value),
                            progress.best->candidate.key);
    if (m_terminal)
        fmt::print(stderr, "\r\033[K{}", oneLine(line, 118));
    else
        fmt::print(stderr, "{}\n", printable(line));
    std::fflush(stderr);
}

void SweepProgressLine::end() const {
    if (m_terminal) fmt::print(stderr, "\r\033[K");
}

} // namespace kernelarium::cli
