// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/schedule/BesideModel.h"
#include "ui/schedule/ScheduleSearchDesk.h"

#include <QWidget>

class QLabel;
class QPushButton;
class QTableView;

namespace kernelarium::ui {

/// Counters of the original and of the schedule that is looked at, side by side: measured by Nsight Compute where that
/// was asked, else what a model of one warp says its cycles go to.
class CountersView : public QWidget {
    Q_OBJECT
public:
    explicit CountersView(ScheduleSearchDesk& desk, QWidget* parent = nullptr);

    [[nodiscard]] QTableView& table() { return *m_table; }
    [[nodiscard]] BesideModel& model() { return *m_model; }
    [[nodiscard]] QPushButton& button() { return *m_count; } ///< asks Nsight Compute, or cancels that
    [[nodiscard]] QString said() const;                      ///< where the figures are from

private:
    void press();
    void refresh();
    void refreshBar();

    ScheduleSearchDesk& m_desk;
    BesideModel* m_model;
    QTableView* m_table;
    QPushButton* m_count;
    QLabel* m_said;
    ScheduleVariantPointer m_variant; ///< that is shown
};

} // namespace kernelarium::ui
