// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/SuperoptActions.h"

#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
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
                         tr("New kernel for a &task…"),
                         tr("Write a kernel file from a task's card, to begin by hand"),
                         QKeySequence(Qt::CTRL | Qt::SHIFT | Qt::Key_N),
                         {},
                         [this] { askForTask(); },
                         {}});
    const auto run = [&actions = parts.actions, newForTask] { actions.run(newForTask); };
    connect(&parts.editor, &EditorArea::newRequested, this, run);
    connect(&parts.pages.page<SuperoptPage>(), &SuperoptPage::newRequested, this, run);
}

/// The list begins at the task that is being looked at.
void SuperoptActions::askForTask() {
    auto task = m_with.bench.kernel().task;
    const auto& page = m_parts.pages.page<SuperoptPage>();
    if (page.isVisible() && page.chosenTask()) task = page.chosenTask();
    m_writer.clear();
    auto* dialog = new NewKernelDialog(m_writer, task, &m_window);
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    connect(dialog, &NewKernelDialog::written, this, &SuperoptActions::put);
    dialog->open();
}

void SuperoptActions::put(const NewKernelPointer& written) {
    Kernel kernel;
    kernel.original = QString::fromStdString(written->emitted.text);
    kernel.task = task::TaskKey{written->card->level, written->card->task};
    kernel.taskIsChosen = true;
    if (!written->cardPath.isEmpty()) {
        kernel.cardPath = written->cardPath;
        kernel.card = written->card;
    }
    m_with.bench.openNew(std::move(kernel),
                         GeneratedFrom{*kernel.task, QString::fromStdString(written->emitted.skeleton)});
    m_with.notices.post(tr("%1 is on the bench; Ctrl+Return verifies it.").arg(m_with.bench.kernel().title));
    m_parts.editor.focusEditor();
}

} // namespace kernelarium::ui
