// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/PlotPanel.h"
#include "ui/statistics/ChartCanvas.h"

namespace kernelarium::ui {

/// A chart of the page: hover tells the record, click or Return leads to the kernels, the context menu takes it along.
class ChartPlot : public PlotPanel {
    Q_OBJECT
public:
    explicit ChartPlot(Theme& theme, QWidget* parent = nullptr);

    /// Without a series the empty state shows.
    void setData(ChartData data);
    [[nodiscard]] ChartCanvas& plot() const { return m_plot; }

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    [[nodiscard]] QString numbers() const override;
    [[nodiscard]] Record recordOf(int mark) const override;

Q_SIGNALS:
    void drilled(const DrillPointer& drill);

protected:
    void activate(int mark) override;
    void fillMenu(QMenu& menu, int mark) override;

private:
    ChartPlot(Theme& theme, ChartCanvas* canvas, QWidget* parent);
    ChartCanvas& m_plot;
};

} // namespace kernelarium::ui
