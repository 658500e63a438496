// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/statistics/Figures.h"
#include "ui/widgets/HoverCard.h"

#include <QStringList>
#include <functional>

namespace kernelarium::ui {

struct ChartPoint {
    double x = 0;
    double y = 0;
    double xEnd = 0; ///< of a bar's outline; else as x
    QString label;   ///< written beside it where there is room
    Record record;
    DrillPointer drill;
};

struct ChartSeries {
    enum class Form { line, outline, dots };
    QString name;
    int colour = 0;      ///< of the palette's series
    bool dashed = false; ///< without the kernels that fail our checks
    Form form = Form::line;
    std::vector<ChartPoint> points;
};

/// A chart of at most six series.
struct ChartData {
    QString name;
    QString xTitle; ///< with its unit
    QString yTitle;
    bool xLog = false;
    bool yLog = false;
    bool xWhole = false;   ///< counts: nothing is written between them
    bool yIsShare = false; ///< 0 to 1, written as percent
    double yTop = 0;       ///< of counts: the axis reaches up to there, whatever the data
    /// Of a quantity: how its values are written at the axis ("4.27 µs"), which then fits the data. Without: counts,
    /// from 0 on.
    std::function<QString(double value, int digits)> yText;
    QString yColumn;        ///< what is written over its plain numbers; empty: yTitle
    QStringList xWords;     ///< where x is 0, 1, ...: what is written there
    bool oneLine = false;   ///< a line at x = 1: as fast as the baseline
    bool oneAcross = false; ///< likewise at y = 1
    QString note;           ///< above the plot
    std::vector<ChartSeries> series;
};

/// Share of tasks (their best kernel) or of kernels that are correct and more than p times as fast: KernelBench's
/// fast_p.
[[nodiscard]] ChartData fastChart(const FigureSource& source, bool ofTasks);
/// Kernels by speed-up, ten bins a decade.
[[nodiscard]] ChartData speedupChart(const FigureSource& source);
/// Words by how many kernels have them and how these do in their tasks.
[[nodiscard]] ChartData wordChart(const FigureSource& source);

} // namespace kernelarium::ui
