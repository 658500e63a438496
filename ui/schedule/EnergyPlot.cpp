// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/EnergyPlot.h"

#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

namespace kernelarium::ui {

namespace {

using MarkFate = EnergyData::Mark::Fate;

MarkFate markFate(schedule::Fate fate) {
    switch (fate) {
    case schedule::Fate::start: return MarkFate::start;
    case schedule::Fate::control: return MarkFate::control;
    case schedule::Fate::accepted: return MarkFate::accepted;
    case schedule::Fate::faulted: return MarkFate::faulted;
    default: return MarkFate::refused;
    }
}

QString percentOf(double energy) {
    return QStringLiteral("%1%").arg(numberText(energy, 5));
}

} // namespace

QString fateText(schedule::Fate fate) {
    const std::string_view word = schedule::name(fate);
    return QString::fromUtf8(word.data(), qsizetype(word.size()));
}

EnergyPlot::EnergyPlot(Theme& theme, QWidget* parent)
    : EnergyPlot(theme, new EnergyCanvas, parent) {}

EnergyPlot::EnergyPlot(Theme& theme, EnergyCanvas* canvas, QWidget* parent)
    : PlotPanel(theme, canvas, QStringLiteral("history"), parent)
    , m_plot(*canvas) {
    emptyState().setTexts(tr("No steps yet"), tr("Each step's time is drawn here, beside the original's 100%."));
    setEmpty(true);
}

void EnergyPlot::setSteps(const std::vector<schedule::Step>& steps, std::optional<double> noise, bool isModelled,
                          std::uint64_t total) {
    m_steps = steps;
    EnergyData data;
    data.noise = noise;
    data.isModelled = isModelled;
    data.steps = double(std::max<std::uint64_t>(total, steps.size()));
    double best = 0;
    for (std::size_t i = 0; i < steps.size(); ++i) {
        const schedule::Step& step = steps[i];
        const double number = double(step.number);
        if (step.temperature > 0) data.temperature.push_back({number, 100 + step.temperature});
        if (!step.energy) continue;
        data.marks.push_back({number, *step.energy, markFate(step.fate), step.isBest, int(i)});
        const bool counts = step.fate == schedule::Fate::accepted || step.fate == schedule::Fate::start;
        if (counts && (data.best.empty() || *step.energy < best)) best = *step.energy;
        if (counts || !data.best.empty()) data.best.push_back({number, best});
    }
    // Only the last best is ringed.
    bool isLast = true;
    for (auto mark = data.marks.rbegin(); mark != data.marks.rend(); ++mark) {
        const bool wasBest = mark->best;
        mark->best = wasBest && isLast;
        if (wasBest) isLast = false;
    }
    m_plot.setData(std::move(data));
    setEmpty(m_plot.markCount() == 0);
}

QString EnergyPlot::svg(QSize size, const Palette& palette) const {
    EnergyCanvas fresh;
    fresh.setData(m_plot.data());
    return svgOf(fresh, size, palette);
}

QString EnergyPlot::numbers() const {
    const QString time = m_plot.data().isModelled ? tr("Time (% of the original's, modelled)")
                                                  : tr("Time (% of the original's, measured)");
    QString text =
        QStringList{tr("Step"), time, tr("Low"), tr("High"), tr("Pairs"), tr("Temperature (%)"), tr("Fate"), tr("Move")}
            .join(QLatin1Char('\t')) +
        QLatin1Char('\n');
    const auto whole = [](double value) { return QLocale::c().toString(value, 'g', QLocale::FloatingPointShortest); };
    for (const schedule::Step& step : m_steps)
        text += QStringList{QString::number(step.number),
                            step.energy ? whole(*step.energy) : QString(),
                            step.energy ? whole(step.low) : QString(),
                            step.energy ? whole(step.high) : QString(),
                            QString::number(step.pairs),
                            whole(step.temperature),
                            fateText(step.fate),
                            QString::fromStdString(step.text)}
                    .join(QLatin1Char('\t')) +
                QLatin1Char('\n');
    return text;
}

Record EnergyPlot::recordOf(int mark) const {
    const schedule::Step& step = m_steps[std::size_t(m_plot.data().marks[std::size_t(mark)].row)];
    Record record;
    record.title = step.text.empty() ? tr("Step %1, %2").arg(step.number).arg(fateText(step.fate))
                                     : tr("Step %1: %2").arg(step.number).arg(QString::fromStdString(step.text));
    record.rows << qMakePair(Words::tr("Time"),
                             step.pairs > 0 ? tr("%1 of the original's (%2 to %3), %4 pairs, measured")
                                                  .arg(percentOf(*step.energy), percentOf(step.low),
                                                       percentOf(step.high), wholeText(std::int64_t(step.pairs)))
                                            : tr("%1 of the original's%2")
                                                  .arg(percentOf(*step.energy),
                                                       m_plot.data().isModelled ? tr(", modelled") : QString()))
                << qMakePair(Words::tr("Fate"), fateText(step.fate))
                << qMakePair(Words::tr("Temperature"), percentOf(step.temperature));
    if (!step.reason.empty()) record.rows << qMakePair(Words::tr("Reason"), QString::fromStdString(step.reason));
    return record;
}

void EnergyPlot::activate(int mark) {
    Q_EMIT chosen(m_steps[std::size_t(m_plot.data().marks[std::size_t(mark)].row)].number);
}

void EnergyPlot::fillMenu(QMenu&, int) {}

} // namespace kernelarium::ui
