// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/PointEvaluation.h"

#include "core/files/Sha256.h"
#include "core/task/Cost.h"
#include "core/tuning/space/PointText.h"
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/SizeTimes.h"
#include "gpu/protocol/Trial.h"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::protocol {

namespace {

using tuning::Outcome;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// What a candidate's error says of it; nothing for an error that all of them would have.
std::optional<Outcome> outcomeOf(const Error& error) {
    if (error.code == "timeout" || error.code == "out_of_memory")
        return Outcome{Outcome::Kind::refused, {}, error.message, {}};
    if (error.code == "child_died" || error.code == "child_stopped")
        return Outcome{Outcome::Kind::failed, {}, error.message, {}};
    return std::nullopt;
}

std::string firstLine(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

/// One that is said to be as fast as the best is worth a closer look.
constexpr double closeTo = 1.02;

} // namespace

bool affordableToVerify(const task::Card& card, const std::string& size) {
    constexpr double mostFlops = 5e7, mostBytes = 2e7; // a second or two on two cores of 2024
    const Result<task::Symbols> symbols = card.size(size);
    if (!symbols) return false;
    const Result<task::Cost> cost = task::costOf(card, *symbols);
    return cost && cost->flops <= mostFlops && cost->unfusedBytes <= mostBytes;
}

/// The steps of one evaluation: each adds to the details, and ends the look where there is nothing more to see.
class PointEvaluation::Look {
public:
    Look(PointEvaluation& all, Children& children, std::string key, tuning::PointText text, std::stop_token stop)
        : m_all(all)
        , m_settings(all.m_settings)
        , m_children(children)
        , m_key(std::move(key))
        , m_text(std::move(text))
        , m_stop(std::move(stop)) {
        m_call.stop = m_stop;
        m_call.compileLimit = compileLimitBeside(m_settings.run.timeLimit);
        for (std::string& size : sizesOf(m_settings))
            m_sizes.push_back({std::move(size)});
    }

    Result<Outcome> take() {
        Result<Outcome> outcome = look();
        if (!outcome) {
            std::optional<Outcome> ofIt = outcomeOf(outcome.error());
            if (!ofIt || m_stop.stop_requested()) return outcome.error();
            outcome = std::move(*ofIt);
        }
        if (several()) {
            m_details["sizes"] = nlohmann::json::array();
            for (AtSize& at : m_sizes) {
                at.details["at"] = at.size;
                if (at.seconds > 0) at.details["ms"] = at.seconds * 1e3;
                m_details["sizes"].push_back(std::move(at.details));
            }
        } else {
            m_details.update(m_sizes.front().details);
        }
        outcome->details = m_details.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        return outcome;
    }

private:
    static Outcome refused(std::string reason) { return {Outcome::Kind::refused, {}, std::move(reason), {}}; }

    /// What is seen at one size.
    struct AtSize {
        std::string size;
        double seconds = 0;
        bool isRight = false;
        nlohmann::json details = nlohmann::json::object();
    };

    bool several() const { return m_sizes.size() > 1; }

    Result<Outcome> look() {
        m_details["text"] = files::toHex(files::sha256(m_text.text));
        if (Result<std::optional<Outcome>> ended = compile(); !ended || *ended) return passed(std::move(ended));
        const bool measured = m_settings.run.backend == "cuda";
        for (AtSize& at : m_sizes) {
            Result<std::optional<Outcome>> ended = measured ? time(at) : model(at);
            if (!ended) return ended.error();
            if (!*ended) continue;
            if (several()) (*ended)->reason = at.size + ": " + (*ended)->reason;
            return passed(std::move(ended));
        }
        double logs = 0;
        for (const AtSize& at : m_sizes)
            logs += std::log(at.seconds);
        m_seconds = several() ? std::exp(logs / double(m_sizes.size())) : m_sizes.front().seconds;
        using Verify = PointSettings::Verify;
        const bool all = m_settings.verify == Verify::every ||
                         (m_settings.verify == Verify::promising && isPromising("", m_seconds));
        for (AtSize& at : m_sizes) {
            if (m_settings.verify == Verify::none || (!all && !isPromising(at.size, at.seconds))) continue;
            Result<std::optional<Outcome>> ended = verify(at);
            if (!ended) return ended.error();
            if (!*ended) continue;
            if (several()) (*ended)->reason = at.size + ": " + (*ended)->reason;
            return passed(std::move(ended));
        }
        return valued();
    }

