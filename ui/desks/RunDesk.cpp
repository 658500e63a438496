// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/RunDesk.h"

#include "gpu/protocol/KernelClient.h"
#include "gpu/protocol/ModelledTiming.h"
#include "gpu/protocol/Trial.h"

#include <QFileInfo>

namespace kernelarium::ui {

RunDesk::RunDesk(std::vector<std::string> command, QObject* parent)
    : QObject(parent)
    , m_child(std::move(command)) {}

protocol::RunParameters parametersOf(const RunJob& job) {
    protocol::RunParameters parameters;
    parameters.unit = job.unit;
    parameters.backend = job.target.onGpu() ? "cuda" : "emulator";
    // Without either, the run child says that it has neither card nor arguments.
    if (job.arguments.isEmpty()) parameters.card = job.card;
    parameters.size = job.size.toStdString();
    parameters.function = job.function.toStdString();
    const bool program = job.unit && job.unit->isProgram;
    if (program) parameters.programArguments.push_back("./" + QFileInfo(job.title).completeBaseName().toStdString());
    for (const QString& argument : job.arguments)
        (program ? parameters.programArguments : parameters.arguments).push_back(argument.toStdString());
    if (job.reference) {
        parameters.referenceUnit = job.reference;
        parameters.referenceName = job.referenceName.toStdString();
    }
    parameters.claim = protocol::archivesClaim(job.claimedMilliseconds);
    parameters.seed = job.target.seed;
    parameters.timeLimit = program ? protocol::programTimeLimit : RunDesk::runLimit;
    return parameters;
}

template <class T>
void RunDesk::submit(Work<T>& work, ChildQueue::Call<T> call, quint64 generation, void (RunDesk::*changed)(),
                     void (RunDesk::*finished)(T, quint64)) {
    const auto ticket = work.begin(generation);
    Q_EMIT(this->*changed)();
    call.progress = [this, &work, ticket, changed](const QString& step) {
        if (work.progress(ticket, step)) Q_EMIT(this->*changed)();
    };
    call.ended = [this, &work, ticket, changed, finished](Result<T> result) {
        if (!work.end(ticket, std::move(result))) return;
        Q_EMIT(this->*changed)();
        if (finished && work.state().stage == Stage::finished)
            Q_EMIT(this->*finished)(work.state().answer, work.state().answered);
    };
    m_child.submit(std::move(call));
}

namespace {

Result<VerdictPointer> verdictOn(const RunJob& job, const std::shared_ptr<protocol::WorkerClient>& child,
                                 const protocol::CallOptions& options) {
    auto answer = protocol::KernelClient(child).verify(parametersOf(job), options);
    if (!answer) return answer.error();
    return VerdictPointer(std::make_shared<const WrittenVerdict>(std::move(answer->verdict), std::move(answer->json)));
}

ChildQueue::Call<ProfilePointer> profileCall(const RunJob& job, const char* tag) {
    ChildQueue::Call<ProfilePointer> call;
    call.tag = tag;
    call.make = [job](const auto& child, const auto& options) -> Result<ProfilePointer> {
        protocol::ProfileParameters parameters;
        parameters.run = parametersOf(job);
        parameters.run.backend = "emulator"; // which counts
        parameters.device = job.target.device.toStdString();
        auto summary = protocol::KernelClient(child).profile(parameters, options);
        if (!summary) return summary.error();
        KeptProfile profile;
        profile.timing = protocol::modelledTiming(*summary, parameters.device);
        profile.countersText = protocol::countersText(*summary);
        static_cast<protocol::ProfileSummary&>(profile) = std::move(*summary);
        return ProfilePointer(std::make_shared<const KeptProfile>(std::move(profile)));
    };
    return call;
}

} // namespace

void RunDesk::refuse(const RunJob& job) {
    m_child.cancel("verify");
    const auto ticket = m_verify.begin(job.generation);
    Q_EMIT verifyChanged();
    ask<VerdictPointer>(
        m_refusals, this, "verify", [job](const std::stop_token&) { return verdictOn(job, nullptr, {}); },
        [this, ticket](Result<VerdictPointer> result) {
            if (!m_verify.end(ticket, std::move(result))) return;
            Q_EMIT verifyChanged();
            if (m_verify.state().stage == Stage::finished)
                Q_EMIT verdictReady(m_verify.state().answer, m_verify.state().answered);
        });
}

void RunDesk::verify(const RunJob& job) {
    if (!job.unit->ok) {
        refuse(job);
        return;
    }
    ChildQueue::Call<VerdictPointer> call;
    call.tag = "verify";
    call.make = [job](const auto& child, const auto& options) { return verdictOn(job, child, options); };
    submit(m_verify, std::move(call), job.generation, &RunDesk::verifyChanged, &RunDesk::verdictReady);
}

void RunDesk::run(const RunJob& job) {
    using Summary = std::shared_ptr<const protocol::RunSummary>;
    ChildQueue::Call<Summary> call;
    call.tag = "run";
    call.make = [job](const auto& child, const auto& options) -> Result<Summary> {
        auto summary = protocol::KernelClient(child).run(parametersOf(job), options);
        if (!summary) return summary.error();
        return Summary(std::make_shared<const protocol::RunSummary>(std::move(*summary)));
    };
    submit(m_run, std::move(call), job.generation, &RunDesk::runChanged);
}

void RunDesk::profile(const RunJob& job) {
    submit(m_profile, profileCall(job, "profile"), job.generation, &RunDesk::profileChanged, &RunDesk::profileReady);
}

void RunDesk::profileOther(const RunJob& job, std::function<void(Result<ProfilePointer>)> done) {
    ChildQueue::Call<ProfilePointer> call = profileCall(job, "other");
    call.ended = std::move(done);
    m_child.submit(std::move(call));
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
