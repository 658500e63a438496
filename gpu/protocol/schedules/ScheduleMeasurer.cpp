// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/schedules/ScheduleMeasurer.h"

#include "gpu/protocol/Trial.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::protocol {

namespace {

/// Errors of a child that say nothing of the code that it ran.
bool isOfTheMachine(const Error& error) {
    return error.code == "missing_component" || error.code == "unsupported" || error.code == "bad_request" ||
           error.code == "protocol" || error.code == "cancelled";
}

/// Runs that say nothing of the code either: their ends are those of the place, not of the kernel.
bool isOfThePlace(const std::string& end) {
    return end == name(verify::RunEnd::out_of_memory) || end == name(verify::RunEnd::cancelled) ||
           end == name(verify::RunEnd::unsupported);
}

/// What a race has against its candidate: a child that died, an end that the original did not come to, other bits.
/// Empty: nothing.
std::string accusation(const Result<RaceSummary>& raced) {
    if (!raced) return isOfTheMachine(raced.error()) ? std::string() : raced.error().message;
    if (raced->end == "finished") return raced->difference;
    return raced->endedInOriginal || isOfThePlace(raced->end) ? std::string() : raced->end + ": " + raced->reason;
}

} // namespace

ScheduleMeasurer::ScheduleMeasurer(RunParameters original, std::string timing,
                                   std::function<std::unique_ptr<WorkerClient>()> start)
    : m_original(std::move(original))
    , m_timing(std::move(timing))
    , m_start(std::move(start))
    , m_runner(m_start()) {}

/// The child is told no more than it has to be: what stays on the GPU is named, and only the first race on it is sent
/// as a whole. Errors: those of WorkerClient::call and of the child.
Result<RaceSummary> ScheduleMeasurer::race(WorkerClient& child, const RaceParameters& p,
                                           const std::stop_token& stop) const {
    WorkerClient::CallOptions options;
    options.timeLimit = childLimit("race", p.time.run.timeLimit);
    options.stop = stop;
    if (!p.apart) {
        const NextRace next{p.bench, p.time.run.unit->cubin, p.time.mode, p.race, p.pairs, p.time.run.timeLimit};
        const Result<nlohmann::json> answer = child.call("race_again", toJson(next), options);
        if (answer) return raceSummaryFromJson(*answer);
        if (answer.error().code != "unknown_bench") return answer.error();
    }
    const Result<nlohmann::json> answer = child.call("race", toJson(p), options);
    if (!answer) return answer.error();
    return raceSummaryFromJson(*answer);
}

KernelClient::Unit ScheduleMeasurer::unitWith(const sass::Cubin& cubin) const {
    auto unit = std::make_shared<compile::CompiledUnit>(*m_original.unit);
    unit->cubin = cubin.bytes();
    return unit;
}

RaceParameters ScheduleMeasurer::parametersOf(KernelClient::Unit candidate, const std::string& timing,
                                              std::uint64_t seed) const {
    RaceParameters p;
    p.time.run = m_original;
    p.time.run.unit = std::move(candidate);
    p.time.run.referenceUnit.reset();
    p.time.run.claim.reset();
    p.time.run.seed = seed;
    p.time.mode = timing;
    p.time.energy = false;
    p.time.against = m_original.unit;
    p.time.againstName = "the original";
    p.bench = fmt::format("inputs {}", seed); // a child has one original
    return p;
}

/// A second look at what a race has against its candidate: with the same inputs the original runs against itself, then
/// the candidate once more. Empty: it went wrong again, and the original did not.
Result<std::string> ScheduleMeasurer::whyNotBlamed(WorkerClient& child, const RaceParameters& parameters,
                                                   const std::stop_token& stop) const {
    RaceParameters control = parametersOf(m_original.unit, parameters.time.mode, parameters.time.run.seed);
    control.pairs = schedule::Race::first;
    const Result<RaceSummary> alone = race(child, control, stop);
    if (!alone && isOfTheMachine(alone.error())) return alone.error();
    if (!alone)
        return Error{"original_failed",
                     fmt::format("The original does not run beside itself (seed {}): {}", parameters.time.run.seed,
                                 alone.error().message),
                     "See that the GPU is there and the kernel runs; the same command goes on."};
    if (alone->end != "finished" || !alone->difference.empty())
        return "the original beside itself: " + (alone->difference.empty() ? alone->end : alone->difference);
    const Result<RaceSummary> again = race(child, parameters, stop);
    if (!again && isOfTheMachine(again.error())) return again.error();
    return accusation(again).empty() ? "not again with the same inputs" : std::string();
}

