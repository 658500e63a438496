// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <QImage>
#include <QSize>
#include <QString>
#include <functional>

class QCustomPlot;
class QMenu;
class QWidget;

namespace kernelarium::ui {

/// What a chart gives away. Each is called when the reader asks for it, in the GUI thread.
struct ChartContent {
    std::function<QString()> svg;    ///< a self-contained document
    std::function<QImage()> picture; ///< as it is on the screen
    std::function<QString()> table;  ///< a header, then a line for each record; cells separated by tabs
    QString name;                    ///< proposed for a file, without its ending
};

/// To a .svg, .png or .csv file, whole or not at all. Error "bad_input" (another ending), "cannot_write".
[[nodiscard]] Result<void> saveChart(const ChartContent& content, const QString& path);

/// The table as RFC 4180 has it, lines ended by a line feed: cells with a comma or a quotation mark are quoted.
[[nodiscard]] QString csvOf(const QString& table);
void copyPicture(const ChartContent& content);
void copyNumbers(const ChartContent& content);
/// Asks for a file and saves to it. `failed` is told why that cannot be done.
void chooseChartFile(QWidget& parent, const ChartContent& content, std::function<void(const QString&)> failed);

/// Draws a plot of any size, whatever is on the screen, into a document.
[[nodiscard]] QString svgOfPlot(QCustomPlot& plot, QSize size, const QString& title);
/// At twice the logical size.
[[nodiscard]] QImage pictureOfPlot(QCustomPlot& plot);
/// Of a plot of QCustomPlot's own graphs and bars. SVG has no clipping in Qt 6.4: keep the data inside the axes.
[[nodiscard]] ChartContent contentOf(QCustomPlot& plot, std::function<QString()> table, const QString& name);

/// Adds "Copy picture", "Copy numbers" and "Save chart…" to a context menu over the plot. `table` as ChartContent has
/// it.
void addExportActions(QMenu& menu, QCustomPlot& plot, std::function<QString()> table, const QString& name,
                      std::function<void(const QString&)> failed);

} // namespace kernelarium::ui
