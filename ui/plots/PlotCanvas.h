// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/CustomPlot.h"
#include "ui/theme/Palette.h"

#include <QFont>

namespace kernelarium::ui {

/// What a plot is drawn with.
struct PlotLook {
    Palette palette;
    QFont text;
    QFont caption;
};

/// A plot of marks on two axes: zoom with the wheel at the cursor, drag to move, double click for the whole, arrow
/// keys from mark to mark. What is drawn is said by derived classes. All positions are in the widget's pixels.
class PlotCanvas : public QCustomPlot {
    Q_OBJECT
public:
    explicit PlotCanvas(QWidget* parent = nullptr);

    void setLook(const PlotLook& look);
    [[nodiscard]] const PlotLook& look() const { return m_look; }

    [[nodiscard]] virtual int markCount() const = 0;
    [[nodiscard]] virtual QPointF markPosition(int mark) const = 0;
    /// The mark within a few pixels; -1 without one.
    [[nodiscard]] virtual int markAt(QPointF position) const;
    /// The mark under the cursor or the one that the keyboard went to; -1 without one.
    [[nodiscard]] int current() const { return m_current; }
    void setCurrent(int mark);

    /// Shows everything, as a double click does.
    void resetView();
    [[nodiscard]] bool isZoomed() const { return m_zoomed; }
    [[nodiscard]] QRectF plotArea() const { return QRectF(axisRect()->rect()); }
    [[nodiscard]] QPointF pixelOf(double x, double y) const;

Q_SIGNALS:
    void markEntered(int mark); ///< -1 when left
    void markActivated(int mark);

protected:
    virtual void paintBelow(QPainter& painter) = 0; ///< under the axes
    virtual void paintAbove(QPainter& painter) = 0;
    virtual void home(QCPRange& x, QCPRange& y) const = 0;
    /// The widest label that the left axis is likely to have: room is kept for it.
    [[nodiscard]] virtual QString widestLabel() const = 0;
    /// To be called when the data changed: keeps the view if the reader has chosen it.
    void dataChanged();
    /// Draws it anew when it is painted next: never while nobody sees it, and once for all that has changed until then.
    void redraw();

    void resizeEvent(QResizeEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    class Scene;
    void styleAxes();
    void walk(int step);
    void askForMenu();
    void zoom(double factor);
    void keepInReason(const QCPRange& xBefore, const QCPRange& yBefore);
    [[nodiscard]] bool canSee(int mark) const;

    PlotLook m_look;
    int m_current = -1;
    bool m_stale = true; ///< to be drawn anew
    bool m_zoomed = false;
    bool m_pressed = false;
    QPoint m_pressedAt;
};

} // namespace kernelarium::ui
