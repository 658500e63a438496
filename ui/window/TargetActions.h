// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QMenu;
class QWidget;

namespace kernelarium::ui {

class Actions;
class DeviceDialog;
class Docks;
class StatusLine;
class TargetMenu;
class DeviceDesk;
class Notices;
class Place;

/// The actions on where kernels run and how they are timed, and the menu of the places.
class TargetActions : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Place& place;
        DeviceDesk& devices;
        Notices& notices;
    };
    TargetActions(const Around& around, Docks& docks, StatusLine& status, Actions& actions, QWidget& window);
    [[nodiscard]] QMenu& menu();

private:
    void addPlaces();
    void addSizeAndTime();
    void fillMenu();
    void addMachine();
    void showDevice();
    void chooseRate();
    [[nodiscard]] QString onlyOnGpu() const;

    Around m_with;
    Docks& m_docks;
    StatusLine& m_status;
    Actions& m_actions;
    QWidget& m_window;
    TargetMenu* m_menu;
    DeviceDialog* m_device = nullptr; ///< made when it is first asked for
};

} // namespace kernelarium::ui
