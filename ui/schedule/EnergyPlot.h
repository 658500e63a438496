// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/schedule/Step.h"
#include "ui/plots/PlotPanel.h"
#include "ui/schedule/EnergyCanvas.h"

namespace kernelarium::ui {

/// A search's steps as a plot: hover tells all of a step, click or Return chooses it.
class EnergyPlot : public PlotPanel {
    Q_OBJECT
public:
    explicit EnergyPlot(Theme& theme, QWidget* parent = nullptr);

    /// `noise`: percent, half of the band; none: not known (of a model there is none).
    void setSteps(const std::vector<schedule::Step>& steps, std::optional<double> noise, bool isModelled,
                  std::uint64_t total);
    [[nodiscard]] const EnergyData& data() const { return m_plot.data(); }

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    [[nodiscard]] QString numbers() const override;
    [[nodiscard]] Record recordOf(int mark) const override;

Q_SIGNALS:
    void chosen(quint64 step);

protected:
    void activate(int mark) override;
    void fillMenu(QMenu& menu, int mark) override;

private:
    EnergyPlot(Theme& theme, EnergyCanvas* canvas, QWidget* parent);

    EnergyCanvas& m_plot;
    std::vector<schedule::Step> m_steps;
};

/// "accepted", "refused" and so on, for people.
[[nodiscard]] QString fateText(schedule::Fate fate);

} // namespace kernelarium::ui
