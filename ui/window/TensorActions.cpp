// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/TensorActions.h"

#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/stepper/StepWalk.h"
#include "ui/tensors/TensorPanel.h"
#include "ui/window/Docks.h"
#include "ui/workspace/Bench.h"

namespace kernelarium::ui {

TensorActions::TensorActions(const Parts& parts, Actions& actions, QObject* parent)
    : QObject(parent)
    , m_parts(parts) {
    actions.add({QStringLiteral("tensors.ofLine"), tr("&Elements that this line wrote"),
                 tr("List and outline the elements of the output that the cursor's line wrote last"),
                 QKeySequence(Qt::SHIFT | Qt::Key_F6), QStringLiteral("heatmap"), [this] { showOfLine(); },
                 [this] { return m_parts.bench.kernel().isEmpty() ? tr("choose a kernel first") : QString(); }});
    actions.add({QStringLiteral("tensors.ofThread"), tr("Elements that this thread &wrote"),
                 tr("List and outline the elements of the output that the thread of the chosen lane wrote last"),
                 QKeySequence(Qt::SHIFT | Qt::Key_F9), QStringLiteral("heatmap"), [this] { showOfThread(); },
                 [this] {
                     return m_parts.walk.isEmpty() ? tr("nothing is recorded yet; use Step through this line (F6)")
                                                   : QString();
                 }});
    m_parts.editor.editor().addAction(actions.action(QStringLiteral("tensors.ofLine")));
}

void TensorActions::showOfLine() {
    m_parts.docks.show(QStringLiteral("tensors"));
    m_parts.panel.showWritten({m_parts.editor.editor().cursorLine(), {}, {}, {}});
}

void TensorActions::showOfThread() {
    if (m_parts.walk.isEmpty()) return;
    const recording::Recording& r = m_parts.walk.recording();
    const std::uint32_t thread = m_parts.walk.step().warp * recording::laneCount + std::uint32_t(m_parts.walk.lane());
    const recording::Place& size = r.blockSize;
    const recording::Place place{thread % size[0], thread / size[0] % size[1], thread / size[0] / size[1]};
    m_parts.docks.show(QStringLiteral("tensors"));
    m_parts.panel.showWritten({0, r.launch, r.block, place});
}

} // namespace kernelarium::ui
