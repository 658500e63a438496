// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/StepDesk.h"

#include "gpu/worker/RecordMessages.h"
#include "gpu/worker/Trial.h"
#include "ui/workspace/RunDesk.h"

namespace kernelarium::ui {

namespace {
using RecordingPointer = std::shared_ptr<const recording::Recording>;

/// Pages and the rest arrive on the child's thread, one after another.
struct PageReader {
    worker::RecordingReader reader;
    Result<void> pages;
};
} // namespace

StepDesk::StepDesk(ChildQueue& child, QObject* parent)
    : QObject(parent)
    , m_child(child) {}

void StepDesk::record(const RunJob& job, const StepTarget& target) {
    const auto ticket = m_work.begin(job.generation, Former::kept);
    m_work.details().target = target;
    Q_EMIT changed();
    auto pages = std::make_shared<PageReader>();
    ChildQueue::Job<RecordingPointer> child;
    child.method = "record";
    child.tag = "record";
    child.timeLimit = worker::childLimit("run", RunDesk::runLimit);
    child.parameters = [job, request = target.request] {
        worker::RecordParameters parameters;
        parameters.run = parametersOf(job);
        parameters.run.backend = "emulator"; // which records
        parameters.run.referenceUnit.reset();
        parameters.request = request;
        return worker::toJson(parameters);
    };
    child.partial = [pages](const nlohmann::json& page) {
        if (pages->pages) pages->pages = pages->reader.addPage(page);
    };
    child.convert = [pages](const nlohmann::json& rest) -> Result<RecordingPointer> {
        if (!pages->pages) return pages->pages.error();
        return pages->reader.finish(rest);
    };
    child.progress = [this, ticket](const QString& step) {
        if (m_work.progress(ticket, step)) Q_EMIT changed();
    };
    child.ended = [this, ticket](Result<RecordingPointer> result) {
        if (!m_work.end(ticket, std::move(result))) return;
        Q_EMIT changed();
        if (state().stage == Stage::finished) Q_EMIT recorded();
    };
    m_child.submit(std::move(child));
}

void StepDesk::clear() {
    m_child.cancel("record");
    m_work.clear();
    Q_EMIT changed();
}

} // namespace kernelarium::ui
