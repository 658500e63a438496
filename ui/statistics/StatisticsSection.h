// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/statistics/LinkedLabel.h"

#include <QWidget>

class QMenu;
class QSplitter;
class QToolButton;

namespace kernelarium::ui {

class ChartPlot;
class FigureView;
class Theme;

/// One page of the statistics: what it shows in a sentence, then its tables and charts, one below another, and a button
/// that saves any of them.
class StatisticsSection : public QWidget {
    Q_OBJECT
public:
    StatisticsSection(Theme& theme, const QString& title, const QString& sentence, QWidget* parent = nullptr);

    void addTable(FigureView* view, const QString& heading = {}, int stretch = 1);
    void addChart(ChartPlot* plot, int stretch = 1);
    /// A control beside the sentence.
    void addControl(QWidget* control);
    void setSentence(const QString& sentence, const Links& links = {});
    [[nodiscard]] QString sentence() const;

Q_SIGNALS:
    void drilled(const DrillPointer& drill); ///< by a number of the sentence
    void failed(const QString& message);

private:
    void addPart(QWidget* part, int stretch);

    Theme& m_theme;
    LinkedLabel* m_sentence;
    QToolButton* m_save;
    QMenu* m_menu;
    QWidget* m_head;
    QSplitter* m_parts;
};

} // namespace kernelarium::ui
