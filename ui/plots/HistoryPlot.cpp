// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/HistoryPlot.h"

#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QLabel>
#include <QSignalBlocker>
#include <cmath>

namespace kernelarium::ui {

namespace {

/// What an axis must not mix.
QStringList axisKey(const HistoryEntry& entry) {
    return {entry.device, entry.size};
}

QString historyCell(QString text) {
    return text.replace(QLatin1Char('\t'), QLatin1Char(' ')).replace(QLatin1Char('\n'), QLatin1Char(' '));
}

} // namespace

HistoryPlot::HistoryPlot(Theme& theme, QWidget* parent)
    : HistoryPlot(theme, new HistoryCanvas, parent) {}

HistoryPlot::HistoryPlot(Theme& theme, HistoryCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("history"), parent)
    , m_plot(*canvas)
    , m_filter(new QComboBox)
    , m_axis(new QComboBox) {
    canvas->setAccessibleName(tr("Timing history"));
    setBar(makeBar());
    emptyState().setTexts(
        tr("No timed attempt yet"),
        tr("Every attempt at this kernel in order, with the best so far, beside the archived time and "
           "those of PyTorch."));
    emptyState().setAction(tr("Time this kernel"), tr("Times the kernel, or models its time where there is no GPU"));
    m_requests = {makeRequest(tr("Compare with the editor"), tr("Shows what this attempt changed"),
                              QKeySequence(Qt::Key_C), &HistoryPlot::compareRequested),
                  makeRequest(tr("Restore"), tr("Puts this attempt's source back into the editor"),
                              QKeySequence(Qt::Key_R), &HistoryPlot::restoreRequested),
                  makeRequest(tr("Race with the editor"),
                              tr("Times this attempt and the editor's text in pairs on the GPU: which is faster?"),
                              QKeySequence(Qt::Key_A), &HistoryPlot::raceRequested),
                  makeRequest(tr("Show samples"), tr("Shows how the measured samples of this attempt are distributed"),
                              QKeySequence(Qt::Key_S), &HistoryPlot::samplesRequested),
                  makeRequest(tr("Name…"), tr("Gives this attempt a name"), QKeySequence(Qt::Key_F2),
                              &HistoryPlot::nameRequested)};
    refresh();
}

QWidget* HistoryPlot::makeBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->setSpacing(8);
    const auto add = [&](const QString& text, QComboBox* box, const QString& toolTip) {
        auto* label = new QLabel(text);
        label->setProperty("role", QStringLiteral("muted"));
        label->setBuddy(box);
        box->setAccessibleName(text);
        box->setToolTip(toolTip);
        box->setSizeAdjustPolicy(QComboBox::AdjustToContents);
        box->setMinimumWidth(72); // a device's name does not widen the window
        box->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
        row->addWidget(label);
        row->addWidget(box);
    };
    add(tr("Device and size"), m_filter, tr("Times of different devices or sizes do not share an axis"));
    row->addSpacing(8);
    add(tr("Along"), m_axis, tr("Orders attempts by number or by time"));
    row->addStretch();
    m_axis->addItems({tr("attempts"), tr("time")});
    connect(m_filter, &QComboBox::currentIndexChanged, this, [this] {
        m_plot.resetView();
        refresh();
    });
    connect(m_axis, &QComboBox::currentIndexChanged, this, &HistoryPlot::refresh);
    return bar;
}

QAction* HistoryPlot::makeRequest(const QString& text, const QString& toolTip, const QKeySequence& shortcut,
                                  Request request) {
    QAction* action = addPlotAction(text, toolTip, shortcut);
    connect(action, &QAction::triggered, this, [this, request] {
        if (const qint64 attempt = meant(); attempt >= 0) Q_EMIT(this->*request)(attempt);
    });
    return action;
}

qint64 HistoryPlot::meant() const {
    if (m_underMenu >= 0) return m_underMenu;
    if (m_plot.current() >= 0) return m_plot.entry(m_plot.current()).attempt;
    return m_selected.value_or(-1);
}

void HistoryPlot::setEntries(std::vector<HistoryEntry> entries) {
    m_entries = std::move(entries);
    refillFilter();
    refresh();
}

void HistoryPlot::setReferences(std::vector<ReferenceLine> lines) {
    m_lines = std::move(lines);
    refresh();
}

void HistoryPlot::select(qint64 attempt) {
    m_selected = attempt;
    for (const HistoryEntry& entry : m_entries)
        if (entry.attempt == attempt) {
            const QSignalBlocker quiet(m_filter);
            m_filter->setCurrentIndex(m_filter->findData(axisKey(entry)));
        }
    refresh();
}

