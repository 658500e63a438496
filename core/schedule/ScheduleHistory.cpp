// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/ScheduleHistory.h"

#include "core/schedule/Annealing.h"
#include "core/tuning/store/StoreReader.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::schedule {

namespace {

/// The records of a store that are no steps.
Result<void> readFigures(const std::filesystem::path& path, const std::string& best, ScheduleHistory& history) {
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(path);
    if (!reader) return reader.error();
    for (;;) {
        auto record = reader->next();
        if (!record) return record.error();
        if (!*record) return {};
        if ((*record)->kind == "final") {
            Result<FinalFigure> figure = finalFigureFrom(**record);
            if (!figure) return reader->damaged(reader->lineNumber(), figure.error().message);
            if (figure->hash != best) continue;
            std::erase_if(history.finals, [&](const FinalFigure& old) { return old.mode == figure->mode; });
            history.finals.push_back(std::move(*figure));
        } else if ((*record)->kind == "alternative") {
            Result<Alternative> one = alternativeFrom(**record);
            if (!one) return reader->damaged(reader->lineNumber(), one.error().message);
            std::erase_if(history.alternatives, [&](const Alternative& old) { return old.words == one->words; });
            history.alternatives.push_back(std::move(*one));
        } else if ((*record)->kind == "counters") {
            Result<CounterSet> set = counterSetFrom(**record);
            if (!set) return reader->damaged(reader->lineNumber(), set.error().message);
            std::erase_if(history.counters, [&](const CounterSet& old) { return old.hash == set->hash; });
            history.counters.push_back(std::move(*set));
        }
    }
}

std::string figureOf(double percent) {
    return fmt::format("{:.1f}%", percent);
}

} // namespace

const Step* ScheduleHistory::bestStep() const {
    return best ? &steps[*best] : nullptr;
}

std::uint64_t ScheduleHistory::looked() const {
    return std::uint64_t(
        std::count_if(steps.begin(), steps.end(), [](const Step& one) { return one.number > 0 && !one.isControl(); }));
}

int ScheduleHistory::faults() const {
    const auto steps = byFate.find(std::string(name(Fate::faulted)));
    return (steps == byFate.end() ? 0 : steps->second) +
           int(std::count_if(finals.begin(), finals.end(), [](const FinalFigure& one) { return one.isFaulted; }));
}

const FinalFigure* ScheduleHistory::faultedFinal() const {
    for (const FinalFigure& one : finals)
        if (one.isFaulted) return &one;
    return nullptr;
}

std::vector<std::string> ScheduleHistory::unconfirmed() const {
    std::vector<std::string> missing;
    if (settings.mode != Mode::measured || !best || bestWords == subject.words()) return missing;
    for (const char* timing : {"cold", "hot"})
        if (std::none_of(finals.begin(), finals.end(), [&](const FinalFigure& one) {
                return one.mode == timing && (one.isTimed() || one.isFaulted);
            }))
            missing.emplace_back(timing);
    return missing;
}

std::optional<double> ScheduleHistory::recovered() const {
    if (settings.worsen == 0 || !best || steps.empty() || !steps.front().energy) return std::nullopt;
    const double lost = *steps.front().energy - 100;
    if (lost <= noiseFloor.value_or(0)) return std::nullopt;
    return 100 * (*steps.front().energy - *steps[*best].energy) / lost;
}

Result<ScheduleHistory> readScheduleHistory(const std::filesystem::path& path) {
    Result<StoredSearch> stored = readScheduleStore(path);
    if (!stored) return stored.error();
    ScheduleHistory history{
        std::move(stored->subject), stored->settings, {}, {}, {}, {}, {}, {}, 0, 0, 0, {}, {}, {}, {}, {}};
    Annealing annealing(history.subject, history.settings);
    std::vector<std::int64_t> times;
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(path);
    if (!reader) return reader.error();
    Result<void> read = tuning::eachCandidate(*reader, [&](const tuning::Judged& judged) {
        annealing.hear(judged.candidate, judged.outcome);
        times.push_back(judged.when);
    });
    if (!read) return read.error();
    if (!annealing.disagreement().empty())
        return Error{"damaged_store",
                     fmt::format("{} does not fit its own search: {}.", path.string(), annealing.disagreement())};
    history.steps = annealing.steps();
    for (std::size_t i = 0; i < history.steps.size(); ++i) {
        Step& step = history.steps[i];
        step.when = times[i];
        ++history.byFate[std::string(name(step.fate))];
        for (const auto& [reason, count] : step.drawn)
            history.drawn[reason] += count;
    }
    history.best = annealing.best();
    history.bestPath = annealing.bestPath();
    history.noiseFloor = annealing.noiseFloor();
    history.startWords = annealing.startWords();
    history.bestWords = annealing.bestWords();
    history.originalCost = annealing.originalCost();
    history.startCost = annealing.startCost();
    history.worsened = annealing.worsened();
    if (Result<void> figures = readFigures(path, hashOf(history.bestWords), history); !figures) return figures.error();
    return history;
}

std::optional<std::vector<sass::Word>> withoutMove(const ScheduleHistory& history, std::uint64_t step) {
    Annealing annealing(history.subject, history.settings);
    for (const Step& one : history.steps) {
        tuning::Outcome outcome;
        outcome.kind = one.energy                   ? tuning::Outcome::Kind::valued
                       : one.fate == Fate::unproved ? tuning::Outcome::Kind::refused
                       : one.fate == Fate::faulted  ? tuning::Outcome::Kind::wrong
                                                    : tuning::Outcome::Kind::failed;
        outcome.value = one.energy;
        outcome.details = fmt::format(R"({{"low":{},"high":{},"pairs":{}}})", one.low, one.high, one.pairs);
        const std::string words = one.number == 0 ? "start" : one.isControl() ? "control" : wordsOf(one.move);
        annealing.hear({fmt::format("{} {}", one.number, words)}, outcome);
    }
    return annealing.withoutMove(step);
}

std::string resultWords(const ScheduleHistory& history) {
    const Step* best = history.bestStep();
    if (!best) return "nothing was measured";
    const bool isMeasured = history.settings.mode == Mode::measured;
    const std::string how = isMeasured ? "" : " (modelled, one warp alone)";
    std::string finals;
    if (std::any_of(history.finals.begin(), history.finals.end(),
                    [](const FinalFigure& one) { return one.isTimed() || one.isFaulted; }))
        for (const FinalFigure& one : history.finals)
            finals += (finals.empty() ? "" : "; ") + finalWords(one);
    if (history.faultedFinal()) return finals;
    const char* const unconfirmed = isMeasured ? " as it was searched, not confirmed in a fresh process" : "";
    if (const auto recovered = history.recovered())
        return fmt::format("won back {:.0f}% of what the start had lost: from {} to {} of the original's time{}{}{}",
                           *recovered, figureOf(*history.steps.front().energy), figureOf(*best->energy),
                           finals.empty() ? unconfirmed : " while it was searched", how,
                           finals.empty() ? "" : "; beside the original, " + finals);
    if (!finals.empty()) return finals;
    const double floor = history.noiseFloor.value_or(0);
    if (isMeasured && history.bestWords == history.subject.words())
        return fmt::format("no gain found: none of {} schedules was faster than the original (noise {:.2f}%)",
                           history.looked(), floor);
    const double gain = 100 - *best->energy;
    if (best->high >= 100 || gain <= floor || figureOf(gain) == figureOf(0)) return "no gain found" + how;
    return fmt::format("{} faster{}{}", figureOf(gain), unconfirmed, how);
}

} // namespace kernelarium::schedule
