// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/RunDesk.h"

#include "core/verify/VerdictJson.h"
#include "gpu/protocol/Trial.h"

namespace kernelarium::ui {

namespace {

using VerdictPointer = std::shared_ptr<const verify::Verdict>;
using SummaryPointer = std::shared_ptr<const protocol::RunSummary>;

std::shared_ptr<const task::Card> cardOf(const RunJob& job) {
    // Without either, the run child says that it has neither card nor arguments.
    return job.arguments.isEmpty() ? job.card : nullptr;
}

/// What a verdict without a run says of how it was asked for.
protocol::RunParameters settingsOf(const RunJob& job) {
    protocol::RunParameters parameters;
    parameters.unit = job.unit;
    parameters.backend = job.target.onGpu() ? "cuda" : "emulator";
    parameters.size = job.size.toStdString();
    parameters.seed = job.target.seed;
    parameters.timeLimit = RunDesk::runLimit;
    return parameters;
}

} // namespace

RunDesk::RunDesk(std::vector<std::string> command, QObject* parent)
    : QObject(parent)
    , m_child(std::move(command)) {}

protocol::RunParameters parametersOf(const RunJob& job) {
    protocol::RunParameters parameters = settingsOf(job);
    parameters.card = cardOf(job);
    parameters.claim = protocol::archivesClaim(job.claimedMilliseconds);
    for (const QString& argument : job.arguments)
        parameters.arguments.push_back(argument.toStdString());
    if (job.reference) {
        parameters.referenceUnit = job.reference;
        parameters.referenceName = job.referenceName.toStdString();
    }
    return parameters;
}

template <class T> ChildQueue::Job<T> RunDesk::jobFor(const RunJob& job, const char* method) {
    ChildQueue::Job<T> child;
    child.method = method;
    child.tag = method;
    child.parameters = [job] { return protocol::toJson(parametersOf(job)); };
    return child;
}

void RunDesk::verify(const RunJob& job) {
    const quint64 serial = ++m_verifySerial;
    m_verify = {Stage::running, job.generation, {}, {}, {}};
    Q_EMIT verifyChanged();
    auto child = jobFor<VerdictPointer>(job, "verify");
    child.timeLimit = protocol::childLimit("verify", runLimit);
    child.convert = [](const nlohmann::json& json) -> Result<VerdictPointer> {
        auto verdict = verify::verdictFromJson(json);
        if (!verdict) return verdict.error();
        return VerdictPointer(std::make_shared<const verify::Verdict>(std::move(*verdict)));
    };
    child.progress = [this, serial](const QString& step) {
        if (serial != m_verifySerial) return;
        m_verify.step = step;
        Q_EMIT verifyChanged();
    };
    child.ended = [this, serial, job](Result<VerdictPointer> result) { endVerify(serial, job, std::move(result)); };
    m_child.submit(std::move(child));
}

void RunDesk::verifyRefused(const RunJob& job) {
    auto verdict = std::make_shared<verify::Verdict>(protocol::refusedVerdict(settingsOf(job)));
    m_child.cancel("verify");
    endVerify(++m_verifySerial, job, VerdictPointer(verdict));
}

void RunDesk::endVerify(quint64 serial, const RunJob& job, Result<VerdictPointer> result) {
    if (serial != m_verifySerial) return;
    if (!result && result.error().code == "timeout")
        result = VerdictPointer(
            std::make_shared<const verify::Verdict>(protocol::timeoutVerdict(result.error(), settingsOf(job))));
    m_verify.step.clear();
    m_verify.generation = job.generation;
    if (result) {
        m_verify.stage = Stage::finished;
        m_verify.verdict = *result;
    } else if (result.error().code == "cancelled") {
        m_verify.stage = Stage::cancelled;
    } else {
        m_verify.stage = Stage::failed;
        m_verify.error = result.error();
    }
    Q_EMIT verifyChanged();
    if (m_verify.stage == Stage::finished) Q_EMIT verdictReady(m_verify.verdict, job.generation);
}

void RunDesk::run(const RunJob& job) {
    const quint64 serial = ++m_runSerial;
    m_run = {Stage::running, job.generation, {}, {}, {}};
    Q_EMIT runChanged();
    auto child = jobFor<SummaryPointer>(job, "run");
    child.timeLimit = protocol::childLimit("run", runLimit);
    child.convert = [](const nlohmann::json& json) -> Result<SummaryPointer> {
        auto summary = protocol::runSummaryFromJson(json);
        if (!summary) return summary.error();
        return SummaryPointer(std::make_shared<const protocol::RunSummary>(std::move(*summary)));
    };
    child.progress = [this, serial](const QString& step) {
        if (serial != m_runSerial) return;
        m_run.step = step;
        Q_EMIT runChanged();
    };
    child.ended = [this, serial](Result<SummaryPointer> result) {
        if (serial != m_runSerial) return;
        m_run.step.clear();
        if (result) {
            m_run.stage = Stage::finished;
            m_run.summary = *result;
        } else {
            m_run.stage = result.error().code == "cancelled" ? Stage::cancelled : Stage::failed;
            m_run.error = result.error();
        }
        Q_EMIT runChanged();
    };
    m_child.submit(std::move(child));
}

void RunDesk::profile(const RunJob& job) {
    using Answer = std::shared_ptr<const protocol::ProfileSummary>;
    const quint64 serial = ++m_profileSerial;
    m_profile = {Stage::running, job.generation, {}, {}, {}};
    Q_EMIT profileChanged();
    auto child = jobFor<Answer>(job, "profile");
    child.timeLimit = protocol::childLimit("run", runLimit);
    child.parameters = [job] {
        protocol::ProfileParameters parameters;
        parameters.run = parametersOf(job);
        parameters.run.backend = "emulator"; // which counts
        parameters.run.referenceUnit.reset();
        parameters.device = job.target.device.toStdString();
        return protocol::toJson(parameters);
    };
    child.convert = [](const nlohmann::json& json) -> Result<Answer> {
        auto summary = protocol::profileSummaryFromJson(json);
        if (!summary) return summary.error();
        return Answer(std::make_shared<const protocol::ProfileSummary>(std::move(*summary)));
    };
    child.progress = [this, serial](const QString& step) {
        if (serial != m_profileSerial) return;
        m_profile.step = step;
        Q_EMIT profileChanged();
    };
    child.ended = [this, serial](Result<Answer> result) {
        if (serial != m_profileSerial) return;
        m_profile.step.clear();
        if (result) {
            m_profile.stage = Stage::finished;
            m_profile.summary = *result;
        } else {
            m_profile.stage = result.error().code == "cancelled" ? Stage::cancelled : Stage::failed;
            m_profile.error = result.error();
        }
        Q_EMIT profileChanged();
        if (result) Q_EMIT profileReady(m_profile.summary, m_profile.generation);
    };
    m_child.submit(std::move(child));
}

void RunDesk::cancel() {
    m_child.cancelAll();
}

void RunDesk::clear() {
    m_child.cancelAll();
    ++m_verifySerial;
    ++m_runSerial;
    ++m_profileSerial;
    m_verify = {};
    m_run = {};
    m_profile = {};
    Q_EMIT verifyChanged();
    Q_EMIT runChanged();
    Q_EMIT profileChanged();
}

void RunDesk::showVerdict(quint64 generation, VerdictPointer verdict) {
    m_child.cancel("verify");
    ++m_verifySerial;
    m_verify = {verdict ? Stage::finished : Stage::idle, generation, {}, std::move(verdict), {}};
    Q_EMIT verifyChanged();
}

} // namespace kernelarium::ui
