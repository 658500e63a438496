// SPDX-License-Identifier: GPL-3.0-or-later
// What the archived profiles say of many kernels.
#include "ui/statistics/Figures.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

FigureCell valueCell(double value) {
    if (std::isnan(value)) return {QStringLiteral("–"), {}, {}, {}, Tone::muted};
    return {value >= 1e4 ? siText(value) : numberText(value), value, {}, {}, Tone::plain};
}

DrillPointer toRows(const FigureSource& source, const QString& title, const std::vector<std::uint32_t>& rows) {
    return drillTo(source, title, {}, [rows] { return rows; });
}

double ratioOf(const statistics::FastAndSlow& metric) {
    return metric.medianSlow > 0 ? metric.medianFast / metric.medianSlow : NAN;
}

/// The kernels of `rows` under a name, which the number leads to; none where it is not there.
FigureCell countUnder(const FigureSource& source, const QString& title,
                      const std::map<std::string, std::vector<std::uint32_t>>& rows, const std::string& name) {
    const auto found = rows.find(name);
    return found == rows.end() ? countCell(0)
                               : countCell(std::int64_t(found->second.size()), toRows(source, title, found->second));
}

FigureTable countedFigures(const QString& name, const QString& what, const QString& tip) {
    return {name,
            {{what, tip, 420, false},
             {Words::tr("Kernels"), Words::tr("Kernels that have it at least once"), 90},
             {Words::tr("Not failing here"), Words::tr("Kernels, without those that fail our checks"), 110}},
            {}};
}

} // namespace

FigureTable metricFigures(const FigureSource& source) {
    FigureTable figures{
        Words::tr("Fast and slow kernels"),
        {{Words::tr("Metric of Nsight Compute"), Words::tr("As the archived profile names it"), 190, false},
         {Words::tr("Unit"), {}, 90, false},
         {Words::tr("Fast: median"),
          Words::tr("Of correct kernels faster than the median of their task's profiled ones (archived)"), 96},
         {Words::tr("Slow: median"), Words::tr("Of those that are slower (archived)"), 96},
         {Words::tr("Fast / slow"), Words::tr("The first divided by the second"), 80, true, true},
         {Words::tr("Fast"), Words::tr("Kernels with a value"), 60},
         {Words::tr("Slow"), Words::tr("Kernels with a value"), 60},
         {Words::tr("Not failing here"), Words::tr("Fast / slow, without the kernels that fail our checks"), 104, true,
          true}},
        {}};
    if (!source.profiles) return figures;
    QHash<QString, double> rest;
    for (const auto& metric : source.profiles->standing.metrics)
        rest.insert(QString::fromStdString(metric.metric), ratioOf(metric));
    for (const auto& metric : source.profiles->archived.metrics) {
        const QString name = QString::fromStdString(metric.metric);
        FigureCell fast = valueCell(metric.medianFast), slow = valueCell(metric.medianSlow);
        const DrillPointer toFast = toRows(source, Words::tr("%1: fast kernels").arg(name), metric.fastRows);
        const DrillPointer toSlow = toRows(source, Words::tr("%1: slow kernels").arg(name), metric.slowRows);
        if (metric.fast > 0) fast.drill = toFast;
        if (metric.slow > 0) slow.drill = toSlow;
        FigureRow row;
        row.cells = {textCell(name),
                     textCell(QString::fromStdString(metric.unit)),
                     fast,
                     slow,
                     speedupCell(ratioOf(metric)),
                     countCell(metric.fast, toFast),
                     countCell(metric.slow, toSlow),
                     speedupCell(rest.value(name, NAN))};
        figures.rows.push_back(std::move(row));
    }
    return figures;
}

FigureTable checkFigures(const FigureSource& source) {
    FigureTable figures =
        countedFigures(Words::tr("clang-tidy"), Words::tr("Check of clang-tidy"), Words::tr("Warnings only"));
    figures.columns.push_back({Words::tr("Warnings"), Words::tr("All of them together"), 90});
    if (!source.profiles) return figures;
    for (const auto& [check, warnings] : source.profiles->archived.warningsByCheck) {
        const QString name = QString::fromStdString(check);
        const auto& rows = source.profiles->archived.rowsByCheck.at(check);
        FigureRow row;
        row.cells = {textCell(name.isEmpty() ? Words::tr("(no check named)") : name),
                     countCell(std::int64_t(rows.size()), toRows(source, Words::tr("clang-tidy: %1").arg(name), rows)),
                     countUnder(source, Words::tr("clang-tidy: %1, without those that fail here").arg(name),
                                source.profiles->standing.rowsByCheck, check),
                     countCell(warnings, toRows(source, Words::tr("clang-tidy: %1").arg(name), rows))};
        figures.rows.push_back(std::move(row));
    }
    std::stable_sort(figures.rows.begin(), figures.rows.end(), [](const FigureRow& a, const FigureRow& b) {
        return a.cells[3].sort.toDouble() > b.cells[3].sort.toDouble();
    });
    return figures;
}

FigureTable ruleFigures(const FigureSource& source) {
    FigureTable figures = countedFigures(Words::tr("Rules"), Words::tr("Rule of Nsight Compute that warned"),
                                         Words::tr("Warnings only, no notes"));
    if (!source.profiles) return figures;
    for (const auto& [rule, kernels] : source.profiles->archived.rules) {
        const QString name = QString::fromStdString(rule);
        FigureRow row;
        row.cells = {textCell(name),
                     countCell(kernels, toRows(source, Words::tr("Rule: %1").arg(name),
                                               source.profiles->archived.rowsByRule.at(rule))),
                     countUnder(source, Words::tr("Rule: %1, without those that fail here").arg(name),
                                source.profiles->standing.rowsByRule, rule)};
        figures.rows.push_back(std::move(row));
    }
    std::stable_sort(figures.rows.begin(), figures.rows.end(), [](const FigureRow& a, const FigureRow& b) {
        return a.cells[1].sort.toDouble() > b.cells[1].sort.toDouble();
    });
    return figures;
}

} // namespace kernelarium::ui
