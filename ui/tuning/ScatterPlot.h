// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/PlotPanel.h"
#include "ui/tuning/ScatterCanvas.h"

class QComboBox;

namespace kernelarium::ui {

class PointFilter;
class PointModel;
struct PointRow;

/// The points over any two of their parameters, time and registers. Hover tells a point, click or Return chooses it.
class ScatterPlot : public PlotPanel {
    Q_OBJECT
public:
    ScatterPlot(const PointModel& model, const PointFilter& filter, Theme& theme, QWidget* parent = nullptr);

    void refresh(); ///< the model or the filter has changed
    [[nodiscard]] QComboBox& xBox() { return *m_x; }
    [[nodiscard]] QComboBox& yBox() { return *m_y; }
    [[nodiscard]] ScatterCanvas& plot() const { return m_plot; }

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    [[nodiscard]] QString numbers() const override;
    [[nodiscard]] Record recordOf(int mark) const override;

Q_SIGNALS:
    void chosen(int modelRow);
    void openRequested(int modelRow);

protected:
    void activate(int mark) override;
    void fillMenu(QMenu& menu, int mark) override;

private:
    ScatterPlot(const PointModel& model, const PointFilter& filter, Theme& theme, ScatterCanvas* canvas,
                QWidget* parent);
    void fillAxes();
    [[nodiscard]] double valueOf(const PointRow& row, int axis) const;
    [[nodiscard]] ScatterData::Axis axisOf(int axis) const;

    const PointModel& m_model;
    const PointFilter& m_filter;
    ScatterCanvas& m_plot;
    QComboBox* m_x;
    QComboBox* m_y;
    QStringList m_names; ///< of the axes offered
};

/// What a hover tells of a point.
[[nodiscard]] Record recordOfPoint(const PointModel& model, int modelRow);

} // namespace kernelarium::ui
