// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/tuning/PointRow.h"

#include <QPixmap>
#include <QWidget>
#include <optional>

namespace kernelarium::ui {

class PointModel;

/// Parallel coordinates: an upright axis for each parameter and one for the time, a line for each point. A piece of an
/// axis can be brushed; points outside of a brush fade. By mouse: drag along an axis, click on it to take the brush
/// away, double click for all. By keyboard: Left and Right choose an axis, Up and Down move its brush, with Shift they
/// widen it, Delete takes it away, Escape all.
class ParallelView : public QWidget {
    Q_OBJECT
public:
    ParallelView(const PointModel& model, Theme& theme, QWidget* parent = nullptr);

    void refresh(); ///< the model has other points
    void clearBrushes();
    [[nodiscard]] bool isBrushed() const;
    [[nodiscard]] bool takes(const PointRow& row) const; ///< by the brushes

    [[nodiscard]] int axisCount() const;
    [[nodiscard]] QRectF axisRect(int axis) const;                 ///< that the mouse takes hold of
    [[nodiscard]] double positionOf(int axis, double share) const; ///< pixels from the top; 0 is an axis' lower end
    [[nodiscard]] int currentAxis() const { return m_axis; }
    /// Of a point's value on an axis, from 0 to 1; NaN where it has none.
    [[nodiscard]] double shareOf(const PointRow& row, int axis) const;

    [[nodiscard]] QSize minimumSizeHint() const override { return {240, 120}; }

Q_SIGNALS:
    void brushed();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    struct Brush {
        double from = 0, to = 1; ///< shares
    };
    [[nodiscard]] bool isTime(int axis) const;
    [[nodiscard]] double steps(int axis) const; ///< values of a parameter, less one; of the time 20
    [[nodiscard]] QRectF plotRect() const;
    [[nodiscard]] double axisX(int axis) const;
    [[nodiscard]] int axisAt(QPointF place) const;
    [[nodiscard]] double shareAt(double y) const;
    [[nodiscard]] QString valueText(int axis, double share) const;
    void setBrush(int axis, std::optional<Brush> brush);
    void moveBrush(int direction, bool widen);
    void tell();
    void repaintAll();
    void drawLines(QPainter& painter) const;
    void drawAxes(QPainter& painter) const;
    void drawAxis(QPainter& painter, int axis) const;
    void snap(int axis, Brush& brush) const;

    const PointModel& m_model;
    Theme& m_theme;
    std::vector<std::optional<Brush>> m_brushes; ///< by axis
    double m_fastest = 0, m_slowest = 0;         ///< milliseconds
    int m_axis = 0;
    int m_dragged = -1;
    double m_dragFrom = 0;
    QPoint m_pressedAt;
    bool m_moved = false;
    QPixmap m_lines; ///< null: to be drawn
};

} // namespace kernelarium::ui