Result<schedule::Measurement> ScheduleMeasurer::measure(const sass::Cubin& candidate, const schedule::Race& rule,
                                                        std::uint64_t seed, const std::stop_token& stop) {
    RaceParameters p = parametersOf(unitWith(candidate), m_timing, seed);
    p.race = rule;
    const Result<RaceSummary> raced = race(*m_runner, p, stop);
    if (!raced && isOfTheMachine(raced.error())) return raced.error();
    schedule::Measurement out;
    if (const std::string accused = accusation(raced); !accused.empty()) {
        const std::string what = fmt::format("{} (seed {})", accused, seed);
        if (candidate.bytes() == m_original.unit->cubin) {
            out.failure = what;
            return out;
        }
        const Result<std::string> why = whyNotBlamed(*m_runner, p, stop);
        if (!why) return why.error();
        if (why->empty())
            out.fault = what;
        else
            out.failure = what + ": " + *why;
        return out;
    }
    if (raced->end != "finished") {
        out.failure = fmt::format("{}: {} (seed {})", raced->end, raced->reason, seed);
        return out;
    }
    const perf::PairedTimes times = perf::comparePairs(raced->pairs, eventResolution);
    const perf::RatioInterval interval = perf::ratioInterval(raced->pairs);
    if (times.pairs == 0) {
        out.failure = "no pair was timed";
        return out;
    }
    out.energy = 100 * times.ratio;
    out.low = 100 * interval.low;
    out.high = 100 * interval.high;
    out.pairs = times.pairs;
    for (const perf::TimedPair& pair : raced->pairs) {
        out.samples.push_back(pair.first);
        out.samples.push_back(pair.second);
    }
    return out;
}

Result<std::string> ScheduleMeasurer::differenceOf(const sass::Cubin& candidate, std::uint64_t seed,
                                                   const std::stop_token& stop) {
    RaceParameters p = parametersOf(unitWith(candidate), m_timing, seed);
    p.pairs = 1;
    const Result<RaceSummary> raced = race(*m_runner, p, stop);
    if (!raced && isOfTheMachine(raced.error())) return raced.error();
    if (const std::string accused = accusation(raced); !accused.empty()) {
        const Result<std::string> why = whyNotBlamed(*m_runner, p, stop);
        if (!why) return why.error();
        return why->empty() ? accused : accused + ": " + *why;
    }
    if (raced->end != "finished")
        return Error{"not_measured", fmt::format("{}: {} (seed {})", raced->end, raced->reason, seed),
                     "See that the GPU is there and the kernel runs."};
    return std::string();
}

Result<schedule::FinalFigure> ScheduleMeasurer::confirm(const std::string& hash, const sass::Cubin& candidate,
                                                        const std::string& timing, const std::stop_token& stop) {
    return confirmUnit(hash, unitWith(candidate), timing, stop);
}

Result<schedule::FinalFigure> ScheduleMeasurer::confirmUnit(const std::string& hash, const KernelClient::Unit& unit,
                                                            const std::string& timing, const std::stop_token& stop) {
    m_runner = m_start(); // one child has the GPU at a time
    const std::unique_ptr<WorkerClient> fresh = m_start();
    RaceParameters p = parametersOf(unit, timing, m_original.seed);
    p.pairs = schedule::FinalFigure::wantedPairs;
    p.apart = true;
    const Result<RaceSummary> raced = race(*fresh, p, stop);
    schedule::FinalFigure none;
    none.hash = hash;
    none.mode = timing;
    if (!raced && raced.error().code == "cancelled") return raced.error();
    if (raced) none.device = raced->device;
    if (const std::string accused = accusation(raced); !accused.empty()) {
        const Result<std::string> why = whyNotBlamed(*fresh, p, stop);
        if (!why) return why.error();
        none.isFaulted = why->empty();
        none.reason = accused + (why->empty() ? std::string() : ": " + *why);
        return none;
    }
    if (!raced || raced->end != "finished") {
        none.reason = raced ? raced->end + ": " + raced->reason : raced.error().message;
        return none;
    }
    return schedule::finalFigure(hash, timing, raced->device, raced->pairs);
}

} // namespace kernelarium::protocol