    bool isPromising(const std::string& size, double seconds) const {
        const std::optional<Best> best = m_all.best(size);
        return !best || seconds <= best->seconds;
    }

    static Result<Outcome> passed(Result<std::optional<Outcome>> ended) {
        if (!ended) return ended.error();
        return std::move(ended->value());
    }

    Outcome valued() {
        bool allRight = true;
        std::vector<Found> found;
        for (const AtSize& at : m_sizes) {
            const bool counts = at.isRight || m_settings.verify == PointSettings::Verify::none;
            allRight = allRight && counts;
            if (counts) found.push_back({at.size, at.seconds, m_unit});
        }
        if (allRight) found.push_back({"", m_seconds, m_unit});
        if (several() && allRight && m_settings.verify != PointSettings::Verify::none)
            m_details["verdict"] = verify::name(verify::VerdictKind::verified);
        {
            const std::lock_guard lock(m_all.m_mutex);
            m_all.m_found.insert_or_assign(m_key, std::move(found));
        }
        Outcome outcome{Outcome::Kind::valued, m_seconds, {}, {}};
        outcome.unproven = !allRight;
        return outcome;
    }

    Result<std::optional<Outcome>> compile() {
        const auto begin = Clock::now();
        CompileParameters parameters;
        parameters.source = m_text.text;
        parameters.arch = m_settings.arch;
        parameters.fastMath = m_text.fastMath;
        parameters.settings = m_text.settings;
        parameters.early = false;
        if (m_settings.run.backend == "cuda") parameters.texts.insert("cubin");
        Result<KernelClient::Unit> unit = m_children.compiler.compile(parameters, m_call);
        m_details["seconds"]["compile"] = since(begin);
        if (!unit) return unit.error();
        m_unit = std::move(*unit);
        if (!m_unit->ok) return std::optional(refused(firstLine(errorsText(*m_unit))));
        int registers = 0, shared = 0, spilled = 0;
        for (const compile::KernelResources& kernel : m_unit->kernels) {
            registers = std::max(registers, kernel.registers);
            shared = std::max(shared, kernel.staticSharedBytes);
            spilled = std::max(spilled, kernel.spillStoreBytes + kernel.spillLoadBytes);
        }
        m_details["registers"] = registers;
        m_details["shared_bytes"] = shared;
        m_details["spill_bytes"] = spilled;
        return std::optional<Outcome>();
    }

    RunParameters parametersAt(const std::string& size) const {
        RunParameters run = m_settings.run;
        run.unit = m_unit;
        run.size = size;
        run.jobs = m_all.m_commands.threads;
        return run;
    }

