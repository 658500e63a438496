// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tensors/TensorPicture.h"

#include "ui/tensors/TensorWords.h"
#include "ui/words/Quantities.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

constexpr QPoint noCell{-1, -1};
constexpr double pictureMargin = 8;
constexpr double widestCell = 32;
constexpr double scaleWidth = 120;

QColor blended(const QColor& from, const QColor& to, double share) {
    const auto at = [share](float a, float b) { return float(a + (b - a) * share); };
    return QColor::fromRgbF(at(from.redF(), to.redF()), at(from.greenF(), to.greenF()), at(from.blueF(), to.blueF()));
}

QString spanText(std::int64_t from, std::int64_t count) {
    return count == 1 ? QString::number(from) : QStringLiteral("%1–%2").arg(from).arg(from + count - 1);
}

} // namespace

TensorPicture::TensorPicture(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_card(new HoverCard(*this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Picture of the slice"));
    connect(&theme, &Theme::changed, this, &TensorPicture::restyle);
    restyle();
}

void TensorPicture::restyle() {
    m_card->setColours(m_theme.colours(), m_theme.captionFont());
    makeImage();
    QWidget::update();
}

void TensorPicture::setSlice(std::shared_ptr<const tensorview::Slice> slice, const QString& title, bool signs,
                             tensor::DType dtype) {
    const bool sameCells = slice && m_slice && slice->rows == m_slice->rows && slice->columns == m_slice->columns;
    if (!sameCells) setCurrent(noCell);
    m_slice = std::move(slice);
    m_title = title;
    m_signs = signs;
    m_dtype = dtype;
    m_low = m_high = 0;
    bool any = false;
    if (m_slice)
        for (const double value : m_slice->values)
            if (std::isfinite(value)) {
                m_low = any ? std::min(m_low, value) : value;
                m_high = any ? std::max(m_high, value) : value;
                any = true;
            }
    m_outlined.clear();
    makeImage();
    QWidget::update();
}

void TensorPicture::setOutlined(const std::vector<tensor::Shape>& elements) {
    m_outlined.clear();
    for (const tensor::Shape& element : elements)
        if (const QPoint cell = cellOf(element); cell != noCell) m_outlined.push_back(cell);
    const auto before = [](QPoint a, QPoint b) { return a.y() != b.y() ? a.y() < b.y() : a.x() < b.x(); };
    std::sort(m_outlined.begin(), m_outlined.end(), before);
    m_outlined.erase(std::unique(m_outlined.begin(), m_outlined.end()), m_outlined.end());
    QWidget::update();
}

QPoint TensorPicture::cellOf(const tensor::Shape& element) const {
    if (!m_slice || m_slice->values.empty() || element.size() != m_slice->at.size()) return noCell;
    for (std::size_t d = 0; d < element.size(); ++d)
        if (d != m_slice->rowDim && d != m_slice->columnDim && element[d] != m_slice->at[d]) return noCell;
    const std::int64_t row = m_slice->rowDim ? (element[*m_slice->rowDim] - m_slice->firstRow) / m_slice->rowStep : 0;
    const std::int64_t column =
        m_slice->columnDim ? (element[*m_slice->columnDim] - m_slice->firstColumn) / m_slice->columnStep : 0;
    const bool inside = row >= 0 && column >= 0 && row < m_slice->rows && column < m_slice->columns;
    return inside ? QPoint(int(column), int(row)) : noCell;
}

void TensorPicture::showElement(const tensor::Shape& element) {
    m_current = cellOf(element);
    setAccessibleDescription(recordOf(m_current).plain());
    QWidget::update();
}

QColor TensorPicture::colour(double value) const {
    const Palette& p = m_theme.colours();
    if (std::isnan(value)) return p.wrong;
    if (std::isinf(value)) return p.suspicious;
    const QColor middle = p.dark ? QColor("#2b3038") : QColor("#f1f2f4");
    const QColor blue = p.dark ? QColor("#56b4e9") : QColor("#0072b2"),
                 orange = p.dark ? QColor("#e69f00") : QColor("#d55e00");
    // Not linear: most of the interest is among the small ones.
    if (m_signs || m_low < 0) {
        const double most = std::max(std::abs(m_low), std::abs(m_high));
        const double share = most > 0 ? std::clamp(value / most, -1.0, 1.0) : 0;
        return blended(middle, share >= 0 ? blue : orange, std::pow(std::abs(share), 0.7));
    }
    const double share = m_high > m_low ? (value - m_low) / (m_high - m_low) : 0;
    return blended(middle, blue, std::clamp(share, 0.0, 1.0));
}

void TensorPicture::makeImage() {
    m_image = {};
    if (!m_slice || m_slice->values.empty()) return;
    m_image = QImage(int(m_slice->columns), int(m_slice->rows), QImage::Format_RGB32);
    for (int row = 0; row < m_image.height(); ++row)
        for (int column = 0; column < m_image.width(); ++column)
            m_image.setPixel(column, row, colour(m_slice->value(row, column)).rgb());
}

QRectF TensorPicture::area() const {
    const double line = QFontMetricsF(m_theme.captionFont()).height();
    const QRectF room =
        QRectF(rect()).adjusted(pictureMargin, pictureMargin + line + 4, -pictureMargin, -pictureMargin - line - 8);
    if (m_image.isNull() || room.width() < 8 || room.height() < 8) return {};
    double w = room.width() / m_image.width(), h = room.height() / m_image.height();
    // Square cells, unless the picture would be a thread: then as long as they must be to be seen.
    constexpr double thread = 24; // logical pixels
    if (const double side = std::min(w, h); side * std::min(m_image.width(), m_image.height()) >= thread) w = h = side;
    w = std::min(w, widestCell);
    h = std::min(h, widestCell);
    return {room.left(), room.top(), w * m_image.width(), h * m_image.height()};
}

QRectF TensorPicture::cellRect(QPoint cell) const {
    const QRectF all = area();
    if (all.isEmpty()) return {};
    const double w = all.width() / m_image.width(), h = all.height() / m_image.height();
    return {all.left() + cell.x() * w, all.top() + cell.y() * h, w, h};
}

QPoint TensorPicture::cellAt(QPointF position) const {
    const QRectF all = area();
    if (all.isEmpty() || !all.contains(position)) return noCell;
    const auto index = [](double along, double whole, int count) {
        return std::clamp(int(along / whole * count), 0, count - 1);
    };
    return {index(position.x() - all.left(), all.width(), m_image.width()),
            index(position.y() - all.top(), all.height(), m_image.height())};
}

Record TensorPicture::recordOf(QPoint cell) const {
    Record record;
    if (!m_slice || cell == noCell) return record;
    record.title = elementText(m_slice->value(cell.y(), cell.x()), m_dtype);
    record.rows.append({tr("Element"), indexText(m_slice->indexOf(cell.y(), cell.x()))});
    const std::int64_t rows = std::min(m_slice->rowStep, m_slice->elementRows - cell.y() * m_slice->rowStep);
    const std::int64_t columns =
        std::min(m_slice->columnStep, m_slice->elementColumns - cell.x() * m_slice->columnStep);
    if (rows * columns == 1) return record;
    record.rows = {{tr("Rows"), spanText(m_slice->firstRow + cell.y() * m_slice->rowStep, rows)},
                   {tr("Columns"), spanText(m_slice->firstColumn + cell.x() * m_slice->columnStep, columns)}};
    record.explanation = m_signs ? tr("The largest of %1 elements").arg(wholeText(rows * columns))
                                 : tr("The mean of %1 elements").arg(wholeText(rows * columns));
    return record;
}

void TensorPicture::setCurrent(QPoint cell) {
    if (cell == m_current) return;
    m_current = cell;
    QWidget::update();
    const Record record = recordOf(cell);
    setAccessibleDescription(record.plain());
    if (cell == noCell || !isVisible()) return m_card->hide();
    m_card->show(record, cellRect(cell).bottomRight().toPoint());
}

void TensorPicture::activate(QPoint cell) {
    if (m_slice && cell != noCell) Q_EMIT elementActivated(m_slice->indexOf(cell.y(), cell.x()));
}

void TensorPicture::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_card->hide();
}
void TensorPicture::mouseMoveEvent(QMouseEvent* event) {
    setCurrent(cellAt(event->position()));
}
void TensorPicture::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) activate(cellAt(event->position()));
}

