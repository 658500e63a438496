// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QLineF>
#include <QPointF>
#include <QRectF>
#include <QSizeF>
#include <optional>
#include <vector>

namespace kernelarium::ui {

/// Finds room for labels beside marks: first come, first served, never over another one or over a mark. Nor does the
/// line that leads from a mark to a label further away cross one.
class LabelPlacer {
public:
    explicit LabelPlacer(QRectF area)
        : m_area(area) {}

    void occupy(const QRectF& rect) { m_taken.push_back(rect); }
    void occupy(const QLineF& line); ///< nothing is written across it
    /// The rectangles that beside() and onLine() gave.
    [[nodiscard]] const std::vector<QRectF>& given() const { return m_given; }
    /// The line from a mark to its label, where that is not close by.
    [[nodiscard]] static std::optional<QLineF> leader(QPointF mark, const QRectF& label);
    /// A free rectangle of that size beside the mark, which it then occupies; empty where there is none.
    [[nodiscard]] std::optional<QRectF> beside(QPointF mark, QSizeF size);
    /// Room for a text of that width along a rising line: where it starts, in pixels from the line's beginning.
    /// `side` is 1 below the line, -1 above.
    [[nodiscard]] std::optional<double> along(const QLineF& line, double width, int side);
    /// A free rectangle above a horizontal line, or below it, near its right end if there is room.
    [[nodiscard]] std::optional<QRectF> onLine(double y, double left, double right, QSizeF size);

private:
    [[nodiscard]] bool free(const QRectF& rect) const;
    /// Whether a line from a mark reaches that rectangle without crossing a label or another such line.
    [[nodiscard]] bool reaches(QPointF mark, const QRectF& rect) const;
    [[nodiscard]] QRectF give(const QRectF& rect);
    QRectF m_area;
    std::vector<QRectF> m_taken;
    std::vector<QRectF> m_given;
    std::vector<QLineF> m_leaders;
};

} // namespace kernelarium::ui
