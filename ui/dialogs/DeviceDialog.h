// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/dialogs/CeilingModel.h"

#include <QDialog>

class QComboBox;
class QLabel;
class QProgressBar;
class QPushButton;
class QTableView;

namespace kernelarium::ui {

class DeviceDesk;
class Place;

/// What the GPU that is the target reaches at best, measured here, beside its data sheet; and what was
/// measured before.
class DeviceDialog : public QDialog {
    Q_OBJECT
public:
    explicit DeviceDialog(Place& place, DeviceDesk& devices, QWidget* parent = nullptr);
    [[nodiscard]] CeilingModel& model() { return *m_model; }
    [[nodiscard]] QString facts() const;
    [[nodiscard]] QPushButton& measureButton() { return *m_measure; }

Q_SIGNALS:
    void helpRequested();

private:
    void refreshDevices();
    void showChosen();
    void refreshState();

    Place& m_place;
    DeviceDesk& m_devices;
    CeilingModel* m_model;
    QComboBox* m_device;
    QLabel* m_facts;
    QTableView* m_table;
    QLabel* m_state;
    QProgressBar* m_progress;
    QPushButton* m_measure;
};

} // namespace kernelarium::ui
