// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/schedule/HistoryReport.h"

#include "app/cli/Output.h"
#include "core/quantities/Quantities.h"
#include "core/sass/hazards/Distances.h"
#include "core/sass/proof/ScheduleProof.h"
#include "core/schedule/CountersBeside.h"
#include "core/schedule/Patch.h"
#include "core/text/KernelName.h"

#include <cstdio>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <unistd.h>

namespace kernelarium::cli {

using nlohmann::json;
using schedule::ScheduleHistory;
using schedule::Step;

namespace {

std::string countsText(const std::map<std::string, int>& counts) {
    std::string text;
    for (const auto& [what, count] : counts)
        text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    return text.empty() ? "none" : text;
}

std::string energyText(const Step& step) {
    if (!step.energy) return "-";
    if (step.pairs == 0 && !(step.high > step.low)) return fmt::format("{:.2f}%", *step.energy);
    return fmt::format("{:.2f}% ({:.2f} to {:.2f})", *step.energy, step.low, step.high);
}

json stepJson(const Step& step) {
    json j = {{"step", step.number},
              {"fate", schedule::name(step.fate)},
              {"hash", step.hash},
              {"static", step.staticCost},
              {"energy", step.energy ? json(*step.energy) : json()},
              {"low", step.low},
              {"high", step.high},
              {"pairs", step.pairs},
              {"temperature", step.temperature},
              {"best", step.isBest},
              {"when", step.when}};
    if (!step.text.empty()) j["move"] = step.text;
    if (!step.drawn.empty()) j["drawn"] = step.drawn;
    if (step.sameAs) j["same_as"] = *step.sameAs;
    if (!step.reason.empty()) j["reason"] = step.reason;
    return j;
}

std::string alternativeText(const schedule::Alternative& one, double originalCost) {
    std::string out =
        fmt::format("  {:<40} {}", one.words, one.registers ? fmt::format("{} registers", one.registers) : "");
    if (one.instructions > 0)
        out += fmt::format(", {}, {:.0f} cycles modelled, {:+.1f}%",
                           quantities::counted(double(one.instructions), "instruction"), one.staticCost,
                           originalCost > 0 ? 100 * (one.staticCost / originalCost - 1) : 0);
    if (!one.sameAs.empty()) out += fmt::format(", the same code as {}", one.sameAs);
    for (const schedule::FinalFigure& figure : one.figures)
        if (figure.isTimed()) out += "\n    " + finalWords(figure);
    if (!one.refusal.empty()) out += "\n    " + printable(one.refusal);
    return out + "\n";
}

std::string countersText(const schedule::CountersBeside& beside) {
    using Align = TextTable::Align;
    if (beside.rows.empty()) return {};
    TextTable table({{"COUNTER", Align::left},
                     {"UNIT", Align::left},
                     {"ORIGINAL", Align::right},
                     {"SCHEDULE", Align::right},
                     {"CHANGE", Align::right},
                     {"WHAT IT IS", Align::left}});
    const auto number = [](const std::optional<double>& value) {
        return value ? quantities::number(*value, 5) : std::string("-");
    };
    for (const schedule::CountersBeside::Row& row : beside.rows) {
        const std::string change = row.change();
        table.add(
            {row.name, row.unit, number(row.original), number(row.best), change.empty() ? "-" : change, row.meaning});
    }
    return fmt::format("\nOriginal and best, {}:\n{}", beside.from, table.text());
}

} // namespace

std::string historyText(const ScheduleHistory& history) {
    const auto& call = history.subject.call;
    const auto field = [&](const char* name) {
        const auto found = call.find(name);
        return found == call.end() ? std::string() : found->second;
    };
    const bool isModelled = history.settings.mode == schedule::Mode::modelled;
    std::string out = fmt::format("Schedule of {}  ({})\n\n", text::kernelTitle(history.subject.kernel), field("file"));
    out += fmt::format("  result      {}\n", resultWords(history));
    out += fmt::format("  times       {}\n", isModelled ? "MODELLED: one warp alone, no GPU was asked"
                                                        : fmt::format("measured in pairs with the original, {}, on {}",
                                                                      field("timing"), field("device")));
    out += fmt::format("  steps       {} of {}\n", history.looked(), history.settings.steps);
    if (!history.steps.empty()) out += fmt::format("  start       {}\n", energyText(history.steps.front()));
    if (const Step* best = history.bestStep())
        out += fmt::format("  best        {}, step {}\n", energyText(*best), best->number);
    if (history.noiseFloor)
        out += fmt::format("  noise       {:.2f}% (the original against itself)\n", *history.noiseFloor);
    if (history.settings.worsen > 0)
        out += fmt::format("  worsened    by {} of {} asked for, modelled cost {:.0f} to {:.0f}\n",
                           quantities::counted(double(history.worsened), "legal move"), history.settings.worsen,
                           history.originalCost, history.startCost);
    out += fmt::format("  fates       {}\n", countsText(history.byFate));
    out += fmt::format("  not tried   {}\n", countsText(history.drawn));
    for (const schedule::FinalFigure& figure : history.finals)
        out += fmt::format("  final       {}\n", finalWords(figure));
    for (const Step& step : history.steps)
        if (!step.reason.empty())
            out += fmt::format("  step {:<6} {}: {}\n", step.number, name(step.fate), printable(step.reason));
    if (!history.bestPath.empty()) {
        out += fmt::format("\n{} from the start to the best, each proved (distances of {}):\n",
                           quantities::counted(double(history.bestPath.size()), "move"), sass::minedFrom());
        for (const std::uint64_t number : history.bestPath) {
            const Step& step = history.steps[number];
            out += fmt::format("  {:>5}  {:<40} {}\n", number, step.text, energyText(step));
        }
        out += "Taken for granted:\n";
        for (const std::string& one : sass::proofAssumptions())
            out += "  " + one + "\n";
    }
    out += countersText(countersBeside(history));
    if (!history.alternatives.empty()) {
        out += "\nThe same source, assembled otherwise: other code, of which nothing is proved.\n";
        for (const schedule::Alternative& one : history.alternatives)
            out += alternativeText(one, history.originalCost);
    }
    return out;
}

json historyJson(const ScheduleHistory& history, bool withSteps) {
    json finals = json::array(), alternatives = json::array(), path = json::array();
    for (const schedule::FinalFigure& figure : history.finals)
        finals.push_back(toJson(figure));
    for (const schedule::Alternative& one : history.alternatives)
        alternatives.push_back(toJson(one));
    for (const std::uint64_t number : history.bestPath)
        path.push_back({{"step", number}, {"move", history.steps[number].text}});
    const Step* best = history.bestStep();
    json j = {{"kernel", history.subject.kernel},
              {"call", history.subject.call},
              {"mode", schedule::name(history.settings.mode)},
              {"seed", history.settings.seed},
              {"steps_in_all", history.settings.steps},
              {"worsen", history.settings.worsen},
              {"worsened", history.worsened},
              {"steps_done", history.steps.size()},
              {"result", resultWords(history)},
              {"best", best ? stepJson(*best) : json()},
              {"start", history.steps.empty() ? json() : stepJson(history.steps.front())},
              {"noise_floor", history.noiseFloor ? json(*history.noiseFloor) : json()},
              {"recovered_percent", history.recovered() ? json(*history.recovered()) : json()},
              {"original_cost", history.originalCost},
              {"start_cost", history.startCost},
              {"fates", history.byFate},
              {"not_tried", history.drawn},
              {"moves", path},
              {"finals", finals},
              {"alternatives", alternatives},
              {"counters", toJson(countersBeside(history))},
              {"distances_from", sass::minedFrom()},
              {"assumptions", sass::proofAssumptions()}};
    if (withSteps) {
        json steps = json::array();
        for (const Step& step : history.steps)
            steps.push_back(stepJson(step));
        j["steps"] = std::move(steps);
        if (best) j["patches"] = toJson(patchesOf(history.subject, history.bestWords));
    }
    return j;
}

std::string historiesText(const std::vector<ScheduleHistory>& histories, const std::vector<std::string>& names) {
    using Align = TextTable::Align;
    TextTable table({{"SEARCH", Align::left},
                     {"STEPS", Align::right},
                     {"SEARCHED", Align::right},
                     {"NOISE", Align::right},
                     {"COLD", Align::left},
                     {"HOT", Align::left},
                     {"WON BACK", Align::right},
                     {"FAULTS", Align::right}});
    for (std::size_t i = 0; i < histories.size(); ++i) {
        const ScheduleHistory& h = histories[i];
        const bool isModelled = h.settings.mode == schedule::Mode::modelled;
        const auto figure = [&](const char* mode) {
            for (const schedule::FinalFigure& one : h.finals)
                if (one.mode == mode && one.isFaulted)
                    return std::string("FAULTED");
                else if (one.mode == mode && one.isTimed())
                    return fmt::format("{:+.2f}% ({:+.2f} to {:+.2f}){}", 100 * (one.ratio - 1), 100 * (one.low - 1),
                                       100 * (one.high - 1), one.isFaster() ? "" : ", no gain");
            const bool isOriginal = h.best && h.bestWords == h.subject.words();
            return std::string(isOriginal && !isModelled ? "no gain found" : "-");
        };
        const Step* best = h.bestStep();
        table.add(
            {names[i], std::to_string(h.steps.size()),
             best ? fmt::format("{:+.2f}%{}", *best->energy - 100, isModelled ? " modelled" : "") : "-",
             h.noiseFloor ? fmt::format("{:.2f}%", *h.noiseFloor) : "-", figure("cold"), figure("hot"),
             h.recovered() ? fmt::format("{:.0f}% {}", *h.recovered(), isModelled ? "modelled" : "as searched") : "-",
             std::to_string(h.faults())});
    }
    return "Time beside the original's: below zero is faster. Cold and hot: a fresh process each, with its interval.\n" +
           table.text();
}

json toJson(const schedule::Expectation& e) {
    return {{"warps_a_scheduler", e.warps ? json(*e.warps) : json()},
            {"hot_instructions", e.hotInstructions},
            {"movable", e.movable},
            {"pipes", e.pipes},
            {"limit", e.limit},
            {"worth_it", e.isWorthIt},
            {"words", e.words}};
}

Result<void> exportBest(const ScheduleHistory& history, const std::filesystem::path& folder) {
    if (!history.best) return Error{"no_schedule", "There is no best schedule to write: nothing was measured."};
    if (const schedule::FinalFigure* faulted = history.faultedFinal())
        return Error{"faulted", "The best schedule is not written. " + finalWords(*faulted)};
    const sass::Cubin best = history.bestCubin();
    const sass::ScheduleProof proof = sass::proveSchedule(history.subject.original, best, sass::minedDistances());
    if (proof.refusal)
        return Error{"not_proved", fmt::format("The best schedule is not written, for it is not proved, {}: {}",
                                               sass::name(proof.refusal->rule), proof.refusal->text)};
    std::error_code problem;
    std::filesystem::create_directories(folder, problem);
    const auto put = [&](const char* name, const char* bytes, std::size_t size) -> Result<void> {
        std::ofstream out(folder / name, std::ios::binary);
        out.write(bytes, std::streamsize(size));
        out.close();
        if (!out)
            return Error{"unwritable_file", fmt::format("{} could not be written to {}.", name, folder.string()),
                         "Check the folder."};
        return {};
    };
    if (Result<void> done = put("best.cubin", reinterpret_cast<const char*>(best.bytes().data()), best.bytes().size());
        !done)
        return done;
    const std::vector<schedule::Patch> patches = patchesOf(history.subject, history.bestWords);
    const std::string text = patchText(history.subject, patches), j = toJson(patches).dump(1) + "\n";
    if (Result<void> done = put("best.patch", text.data(), text.size()); !done) return done;
    return put("best.patch.json", j.data(), j.size());
}

ScheduleProgressLine::ScheduleProgressLine()
    : m_terminal(::isatty(STDERR_FILENO) == 1)
    , m_last(std::chrono::steady_clock::now()) {}

void ScheduleProgressLine::show(const schedule::ScheduleProgress& p) {
    const auto now = std::chrono::steady_clock::now();
    const auto between = m_terminal ? std::chrono::milliseconds(100) : std::chrono::milliseconds(10000);
    if (now - m_last < between) return;
    m_last = now;
    const std::string line = fmt::format(
        "{} of {}, best {}, now {}, temperature {:.2f}%{}", p.steps, p.total,
        p.best ? fmt::format("{:.2f}%", *p.best) : "-", p.current ? fmt::format("{:.2f}%", *p.current) : "-",
        p.temperature, p.secondsLeft ? ", " + quantities::seconds(*p.secondsLeft) + " left" : std::string());
    fmt::print(stderr, "{}{}{}", m_terminal ? "\r\x1b[K" : "", line, m_terminal ? "" : "\n");
}

void ScheduleProgressLine::end() const {
    if (m_terminal) fmt::print(stderr, "\r\x1b[K");
}

} // namespace kernelarium::cli
