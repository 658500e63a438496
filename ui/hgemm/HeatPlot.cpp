// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/HeatPlot.h"

#include "ui/widgets/EmptyState.h"

namespace kernelarium::ui {

HeatPlot::HeatPlot(Theme& theme, QWidget* parent)
    : HeatPlot(theme, new HeatCanvas, parent) {}

HeatPlot::HeatPlot(Theme& theme, HeatCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("heatmap"), parent)
    , m_plot(*canvas) {
    emptyState().setTexts(tr("Nothing to draw"), tr("This table has no value for the chosen baseline."));
    setEmpty(true);
}

void HeatPlot::setData(HeatData data) {
    m_plot.setData(std::move(data));
    setEmpty(m_plot.markCount() == 0);
}

QString HeatPlot::svg(QSize size, const Palette& palette) const {
    HeatCanvas fresh;
    fresh.setData(m_plot.data());
    return svgOf(fresh, size, palette);
}

} // namespace kernelarium::ui
