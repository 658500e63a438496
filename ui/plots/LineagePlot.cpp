// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/LineagePlot.h"

#include "ui/plots/Origin.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"

#include <cmath>

namespace kernelarium::ui {

namespace {

QString lineageCell(QString text) {
    return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

QString lineageNumber(double value) {
    return std::isfinite(value) ? QString::number(value, 'g', 10) : QString();
}

} // namespace

LineagePlot::LineagePlot(Theme& theme, QWidget* parent)
    : LineagePlot(theme, new LineageCanvas, parent) {}

LineagePlot::LineagePlot(Theme& theme, LineageCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("history"), parent)
    , m_plot(*canvas)
    , m_compare(addPlotAction(tr("Compare with the current text"),
                              tr("Shows what differs between this kernel and the one on the bench (C)"),
                              QKeySequence(Qt::Key_C))) {
    canvas->setAccessibleName(tr("Lineage"));
    emptyState().setTexts(
        tr("No lineage yet"),
        tr("Choose a kernel of the archive: all kernels of its task appear here in the order in which they were made, "
           "with the best so far and PyTorch's own times."));
    connect(m_compare, &QAction::triggered, this, &LineagePlot::compare);
    setEmpty(true);
}

void LineagePlot::setData(LineageData data) {
    m_data = std::move(data);
    setEmpty(m_data.entries.empty());
    m_plot.setData(m_data);
}

void LineagePlot::select(qint64 id) {
    if (m_data.selected == id) return;
    m_data.selected = id;
    m_plot.setData(m_data);
}

void LineagePlot::activate(int mark) {
    const qint64 id = m_plot.entry(mark).id;
    select(id);
    Q_EMIT kernelActivated(id);
}

void LineagePlot::compare() {
    const qint64 id = m_underMenu >= 0 ? m_underMenu : m_plot.current() >= 0 ? m_plot.entry(m_plot.current()).id : -1;
    if (id >= 0) Q_EMIT compareRequested(id);
}

void LineagePlot::fillMenu(QMenu& menu, int mark) {
    if (mark < 0) return;
    const int kernel = mark;
    QAction* open = menu.addAction(tr("Open %1").arg(m_plot.entry(mark).name.left(60)));
    open->setToolTip(tr("Puts this kernel on the bench"));
    connect(open, &QAction::triggered, this, [this, kernel] { activate(kernel); });
    m_underMenu = m_plot.entry(mark).id;
    // The menu hides before its action is triggered.
    connect(&menu, &QObject::destroyed, this, [this] { m_underMenu = -1; });
    menu.addAction(m_compare);
}

Record LineagePlot::recordOf(int mark) const {
    const LineageEntry& e = m_plot.entry(mark);
    Record record;
    record.title = e.name;
    record.rows = {{tr("Time"), std::isfinite(e.milliseconds)
                                    ? secondsText(e.milliseconds / 1000) + QStringLiteral(", ") + word(Origin::archived)
                                    : tr("none in the archive")},
                   {tr("Archived as"), e.claim.isEmpty() ? tr("nothing said") : e.claim},
                   {tr("Our verdict"), e.verdict.isEmpty() ? tr("none yet") : verdictWord(e.verdict)},
                   {tr("Place"), tr("%1 of %2").arg(e.order).arg(m_plot.markCount())}};
    if (std::isfinite(e.speedup) && e.speedup > 0)
        record.rows.append({tr("Over PyTorch"), speedupText(e.speedup) + QStringLiteral(", archived")});
    const auto& records = m_plot.records();
    if (std::find(records.begin(), records.end(), mark) != records.end())
        record.explanation = tr("The fastest until then.");
    if (e.standing == LineageEntry::Standing::refuted)
        record.explanation = tr("Archived as correct, but refuted by our verdict: it is not counted as the best.");
    return record;
}

QString LineagePlot::svg(QSize size, const Palette& palette) const {
    LineageCanvas fresh;
    fresh.setData(m_data);
    return svgOf(fresh, size, palette);
}

QString LineagePlot::numbers() const {
    QStringList lines{
        QStringLiteral("order\tname\tmilliseconds\tspeedup_native\tclaim\tverdict\tbest_so_far_ms\torigin")};
    double best = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < m_plot.markCount(); ++i) {
        const LineageEntry& e = m_plot.entry(i);
        const auto& records = m_plot.records();
        if (std::find(records.begin(), records.end(), i) != records.end()) best = e.milliseconds;
        lines << QStringList{QString::number(e.order), lineageCell(e.name),   lineageNumber(e.milliseconds),
                             lineageNumber(e.speedup), lineageCell(e.claim),  e.verdict,
                             lineageNumber(best),      word(Origin::archived)}
                     .join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace kernelarium::ui
