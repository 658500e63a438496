// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/StepDesk.h"

#include "gpu/protocol/KernelClient.h"
#include "ui/desks/RunDesk.h"

namespace kernelarium::ui {

StepDesk::StepDesk(ChildQueue& child, QObject* parent)
    : QObject(parent)
    , m_child(child) {}

void StepDesk::record(const RunJob& job, const StepTarget& target) {
    const auto ticket = m_work.begin(job.generation, Former::kept);
    m_work.details().target = target;
    Q_EMIT changed();
    using Recording = RecordingState::Answer;
    ChildQueue::Call<Recording> call;
    call.tag = "record";
    call.make = [job, request = target.request](const auto& child, const auto& options) {
        protocol::RecordParameters parameters;
        parameters.run = parametersOf(job);
        parameters.run.backend = "emulator"; // which records
        parameters.request = request;
        return protocol::KernelClient(child).record(parameters, options);
    };
    call.progress = [this, ticket](const QString& step) {
        if (m_work.progress(ticket, step)) Q_EMIT changed();
    };
    call.ended = [this, ticket](Result<Recording> result) {
        if (!m_work.end(ticket, std::move(result))) return;
        Q_EMIT changed();
        if (state().stage == Stage::finished) Q_EMIT recorded();
    };
    m_child.submit(std::move(call));
}

void StepDesk::clear() {
    m_child.cancel("record");
    m_work.clear();
    Q_EMIT changed();
}

} // namespace kernelarium::ui
