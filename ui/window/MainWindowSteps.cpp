// SPDX-License-Identifier: GPL-3.0-or-later
// Stepping through a block: its actions, and what the window does meanwhile.
#include "ui/editor/CodeEditor.h"
#include "ui/stepper/StepControls.h"
#include "ui/stepper/StepsPanel.h"
#include "ui/window/Actions.h"
#include "ui/window/EditorArea.h"
#include "ui/window/MainWindow.h"

namespace kernelarium::ui {

namespace {

/// False for what is certainly none: blanks, a comment, a directive.
bool mayHaveCode(const QString& line) {
    const QString text = line.trimmed();
    return !text.isEmpty() && !text.startsWith(QLatin1String("//")) && !text.startsWith(QLatin1Char('#'));
}

} // namespace

void MainWindow::addStepActions() {
    m_actions->add({QStringLiteral("step.line"), tr("Step &through this line"),
                    tr("Record the first block of the first launch that has code of the cursor's line, and go to its "
                       "first step there"),
                    QKeySequence(Qt::Key_F6), QStringLiteral("next"),
                    [this] {
                        StepTarget target;
                        target.request.line = m_editorArea->editor().cursorLine();
                        if (!mayHaveCode(m_editorArea->editor().text(target.request.line - 1))) {
                            m_workspace.post(tr("Line %1 is no code of a kernel. Put the cursor on a statement inside "
                                                "a kernel, then step through it (F6).")
                                                 .arg(target.request.line),
                                             true);
                            return;
                        }
                        m_workspace.stepThrough(target);
                    },
                    [this] { return m_workspace.kernel().isEmpty() ? tr("choose a kernel first") : QString(); }});
    for (const StepControls::Words& w : StepControls::words())
        m_actions->add({QLatin1String(w.name), w.text, w.tip, QKeySequence(w.key), QLatin1String(w.icon),
                        [this, move = w.move] { m_steps->walk().go(move); },
                        [this, move = w.move]() -> QString {
                            if (m_steps->walk().isEmpty())
                                return tr("nothing is recorded: Step through this line (F6)");
                            return m_steps->walk().target(move) ? QString() : tr("there is no such step");
                        }});
    m_editorArea->editor().addAction(m_actions->action(QStringLiteral("step.line")));
}

void MainWindow::connectSteps() {
    connect(&m_steps->walk(), &StepWalk::moved, m_actions, &Actions::refresh);
    connect(&m_workspace.stepper(), &StepDesk::changed, this, [this] {
        if (m_workspace.stepper().isBusy()) showDock(QStringLiteral("steps"));
    });
}

} // namespace kernelarium::ui
