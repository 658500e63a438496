// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/PlotCanvas.h"

#include <QStringList>
#include <vector>

namespace kernelarium::ui {

struct ScatterData {
    struct Axis {
        QString title;     ///< with its unit
        QStringList words; ///< of a parameter: where the axis is 0, 1, ..., what is written there; empty: numbers
        bool log = false;
    };
    struct Mark {
        enum class Shape { dot, ring, cross }; ///< right, not verified or refused, wrong
        double x = 0, y = 0;
        double share = 0; ///< of its time (timeShare); NaN: it has none
        Shape shape = Shape::dot;
        bool faded = false; ///< what the table does not show
        bool best = false;
        int row = 0; ///< of the points' model
    };
    Axis x, y;
    QString note; ///< above the plot
    std::vector<Mark> marks;
};

/// Points of a sweep over two of their values. Where parameters make many fall on one place, they lie around it.
class ScatterCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit ScatterCanvas(QWidget* parent = nullptr);

    void setData(ScatterData data);
    [[nodiscard]] const ScatterData& data() const { return m_data; }

    [[nodiscard]] int markCount() const override { return int(m_data.marks.size()); }
    [[nodiscard]] QPointF markPosition(int mark) const override;

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override;

private:
    void drawHeader(QPainter& painter);

    ScatterData m_data;
};

} // namespace kernelarium::ui
