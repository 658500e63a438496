// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/ScheduleSearch.h"

#include "core/files/Base64.h"
#include "core/sass/instruction/Decoder.h"
#include "core/sass/proof/ScheduleProof.h"
#include "core/tuning/store/StoreReader.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>
#include <set>

namespace kernelarium::schedule {

namespace {

using nlohmann::json;
using tuning::Outcome;

constexpr const char* scheduleKind = "schedule";
constexpr std::uint64_t stepsOnOneInput = 64; // drawing inputs of the published size takes longer than a step

/// Hands the annealing's steps on, and keeps each best schedule in full.
class KeptAnnealing : public tuning::Proposer {
public:
    KeptAnnealing(Annealing& annealing, tuning::Store& store, const ScheduleWatch& watch, std::set<std::string> kept)
        : m_annealing(annealing)
        , m_store(store)
        , m_watch(watch)
        , m_kept(std::move(kept)) {}

    std::vector<tuning::Candidate> propose(std::size_t most) override {
        m_isResumed = true;
        if (!keepBest()) return {};
        return m_annealing.propose(most);
    }
    void hear(const tuning::Candidate& candidate, const Outcome& outcome) override {
        const std::size_t before = m_annealing.steps().size();
        m_annealing.hear(candidate, outcome);
        if (m_annealing.steps().size() == before) return;
        if (m_isResumed) keepBest();
        if (m_watch.step) m_watch.step(m_annealing.steps().back());
    }
    [[nodiscard]] std::optional<std::uint64_t> total() const override { return m_annealing.total(); }
    [[nodiscard]] const std::optional<Error>& error() const { return m_error; }

private:
    bool keepBest() {
        const std::optional<std::uint64_t> best = m_annealing.best();
        if (!best || m_error) return !m_error;
        const std::string hash = hashOf(m_annealing.bestWords());
        if (!m_kept.insert(hash).second) return true;
        Result<tuning::Record> record =
            tuning::recordOf(scheduleKind, {{"key", hash},
                                            {"step", *best},
                                            {"energy", *m_annealing.steps()[*best].energy},
                                            {"code", files::toBase64(sass::bytesOf(m_annealing.bestWords()))}});
        Result<void> kept = record ? m_store.append(*record) : Result<void>(record.error());
        if (!kept) m_error = kept.error();
        return bool(kept);
    }

    Annealing& m_annealing;
    tuning::Store& m_store;
    const ScheduleWatch& m_watch;
    std::set<std::string> m_kept; ///< hashes
    bool m_isResumed = false;
    std::optional<Error> m_error;
};

/// Proves what is proposed, and has it measured.
class Judge : public tuning::Evaluation {
public:
    Judge(const Subject& subject, const Settings& settings, const Annealing& annealing, Measurer& measurer)
        : m_subject(subject)
        , m_settings(settings)
        , m_annealing(annealing)
        , m_measurer(measurer)
        , m_original(subject.words()) {}

    Result<std::string> secondKey(const tuning::Candidate&) override {
        const Step& step = m_annealing.proposed();
        return step.fate == Fate::control ? std::string() : step.hash;
    }

