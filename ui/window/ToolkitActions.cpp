// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/ToolkitActions.h"

#include "ui/desks/CompileDesk.h"
#include "ui/desks/ToolkitDesk.h"
#include "ui/dialogs/GetToolkitDialog.h"
#include "ui/frame/Actions.h"
#include "ui/frame/NoticeBar.h"
#include "ui/frame/StatusLine.h"

namespace kernelarium::ui {

ToolkitActions::ToolkitActions(const Around& around, const Parts& parts, QWidget& window)
    : QObject(&window)
    , m_with(around)
    , m_parts(parts)
    , m_window(window) {
    m_parts.actions.add(
        {QStringLiteral("toolkit.get"),
         tr("Get the CU&DA toolkit…"),
         tr("Install what compiling needs in your own folder: sizes and licence are shown first"),
         {},
         {},
         [this] { get(); },
         [this] { return m_with.toolkit.isBusy() ? tr("a toolkit is being brought or removed") : QString(); }});
    connect(&around.toolkit, &ToolkitDesk::progressChanged, this, [this] {
        const ToolkitDesk& desk = m_with.toolkit;
        m_parts.status.setErrand(StatusLine::Errand::toolkit, desk.isBusy() ? desk.progressText() : QString(),
                                 desk.fraction());
        m_parts.actions.refreshSoon();
    });
    connect(&around.toolkit, &ToolkitDesk::ended, this,
            [this](const QString& summary, bool ok) { m_parts.notices.show(summary, !ok); });
    connect(&around.toolkit, &ToolkitDesk::toolkitChanged, &around.compiler, &CompileDesk::startAnew);
    connect(&around.compiler, &CompileDesk::changed, this, &ToolkitActions::offer);
}

void ToolkitActions::get() {
    if (!m_with.toolkit.isBusy()) GetToolkitDialog::openOn(m_with.toolkit, &m_window);
}

void ToolkitActions::offer() {
    const CompileState& state = m_with.compiler.state();
    if (m_offered || state.stage != Stage::failed || state.error.code != "missing_component") return;
    m_offered = true;
    m_parts.notices.offer(
        tr("Kernels cannot be compiled: the CUDA toolkit is missing. Everything else works."), tr("Get it…"),
        tr("See what is needed, with sizes and licence, and install it in your folder"), [this] { get(); });
}

} // namespace kernelarium::ui
