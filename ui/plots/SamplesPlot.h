// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/PlotPanel.h"
#include "ui/plots/SamplesCanvas.h"

namespace kernelarium::ui {

/// How the samples of one attempt, or of two, are distributed.
class SamplesPlot : public PlotPanel {
    Q_OBJECT
public:
    explicit SamplesPlot(Theme& theme, QWidget* parent = nullptr);

    void setSets(std::vector<SampleSet> sets);
    [[nodiscard]] SamplesCanvas& plot() const { return m_plot; }

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    /// Every sample with its clock.
    [[nodiscard]] QString numbers() const override;
    [[nodiscard]] Record recordOf(int mark) const override;

protected:
    void activate(int) override {}
    void fillMenu(QMenu&, int) override {}

private:
    SamplesPlot(Theme& theme, SamplesCanvas* canvas, QWidget* parent);
    SamplesCanvas& m_plot;
};

/// Of two sets that were not timed in pairs: how often a sample of the one is faster than one of the other
/// (Mann and Whitney 1947), ties counted half.
[[nodiscard]] double shareFaster(const SampleSet& first, const SampleSet& second);

/// What there is to say of a measured time beside its distribution, as HTML: figures, energy, memory, each
/// kernel's time.
[[nodiscard]] QString factsHtml(const SampleSet& set);

} // namespace kernelarium::ui
