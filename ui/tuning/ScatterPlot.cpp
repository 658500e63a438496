// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/ScatterPlot.h"

#include "ui/tuning/PointFilter.h"
#include "ui/tuning/PointModel.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <cmath>

namespace kernelarium::ui {

namespace {

/// From -1 to 1, the same for a row each time: golden-ratio steps fill a place evenly.
double spread(int row, double ratio) {
    const double turn = (row + 1) * ratio;
    return 2 * (turn - std::floor(turn)) - 1;
}

} // namespace

Record recordOfPoint(const PointModel& model, int modelRow) {
    const PointRow& row = model.rows()[std::size_t(modelRow)];
    Record record;
    record.title = QString::fromStdString(row.key);
    if (!std::isnan(row.milliseconds))
        record.rows << qMakePair(Words::tr("Time"),
                                 secondsText(row.milliseconds / 1e3) + QStringLiteral(", ") + model.valueWords());
    if (const double over = model.startMilliseconds() / row.milliseconds; !std::isnan(over))
        record.rows << qMakePair(Words::tr("Over the start"), speedupText(over));
    record.rows << qMakePair(Words::tr("Verdict"), pointVerdictText(row));
    if (row.registers >= 0) record.rows << qMakePair(Words::tr("Registers"), wholeText(row.registers));
    if (!row.limiter.isEmpty()) record.rows << qMakePair(Words::tr("Limiter"), row.limiter);
    if (!row.said.isEmpty()) record.rows << qMakePair(Words::tr("Evidence"), row.said.left(200));
    return record;
}

ScatterPlot::ScatterPlot(const PointModel& model, const PointFilter& filter, Theme& theme, QWidget* parent)
    : ScatterPlot(model, filter, theme, new ScatterCanvas, parent) {}

ScatterPlot::ScatterPlot(const PointModel& model, const PointFilter& filter, Theme& theme, ScatterCanvas* canvas,
                         QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("tune"), parent)
    , m_model(model)
    , m_filter(filter)
    , m_plot(*canvas)
    , m_x(new QComboBox)
    , m_y(new QComboBox) {
    emptyState().setTexts(tr("No points yet"), tr("Points are drawn here as they come."));
    auto* bar = new QWidget;
    auto* layout = new QHBoxLayout(bar);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->setSpacing(8);
    for (auto [box, caption] : {std::pair{m_x, tr("Across")}, std::pair{m_y, tr("Up")}}) {
        auto* label = new QLabel(caption);
        label->setProperty("role", "muted");
        label->setBuddy(box);
        box->setAccessibleName(tr("%1: which value").arg(caption));
        box->setToolTip(tr("The parameter or value that this axis shows"));
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        layout->addWidget(label);
        layout->addWidget(box);
        connect(box, &QComboBox::currentIndexChanged, this, &ScatterPlot::refresh);
    }
    layout->addStretch(1);
    setBar(bar);
    setEmpty(true);
}

void ScatterPlot::fillAxes() {
    QStringList names;
    for (const tuning::Parameter& parameter : m_model.parameters())
        names << QString::fromStdString(parameter.name);
    names << tr("Time (ms)") << tr("Registers");
    if (names == m_names) return;
    m_names = names;
    const QSignalBlocker quietX(m_x), quietY(m_y);
    for (QComboBox* box : {m_x, m_y}) {
        box->clear();
        box->addItems(names);
    }
    m_x->setCurrentIndex(0);
    m_y->setCurrentIndex(int(names.size()) - 2); // the time
}

double ScatterPlot::valueOf(const PointRow& row, int axis) const {
    const int parameters = int(m_model.parameters().size());
    if (axis < parameters) return row.point.at[std::size_t(axis)];
    if (axis == parameters) return row.milliseconds;
    return row.registers < 0 ? std::nan("") : row.registers;
}

ScatterData::Axis ScatterPlot::axisOf(int axis) const {
    const int parameters = int(m_model.parameters().size());
    if (axis > parameters) return {tr("Registers of a thread"), {}, false};
    if (axis == parameters) {
        double low = INFINITY, high = 0;
        for (const PointRow& row : m_model.rows())
            if (row.milliseconds > 0) {
                low = std::min(low, row.milliseconds);
                high = std::max(high, row.milliseconds);
            }
        return {tr("Time (ms)"), {}, high > 10 * low};
    }
    const tuning::Parameter& parameter = m_model.parameters()[std::size_t(axis)];
    ScatterData::Axis result{QString::fromStdString(parameter.name), {}, false};
    for (const tuning::Value& value : parameter.values)
        result.words << QString::fromStdString(tuning::textOf(value));
    return result;
}

void ScatterPlot::refresh() {
    fillAxes();
    const int across = m_x->currentIndex(), up = m_y->currentIndex();
    ScatterData data;
    if (across >= 0 && up >= 0 && !m_model.parameters().empty()) {
        data.x = axisOf(across);
        data.y = axisOf(up);
    }
    const double best = m_model.bestMilliseconds();
    const auto& rows = m_model.rows();
    const double reachX = data.y.words.isEmpty() ? 0.18 : 0.3, reachY = data.x.words.isEmpty() ? 0.18 : 0.3;
    int without = 0;
    for (int i = 0; i < int(rows.size()); ++i) {
        const PointRow& row = rows[std::size_t(i)];
        ScatterData::Mark mark;
        mark.x = valueOf(row, across);
        mark.y = valueOf(row, up);
        if (std::isnan(mark.x) || std::isnan(mark.y)) {
            ++without;
            continue;
        }
        if (!data.x.words.isEmpty()) mark.x += reachX * spread(i, 0.6180339887);
        if (!data.y.words.isEmpty()) mark.y += reachY * spread(i, 0.7548776662);
        mark.share = timeShare(row.milliseconds, best);
        using Kind = tuning::Outcome::Kind;
        mark.shape = row.kind == Kind::wrong                              ? ScatterData::Mark::Shape::cross
                     : row.kind == Kind::valued && !row.verdict.isEmpty() ? ScatterData::Mark::Shape::dot
                                                                          : ScatterData::Mark::Shape::ring;
        mark.faded = !m_filter.shows(i);
        mark.best = i == m_model.best();
        mark.row = i;
        data.marks.push_back(mark);
    }
    // What is filtered out lies below.
    std::stable_partition(data.marks.begin(), data.marks.end(), [](const ScatterData::Mark& m) { return m.faded; });
    QStringList notes;
    if (const int parameters = int(m_model.parameters().size()); across == parameters || up == parameters)
        notes << m_model.valueWords();
    if (without > 0) notes << tr("%1 without a value are left out").arg(wholeText(without));
    data.note = notes.join(QStringLiteral(" · "));
    m_plot.setData(std::move(data));
    setEmpty(m_plot.markCount() == 0);
}

QString ScatterPlot::svg(QSize size, const Palette& palette) const {
    ScatterCanvas fresh;
    fresh.setData(m_plot.data());
    return svgOf(fresh, size, palette);
}

QString ScatterPlot::numbers() const {
    QStringList head;
    for (const tuning::Parameter& parameter : m_model.parameters())
        head << QString::fromStdString(parameter.name);
    head << tr("Time (ms), %1").arg(m_model.valueWords()) << tr("Registers") << tr("Verdict");
    QString text = head.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const ScatterData::Mark& mark : m_plot.data().marks) {
        if (mark.faded) continue;
        const PointRow& row = m_model.rows()[std::size_t(mark.row)];
        QStringList cells;
        for (std::size_t i = 0; i < m_model.parameters().size(); ++i)
            cells << m_model.parameterText(row, i);
        cells << (std::isnan(row.milliseconds)
                      ? QString()
                      : QLocale::c().toString(row.milliseconds, 'g', QLocale::FloatingPointShortest))
              << (row.registers < 0 ? QString() : QString::number(row.registers)) << pointVerdictText(row);
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

Record ScatterPlot::recordOf(int mark) const {
    Record record = recordOfPoint(m_model, m_plot.data().marks[std::size_t(mark)].row);
    record.explanation = tr("Click or Return: its row in the table");
    return record;
}

void ScatterPlot::activate(int mark) {
    Q_EMIT chosen(m_plot.data().marks[std::size_t(mark)].row);
}

void ScatterPlot::fillMenu(QMenu& menu, int mark) {
    if (mark < 0) return;
    const int row = m_plot.data().marks[std::size_t(mark)].row;
    menu.addAction(tr("Open on the bench"), this, [this, row] { Q_EMIT openRequested(row); })
        ->setToolTip(tr("Puts the point's text into the editor; undo brings the former back"));
}

} // namespace kernelarium::ui