    Result<Outcome> evaluate(const tuning::Candidate&, std::stop_token stop) override {
        const Step& step = m_annealing.proposed();
        const std::vector<sass::Word>& words = m_annealing.proposedWords();
        const bool isOwn = step.number == 0 || step.fate == Fate::control;
        json details;
        if (!(words == m_original)) {
            const sass::ScheduleProof proof =
                sass::proveCode(m_original, words, m_subject.code().listed, m_subject.original.computeCapability(),
                                sass::minedDistances());
            details["proof"] = proof.isProved() ? "proved" : sass::name(proof.refusal->rule);
            details["moved"] = proof.counts.moved;
            if (proof.refusal)
                return Outcome{Outcome::Kind::refused, std::nullopt,
                               fmt::format("not proved, {}: {}", sass::name(proof.refusal->rule), proof.refusal->text),
                               details.dump(-1, ' ', false, json::error_handler_t::replace)};
        }
        Race race;
        if (const auto best = m_annealing.best()) {
            race.best = *m_annealing.steps()[*best].energy / 100;
            // What is plainly slower than where the walk stands is hardly ever accepted.
            if (!isOwn) race.dropAbove = Race::margin * m_annealing.currentEnergy() / 100;
        }
        const std::uint64_t seed = m_settings.seed + step.number / stepsOnOneInput;
        const Result<Measurement> got = m_measurer.measure(m_subject.with(words), race, seed, stop);
        if (!got) return got.error();
        // Without these two nothing that follows means anything; whoever goes on looks at them again.
        if (!got->failure.empty() && isOwn)
            return Error{"not_measured",
                         fmt::format("{} could not be measured: {}.",
                                     step.number == 0 ? "The start" : "The original against itself", got->failure),
                         "See that the GPU is there and the kernel runs; the same command goes on."};
        if (!got->failure.empty())
            return Outcome{Outcome::Kind::failed, std::nullopt, got->failure, details.is_null() ? "" : details.dump()};
        if (!got->fault.empty()) {
            // The pair is the evidence: the original is in the store, and this is the other.
            details["code"] = files::toBase64(sass::bytesOf(words));
            details["seed"] = seed;
            return Outcome{Outcome::Kind::wrong, std::nullopt, got->fault, details.dump()};
        }
        details["low"] = got->low;
        details["high"] = got->high;
        details["pairs"] = got->pairs;
        if (!got->samples.empty()) details["samples"] = got->samples;
        Outcome outcome{Outcome::Kind::valued, got->energy, {}, details.dump()};
        outcome.unproven = step.fate == Fate::control;
        return outcome;
    }

private:
    const Subject& m_subject;
    const Settings& m_settings;
    const Annealing& m_annealing;
    Measurer& m_measurer;
    std::vector<sass::Word> m_original;
};

/// Keeps steps with what is known of them beside the outcome.
class StepKeeper : public tuning::Keeper {
public:
    StepKeeper(tuning::Store& store, const Annealing& annealing)
        : m_store(store)
        , m_annealing(annealing) {}
    Result<void> each(const std::function<void(const tuning::Judged&)>& take) override { return m_store.each(take); }
    Result<void> keep(const tuning::Judged& judged) override {
        const Step& step = m_annealing.proposed();
        tuning::Judged kept = judged;
        json details = json::parse(judged.outcome.details, nullptr, false);
        if (!details.is_object()) details = json::object();
        details["parent"] = m_annealing.currentHash();
        details["hash"] = step.hash;
        details["static"] = step.staticCost;
        details["temperature"] = step.temperature;
        if (!step.text.empty()) details["text"] = step.text;
        if (!step.drawn.empty()) details["drawn"] = step.drawn;
        kept.outcome.details = details.dump();
        return m_store.keep(kept);
    }

private:
    tuning::Store& m_store;
    const Annealing& m_annealing;
};

Result<std::set<std::string>> keptSchedules(const std::filesystem::path& path) {
    Result<tuning::StoreReader> reader = tuning::StoreReader::open(path);
    if (!reader) return reader.error();
    std::set<std::string> hashes;
    for (;;) {
        auto record = reader->next();
        if (!record) return record.error();
        if (!*record) return hashes;
        if ((*record)->kind == scheduleKind) hashes.insert((*record)->key());
    }
}

ScheduleProgress progressOf(const Annealing& annealing, const tuning::Progress& search) {
    ScheduleProgress progress;
    progress.steps = annealing.looked();
    progress.total = annealing.total().value_or(0);
    progress.temperature = annealing.temperature();
    if (const auto best = annealing.best()) {
        progress.best = annealing.steps()[*best].energy;
        progress.current = annealing.currentEnergy();
        progress.start = annealing.steps().front().energy;
    }
    progress.noiseFloor = annealing.noiseFloor();
    progress.seconds = search.seconds;
    progress.isPaused = search.paused;
    const double done = double(search.done() - search.resumed);
    if (done > 0 && search.seconds > 0)
        progress.secondsLeft = search.seconds / done * double(progress.total - progress.steps);
    return progress;
}

} // namespace

Result<ScheduleEnd> runScheduleSearch(const Subject& subject, const Settings& settings, Measurer& measurer,
                                      tuning::Store& store, const ScheduleWatch& watch, const std::stop_token& stop) {
    if (measurer.mode() != settings.mode)
        return Error{"bad_input", "Measured and modelled times do not go into one search."};
    Result<std::set<std::string>> kept = keptSchedules(store.path());
    if (!kept) return kept.error();
    Annealing annealing(subject, settings);
    KeptAnnealing proposer(annealing, store, watch, std::move(*kept));
    Judge judge(subject, settings, annealing, measurer);
    StepKeeper keeper(store, annealing);
    tuning::SearchParts parts{proposer, judge, &keeper};
    parts.pause = watch.pause;
    if (watch.progress)
        parts.progress = [&](const tuning::Progress& search) { watch.progress(progressOf(annealing, search)); };
    Result<tuning::Ended> ended = tuning::runSearch(parts, {}, stop);
    if (!ended) return ended.error();
    if (proposer.error()) return *proposer.error();
    if (!annealing.disagreement().empty())
        return Error{"damaged_store", fmt::format("{} does not fit its own search: {}.", store.path().string(),
                                                  annealing.disagreement())};
    ScheduleEnd end{ScheduleEnd::Why::done, progressOf(annealing, ended->progress)};
    if (ended->why == tuning::Ended::Why::stopped)
        end.why = ScheduleEnd::Why::stopped;
    else if (annealing.faults() >= Annealing::mostFaults)
        end.why = ScheduleEnd::Why::faults;
    else if (annealing.looked() < settings.steps)
        end.why = ScheduleEnd::Why::nothingMoves;
    return end;
}

} // namespace kernelarium::schedule
