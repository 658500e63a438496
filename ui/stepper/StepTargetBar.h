// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/StepDesk.h"

#include <QWidget>
#include <array>

class QPushButton;
class QSpinBox;

namespace kernelarium::ui {

/// Which launch, block, warp and line are to be recorded.
class StepTargetBar : public QWidget {
    Q_OBJECT
public:
    explicit StepTargetBar(QWidget* parent = nullptr);

    [[nodiscard]] StepTarget target() const;
    void setTarget(const StepTarget& target);
    void setUsable(bool usable, const QString& why);
    [[nodiscard]] QPushButton& button() { return *m_record; }

Q_SIGNALS:
    void recordRequested();

private:
    QSpinBox* number(const QString& name, const QString& tip, int least, int most, const QString& leastText);

    QSpinBox* m_launch;
    std::array<QSpinBox*, 3> m_block{};
    QSpinBox* m_warp;
    QSpinBox* m_line;
    QPushButton* m_record;
    int m_lane = 0;
};

} // namespace kernelarium::ui
