// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/TargetMenu.h"

#include "ui/desks/DeviceDesk.h"
#include "ui/workspace/Place.h"

namespace kernelarium::ui {

TargetMenu::TargetMenu(Place& place, DeviceDesk& devices, QWidget* parent)
    : QMenu(tr("Tar&get"), parent)
    , m_place(place)
    , m_devices(devices) {
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
    for (const QString& host : m_devices.hosts()) {
        addSection(host);
        addMachine(host);
        QAction* forget = addAction(tr("Forget %1").arg(host));
        forget->setToolTip(
            tr("Remove this machine from the list; what was copied there stays in its ~/.cache/kernelarium"));
        connect(forget, &QAction::triggered, this, [this, host] {
            if (m_place.target().host == host) m_place.choose({}, nullptr, 0);
            m_devices.removeHost(host);
        });
    }
    addSeparator();
    addActions(m_common);
}

void TargetMenu::addMachine(const QString& host) {
    const HostDevices devices = m_devices.at(host);
    addPlace(tr("Emulator"), tr("Kernels run in the emulator, with every check"), host, nullptr, 0);
    int ordinal = 0;
    bool isThere = !m_place.target().onGpu() || m_place.target().host != host;
    for (const protocol::DeviceSummary& device : devices.answer.devices) {
        if (device.backend != "cuda") continue;
        const QString memory = tr("%1, %2 GB, compiled for %3")
                                   .arg(QString::fromStdString(device.name))
                                   .arg(double(device.memoryBytes) / 1e9, 0, 'f', 0)
                                   .arg(QString::fromStdString(device.arch));
        isThere = isThere ||
                  (m_place.target().ordinal == ordinal && m_place.target().gpu == QString::fromStdString(device.name));
        addPlace(QString::fromStdString(device.name), tr("Kernels are verified and timed on this GPU: %1").arg(memory),
                 host, &device, ordinal++);
    }
    const auto say = [this](const QString& text, const QString& tip) {
        QAction* line = addAction(text);
        line->setEnabled(false);
        line->setToolTip(tip);
    };
    if (!isThere) say(tr("%1 (no longer available)").arg(m_place.target().gpu), m_place.obstacle());
    if (isBusy(devices.stage))
        say(tr("querying…"), devices.step);
    else if (devices.stage == Stage::failed)
        say(QString::fromStdString(devices.error.message), QString::fromStdString(devices.error.text()));
    else if (devices.stage == Stage::finished && devices.answer.missing && !devices.answer.gpu())
        say(tr("No GPU: %1").arg(QString::fromStdString(devices.answer.missing->message)),
            QString::fromStdString(devices.answer.missing->text()));
    QAction* again =
        addAction(devices.stage == Stage::failed && !host.isEmpty() ? tr("Connect again") : tr("Look for GPUs again"));
    again->setToolTip(tr("Ask the machine which GPUs it has"));
    connect(again, &QAction::triggered, this, [this, host] { m_devices.look(host); });
}

void TargetMenu::addPlace(const QString& text, const QString& tip, const QString& host,
                          const protocol::DeviceSummary* gpu, int ordinal) {
    QAction* action = addAction(text);
    action->setCheckable(true);
    const Target& target = m_place.target();
    const bool chosen = target.host == host && target.onGpu() == (gpu != nullptr) &&
                        (!gpu || (target.ordinal == ordinal && target.gpu == QString::fromStdString(gpu->name)));
    action->setChecked(chosen);
    action->setToolTip(tip);
    const protocol::DeviceSummary copy = gpu ? *gpu : protocol::DeviceSummary();
    connect(action, &QAction::triggered, this, [this, host, copy, hasGpu = gpu != nullptr, ordinal] {
        m_place.choose(host, hasGpu ? &copy : nullptr, ordinal);
        if (!host.isEmpty() && m_devices.at(host).stage == Stage::idle) m_devices.look(host);
    });
}

} // namespace kernelarium::ui