void TensorPicture::keyPressEvent(QKeyEvent* event) {
    QPoint step;
    switch (event->key()) {
    case Qt::Key_Left: step = {-1, 0}; break;
    case Qt::Key_Right: step = {1, 0}; break;
    case Qt::Key_Up: step = {0, -1}; break;
    case Qt::Key_Down: step = {0, 1}; break;
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: return m_current != noCell ? activate(m_current) : QWidget::keyPressEvent(event);
    case Qt::Key_Escape:
        if (m_current != noCell) return setCurrent(noCell);
        [[fallthrough]];
    default: return QWidget::keyPressEvent(event);
    }
    if (m_image.isNull()) return QWidget::keyPressEvent(event);
    if (m_current == noCell) return setCurrent({0, 0});
    const QPoint next = m_current + step;
    setCurrent({std::clamp(next.x(), 0, m_image.width() - 1), std::clamp(next.y(), 0, m_image.height() - 1)});
}

void TensorPicture::leaveEvent(QEvent*) {
    m_card->hide();
}
void TensorPicture::focusInEvent(QFocusEvent*) {
    QWidget::update();
}
void TensorPicture::focusOutEvent(QFocusEvent*) {
    m_card->hide();
    QWidget::update();
}

void TensorPicture::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& p = m_theme.colours();
    painter.fillRect(rect(), p.field);
    painter.setFont(m_theme.captionFont());
    const QFontMetricsF metrics(painter.font());
    painter.setPen(p.muted);
    painter.drawText(QPointF(pictureMargin, pictureMargin + metrics.ascent()),
                     metrics.elidedText(m_title, Qt::ElideRight, width() - 2 * pictureMargin));
    if (m_image.isNull()) {
        if (m_slice) painter.drawText(rect(), Qt::AlignCenter, tr("The slice has no elements."));
        return;
    }
    painter.setRenderHint(QPainter::SmoothPixmapTransform, false);
    painter.drawImage(area(), m_image);
    drawMarks(painter);
    drawScale(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(p.line, 1));
    painter.drawRect(area().adjusted(-0.5, -0.5, 0.5, 0.5));
    if (m_current != noCell) {
        const QRectF box = cellRect(m_current).adjusted(-1.5, -1.5, 1.5, 1.5);
        painter.setPen(QPen(p.field, 4));
        painter.drawRect(box);
        painter.setPen(QPen(p.accent, 2));
        painter.drawRect(box);
    } else if (hasFocus()) {
        painter.setPen(QPen(p.accent, 1));
        painter.drawRect(area().adjusted(-2.5, -2.5, 2.5, 2.5));
    }
}

