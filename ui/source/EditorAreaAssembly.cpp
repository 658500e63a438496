// SPDX-License-Identifier: GPL-3.0-or-later
// What the compiler makes of the text, beside it, and what the compiler is told.
#include "ui/desks/CompileDesk.h"
#include "ui/editor/CodeEditor.h"
#include "ui/editor/PtxView.h"
#include "ui/source/EditorArea.h"
#include "ui/source/SassPanel.h"
#include "ui/source/SecondAssembly.h"
#include "ui/source/SourceQuestions.h"
#include "ui/words/Words.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"

#include <QSplitter>
#include <QToolButton>
#include <algorithm>

namespace kernelarium::ui {

void EditorArea::refreshPtx() {
    const CompileState& state = m_with.compiler.state();
    if (!isShowingPtx() || state.stage != Stage::finished || !state.answer || state.answer == m_ptxUnit) return;
    if (state.answer->ptx.empty()) return; // the last listing is better than none while an error stands
    m_ptxUnit = state.answer;
    m_ptx->setPtx(QString::fromStdString(state.answer->ptx));
    m_ptx->showSourceLine(m_editor->cursorLine());
}

/// Where both are shown the PTX has as many lines with code as the other or more.
void EditorArea::refreshBands() {
    m_editor->setBands(isShowingPtx()      ? m_ptx->bands()
                       : isShowingSass()   ? m_native->listing().bands()
                       : isShowingSecond() ? m_second->view().bands()
                                           : std::vector<int>());
}

bool EditorArea::isShowingPtx() const {
    return !m_ptx->isHidden();
}

void EditorArea::showPtx(bool shown) {
    m_ptx->setVisible(shown);
    refreshPtx();
    refreshBands();
    Q_EMIT stateChanged();
}

bool EditorArea::isShowingSass() const {
    return !m_native->isHidden();
}

void EditorArea::showSass(bool shown) {
    m_native->setVisible(shown);
    m_native->follow();
    refreshBands();
    Q_EMIT stateChanged();
}

bool EditorArea::isShowingSecond() const {
    return !m_second->isHidden();
}

void EditorArea::showSecond(bool shown) {
    if (shown == isShowingSecond()) return;
    m_second->setVisible(shown);
    if (shown && !isShowingPtx() && !isShowingSass()) showPtx(true);
    if (shown) {
        m_native->showListing(); // of two listings the differences are marked
        m_second->setAssembly(isShowingSass() && !isShowingPtx() ? Assembly::sass : Assembly::ptx);
        const int third = std::max(1, m_split->width() / (isShowingPtx() && isShowingSass() ? 4 : 3));
        m_split->setSizes({third, third, third, third}); // else the text is squeezed to nothing
    } else {
        m_second->leave();
    }
    m_second->follow();
    Q_EMIT stateChanged();
}

void EditorArea::askForOptions() {
    if (m_with.bench.kernel().isEmpty()) return;
    showDiff(false);
    ui::askForOptions(m_with.bench, m_with.assignment, m_with.place, *m_prompt);
}

/// Short where nothing is asked of the compiler.
void EditorArea::refreshOptions() {
    constexpr int widest = 280; // logical pixels
    const QString line = optionsLine(m_with.bench, m_with.place);
    const QString arch = m_with.place.target().arch;
    const QString text = line.isEmpty() ? arch : QStringLiteral("%1 · %2").arg(arch, line);
    m_options->setVisible(!m_with.bench.kernel().isEmpty());
    m_options->setText(withoutMnemonic(m_options->fontMetrics().elidedText(text, Qt::ElideRight, widest)));
    m_options->setAccessibleName(tr("Compiler options"));
    m_options->setAccessibleDescription(line.isEmpty() ? tr("none") : line);
    m_options->setToolTip(line.isEmpty() ? tr("Compiled for %1 without further options. Click to change them").arg(arch)
                                         : tr("Compiled for %1 with %2. Click to change it").arg(arch, line));
}

} // namespace kernelarium::ui
