// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/TorchPlot.h"

#include "ui/plots/Origin.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <algorithm>

namespace kernelarium::ui {

namespace {

constexpr TorchPlot::Time allTimes[] = {TorchPlot::Time::deviceSelf, TorchPlot::Time::deviceTotal,
                                        TorchPlot::Time::cpuSelf, TorchPlot::Time::cpuTotal};

QString titleOf(TorchPlot::Time time) {
    switch (time) {
    case TorchPlot::Time::deviceSelf: return TorchPlot::tr("On the device, itself");
    case TorchPlot::Time::deviceTotal: return TorchPlot::tr("On the device, with what it calls");
    case TorchPlot::Time::cpuSelf: return TorchPlot::tr("On the processor, itself");
    case TorchPlot::Time::cpuTotal: break;
    }
    return TorchPlot::tr("On the processor, with what it calls");
}

QString torchCell(const std::optional<double>& value) {
    return value ? QString::number(*value, 'g', 10) : QString();
}

} // namespace

std::optional<double> timeOf(const profile::TorchEntry& entry, TorchPlot::Time time) {
    switch (time) {
    case TorchPlot::Time::deviceSelf: return entry.deviceSelf;
    case TorchPlot::Time::deviceTotal: return entry.deviceTotal;
    case TorchPlot::Time::cpuSelf: return entry.cpuSelf;
    case TorchPlot::Time::cpuTotal: break;
    }
    return entry.cpuTotal;
}

TorchPlot::TorchPlot(Theme& theme, QWidget* parent)
    : TorchPlot(theme, new TorchCanvas, parent) {}

TorchPlot::TorchPlot(Theme& theme, TorchCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("time"), parent)
    , m_plot(*canvas)
    , m_chooser(new QComboBox) {
    canvas->setAccessibleName(tr("Archived PyTorch profile"));
    m_chooser->setAccessibleName(tr("Which time"));
    m_chooser->setToolTip(tr("Which of the profiler's times the bars show"));
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(m_chooser);
    row->addStretch(1);
    setBar(bar);
    connect(m_chooser, &QComboBox::currentIndexChanged, this, &TorchPlot::refresh);
    emptyState().setTexts(tr("No times in this profile"),
                          tr("PyTorch's profiler recorded entries, but no times of them."));
    refresh();
}

void TorchPlot::setProfile(profile::TorchProfile profile) {
    m_profile = std::move(profile);
    offerTimes();
    refresh();
}

/// Those that some entry has; device times first.
void TorchPlot::offerTimes() {
    const QSignalBlocker quiet(m_chooser);
    m_chooser->clear();
    for (const Time time : allTimes)
        if (std::any_of(m_profile.entries.begin(), m_profile.entries.end(),
                        [time](const auto& entry) { return timeOf(entry, time).value_or(0) > 0; }))
            m_chooser->addItem(titleOf(time), int(time));
}

TorchPlot::Time TorchPlot::chosen() const {
    return Time(m_chooser->currentData().toInt());
}

std::vector<TimeBar> TorchPlot::shownBars() const {
    std::vector<TimeBar> bars;
    if (m_chooser->count() == 0) return bars;
    for (const auto& entry : m_profile.entries)
        if (const auto time = timeOf(entry, chosen()); time && *time > 0)
            bars.push_back({QString::fromStdString(entry.name).simplified(), *time, false});
    std::stable_sort(bars.begin(), bars.end(),
                     [](const auto& a, const auto& b) { return a.microseconds > b.microseconds; });
    if (bars.size() <= std::size_t(mostBars)) return bars;
    TimeBar rest{tr("%1 others").arg(bars.size() - std::size_t(mostBars - 1)), 0, true};
    for (std::size_t i = std::size_t(mostBars - 1); i < bars.size(); ++i)
        rest.microseconds += bars[i].microseconds;
    bars.resize(std::size_t(mostBars - 1));
    bars.push_back(rest);
    return bars;
}

void TorchPlot::refresh() {
    auto bars = shownBars();
    setEmpty(bars.empty());
    m_chooser->parentWidget()->setVisible(!bars.empty());
    m_plot.setBars(std::move(bars));
}

Record TorchPlot::recordOf(int mark) const {
    const TimeBar& bar = m_plot.bars()[std::size_t(mark)];
    Record record;
    record.title = bar.name;
    record.rows = {{tr("Time"), secondsText(bar.microseconds / 1e6) + QStringLiteral(", ") + word(Origin::archived)}};
    const auto found = std::find_if(m_profile.entries.begin(), m_profile.entries.end(), [&](const auto& entry) {
        return !bar.isRest && QString::fromStdString(entry.name).simplified() == bar.name;
    });
    if (found == m_profile.entries.end()) return record;
    for (const Time time : allTimes)
        if (const auto value = timeOf(*found, time)) record.rows.append({titleOf(time), secondsText(*value / 1e6)});
    if (found->calls) record.rows.append({tr("Calls"), QString::number(*found->calls)});
    if (found->deviceBytes) record.rows.append({tr("Device memory"), bytesText(*found->deviceBytes)});
    return record;
}

QString TorchPlot::svg(QSize size, const Palette& palette) const {
    TorchCanvas fresh;
    fresh.setBars(shownBars());
    return svgOf(fresh, size, palette);
}

QString TorchPlot::numbers() const {
    QStringList lines{QStringLiteral(
        "name\tdevice_self_us\tdevice_total_us\tcpu_self_us\tcpu_total_us\tcalls\tdevice_bytes\torigin")};
    for (const auto& entry : m_profile.entries) {
        QStringList cells{QString::fromStdString(entry.name).simplified()};
        for (const Time time : allTimes)
            cells << torchCell(timeOf(entry, time));
        cells << (entry.calls ? QString::number(*entry.calls) : QString()) << torchCell(entry.deviceBytes)
              << word(Origin::archived);
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

} // namespace kernelarium::ui
