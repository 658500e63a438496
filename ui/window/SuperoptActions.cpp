// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/SuperoptActions.h"

#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/superopt/CandidatesView.h"
#include "ui/superopt/NewKernelDialog.h"
#include "ui/superopt/SuperoptPage.h"
#include "ui/window/Pages.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"

namespace kernelarium::ui {

SuperoptActions::SuperoptActions(const Around& around, const Parts& parts, QWidget& window)
    : QObject(&window)
    , m_with(around)
    , m_parts(parts)
    , m_window(window) {
    const QString newForTask = QStringLiteral("file.newForTask");
    m_parts.actions.add({newForTask,
                         tr("New kernel &for a task…"),
                         tr("Write a kernel file from a task's card, to begin by hand"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
                         {},
                         [this] { askForTask(); },
                         {}});
    const auto run = [&actions = parts.actions, newForTask] { actions.run(newForTask); };
    connect(&parts.editor, &EditorArea::newRequested, this, run);
    connect(&parts.pages.page<SuperoptPage>(), &SuperoptPage::newRequested, this, run);
    connect(&parts.pages.page<SuperoptPage>(), &SuperoptPage::putRequested, this, &SuperoptActions::putCandidate);
}

/// The list begins at the task that is being looked at.
void SuperoptActions::askForTask() {
    auto task = m_with.bench.kernel().task;
    const auto& page = m_parts.pages.page<SuperoptPage>();
    if (page.isVisible() && page.chosenTask()) task = page.chosenTask();
    m_writer.clear();
    auto* dialog = new NewKernelDialog(m_writer, task, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &NewKernelDialog::written, this, &SuperoptActions::putWritten);
    dialog->open();
}

void SuperoptActions::putWritten(const NewKernelPointer& written) {
    put(written->card, written->cardPath, QString::fromStdString(written->emitted.skeleton),
        QString::fromStdString(written->emitted.text));
}

/// A candidate of a card of the user's own is of the kernel's that has it on the bench.
void SuperoptActions::putCandidate(const NewCandidate& candidate) {
    const Kernel& kernel = m_with.bench.kernel();
    put(candidate.card, kernel.card == candidate.card ? kernel.cardPath : QString(),
        QString::fromStdString(candidate.name), QString::fromStdString(candidate.text));
}

void SuperoptActions::put(const std::shared_ptr<const task::Card>& card, const QString& cardPath, const QString& form,
                          const QString& text) {
    Kernel kernel;
    kernel.original = text;
    kernel.task = task::TaskKey{card->level, card->task};
    kernel.taskIsChosen = true;
    if (!cardPath.isEmpty()) {
        kernel.cardPath = cardPath;
        kernel.card = card;
    }
    m_with.bench.openNew(std::move(kernel), GeneratedFrom{{card->level, card->task}, form});
    m_with.notices.post(tr("%1 is on the bench; Ctrl+Return verifies it.").arg(m_with.bench.kernel().title));
    m_parts.editor.focusEditor();
}

} // namespace kernelarium::ui
