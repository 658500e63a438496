// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/StepActions.h"

#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/stepper/StepControls.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Trials.h"

namespace kernelarium::ui {

namespace {

/// False for what is certainly none: blanks, a comment, a directive.
bool mayHaveCode(const QString& line) {
    const QString text = line.trimmed();
    return !text.isEmpty() && !text.startsWith(QLatin1String("//")) && !text.startsWith(QLatin1Char('#'));
}

} // namespace

StepActions::StepActions(const Around& around, EditorArea& editor, StepWalk& walk, Actions& actions, QObject* parent)
    : QObject(parent)
    , m_with(around)
    , m_editor(editor)
    , m_walk(walk) {
    actions.add({QStringLiteral("step.line"), tr("Step &through this line"),
                 tr("Record the first block that runs code of the cursor's line, and go to its first step there"),
                 QKeySequence(Qt::Key_F6), QStringLiteral("next"), [this] { stepThroughLine(); },
                 [this] { return m_with.bench.kernel().isEmpty() ? tr("choose a kernel first") : QString(); }});
    for (const StepControls::Words& w : StepControls::words())
        actions.add({QLatin1String(w.name), w.text, w.tip, QKeySequence(w.key), QLatin1String(w.icon),
                     [this, move = w.move] { m_walk.go(move); },
                     [this, move = w.move]() -> QString {
                         if (m_walk.isEmpty()) return tr("nothing is recorded yet; use Step through this line (F6)");
                         return m_walk.target(move) ? QString() : tr("there is no such step");
                     }});
    m_editor.editor().addAction(actions.action(QStringLiteral("step.line")));
}

void StepActions::stepThroughLine() {
    StepTarget target;
    target.request.line = m_editor.editor().cursorLine();
    if (!mayHaveCode(m_editor.editor().text(target.request.line - 1))) {
        m_with.notices.post(tr("Line %1 is not code of a kernel. Put the cursor on a statement inside "
                               "a kernel and press F6.")
                                .arg(target.request.line),
                            true);
        return;
    }
    m_with.trials.stepThrough(target);
}

} // namespace kernelarium::ui
