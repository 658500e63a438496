// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/ErrorMap.h"
#include "ui/widgets/HoverCard.h"

#include <QPoint>
#include <QWidget>
#include <optional>

namespace kernelarium::ui {

class EmptyState;
class Theme;

/// Where an output is wrong, as a picture: light cells are right, darker ones nearer to the tolerance, hatched ones
/// beyond it, crossed ones NaN. The arrow keys walk the cells, N goes to the next wrong one.
class ErrorMapView : public QWidget {
    Q_OBJECT
public:
    explicit ErrorMapView(Theme& theme, QWidget* parent = nullptr);

    /// Empty where nothing is wrong.
    void setMap(std::optional<verify::ErrorMap> map);
    void clear();
    [[nodiscard]] bool isEmpty() const { return !m_map; }
    [[nodiscard]] const verify::ErrorMap* map() const { return m_map ? &*m_map : nullptr; }
    /// The cell under the cursor or the keyboard (column, row); (-1, -1) without one.
    [[nodiscard]] QPoint current() const { return m_current; }
    [[nodiscard]] QRectF cellRect(QPoint cell) const; ///< in the widget's pixels
    [[nodiscard]] Record recordOf(QPoint cell) const;
    [[nodiscard]] const HoverCard& card() const { return *m_card; }
    /// Cells with an element beyond the tolerance.
    [[nodiscard]] int wrongCells() const;

    [[nodiscard]] QSize sizeHint() const override { return {360, 320}; }
    [[nodiscard]] QSize minimumSizeHint() const override { return {200, 160}; }

Q_SIGNALS:
    /// First element of the matrix in the cell: row and column in the map's matrix.
    void cellActivated(qint64 row, qint64 column);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void restyle();
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] QPoint cellAt(QPointF position) const;
    [[nodiscard]] QPoint nextWrong() const;
    void setCurrent(QPoint cell);
    void activate(QPoint cell);
    void drawCell(QPainter& painter, const QRectF& box, float worst) const;
    void drawHeader(QPainter& painter) const;
    void drawLegend(QPainter& painter) const;
    [[nodiscard]] QColor scale(double share) const;

    Theme& m_theme;
    std::optional<verify::ErrorMap> m_map;
    EmptyState* m_empty;
    HoverCard* m_card;
    QPoint m_current{-1, -1};
};

} // namespace kernelarium::ui
