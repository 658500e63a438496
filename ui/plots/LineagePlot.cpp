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
                              QKeySequence(Qt::Key_C)))
    , m_like(addPlotAction(tr("Kernels like this one"),
                           tr("Finds kernels of the archive with similar code or the same operators (L)"),
                           QKeySequence(Qt::Key_L))) {
    canvas->setAccessibleName(tr("Lineage"));
    emptyState().setTexts(
        tr("No lineage yet"),
        tr("Choose a kernel of the archive: all kernels of its task appear here in the order in which they were made, "
           "with the best so far and PyTorch's own times."));
    connect(m_compare, &QAction::triggered, this, &LineagePlot::compare);
    connect(m_like, &QAction::triggered, this, &LineagePlot::askForLike);
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
    if (id < 0)
        Q_EMIT attemptActivated(-id);
    else
        Q_EMIT kernelActivated(id);
}

std::optional<qint64> LineagePlot::meant() const {
    if (m_underMenu) return m_underMenu;
    return m_plot.current() >= 0 ? std::optional(m_plot.entry(m_plot.current()).id) : std::nullopt;
}

void LineagePlot::compare() {
    const auto id = meant();
    if (!id) return;
    if (*id < 0)
        Q_EMIT attemptCompareRequested(-*id);
    else
        Q_EMIT compareRequested(*id);
}

void LineagePlot::askForLike() {
    if (const auto id = meant(); id && *id >= 0) Q_EMIT likeRequested(*id);
}

void LineagePlot::fillMenu(QMenu& menu, int mark) {
    if (mark < 0) return;
    const int kernel = mark;
    QAction* open = menu.addAction(tr("Open %1").arg(m_plot.entry(mark).name.left(60)));
    open->setToolTip(tr("Puts this kernel on the bench"));
    connect(open, &QAction::triggered, this, [this, kernel] { activate(kernel); });
    m_underMenu = m_plot.entry(mark).id;
    // The menu hides before its action is triggered.
    connect(&menu, &QObject::destroyed, this, [this] { m_underMenu.reset(); });
    menu.addAction(m_compare);
    if (!m_plot.entry(mark).isAttempt()) menu.addAction(m_like);
}

Record LineagePlot::recordOf(int mark) const {
    const LineageEntry& e = m_plot.entry(mark);
    Record record;
    record.title = e.name;
    if (e.isAttempt()) {
        record.rows = {{tr("Attempt"), QString::number(-e.id)},
                       {tr("Our verdict"), e.verdict.isEmpty() ? tr("none yet") : verdictWord(e.verdict)},
                       {tr("Time"), tr("in History: not an archived one")}};
        record.explanation = e.parents;
        return record;
    }
    record.rows = {{tr("Time"), std::isfinite(e.milliseconds)
                                    ? secondsText(e.milliseconds / 1000) + QStringLiteral(", ") + word(Origin::archived)
                                    : tr("none in the archive")},
                   {tr("Archived as"), e.claim.isEmpty() ? tr("nothing said") : e.claim},
                   {tr("Our verdict"), e.verdict.isEmpty() ? tr("none yet") : verdictWord(e.verdict)},
                   {tr("Place"), tr("%1 of %2").arg(e.order).arg(m_plot.kernelCount())}};
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
        QStringLiteral("order\tname\tmilliseconds\tspeedup_native\tclaim\tverdict\tbest_so_far_ms\torigin\tparents")};
    double best = std::numeric_limits<double>::quiet_NaN();
    for (int i = 0; i < m_plot.markCount(); ++i) {
        const LineageEntry& e = m_plot.entry(i);
        const auto& records = m_plot.records();
        if (std::find(records.begin(), records.end(), i) != records.end()) best = e.milliseconds;
        lines << QStringList{QString::number(e.order),
                             lineageCell(e.name),
                             lineageNumber(e.milliseconds),
                             lineageNumber(e.speedup),
                             lineageCell(e.claim),
                             e.verdict,
                             lineageNumber(best),
                             e.isAttempt() ? QStringLiteral("attempt") : word(Origin::archived),
                             lineageCell(e.parents)}
                     .join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace kernelarium::ui
