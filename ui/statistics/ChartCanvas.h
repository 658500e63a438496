// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/PlotCanvas.h"
#include "ui/statistics/ChartData.h"

namespace kernelarium::ui {

/// Draws a ChartData; its marks are the points of all series, one after another.
class ChartCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit ChartCanvas(QWidget* parent = nullptr);

    void setData(ChartData data);
    [[nodiscard]] const ChartData& data() const { return m_data; }
    [[nodiscard]] const ChartPoint& point(int mark) const;
    [[nodiscard]] const ChartSeries& seriesOf(int mark) const;

    [[nodiscard]] int markCount() const override { return int(m_marks.size()); }
    [[nodiscard]] QPointF markPosition(int mark) const override;
    /// Of a bar's outline anywhere above or below its top.
    [[nodiscard]] int markAt(QPointF position) const override;

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override;

private:
    struct Mark {
        std::size_t series;
        std::size_t point;
    };
    void useAxes();
    [[nodiscard]] QColor colourOfSeries(const ChartSeries& series) const;
    [[nodiscard]] QPen penOf(const ChartSeries& series) const;
    void drawHeader(QPainter& painter);
    void drawLine(QPainter& painter, const ChartSeries& series);
    void drawOutline(QPainter& painter, const ChartSeries& series);
    void drawLabels(QPainter& painter);

    ChartData m_data;
    std::vector<Mark> m_marks;
};

} // namespace kernelarium::ui
