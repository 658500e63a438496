// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/LabelPlacer.h"

#include <algorithm>

namespace kernelarium::ui {

std::optional<QRectF> LabelPlacer::beside(QPointF mark, QSizeF size) {
    const double w = size.width(), h = size.height();
    for (const double d : {13.0, 28.0, 44.0}) {
        const double down = d == 13.0 ? 2 : d / 2, up = -h - down;
        const QPointF corners[] = {{d, -h / 2},  {d, up},        {d, down},        {-w - d, -h / 2},
                                   {-w - d, up}, {-w - d, down}, {-w / 2, -h - d}, {-w / 2, d}};
        for (const QPointF& corner : corners) {
            const QRectF rect(mark + corner, size);
            if (!free(rect) || !reaches(mark, rect)) continue;
            if (const auto line = leader(mark, rect)) {
                m_leaders.push_back(*line);
                occupy(*line);
            }
            return give(rect);
        }
    }
    return std::nullopt;
}

std::optional<QLineF> LabelPlacer::leader(QPointF mark, const QRectF& label) {
    constexpr double closeBy = 18, fromMark = 9;
    const QPointF end(std::clamp(mark.x(), label.left() - 2, label.right() + 2),
                      std::clamp(mark.y(), label.top() + 2, label.bottom() - 2));
    const QLineF way(mark, end);
    if (way.length() < closeBy) return std::nullopt;
    return QLineF(way.pointAt(fromMark / way.length()), end);
}

bool LabelPlacer::reaches(QPointF mark, const QRectF& rect) const {
    const auto line = leader(mark, rect);
    if (!line) return true;
    const auto crosses = [&](const QRectF& label) {
        const QLineF sides[] = {{label.topLeft(), label.topRight()},
                                {label.bottomLeft(), label.bottomRight()},
                                {label.topLeft(), label.bottomLeft()},
                                {label.topRight(), label.bottomRight()}};
        return std::any_of(std::begin(sides), std::end(sides), [&](const QLineF& side) {
            return line->intersects(side, nullptr) == QLineF::BoundedIntersection;
        });
    };
    return std::none_of(m_given.begin(), m_given.end(), crosses) &&
           std::none_of(m_leaders.begin(), m_leaders.end(), [&](const QLineF& other) {
               return line->intersects(other, nullptr) == QLineF::BoundedIntersection;
           });
}

void LabelPlacer::occupy(const QLineF& line) {
    constexpr double step = 4;
    if (line.dy() == 0) { // also where it is kilometres long
        const double left = std::min(line.x1(), line.x2()), right = std::max(line.x1(), line.x2());
        occupy(QRectF(left, line.y1() - 1, right - left, 2));
        return;
    }
    for (double way = 0; way <= line.length(); way += step)
        occupy(QRectF(line.pointAt(way / line.length()) - QPointF(1, 1), QSizeF(2, 2)));
}

QRectF LabelPlacer::give(const QRectF& rect) {
    occupy(rect);
    m_given.push_back(rect);
    return rect;
}

std::optional<double> LabelPlacer::along(const QLineF& line, double width, int side) {
    constexpr double margin = 12, step = 12, thickness = 16;
    if (line.length() <= 0) return std::nullopt;
    const QLineF unit = line.unitVector();
    const QPointF across = QPointF(-unit.dy(), unit.dx()) * side; // towards the text
    for (double start = margin; start + width + margin <= line.length(); start += step) {
        std::vector<QRectF> boxes;
        for (double at = start; at <= start + width; at += thickness / 2) {
            const QPointF middle = line.pointAt(at / line.length()) + across * (thickness / 2 + 1);
            boxes.emplace_back(middle - QPointF(6, 6), QSizeF(12, 12));
        }
        if (!std::all_of(boxes.begin(), boxes.end(), [this](const QRectF& box) { return free(box); })) continue;
        for (const QRectF& box : boxes)
            occupy(box);
        return start;
    }
    return std::nullopt;
}

std::optional<QRectF> LabelPlacer::onLine(double y, double left, double right, QSizeF size) {
    constexpr double step = 8, near = 160; // rather below than far from the end
    for (const double reach : {near, right - left})
        for (const double top : {y - size.height() - 1, y + 2})
            for (double x = right - size.width(); x >= std::max(left, right - size.width() - reach); x -= step) {
                const QRectF rect(QPointF(x, top), size);
                if (free(rect)) return give(rect);
            }
    return std::nullopt;
}

bool LabelPlacer::free(const QRectF& rect) const {
    return m_area.contains(rect) &&
           std::none_of(m_taken.begin(), m_taken.end(), [&](const QRectF& taken) { return taken.intersects(rect); });
}

} // namespace kernelarium::ui
