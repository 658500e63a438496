// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/StepDesk.h"

#include "gpu/protocol/RecordMessages.h"
#include "gpu/protocol/Trial.h"

namespace kernelarium::ui {

namespace {
using RecordingPointer = std::shared_ptr<const recording::Recording>;

/// Pages and the rest arrive on the child's thread, one after another.
struct PageReader {
    protocol::RecordingReader reader;
    Result<void> pages;
};
} // namespace

StepDesk::StepDesk(ChildQueue& child, QObject* parent)
    : QObject(parent)
    , m_child(child) {}

void StepDesk::record(const RunJob& job, const StepTarget& target) {
    const quint64 serial = ++m_serial;
    m_state.stage = Stage::running;
    m_state.generation = job.generation;
    m_state.target = target;
    m_state.step.clear();
    m_state.error = {};
    Q_EMIT changed();
    auto pages = std::make_shared<PageReader>();
    ChildQueue::Job<RecordingPointer> child;
    child.method = "record";
    child.tag = "record";
    child.timeLimit = protocol::childLimit("run", RunDesk::runLimit);
    child.parameters = [job, request = target.request] {
        protocol::RecordParameters parameters;
        parameters.run = parametersOf(job);
        parameters.run.backend = "emulator"; // which records
        parameters.run.referenceUnit.reset();
        parameters.request = request;
        return protocol::toJson(parameters);
    };
    child.partial = [pages](const nlohmann::json& page) {
        if (pages->pages) pages->pages = pages->reader.addPage(page);
    };
    child.convert = [pages](const nlohmann::json& rest) -> Result<RecordingPointer> {
        if (!pages->pages) return pages->pages.error();
        return pages->reader.finish(rest);
    };
    child.progress = [this, serial](const QString& step) {
        if (serial != m_serial) return;
        m_state.step = step;
        Q_EMIT changed();
    };
    child.ended = [this, serial](Result<RecordingPointer> result) { end(serial, std::move(result)); };
    m_child.submit(std::move(child));
}

void StepDesk::end(quint64 serial, Result<RecordingPointer> result) {
    if (serial != m_serial) return;
    m_state.step.clear();
    if (result) {
        m_state.stage = Stage::finished;
        m_state.recording = *result;
        m_state.recordedGeneration = m_state.generation;
    } else {
        m_state.stage = result.error().code == "cancelled" ? Stage::cancelled : Stage::failed;
        m_state.error = result.error();
    }
    Q_EMIT changed();
    if (result) Q_EMIT recorded();
}

void StepDesk::clear() {
    m_child.cancel("record");
    ++m_serial;
    m_state = {};
    Q_EMIT changed();
}

} // namespace kernelarium::ui
