// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/PlotCanvas.h"

#include <optional>
#include <vector>

namespace kernelarium::ui {

/// A search's energies, step by step. All values are percent of the original's time.
struct EnergyData {
    struct Mark {
        enum class Fate { start, control, accepted, refused, faulted };
        double step = 0;
        double energy = 100;
        Fate fate = Fate::refused;
        bool best = false;
        int row = 0; ///< of the steps
    };
    struct Point {
        double step = 0;
        double value = 0;
    };
    std::vector<Mark> marks;
    std::vector<Point> best;        ///< the least energy so far
    std::vector<Point> temperature; ///< 100 + the temperature
    std::optional<double> noise;    ///< half the width of the band around 100
    bool isModelled = true;
    double steps = 0; ///< that the search is to have
};

/// Energy over steps: accepted ones filled, refused ones hollow, controls dashed, the best so far as a line, the noise
/// as a band around the original's 100%, the temperature as a thin line.
class EnergyCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit EnergyCanvas(QWidget* parent = nullptr);

    void setData(EnergyData data);
    [[nodiscard]] const EnergyData& data() const { return m_data; }

    [[nodiscard]] int markCount() const override { return int(m_data.marks.size()); }
    [[nodiscard]] QPointF markPosition(int mark) const override;

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override;

private:
    void drawHeader(QPainter& painter);
    void drawLine(QPainter& painter, const std::vector<EnergyData::Point>& points, bool stairs);

    EnergyData m_data;
};

} // namespace kernelarium::ui
