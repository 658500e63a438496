// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/RunDesk.h"

#include "core/verify/VerdictJson.h"
#include "gpu/worker/Trial.h"

namespace kernelarium::ui {

namespace {

using SummaryPointer = std::shared_ptr<const worker::RunSummary>;
using ProfilePointer = std::shared_ptr<const worker::ProfileSummary>;

nlohmann::json cardOf(const RunJob& job) {
    // Without either, the run child says that it has neither card nor arguments.
    return job.card && job.arguments.isEmpty() ? nlohmann::json::parse(task::writeCard(*job.card))
                                               : nlohmann::json(nullptr);
}

/// What a verdict without a run says of how it was asked for.
worker::RunParameters settingsOf(const RunJob& job) {
    worker::RunParameters parameters;
    parameters.backend = job.target.onGpu() ? "cuda" : "emulator";
    parameters.size = job.size.toStdString();
    parameters.seed = job.target.seed;
    parameters.timeLimit = RunDesk::runLimit;
    return parameters;
}

VerdictPointer written(verify::Verdict verdict, const RunJob& job) {
    verdict.fastMath = job.target.fastMath;
    verdict.seconds["compile"] = job.unit->seconds.total;
    std::string json = verify::toJson(verdict).dump();
    return std::make_shared<const WrittenVerdict>(std::move(verdict), std::move(json));
}

template <class T> ChildQueue::Job<T> jobFor(const RunJob& job, const char* method) {
    ChildQueue::Job<T> child;
    child.method = method;
    child.tag = method;
    child.parameters = [job] { return worker::toJson(parametersOf(job)); };
    return child;
}

} // namespace

RunDesk::RunDesk(std::vector<std::string> command, QObject* parent)
    : QObject(parent)
    , m_child(std::move(command)) {}

worker::RunParameters parametersOf(const RunJob& job) {
    worker::RunParameters parameters = settingsOf(job);
    parameters.unit = *job.unit;
    parameters.card = cardOf(job);
    parameters.claim = worker::archivesClaim(job.claimedMilliseconds);
    for (const QString& argument : job.arguments)
        parameters.arguments.push_back(argument.toStdString());
    if (job.reference) {
        parameters.referenceUnit = *job.reference;
        parameters.referenceName = job.referenceName.toStdString();
    }
    return parameters;
}

template <class T>
void RunDesk::submit(Work<T>& work, ChildQueue::Job<T> job, quint64 generation, void (RunDesk::*changed)(),
                     void (RunDesk::*finished)(T, quint64)) {
    const auto ticket = work.begin(generation);
    Q_EMIT(this->*changed)();
    job.progress = [this, &work, ticket, changed](const QString& step) {
        if (work.progress(ticket, step)) Q_EMIT(this->*changed)();
    };
    job.ended = [this, &work, ticket, changed, finished](Result<T> result) {
        if (!work.end(ticket, std::move(result))) return;
        Q_EMIT(this->*changed)();
        if (finished && work.state().stage == Stage::finished)
            Q_EMIT(this->*finished)(work.state().answer, work.state().answered);
    };
    m_child.submit(std::move(job));
}

void RunDesk::verify(const RunJob& job) {
    if (!job.unit->ok) {
        m_child.cancel("verify");
        const auto ticket = m_verify.begin(job.generation);
        m_verify.end(ticket, written(worker::refusedVerdict(*job.unit, settingsOf(job)), job));
        Q_EMIT verifyChanged();
        Q_EMIT verdictReady(m_verify.state().answer, job.generation);
        return;
    }
    auto child = jobFor<VerdictPointer>(job, "verify");
    child.timeLimit = worker::childLimit("verify", runLimit);
    child.convert = [job](const nlohmann::json& json) -> Result<VerdictPointer> {
        auto verdict = verify::verdictFromJson(json);
        if (!verdict) return verdict.error();
        return written(std::move(*verdict), job);
    };
    child.recover = [job](const Error& error) -> Result<VerdictPointer> {
        auto verdict = worker::verdictOf(error, settingsOf(job)); // of a child that was killed at its limit
        if (!verdict) return verdict.error();
        return written(std::move(*verdict), job);
    };
    submit(m_verify, std::move(child), job.generation, &RunDesk::verifyChanged, &RunDesk::verdictReady);
}

void RunDesk::run(const RunJob& job) {
    auto child = jobFor<SummaryPointer>(job, "run");
    child.timeLimit = worker::childLimit("run", runLimit);
    child.convert = [](const nlohmann::json& json) -> Result<SummaryPointer> {
        auto summary = worker::runSummaryFromJson(json);
        if (!summary) return summary.error();
        return SummaryPointer(std::make_shared<const worker::RunSummary>(std::move(*summary)));
    };
    submit(m_run, std::move(child), job.generation, &RunDesk::runChanged);
}

void RunDesk::profile(const RunJob& job) {
    auto child = jobFor<ProfilePointer>(job, "profile");
    child.timeLimit = worker::childLimit("run", runLimit);
    child.parameters = [job] {
        worker::ProfileParameters parameters;
        parameters.run = parametersOf(job);
        parameters.run.backend = "emulator"; // which counts
        parameters.run.referenceUnit.reset();
        parameters.device = job.target.device.toStdString();
        return worker::toJson(parameters);
    };
    child.convert = [](const nlohmann::json& json) -> Result<ProfilePointer> {
        auto summary = worker::profileSummaryFromJson(json);
        if (!summary) return summary.error();
        return ProfilePointer(std::make_shared<const worker::ProfileSummary>(std::move(*summary)));
    };
    submit(m_profile, std::move(child), job.generation, &RunDesk::profileChanged, &RunDesk::profileReady);
}

void RunDesk::cancel() {
    m_child.cancelAll();
}

void RunDesk::clear() {
    m_child.cancelAll();
    m_verify.clear();
    m_run.clear();
    m_profile.clear();
    Q_EMIT verifyChanged();
    Q_EMIT runChanged();
    Q_EMIT profileChanged();
}

void RunDesk::showVerdict(quint64 generation, VerdictPointer verdict) {
    m_child.cancel("verify");
    m_verify.show(generation, std::move(verdict));
    Q_EMIT verifyChanged();
}

} // namespace kernelarium::ui
