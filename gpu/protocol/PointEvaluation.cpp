// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/protocol/PointEvaluation.h"

#include "core/files/Sha256.h"
#include "core/tuning/space/PointText.h"
#include "core/verify/VerdictJson.h"
#include "gpu/protocol/Trial.h"

#include <algorithm>
#include <chrono>
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

/// The steps of one evaluation: each adds to the details, and ends the look where there is nothing more to see.
class PointEvaluation::Look {
public:
    Look(PointEvaluation& all, Children& children, tuning::PointText text, std::stop_token stop)
        : m_all(all)
        , m_settings(all.m_settings)
        , m_children(children)
        , m_text(std::move(text))
        , m_stop(std::move(stop)) {
        m_call.stop = m_stop;
        m_call.compileLimit = compileLimitBeside(m_settings.run.timeLimit);
    }

    Result<Outcome> take() {
        Result<Outcome> outcome = look();
        if (!outcome) {
            std::optional<Outcome> ofIt = outcomeOf(outcome.error());
            if (!ofIt || m_stop.stop_requested()) return outcome.error();
            outcome = std::move(*ofIt);
        }
        outcome->details = m_details.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
        return outcome;
    }

private:
    static Outcome refused(std::string reason) { return {Outcome::Kind::refused, {}, std::move(reason), {}}; }

    Result<Outcome> look() {
        m_details["text"] = files::toHex(files::sha256(m_text.text));
        if (Result<std::optional<Outcome>> ended = compile(); !ended || *ended) return passed(std::move(ended));
        const bool measured = m_settings.run.backend == "cuda";
        Result<std::optional<Outcome>> ended = measured ? time() : model();
        if (!ended || *ended) return passed(std::move(ended));
        if (m_settings.verify == PointSettings::Verify::none) return valued();
        const std::optional<Best> best = m_all.best();
        if (m_settings.verify == PointSettings::Verify::promising && best && m_seconds > best->seconds) return valued();
        return verify();
    }

    static Result<Outcome> passed(Result<std::optional<Outcome>> ended) {
        if (!ended) return ended.error();
        return std::move(**ended);
    }

