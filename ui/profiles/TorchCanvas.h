// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/PlotCanvas.h"

#include <vector>

namespace kernelarium::ui {

/// One bar: where time went.
struct TimeBar {
    QString name;
    double microseconds = 0;
    bool isRest = false; ///< all that have no bar of their own, together
};

/// Bars from left to right, the longest on top.
class TorchCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit TorchCanvas(QWidget* parent = nullptr);

    void setBars(std::vector<TimeBar> bars);
    [[nodiscard]] const std::vector<TimeBar>& bars() const { return m_bars; }

    [[nodiscard]] int markCount() const override { return int(m_bars.size()); }
    [[nodiscard]] QPointF markPosition(int mark) const override; ///< the bar's end

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override;

private:
    [[nodiscard]] QRectF rectOf(int mark) const;
    std::vector<TimeBar> m_bars;
};

} // namespace kernelarium::ui
