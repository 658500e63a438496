// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/NewKernelDesk.h"

#include "core/audit/RowCard.h"
#include "core/kernelgen/Emit.h"
#include "ui/threads/Ask.h"

#include <filesystem>

namespace kernelarium::ui {

namespace {

constexpr const char* writeTag = "write";

using Tell = std::function<void(const QString& step)>;

/// By an emitter of the task's special form, where it has one, else the general one, whose refusal is told.
Result<kernelgen::Emitted> fused(const task::Card& card, const std::stop_token& stop) {
    for (const kernelgen::Emitter& emitter : kernelgen::emitters()) {
        if (stop.stop_requested()) return cancelledError();
        if (emitter.write == kernelgen::emitNaive || emitter.write == kernelgen::emitFused) continue;
        if (auto special = emitter.write(card, {})) return special;
    }
    return kernelgen::emitFused(card);
}

Result<NewKernelPointer> written(const NewKernelQuestion& question, const Tell& tell, const std::stop_token& stop) {
    tell(NewKernelDesk::tr("reading the card…"));
    const auto card = question.task ? task::loadCard(question.task->level, question.task->task)
                                    : audit::readCardFile(std::filesystem::path(question.cardPath.toStdString()));
    if (!card) return card.error();
    if (stop.stop_requested()) return cancelledError();
    tell(NewKernelDesk::tr("writing the kernel of task %1…").arg(QString::fromStdString(card->key())));
    auto emitted = question.start == NewKernelQuestion::Start::naive ? kernelgen::emitNaive(*card) : fused(*card, stop);
    if (!emitted) return emitted.error();
    return std::make_shared<const NewKernel>(NewKernel{
        std::make_shared<const task::Card>(*card), question.task ? QString() : question.cardPath, std::move(*emitted)});
}

} // namespace

void NewKernelDesk::ask(NewKernelQuestion question) {
    const auto ticket = m_work.begin();
    Q_EMIT changed();
    const Tell tell = [this, ticket](const QString& step) {
        deliver(this, [this, ticket, step] {
            if (m_work.progress(ticket, step)) Q_EMIT changed();
        });
    };
    ui::ask<NewKernelPointer>(
        m_thread, this, writeTag,
        [question = std::move(question), tell](const std::stop_token& stop) { return written(question, tell, stop); },
        [this, ticket](Result<NewKernelPointer> answer) {
            if (m_work.end(ticket, std::move(answer))) Q_EMIT changed();
        });
}

void NewKernelDesk::cancel() {
    m_thread.cancel(writeTag);
    if (m_work.cancel()) Q_EMIT changed();
}

void NewKernelDesk::clear() {
    m_thread.cancel(writeTag);
    m_work.clear();
    Q_EMIT changed();
}

} // namespace kernelarium::ui
