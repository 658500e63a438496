// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/plots/PlotCanvas.h"

#include <QStringList>
#include <optional>

namespace kernelarium::ui {

/// Speed-ups over two sizes, and one such map for each of some values of a third.
struct HeatData {
    QString name;
    QString xTitle;
    QString yTitle;
    QStringList x; ///< from left to right
    QStringList y; ///< upwards
    struct Panel {
        QString title;
        std::vector<double> values; ///< y * x.size() + x; NaN: none
    };
    std::vector<Panel> panels;
    std::optional<int> chosen; ///< a cell that is pointed out: panel * x.size() * y.size() + its place there
};

/// A map of cells coloured by speed-up, orange for slower, blue for faster; cells with room have their number in them,
/// slower ones in small maps a dash. The marks are the cells.
class HeatCanvas : public PlotCanvas {
    Q_OBJECT
public:
    explicit HeatCanvas(QWidget* parent = nullptr);

    void setData(HeatData data);
    [[nodiscard]] const HeatData& data() const { return m_data; }
    [[nodiscard]] double value(int mark) const;
    /// Colour of a speed-up in a palette: the middle at 1x, full at 4x and 1/4.
    [[nodiscard]] static QColor colour(double ratio, const Palette& palette);

    [[nodiscard]] int markCount() const override;
    [[nodiscard]] QPointF markPosition(int mark) const override { return cell(mark).center(); }
    [[nodiscard]] int markAt(QPointF position) const override; ///< cells without a value as well

protected:
    void paintBelow(QPainter& painter) override;
    void paintAbove(QPainter& painter) override;
    void home(QCPRange& x, QCPRange& y) const override;
    [[nodiscard]] QString widestLabel() const override { return QStringLiteral("16384"); }

private:
    [[nodiscard]] int panelSize() const { return int(m_data.x.size() * m_data.y.size()); }
    [[nodiscard]] int columns() const; ///< of panels
    [[nodiscard]] int rows() const;
    [[nodiscard]] QPointF corner(int panel) const; ///< lower left, in cells
    [[nodiscard]] QRectF cell(int mark) const;     ///< in pixels
    void useTicks();
    void drawScale(QPainter& painter);

    HeatData m_data;
};

} // namespace kernelarium::ui