/// What is not a number is crossed out where there is room: colour alone does not say it. Outlines.
void TensorPicture::drawMarks(QPainter& painter) const {
    const Palette& p = m_theme.colours();
    const QRectF first = cellRect({0, 0});
    if (std::min(first.width(), first.height()) >= 5) {
        painter.setPen(QPen(p.field, 1.2));
        for (int row = 0; row < m_image.height(); ++row)
            for (int column = 0; column < m_image.width(); ++column) {
                const double value = m_slice->value(row, column);
                if (std::isfinite(value)) continue;
                const QRectF box = cellRect({column, row}).adjusted(1, 1, -1, -1);
                painter.drawLine(box.topLeft(), box.bottomRight());
                if (std::isnan(value)) painter.drawLine(box.topRight(), box.bottomLeft());
            }
    }
    painter.setBrush(Qt::NoBrush);
    for (const QPoint cell : m_outlined) {
        QRectF box = cellRect(cell);
        if (box.width() < 3 || box.height() < 3) box = QRectF(box.center() - QPointF(1.5, 1.5), QSizeF(3, 3));
        painter.setPen(QPen(p.field, 3));
        painter.drawRect(box);
        painter.setPen(QPen(p.text, 1.4));
        painter.drawRect(box);
    }
}

void TensorPicture::drawScale(QPainter& painter) const {
    const Palette& p = m_theme.colours();
    const QFontMetricsF metrics(painter.font());
    const double baseline = height() - pictureMargin - metrics.descent();
    const double most = std::max(std::abs(m_low), std::abs(m_high));
    const bool both = m_signs || m_low < 0;
    const double low = both ? -most : m_low, high = both ? most : m_high;
    const QString left = elementText(low, m_dtype), right = elementText(high, m_dtype);
    double x = pictureMargin;
    painter.setPen(p.muted);
    painter.drawText(QPointF(x, baseline), left);
    x += metrics.horizontalAdvance(left) + 6;
    constexpr int steps = 40;
    for (int i = 0; i < steps; ++i)
        painter.fillRect(QRectF(x + i * scaleWidth / steps, baseline - metrics.ascent() + 3, scaleWidth / steps + 0.5,
                                metrics.ascent() - 3),
                         colour(low * (1 - (i + 0.5) / steps) + high * (i + 0.5) / steps));
    x += scaleWidth + 6;
    painter.setPen(p.muted);
    painter.drawText(QPointF(x, baseline), right);
    x += metrics.horizontalAdvance(right) + 16;
    const std::pair<QString, double> others[] = {{tr("NaN"), NAN}, {tr("infinite"), INFINITY}};
    for (const auto& [text, value] : others) {
        const bool there = std::any_of(m_slice->values.begin(), m_slice->values.end(), [&value = value](double v) {
            return std::isnan(value) ? std::isnan(v) : std::isinf(v);
        });
        if (!there || x + 16 + metrics.horizontalAdvance(text) > width()) continue;
        painter.fillRect(QRectF(x, baseline - metrics.ascent() + 3, 10, metrics.ascent() - 3), colour(value));
        painter.setPen(p.muted);
        painter.drawText(QPointF(x + 14, baseline), text);
        x += 14 + metrics.horizontalAdvance(text) + 12;
    }
}

} // namespace kernelarium::ui
