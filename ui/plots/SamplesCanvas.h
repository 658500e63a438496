// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/protocol/TimeMessages.h"
#include "ui/plots/LabelPlacer.h"
#include "ui/plots/PlotCanvas.h"

#include <QString>
#include <memory>
#include <vector>

namespace kernelarium::ui {

/// The measured samples of one attempt.
struct SampleSet {
    qint64 attempt = 0;
    QString label;
    std::shared_ptr<const protocol::TimeSummary> summary; ///< never null
};

/// How samples are distributed: a histogram for each set in common bins, with the median, the interval in
/// which the true median lies, and the quartiles. Throttled samples, which do not count, are left out. A mark
/// is a bin of a set.
class SamplesCanvas : public PlotCanvas {
    Q_OBJECT
public:
    struct Bin {
        int set = 0;
        double from = 0, to = 0; ///< milliseconds
        std::size_t count = 0;
        double share = 0; ///< of the set's samples, 0 to 1
    };
    explicit SamplesCanvas(QWidget* parent = nullptr);

    void setSets(std::vector<SampleSet> sets); ///< two at most are told apart
    [[nodiscard]] const std::vector<SampleSet>& sets() const { return m_sets; }
    [[nodiscard]] const Bin& bin(int mark) const { return m_bins[std::size_t(mark)]; }

    [[nodiscard]] int markCount() const override { return int(m_bins.size()); }
    [[nodiscard]] QPointF markPosition(int mark) const override;

    /// Milliseconds of the samples that count, in the order in which they were taken.
    [[nodiscard]] static std::vector<double> counted(const protocol::TimeSummary& summary);

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override { return QStringLiteral("100"); }

private:
    void fillBins();
    void drawHeader(QPainter& painter);
    void drawInterval(QPainter& painter, int set);
    void drawMedian(QPainter& painter, int set);
    [[nodiscard]] QColor colour(int set) const { return look().palette.series[set == 0 ? 0 : 1]; }

    std::vector<SampleSet> m_sets;
    std::vector<Bin> m_bins;
    LabelPlacer m_labels{QRectF()};
};

} // namespace kernelarium::ui
