// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Query.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/HoverCard.h"

#include <QImage>
#include <QWidget>
#include <memory>
#include <vector>

namespace kernelarium::ui {

/// A slice as a picture: from blue over the background to orange where values have two signs, else from the background
/// to blue. NaN and infinities have colours and marks of their own. Elements may be outlined.
class TensorPicture : public QWidget {
    Q_OBJECT
public:
    explicit TensorPicture(Theme& theme, QWidget* parent = nullptr);

    /// Null: nothing. `title` stands over the picture; `signs`: zero is in the middle whatever the values are.
    void setSlice(std::shared_ptr<const tensorview::Slice> slice, const QString& title, bool signs,
                  tensor::DType dtype = tensor::DType::Float32);
    [[nodiscard]] const tensorview::Slice* slice() const { return m_slice.get(); }
    /// Outlines the cells of these elements; those that the slice does not have are not seen.
    void setOutlined(const std::vector<tensor::Shape>& elements);
    [[nodiscard]] int outlinedCells() const { return int(m_outlined.size()); }
    /// The cell of the element, if it has it.
    void showElement(const tensor::Shape& element);

    [[nodiscard]] QPoint current() const { return m_current; } ///< column, row; (-1, -1): none
    void setCurrent(QPoint cell);
    [[nodiscard]] QPoint cellAt(QPointF position) const;
    [[nodiscard]] QRectF cellRect(QPoint cell) const;
    [[nodiscard]] Record recordOf(QPoint cell) const;
    [[nodiscard]] QColor colour(double value) const;
    [[nodiscard]] QSize minimumSizeHint() const override { return {160, 96}; }

Q_SIGNALS:
    void elementActivated(const tensor::Shape& element); ///< the first of the cell

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
    void makeImage();
    void drawMarks(QPainter& painter) const;
    void drawScale(QPainter& painter) const;
    void activate(QPoint cell);
    [[nodiscard]] QRectF area() const;
    [[nodiscard]] QPoint cellOf(const tensor::Shape& element) const;

    Theme& m_theme;
    HoverCard* m_card;
    std::shared_ptr<const tensorview::Slice> m_slice;
    QString m_title;
    bool m_signs = false;
    tensor::DType m_dtype = tensor::DType::Float32;
    double m_low = 0, m_high = 0; ///< of the finite cells
    QImage m_image;               ///< a pixel for each cell
    std::vector<QPoint> m_outlined;
    QPoint m_current{-1, -1};
};

} // namespace kernelarium::ui
