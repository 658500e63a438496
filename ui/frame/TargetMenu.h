// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMenu>

namespace kernelarium::protocol {
struct DeviceSummary;
}

namespace kernelarium::ui {

class DeviceDesk;
class Place;

/// Where kernels run: the emulator, the GPUs of this machine, and those of other machines. It is made anew
/// whenever it is opened, from what the machines answered last.
class TargetMenu : public QMenu {
    Q_OBJECT
public:
    explicit TargetMenu(Place& place, DeviceDesk& devices, QWidget* parent = nullptr);

    /// Actions of the window that follow the machines: added once, shown at the end each time.
    void setCommon(const QList<QAction*>& actions);

private:
    void fill();
    void addMachine(const QString& host);
    void addPlace(const QString& text, const QString& tip, const QString& host, const protocol::DeviceSummary* gpu,
                  int ordinal);

    Place& m_place;
    DeviceDesk& m_devices;
    QList<QAction*> m_common;
};

} // namespace kernelarium::ui
