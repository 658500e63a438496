// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of the tour that find a GPU: where there is one, a kernel is verified on it at full size.
#include "ui/archive/ArchivePanel.h"
#include "ui/archive/KernelTableModel.h"
#include "ui/archive/KernelTableView.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/tour/Keys.h"
#include "ui/tour/Tour.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QLineEdit>

namespace kernelarium::ui {

namespace {
const auto timedKernel = QStringLiteral("L1/T1/double_buffered@");
} // namespace

/// This machine's first GPU; null where there is none.
const protocol::DeviceSummary* Tour::gpu() const {
    m_devices = m_window.workspace().devices().at({});
    return m_devices.answer.gpu();
}

void Tour::addDeviceStages() {
    Workspace& workspace = m_window.workspace();
    const auto there = [this] { return gpu() != nullptr; };
    const auto asked = [&workspace] {
        const HostDevices devices = workspace.devices().at({});
        return devices.stage == ui::Stage::finished || devices.stage == ui::Stage::failed;
    };
    m_stages.push_back({QStringLiteral("device"), tr("Where kernels run: the emulator, and every GPU that was found."),
                        [this, &workspace] {
                            m_window.showDock(QStringLiteral("archive"));
                            workspace.devices().look({});
                        },
                        asked});
    m_stages.push_back({QStringLiteral("gpu-verified"),
                        tr("A double-buffered matrix product, verified on the GPU at the published size."),
                        [this, &workspace] {
                            m_window.editorArea().showPtx(false);
                            m_window.archive().focusSearch();
                            auto& line = *m_window.archive().filters().findChild<QLineEdit*>();
                            line.selectAll();
                            typeText(line, QStringLiteral("double_buffered"));
                            workspace.place().choose({}, gpu(), 0);
                            Target target = workspace.place().target();
                            target.size = QStringLiteral("full");
                            workspace.place().setTarget(target);
                            m_asked = false;
                        },
                        [this, &workspace] {
                            if (!workspace.bench().kernel().title.startsWith(QLatin1String("double_buffered"))) {
                                KernelTableModel& model = m_window.archive().model();
                                for (int row = 0; row < model.rowCount(); ++row)
                                    if (model.label(row).startsWith(timedKernel))
                                        m_window.archive().table().setCurrentIndex(
                                            model.index(row, KernelTableModel::name));
                                return false;
                            }
                            const CompileState& compiled = workspace.compiler().state();
                            if (!workspace.compiler().isSettled() || compiled.stage != ui::Stage::finished)
                                return false;
                            if (!m_asked) m_window.actions().action(QStringLiteral("kernel.verify"))->trigger();
                            m_asked = true;
                            const VerifyState& state = workspace.runner().verifyState();
                            return !workspace.trials().isBusy() && state.stage == ui::Stage::finished &&
                                   state.generation == workspace.bench().generation() &&
                                   state.answer->kind == verify::VerdictKind::verified;
                        },
                        180000, there});
}

} // namespace kernelarium::ui
