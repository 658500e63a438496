// SPDX-License-Identifier: GPL-3.0-or-later
// What the archived profiles say of many kernels.
#include "ui/statistics/Figures.h"

#include "ui/plots/Quantities.h"

#include <QCoreApplication>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

QString sayProfiles(const char* text) {
    return QCoreApplication::translate("Statistics", text);
}

FigureCell valueCell(double value) {
    if (std::isnan(value)) return {QStringLiteral("–"), {}, {}, {}, Tone::muted};
    return {value >= 1e4 ? siText(value, {}).trimmed() : plainText(value), value, {}, {}, Tone::plain};
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
             {sayProfiles("Kernels"), sayProfiles("Kernels that have it at least once"), 90},
             {sayProfiles("Without failing"), sayProfiles("Kernels, without those that fail our checks"), 110}},
            {}};
}

} // namespace

FigureTable metricFigures(const FigureSource& source) {
    FigureTable figures{
        sayProfiles("Fast and slow kernels"),
        {{sayProfiles("Metric of Nsight Compute"), sayProfiles("As the archived profile names it"), 190, false},
         {sayProfiles("Unit"), {}, 90, false},
         {sayProfiles("Fast: median"),
          sayProfiles("Of correct kernels faster than the median of their task's profiled ones (archived)"), 96},
         {sayProfiles("Slow: median"), sayProfiles("Of those that are slower (archived)"), 96},
         {sayProfiles("Fast / slow"), sayProfiles("The first divided by the second"), 80, true, true},
         {sayProfiles("Fast"), sayProfiles("Kernels with a value"), 60},
         {sayProfiles("Slow"), sayProfiles("Kernels with a value"), 60},
         {sayProfiles("Without failing"), sayProfiles("Fast / slow, without the kernels that fail our checks"), 104,
          true, true}},
        {}};
    if (!source.profiles) return figures;
    QHash<QString, double> rest;
    for (const auto& metric : source.profiles->standing.metrics)
        rest.insert(QString::fromStdString(metric.metric), ratioOf(metric));
    for (const auto& metric : source.profiles->archived.metrics) {
        const QString name = QString::fromStdString(metric.metric);
        FigureCell fast = valueCell(metric.medianFast), slow = valueCell(metric.medianSlow);
        const DrillPointer toFast = toRows(source, sayProfiles("%1: fast kernels").arg(name), metric.fastRows);
        const DrillPointer toSlow = toRows(source, sayProfiles("%1: slow kernels").arg(name), metric.slowRows);
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
        countedFigures(sayProfiles("clang-tidy"), sayProfiles("Check of clang-tidy"), sayProfiles("Warnings only"));
    figures.columns.push_back({sayProfiles("Warnings"), sayProfiles("All of them together"), 90});
    if (!source.profiles) return figures;
    for (const auto& [check, warnings] : source.profiles->archived.warningsByCheck) {
        const QString name = QString::fromStdString(check);
        const auto& rows = source.profiles->archived.rowsByCheck.at(check);
        FigureRow row;
        row.cells = {
            textCell(name.isEmpty() ? sayProfiles("(no check named)") : name),
            countCell(std::int64_t(rows.size()), toRows(source, sayProfiles("clang-tidy: %1").arg(name), rows)),
            countUnder(source, sayProfiles("clang-tidy: %1, without failing").arg(name),
                       source.profiles->standing.rowsByCheck, check),
            countCell(warnings, toRows(source, sayProfiles("clang-tidy: %1").arg(name), rows))};
        figures.rows.push_back(std::move(row));
    }
    std::stable_sort(figures.rows.begin(), figures.rows.end(), [](const FigureRow& a, const FigureRow& b) {
        return a.cells[3].sort.toDouble() > b.cells[3].sort.toDouble();
    });
    return figures;
}

FigureTable ruleFigures(const FigureSource& source) {
    FigureTable figures = countedFigures(sayProfiles("Rules"), sayProfiles("Rule of Nsight Compute that warned"),
                                         sayProfiles("Warnings, not informations"));
    if (!source.profiles) return figures;
    for (const auto& [rule, kernels] : source.profiles->archived.rules) {
        const QString name = QString::fromStdString(rule);
        FigureRow row;
        row.cells = {textCell(name),
                     countCell(kernels, toRows(source, sayProfiles("Rule: %1").arg(name),
                                               source.profiles->archived.rowsByRule.at(rule))),
                     countUnder(source, sayProfiles("Rule: %1, without failing").arg(name),
                                source.profiles->standing.rowsByRule, rule)};
        figures.rows.push_back(std::move(row));
    }
    std::stable_sort(figures.rows.begin(), figures.rows.end(), [](const FigureRow& a, const FigureRow& b) {
        return a.cells[1].sort.toDouble() > b.cells[1].sort.toDouble();
    });
    return figures;
}

} // namespace kernelarium::ui
