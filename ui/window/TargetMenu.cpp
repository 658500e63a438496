// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/TargetMenu.h"

#include "ui/workspace/Workspace.h"

namespace kernelarium::ui {

TargetMenu::TargetMenu(Workspace& workspace, QWidget* parent)
    : QMenu(tr("Tar&get"), parent)
    , m_workspace(workspace) {
    setToolTipsVisible(true);
    menuAction()->setToolTip(tr("Where kernels run: the emulator, a GPU, another machine"));
    connect(this, &QMenu::aboutToShow, this, &TargetMenu::fill);
}

void TargetMenu::setCommon(const QList<QAction*>& actions) {
    m_common = actions;
    fill(); // a menu without entries cannot be opened
}

void TargetMenu::fill() {
    for (QAction* action : actions())
        if (!m_common.contains(action)) {
            removeAction(action);
            action->deleteLater();
        } else {
            removeAction(action);
        }
    addSection(tr("This machine"));
    addMachine({});
    for (const QString& host : m_workspace.devices().hosts()) {
        addSection(host);
        addMachine(host);
        QAction* forget = addAction(tr("Forget %1").arg(host));
        forget->setToolTip(
            tr("Take this machine off the list; what was copied there stays in its ~/.cache/kernelarium"));
        connect(forget, &QAction::triggered, this, [this, host] {
            if (m_workspace.target().host == host) m_workspace.choosePlace({}, nullptr, 0);
            m_workspace.devices().removeHost(host);
        });
    }
    addSeparator();
    addActions(m_common);
}

void TargetMenu::addMachine(const QString& host) {
    const HostDevices devices = m_workspace.devices().at(host);
    addPlace(tr("Emulator"), tr("Kernels run in the emulator, with every check"), host, nullptr, 0);
    int ordinal = 0;
    bool isThere = !m_workspace.target().onGpu() || m_workspace.target().host != host;
    for (const protocol::DeviceSummary& device : devices.answer.devices) {
        if (device.backend != "cuda") continue;
        const QString memory = tr("%1, %2 GB, compiled for %3")
                                   .arg(QString::fromStdString(device.name))
                                   .arg(double(device.memoryBytes) / 1e9, 0, 'f', 0)
                                   .arg(QString::fromStdString(device.arch));
        isThere = isThere || (m_workspace.target().ordinal == ordinal &&
                              m_workspace.target().gpu == QString::fromStdString(device.name));
        addPlace(QString::fromStdString(device.name), tr("Kernels are verified and timed on this GPU: %1").arg(memory),
                 host, &device, ordinal++);
    }
    const auto say = [this](const QString& text, const QString& tip) {
        QAction* line = addAction(text);
        line->setEnabled(false);
        line->setToolTip(tip);
    };
    if (!isThere) say(tr("%1 (not there any more)").arg(m_workspace.target().gpu), m_workspace.targetObstacle());
    if (isBusy(devices.stage))
        say(tr("asking…"), devices.step);
    else if (devices.stage == Stage::failed)
        say(QString::fromStdString(devices.error.message), QString::fromStdString(devices.error.text()));
    else if (devices.stage == Stage::finished && devices.answer.missing && !devices.answer.gpu())
        say(tr("No GPU: %1").arg(QString::fromStdString(devices.answer.missing->message)),
            QString::fromStdString(devices.answer.missing->text()));
    QAction* again =
        addAction(devices.stage == Stage::failed && !host.isEmpty() ? tr("Connect again") : tr("Look for GPUs again"));
    again->setToolTip(tr("Ask the machine which GPUs it has"));
    connect(again, &QAction::triggered, this, [this, host] { m_workspace.devices().look(host); });
}

void TargetMenu::addPlace(const QString& text, const QString& tip, const QString& host,
                          const protocol::DeviceSummary* gpu, int ordinal) {
    QAction* action = addAction(text);
    action->setCheckable(true);
    const Target& target = m_workspace.target();
    const bool chosen = target.host == host && target.onGpu() == (gpu != nullptr) &&
                        (!gpu || (target.ordinal == ordinal && target.gpu == QString::fromStdString(gpu->name)));
    action->setChecked(chosen);
    action->setToolTip(tip);
    const protocol::DeviceSummary copy = gpu ? *gpu : protocol::DeviceSummary();
    connect(action, &QAction::triggered, this, [this, host, copy, hasGpu = gpu != nullptr, ordinal] {
        m_workspace.choosePlace(host, hasGpu ? &copy : nullptr, ordinal);
        if (!host.isEmpty() && m_workspace.devices().at(host).stage == Stage::idle) m_workspace.devices().look(host);
    });
}

} // namespace kernelarium::ui