    Outcome valued() {
        if (m_isRight || m_settings.verify == PointSettings::Verify::none) m_all.offer(m_seconds, m_unit);
        return {Outcome::Kind::valued, m_seconds, {}, {}};
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

    Result<std::optional<Outcome>> model() {
        const auto begin = Clock::now();
        ProfileParameters parameters;
        parameters.run = parametersAt(m_settings.size);
        parameters.device = m_settings.device;
        Result<ProfileSummary> summary = m_children.runner.profile(parameters, m_call);
        m_details["seconds"]["model"] = since(begin);
        if (!summary) return summary.error();
        if (summary->end != "finished") return std::optional(refused(said(summary->end, summary->reason)));
        m_seconds = summary->time.seconds;
        m_details["device"] = summary->time.device;
        m_details["modelled_ms"] = m_seconds * 1e3;
        m_details["limiter"] = summary->time.limiter;
        m_details["why"] = summary->time.why;
        if (!summary->time.launches.empty()) {
            const auto longest = std::max_element(summary->time.launches.begin(), summary->time.launches.end(),
                                                  [](const auto& a, const auto& b) { return a.seconds < b.seconds; });
            m_details["occupancy"] = longest->occupancy.share;
        }
        return std::optional<Outcome>();
    }

    Result<TimeSummary> timed(double seconds, const KernelClient::Unit& against) {
        TimeParameters parameters;
        parameters.run = parametersAt(m_settings.size);
        parameters.mode = m_settings.mode;
        parameters.sampleSeconds = seconds;
        parameters.energy = false;
        parameters.against = against;
        parameters.againstName = against ? "the best so far" : "";
        return m_children.runner.time(parameters, m_call);
    }

    Result<std::optional<Outcome>> time() {
        const std::lock_guard alone(m_all.m_gpu);
        const auto begin = Clock::now();
        Result<TimeSummary> first = timed(m_settings.sampleSeconds, nullptr);
        m_details["seconds"]["time"] = since(begin);
        if (!first) return first.error();
        if (first->end != "finished" || first->summary.count == 0)
            return std::optional(refused(said(first->end, first->reason)));
        const perf::SampleSummary& s = first->summary;
        m_seconds = s.median;
        m_details["device"] = first->device;
        m_details["measured_ms"] = s.median * 1e3;
        m_details["noise"] = s.relativeNoise;
        m_details["samples"] = s.count;
        m_details["clock_mhz"] = s.medianClockMHz;
        const std::optional<Best> best = m_all.best();
        if (!best || !best->unit || m_seconds > best->seconds * closeTo) return std::optional<Outcome>();
        Result<TimeSummary> race = timed(m_settings.sampleSeconds * 4, best->unit);
        m_details["seconds"]["time"] = since(begin);
        if (!race) return race.error();
        if (!race->against || race->against->times.pairs == 0) return std::optional<Outcome>();
        const perf::PairedTimes& pairs = race->against->times;
        m_seconds = best->seconds * pairs.ratio;
        m_details["pairs"] = {{"ratio", pairs.ratio}, {"count", pairs.pairs}, {"faster", pairs.firstIsFaster}};
        return std::optional<Outcome>();
    }

    Result<Outcome> verify() {
        const auto begin = Clock::now();
        const bool onGpu = m_settings.run.backend == "cuda";
        RunParameters run = parametersAt(onGpu ? m_settings.size : "small");
        Result<VerdictAnswer> answer = [&] {
            std::unique_lock alone(m_all.m_gpu, std::defer_lock);
            if (onGpu) alone.lock();
            return m_children.runner.verify(run, m_call);
        }();
        m_details["seconds"]["verify"] = since(begin);
        if (!answer) return answer.error();
        const verify::Verdict& verdict = answer->verdict;
        m_details["verdict"] = verify::name(verdict.kind);
        m_details["message"] = verdict.message;
        m_details["size"] = verdict.size;
        for (const auto& remark : verdict.remarks)
            m_details["remarks"].push_back(remark);
        switch (verdict.kind) {
        case verify::VerdictKind::verified: m_isRight = true; return valued();
        case verify::VerdictKind::wrong:
        case verify::VerdictKind::fault:
        case verify::VerdictKind::suspicious:
            return Outcome{
                Outcome::Kind::wrong, m_seconds, said(std::string(verify::name(verdict.kind)), verdict.message), {}};
        default: return refused(said(std::string(verify::name(verdict.kind)), verdict.message));
        }
    }

    static std::string said(const std::string& what, const std::string& why) {
        return why.empty() ? what : what + ": " + why;
    }

    PointEvaluation& m_all;
    const PointSettings& m_settings;
    Children& m_children;
    tuning::PointText m_text;
    std::stop_token m_stop;
    CallOptions m_call;
    KernelClient::Unit m_unit;
    double m_seconds = 0;
    bool m_isRight = false;
    nlohmann::json m_details = nlohmann::json::object();
};

PointEvaluation::PointEvaluation(const tuning::TunableText& tunable, PointSettings settings,
                                 TrialJudge::Commands commands)
    : m_tunable(tunable)
    , m_settings(std::move(settings))
    , m_commands(std::move(commands)) {}

PointEvaluation::~PointEvaluation() = default;

void PointEvaluation::know(const tuning::Judged& judged) {
    if (!judged.ranks()) return;
    const auto details = nlohmann::json::parse(judged.outcome.details, nullptr, false);
    const bool verified = details.is_object() && details.contains("verdict") && details["verdict"] == "verified";
    if (verified || m_settings.verify == PointSettings::Verify::none) offer(*judged.outcome.value, nullptr);
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
    Look look(*this, *children, tuning::pointText(m_tunable, *point, m_settings.compiler, m_settings.fastMath),
              std::move(stop));
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

std::optional<PointEvaluation::Best> PointEvaluation::best() const {
    const std::lock_guard lock(m_mutex);
    return m_best;
}

void PointEvaluation::offer(double seconds, const KernelClient::Unit& unit) {
    const std::lock_guard lock(m_mutex);
    if (!m_best || seconds < m_best->seconds) m_best = Best{seconds, unit};
}

} // namespace kernelarium::protocol
