// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/hgemm/HeatCanvas.h"
#include "ui/plots/PlotPanel.h"

#include <functional>

namespace kernelarium::ui {

/// The heat map with what all plots have: record on hover, context menu, pictures and numbers to take away.
class HeatPlot : public PlotPanel {
    Q_OBJECT
public:
    explicit HeatPlot(Theme& theme, QWidget* parent = nullptr);

    void setData(HeatData data);
    [[nodiscard]] HeatCanvas& plot() const { return m_plot; }

    /// The whole record of a cell, and all that are shown as a table.
    std::function<Record(int mark)> recordFor;
    std::function<QString()> numbersFor;

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    [[nodiscard]] QString numbers() const override { return numbersFor ? numbersFor() : QString(); }
    [[nodiscard]] Record recordOf(int mark) const override { return recordFor ? recordFor(mark) : Record(); }

Q_SIGNALS:
    void cellActivated(int mark);

protected:
    void activate(int mark) override { Q_EMIT cellActivated(mark); }
    void fillMenu(QMenu&, int) override {}

private:
    HeatPlot(Theme& theme, HeatCanvas* canvas, QWidget* parent);
    HeatCanvas& m_plot;
};

} // namespace kernelarium::ui
