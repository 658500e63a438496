// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Histogram.h"
#include "ui/plots/PlotCanvas.h"
#include "ui/plots/PlotPanel.h"

#include <optional>

namespace kernelarium::ui {

/// How often which values are in a tensor; the height is the root of the count, so that few beside many are seen.
class HistogramCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit HistogramCanvas(QWidget* parent = nullptr);

    void setHistogram(tensorview::Histogram histogram, const QString& title);
    [[nodiscard]] const tensorview::Histogram& histogram() const { return m_histogram; }
    [[nodiscard]] const QString& title() const { return m_title; }
    [[nodiscard]] double edge(int bin) const; ///< where a bin begins; of one past the last, where that ends

    [[nodiscard]] int markCount() const override { return int(m_histogram.counts.size()); }
    [[nodiscard]] QPointF markPosition(int mark) const override;
    [[nodiscard]] int markAt(QPointF position) const override; ///< the bin over its whole height

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override { return QStringLiteral("1,000,000"); }

private:
    [[nodiscard]] QRectF bar(int bin) const;

    tensorview::Histogram m_histogram;
    QString m_title;
};

/// The histogram with what all plots have.
class HistogramPlot : public PlotPanel {
    Q_OBJECT
public:
    explicit HistogramPlot(Theme& theme, QWidget* parent = nullptr);

    void setHistogram(std::optional<tensorview::Histogram> histogram, const QString& title = {});
    [[nodiscard]] HistogramCanvas& plot() const { return m_plot; }

    [[nodiscard]] QString svg(QSize size, const Palette& palette) const override;
    [[nodiscard]] QString numbers() const override;
    [[nodiscard]] Record recordOf(int mark) const override;

protected:
    void activate(int) override {}
    void fillMenu(QMenu&, int) override {}

private:
    HistogramPlot(Theme& theme, HistogramCanvas* canvas, QWidget* parent);
    HistogramCanvas& m_plot;
};

} // namespace kernelarium::ui
