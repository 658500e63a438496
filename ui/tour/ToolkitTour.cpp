// SPDX-License-Identifier: GPL-3.0-or-later
// The tour on a machine without the CUDA toolkit: what works there, and what is offered.
#include "ui/desks/CompileDesk.h"
#include "ui/dialogs/PreferencesDialog.h"
#include "ui/dialogs/ToolkitPage.h"
#include "ui/frame/Actions.h"
#include "ui/tour/Tour.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QTreeWidget>

namespace kernelarium::ui {

bool Tour::lacksToolkit() const {
    const CompileState& state = m_window.workspace().compiler().state();
    return state.stage == ui::Stage::failed && state.error.code == "missing_component";
}

void Tour::leaveOutWhatCompiles() {
    bool behind = false;
    for (Stage& stage : m_stages) {
        if (behind)
            stage.applies = [this, before = std::move(stage.applies)] {
                return !lacksToolkit() && (!before || before());
            };
        behind = behind || stage.name == QLatin1String("open");
    }
}

void Tour::addToolkitStages() {
    const auto lacks = [this] { return lacksToolkit(); };
    const auto dialog = [this]() -> QWidget* { return m_window.findChild<PreferencesDialog*>(); };
    m_stages.push_back({QStringLiteral("no-toolkit"),
                        tr("The CUDA toolkit is missing: the window says so, and offers what compiling needs."),
                        [this] { m_window.showDock(QStringLiteral("diagnostics")); }, [] { return true; }, 60000,
                        lacks});
    m_stages.push_back({QStringLiteral("preferences"),
                        tr("Preferences list the toolkits that were found; Get shows sizes and licence first."),
                        [this] { m_window.actions().action(QStringLiteral("edit.preferences"))->trigger(); },
                        [this] {
                            const auto& state = m_window.workspace().toolkits().state();
                            return state.stage == ui::Stage::finished;
                        },
                        60000,
                        lacks,
                        {},
                        dialog});
    m_stages.push_back({QStringLiteral("archived-roofline"), tr("The archived kernel under the roofs of an H200."),
                        [this, dialog] {
                            if (auto* open = qobject_cast<QDialog*>(dialog())) open->reject();
                            m_window.showDock(QStringLiteral("roofline"));
                        },
                        [] { return true; }, 60000, lacks});
}

} // namespace kernelarium::ui