    Result<std::optional<Outcome>> model(AtSize& at) {
        const auto begin = Clock::now();
        ProfileParameters parameters;
        parameters.run = parametersAt(at.size);
        parameters.device = m_settings.device;
        Result<ProfileSummary> summary = m_children.runner.profile(parameters, m_call);
        addSeconds("model", since(begin));
        if (!summary) return summary.error();
        if (summary->end != "finished") return std::optional(refused(said(summary->end, summary->reason)));
        at.seconds = summary->time.seconds;
        at.details["device"] = summary->time.device;
        at.details["modelled_ms"] = at.seconds * 1e3;
        at.details["limiter"] = summary->time.limiter;
        at.details["why"] = summary->time.why;
        if (!summary->time.launches.empty()) {
            const auto longest = std::max_element(summary->time.launches.begin(), summary->time.launches.end(),
                                                  [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
            at.details["occupancy"] = longest->occupancy.share;
        }
        return std::optional<Outcome>();
    }

    Result<TimeSummary> timed(const AtSize& at, double seconds, const KernelClient::Unit& against) {
        TimeParameters parameters;
        parameters.run = parametersAt(at.size);
        parameters.mode = m_settings.mode;
        parameters.sampleSeconds = seconds;
        parameters.energy = false;
        parameters.against = against;
        parameters.againstName = against ? "the best so far" : "";
        // The stages say how much of it was sampling, and how much making ready for it.
        CallOptions call = m_call;
        std::string stage;
        Clock::time_point begin = Clock::now();
        const auto next = [&](const std::string& name) {
            if (!stage.empty()) addSeconds(stage.c_str(), since(begin));
            stage = name;
            begin = Clock::now();
        };
        call.progress = next;
        Result<TimeSummary> summary = m_children.runner.time(parameters, call);
        next({});
        return summary;
    }

    Result<std::optional<Outcome>> time(AtSize& at) {
        const std::lock_guard alone(m_all.m_gpu);
        const auto begin = Clock::now();
        Result<TimeSummary> first = timed(at, m_settings.sampleSeconds, nullptr);
        addSeconds("time", since(begin));
        if (!first) return first.error();
        if (first->end != "finished" || first->summary.count == 0)
            return std::optional(refused(said(first->end, first->reason)));
        const perf::SampleSummary& s = first->summary;
        at.seconds = s.median;
        at.details["device"] = first->device;
        at.details["measured_ms"] = s.median * 1e3;
        at.details["noise"] = s.relativeNoise;
        at.details["samples"] = s.count;
        at.details["clock_mhz"] = s.medianClockMHz;
        const std::optional<Best> best = m_all.best(at.size);
        if (!best || !best->unit || at.seconds > best->seconds * closeTo) return std::optional<Outcome>();
        const auto raced = Clock::now();
        Result<TimeSummary> race = timed(at, m_settings.sampleSeconds * 4, best->unit);
        addSeconds("time", since(raced));
        if (!race) return race.error();
        if (!race->against || race->against->times.pairs == 0) return std::optional<Outcome>();
        const perf::PairedTimes& pairs = race->against->times;
        at.seconds = best->seconds * pairs.ratio;
        at.details["pairs"] = {{"ratio", pairs.ratio}, {"count", pairs.pairs}, {"faster", pairs.firstIsFaster}};
        return std::optional<Outcome>();
    }

    Result<std::optional<Outcome>> verify(AtSize& at) {
        const auto begin = Clock::now();
        const bool onGpu = m_settings.run.backend == "cuda";
        RunParameters run = parametersAt(onGpu ? at.size : "small");
        if (!onGpu && run.card && affordableToVerify(*run.card, at.size)) run.size = at.size;
        Result<VerdictAnswer> answer = [&] {
            std::unique_lock alone(m_all.m_gpu, std::defer_lock);
            if (onGpu) alone.lock();
            return m_children.runner.verify(run, m_call);
        }();
        addSeconds("verify", since(begin));
        if (!answer) return answer.error();
        const verify::Verdict& verdict = answer->verdict;
        at.details["verdict"] = verify::name(verdict.kind);
        at.details["message"] = verdict.message;
        at.details["size"] = verdict.size;
        for (const auto& remark : verdict.remarks)
            at.details["remarks"].push_back(remark);
        switch (verdict.kind) {
        case verify::VerdictKind::verified: at.isRight = true; return std::optional<Outcome>();
        case verify::VerdictKind::wrong:
        case verify::VerdictKind::fault:
        case verify::VerdictKind::suspicious:
            return std::optional(Outcome{
                Outcome::Kind::wrong, m_seconds, said(std::string(verify::name(verdict.kind)), verdict.message), {}});
        default: return std::optional(refused(said(std::string(verify::name(verdict.kind)), verdict.message)));
        }
    }

    void addSeconds(const char* what, double seconds) {
        m_details["seconds"][what] = m_details["seconds"].value(what, 0.0) + seconds;
    }

    static std::string said(const std::string& what, const std::string& why) {
        return why.empty() ? what : what + ": " + why;
    }

    PointEvaluation& m_all;
    const PointSettings& m_settings;
    Children& m_children;
    std::string m_key;
    tuning::PointText m_text;
    std::stop_token m_stop;
    CallOptions m_call;
    KernelClient::Unit m_unit;
    double m_seconds = 0;
    std::vector<AtSize> m_sizes;
    nlohmann::json m_details = nlohmann::json::object();
};

PointEvaluation::PointEvaluation(const tuning::TunableText& tunable, PointSettings settings,
                                 TrialJudge::Commands commands)
    : m_tunable(tunable)
    , m_settings(std::move(settings))
    , m_commands(std::move(commands)) {}

PointEvaluation::~PointEvaluation() = default;

void PointEvaluation::know(const tuning::Judged& judged) {
    const auto seen = [&] {
        const std::lock_guard lock(m_mutex);
        const auto at = m_found.find(judged.candidate.key);
        return at == m_found.end() ? std::optional<std::vector<Found>>()
                                   : std::optional(std::move(m_found.extract(at).mapped()));
    }();
    if (seen) {
        for (const Found& found : *seen)
            offer(found.size, found.seconds, found.unit);
        return;
    }
    if (!judged.ranks()) return;
    const auto details = nlohmann::json::parse(judged.outcome.details, nullptr, false);
    const auto counts = [this](const nlohmann::json& of) {
        const bool verified = of.is_object() && of.contains("verdict") && of["verdict"] == "verified";
        return verified || m_settings.verify == PointSettings::Verify::none;
    };
    if (counts(details)) offer("", *judged.outcome.value, nullptr);
    if (m_settings.sizes.empty()) {
        if (counts(details)) offer(m_settings.size, *judged.outcome.value, nullptr);
        return;
    }
    for (const SizeTime& at : sizeTimesOf(judged))
        if (at.verified || m_settings.verify == PointSettings::Verify::none) offer(at.size, at.seconds, nullptr);
}

Result<std::string> PointEvaluation::secondKey(const tuning::Candidate& candidate) {
    const auto point = m_tunable.space.pointOf(candidate.key);
    if (!point) return Error{"bad_input", fmt::format("`{}` is no point of this space.", candidate.key)};
    const auto made = tuning::pointText(m_tunable, *point, m_settings.compiler, m_settings.fastMath);
    return files::toHex(files::sha256(made.text + '\0' + text::lineOf(made.settings) + (made.fastMath ? "F" : "")));
}

Result<Outcome> PointEvaluation::evaluate(const tuning::Candidate& candidate, std::stop_token stop) {
    const auto point = m_tunable.space.pointOf(candidate.key);
    if (!point) return Error{"bad_input", fmt::format("`{}` is no point of this space.", candidate.key)};
    std::unique_ptr<Children> children = takeChildren();
    Look look(*this, *children, candidate.key,
              tuning::pointText(m_tunable, *point, m_settings.compiler, m_settings.fastMath), std::move(stop));
    Result<Outcome> outcome = look.take();
    giveBack(std::move(children));
    return outcome;
}

std::unique_ptr<PointEvaluation::Children> PointEvaluation::takeChildren() {
    {
        const std::lock_guard lock(m_mutex);
        if (!m_idle.empty()) {
            auto children = std::move(m_idle.back());
            m_idle.pop_back();
            return children;
        }
    }
    return std::make_unique<Children>(KernelClient(m_commands.compile), KernelClient(m_commands.run));
}

void PointEvaluation::giveBack(std::unique_ptr<Children> children) {
    const std::lock_guard lock(m_mutex);
    m_idle.push_back(std::move(children));
}

std::optional<PointEvaluation::Best> PointEvaluation::best(const std::string& size) const {
    const std::lock_guard lock(m_mutex);
    const auto at = m_bests.find(size);
    return at == m_bests.end() ? std::nullopt : std::optional(at->second);
}

void PointEvaluation::offer(const std::string& size, double seconds, const KernelClient::Unit& unit) {
    const std::lock_guard lock(m_mutex);
    const auto [at, isNew] = m_bests.try_emplace(size, Best{seconds, unit});
    if (!isNew && seconds < at->second.seconds) at->second = Best{seconds, unit};
}

} // namespace kernelarium::protocol