void HistoryPlot::refillFilter() {
    const QSignalBlocker quiet(m_filter);
    const QVariant chosen = m_filter->currentData();
    QList<QPair<QStringList, int>> kinds;
    const HistoryEntry* newest = nullptr;
    for (const HistoryEntry& entry : m_entries) {
        if (!newest || entry.attempt > newest->attempt) newest = &entry;
        const auto found =
            std::find_if(kinds.begin(), kinds.end(), [&](const auto& kind) { return kind.first == axisKey(entry); });
        if (found != kinds.end())
            ++found->second;
        else
            kinds.append({axisKey(entry), 1});
    }
    m_filter->clear();
    for (const auto& [key, count] : kinds)
        m_filter->addItem(tr("%1, %2 (%3)").arg(key[0], key[1]).arg(count), key);
    int index = m_filter->findData(chosen);
    if (index < 0 && newest) index = m_filter->findData(axisKey(*newest));
    m_filter->setCurrentIndex(index);
}

HistoryData HistoryPlot::shownData() const {
    HistoryData shown;
    const QStringList key = m_filter->currentData().toStringList();
    for (const HistoryEntry& entry : m_entries)
        if (axisKey(entry) == key) shown.entries.push_back(entry);
    const auto fits = [](const QString& wanted, const QString& present) {
        return wanted.isEmpty() || wanted == present;
    };
    for (const ReferenceLine& line : m_lines)
        if (key.size() == 2 && fits(line.device, key[0]) && fits(line.size, key[1])) shown.lines.push_back(line);
    shown.byTime = m_axis->currentIndex() == 1;
    shown.selected = m_selected;
    return shown;
}

void HistoryPlot::refresh() {
    m_plot.setData(shownData());
    setEmpty(m_entries.empty());
    m_filter->parentWidget()->setVisible(!m_entries.empty());
}

void HistoryPlot::activate(int mark) {
    m_selected = m_plot.entry(mark).attempt;
    refresh();
    Q_EMIT attemptActivated(*m_selected);
}

void HistoryPlot::fillMenu(QMenu& menu, int mark) {
    if (mark < 0) return;
    m_underMenu = m_plot.entry(mark).attempt;
    // The menu hides before its action is triggered.
    connect(&menu, &QObject::destroyed, this, [this] { m_underMenu = -1; });
    menu.addActions(m_requests);
}

Record HistoryPlot::recordOf(int mark) const {
    const HistoryEntry& e = m_plot.entry(mark);
    Record record;
    record.title = e.label.isEmpty() ? tr("Attempt %1").arg(e.attempt) : e.label;
    QString time = secondsText(e.milliseconds / 1000);
    if (std::isfinite(e.noise)) time += QStringLiteral(" ± ") + percentText(e.noise);
    record.rows = {{tr("Time"), time + QStringLiteral(", ") + word(e.origin)},
                   {tr("Verdict"), e.verdict.isEmpty() ? tr("none yet") : e.verdict},
                   {tr("Attempt"), QString::number(e.attempt)},
                   {tr("When"), e.when.toString(QStringLiteral("d MMM yyyy HH:mm:ss"))},
                   {tr("Size"), e.size},
                   {tr("Device"), e.device}};
    if (e.lower > 0 && e.upper >= e.lower)
        record.rows.insert(
            1, {tr("Quartiles"), secondsText(e.lower / 1000) + QStringLiteral(" – ") + secondsText(e.upper / 1000)});
    for (const ReferenceLine& line : m_plot.data().lines)
        record.rows.append({line.label, tr("%1× as fast").arg(numberText(line.milliseconds / e.milliseconds))});
    record.explanation = e.note;
    return record;
}

QString HistoryPlot::svg(QSize size, const Palette& palette) const {
    HistoryCanvas fresh;
    fresh.setData(shownData());
    return svgOf(fresh, size, palette);
}

QString HistoryPlot::numbers() const {
    QStringList lines{QStringLiteral("attempt\twhen\tlabel\tmilliseconds\tnoise\tlower_quartile\tupper_"
                                     "quartile\torigin\tverdict\tdevice\tsize\tnote")};
    for (const HistoryEntry& e : m_plot.data().entries)
        lines << QStringList{QString::number(e.attempt),
                             e.when.toString(Qt::ISODateWithMs),
                             historyCell(e.label),
                             QString::number(e.milliseconds, 'g', 10),
                             std::isfinite(e.noise) ? QString::number(e.noise, 'g', 4) : QString(),
                             std::isfinite(e.lower) ? QString::number(e.lower, 'g', 10) : QString(),
                             std::isfinite(e.upper) ? QString::number(e.upper, 'g', 10) : QString(),
                             word(e.origin),
                             historyCell(e.verdict),
                             historyCell(e.device),
                             historyCell(e.size),
                             historyCell(e.note)}
                     .join(QLatin1Char('\t'));
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace kernelarium::ui
