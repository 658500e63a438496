// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/ChartPlot.h"

#include "ui/widgets/EmptyState.h"

#include <QLocale>

namespace kernelarium::ui {

ChartPlot::ChartPlot(Theme& theme, QWidget* parent)
    : ChartPlot(theme, new ChartCanvas, parent) {}

ChartPlot::ChartPlot(Theme& theme, ChartCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("statistics"), parent)
    , m_plot(*canvas) {
    emptyState().setTexts(tr("Nothing to draw"), tr("None of these kernels is archived as correct with a speed-up."));
    setEmpty(true);
}

void ChartPlot::setData(ChartData data) {
    m_plot.setData(std::move(data));
    setEmpty(m_plot.markCount() == 0);
}

QString ChartPlot::svg(QSize size, const Palette& palette) const {
    ChartCanvas fresh;
    fresh.setData(m_plot.data());
    return svgOf(fresh, size, palette);
}

QString ChartPlot::numbers() const {
    const ChartData& data = m_plot.data();
    const auto number = [](double value) { return QLocale::c().toString(value, 'g', QLocale::FloatingPointShortest); };
    const bool bins = std::any_of(data.series.begin(), data.series.end(),
                                  [](const ChartSeries& s) { return s.form == ChartSeries::Form::outline; });
    const bool labels = std::any_of(data.series.begin(), data.series.end(),
                                    [](const ChartSeries& s) { return s.form == ChartSeries::Form::dots; });
    QStringList head{tr("Series")};
    if (labels) head << tr("Name");
    head << (bins ? tr("From") : data.xTitle);
    if (bins) head << tr("To");
    head << (data.yIsShare ? tr("Share") : data.yColumn.isEmpty() ? data.yTitle : data.yColumn);
    QString text = head.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const ChartSeries& series : data.series)
        for (const ChartPoint& point : series.points) {
            QStringList cells{series.name};
            if (labels) cells << point.label;
            cells << (data.xWords.isEmpty() ? number(point.x) : data.xWords.value(int(point.x)));
            if (bins) cells << number(point.xEnd);
            cells << number(point.y);
            text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
        }
    return text;
}

Record ChartPlot::recordOf(int mark) const {
    Record record = m_plot.point(mark).record;
    if (m_plot.point(mark).drill) record.explanation = tr("Click or Return: the kernels behind it");
    return record;
}

void ChartPlot::activate(int mark) {
    if (const DrillPointer drill = m_plot.point(mark).drill) Q_EMIT drilled(drill);
}

void ChartPlot::fillMenu(QMenu& menu, int mark) {
    if (mark < 0 || !m_plot.point(mark).drill) return;
    const DrillPointer drill = m_plot.point(mark).drill;
    QAction* show = menu.addAction(tr("Show the kernels"), this, [this, drill] { Q_EMIT drilled(drill); });
    show->setToolTip(drill->title);
}

} // namespace kernelarium::ui
