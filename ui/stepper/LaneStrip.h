// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/stepper/StepWalk.h"
#include "ui/theme/Theme.h"

#include <QWidget>

namespace kernelarium::ui {

/// The 32 lanes of the warp: filled where the step executes, outlined with a dot where the predicate holds it off,
/// empty where the lane is on another path; a cross where it was at fault. A click or the arrow keys choose a lane.
class LaneStrip : public QWidget {
    Q_OBJECT
public:
    LaneStrip(StepWalk& walk, Theme& theme, QWidget* parent = nullptr);

    [[nodiscard]] QSize sizeHint() const override;
    [[nodiscard]] QSize minimumSizeHint() const override;
    [[nodiscard]] QRect cell(int lane) const;
    /// What it shows, in words.
    [[nodiscard]] QString text() const;

protected:
    bool event(QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    [[nodiscard]] int laneAt(const QPoint& point) const;
    [[nodiscard]] std::uint32_t faultyLanes() const;

    StepWalk& m_walk;
    Theme& m_theme;
};

} // namespace kernelarium::ui
