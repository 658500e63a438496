// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/ErrorMapView.h"

#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QKeyEvent>
#include <QPainter>
#include <cmath>

namespace kernelarium::ui {

namespace {

constexpr QPoint nowhere{-1, -1};
constexpr double side = 12;   ///< margin
constexpr double swatch = 12; ///< of the legend
constexpr double largestCell = 28;

bool isWrong(float worst) {
    return std::isnan(worst) || worst > 1;
}

/// "3" or "3 to 5".
QString rangeText(qint64 from, qint64 to) {
    return from == to ? QString::number(from) : QStringLiteral("%1 to %2").arg(from).arg(to);
}

} // namespace

ErrorMapView::ErrorMapView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_empty(new EmptyState(theme, QStringLiteral("verdict"), this))
    , m_card(new HoverCard(*this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Error map of the output"));
    m_empty->setTexts(tr("Nothing is wrong"),
                      tr("When a kernel's output differs from the reference, this shows where: whole rows, the last "
                         "block, every other column."));
    connect(&theme, &Theme::changed, this, &ErrorMapView::restyle);
    restyle();
}

void ErrorMapView::setMap(std::optional<verify::ErrorMap> map) {
    setCurrent(nowhere);
    if (!map || map->rows <= 0 || map->columns <= 0) return clear();
    m_map = std::move(map);
    m_empty->hide();
    QWidget::update();
}

void ErrorMapView::clear() {
    setCurrent(nowhere);
    m_map.reset();
    m_empty->show();
    QWidget::update();
}

void ErrorMapView::restyle() {
    m_card->setColours(m_theme.colours(), m_theme.captionFont());
    QWidget::update();
}

int ErrorMapView::wrongCells() const {
    return m_map ? int(std::count_if(m_map->worst.begin(), m_map->worst.end(), isWrong)) : 0;
}

QRectF ErrorMapView::area() const {
    const double line = QFontMetricsF(m_theme.captionFont()).height();
    const QRectF room = QRectF(rect()).adjusted(side, side + line + 8, -side, -side - line - 8);
    if (!m_map || room.width() < 8 || room.height() < 8) return {};
    // Square cells where there is room for them; else as wide as they must be.
    double w = room.width() / m_map->columns, h = room.height() / m_map->rows;
    if (std::max(w, h) / std::min(w, h) < 4) w = h = std::min(w, h);
    w = std::min(w, largestCell);
    h = std::min(h, largestCell);
    return {room.left(), room.top(), w * m_map->columns, h * m_map->rows};
}

QRectF ErrorMapView::cellRect(QPoint cell) const {
    const QRectF all = area();
    if (!m_map || all.isEmpty()) return {};
    const double w = all.width() / m_map->columns, h = all.height() / m_map->rows;
    return {all.left() + cell.x() * w, all.top() + cell.y() * h, w, h};
}

QPoint ErrorMapView::cellAt(QPointF position) const {
    const QRectF all = area();
    if (!m_map || !all.contains(position)) return nowhere;
    const auto index = [](double along, double whole, int count) {
        return std::clamp(int(along / whole * count), 0, count - 1);
    };
    return {index(position.x() - all.left(), all.width(), m_map->columns),
            index(position.y() - all.top(), all.height(), m_map->rows)};
}

Record ErrorMapView::recordOf(QPoint cell) const {
    Record record;
    if (!m_map || cell == nowhere) return record;
    const qint64 row = cell.y() * m_map->cellSize[0], column = cell.x() * m_map->cellSize[1];
    const qint64 lastRow = std::min<qint64>(row + m_map->cellSize[0], m_map->matrixRows()) - 1;
    const qint64 lastColumn = std::min<qint64>(column + m_map->cellSize[1], m_map->matrixColumns()) - 1;
    const float worst = m_map->at(cell.y(), cell.x());
    record.title = isWrong(worst) ? tr("Wrong") : tr("Right");
    record.rows = {
        {m_map->shape.size() > 2 ? tr("Rows (all but the last dimension)") : tr("Row"), rangeText(row, lastRow)},
        {tr("Column"), rangeText(column, lastColumn)},
        {tr("Worst error"), std::isnan(worst)   ? tr("NaN, the reference has a number")
                            : std::isinf(worst) ? tr("beyond any tolerance")
                                                : tr("%1 of the tolerance").arg(percentText(worst))}};
    return record;
}

QPoint ErrorMapView::nextWrong() const {
    if (!m_map) return nowhere;
    const int count = m_map->rows * m_map->columns;
    const int from = m_current == nowhere ? -1 : m_current.y() * m_map->columns + m_current.x();
    for (int step = 1; step <= count; ++step) {
        const int i = (from + step) % count;
        if (isWrong(m_map->worst[std::size_t(i)])) return {i % m_map->columns, i / m_map->columns};
    }
    return m_current;
}

void ErrorMapView::setCurrent(QPoint cell) {
    if (cell == m_current) return;
    m_current = cell;
    QWidget::update();
    if (cell == nowhere) {
        setAccessibleDescription({});
        return m_card->hide();
    }
    const Record record = recordOf(cell);
    setAccessibleDescription(record.plain());
    if (isVisible()) m_card->show(record, cellRect(cell).bottomRight().toPoint());
}

void ErrorMapView::activate(QPoint cell) {
    if (m_map && cell != nowhere) Q_EMIT cellActivated(cell.y() * m_map->cellSize[0], cell.x() * m_map->cellSize[1]);
}

void ErrorMapView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_empty->setGeometry(rect());
    setCurrent(nowhere);
}

void ErrorMapView::mouseMoveEvent(QMouseEvent* event) {
    setCurrent(cellAt(event->position()));
}

void ErrorMapView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton) activate(cellAt(event->position()));
}

void ErrorMapView::keyPressEvent(QKeyEvent* event) {
    if (!m_map) return QWidget::keyPressEvent(event);
    QPoint step;
    switch (event->key()) {
    case Qt::Key_Left: step = {-1, 0}; break;
    case Qt::Key_Right: step = {1, 0}; break;
    case Qt::Key_Up: step = {0, -1}; break;
    case Qt::Key_Down: step = {0, 1}; break;
    case Qt::Key_N: return setCurrent(nextWrong());
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space: return activate(m_current);
    case Qt::Key_Escape:
        if (m_current != nowhere) return setCurrent(nowhere);
        [[fallthrough]];
    default: return QWidget::keyPressEvent(event);
    }
    if (m_current == nowhere) return setCurrent({0, 0});
    const QPoint next = m_current + step;
    setCurrent({std::clamp(next.x(), 0, m_map->columns - 1), std::clamp(next.y(), 0, m_map->rows - 1)});
}

void ErrorMapView::leaveEvent(QEvent*) {
    setCurrent(nowhere);
}
void ErrorMapView::focusInEvent(QFocusEvent*) {
    QWidget::update();
}
void ErrorMapView::focusOutEvent(QFocusEvent*) {
    setCurrent(nowhere);
}

/// From the background to blue: one hue, ever stronger, that every reader sees in the same order.
QColor ErrorMapView::scale(double share) const {
    const QColor from = m_theme.colours().field, to = m_theme.colours().series[0];
    const double t = 0.08 + 0.62 * std::clamp(share, 0.0, 1.0);
    const auto mix = [t](double a, double b) { return a * (1 - t) + b * t; };
    return QColor::fromRgbF(float(mix(from.redF(), to.redF())), float(mix(from.greenF(), to.greenF())),
                            float(mix(from.blueF(), to.blueF())));
}

void ErrorMapView::drawCell(QPainter& painter, const QRectF& box, float worst) const {
    const Palette& p = m_theme.colours();
    if (!isWrong(worst)) return painter.fillRect(box, scale(worst));
    painter.fillRect(box, p.series[1]);
    painter.save();
    painter.setClipRect(box);
    painter.setPen(QPen(p.field, 1.2));
    // One hatch over all cells, so that neighbours join: lines x + y = k * distance.
    constexpr double distance = 6;
    const double first = std::floor((box.left() + box.top()) / distance);
    for (double k = first; k * distance <= box.right() + box.bottom(); ++k)
        painter.drawLine(QPointF(k * distance - box.top(), box.top()),
                         QPointF(k * distance - box.bottom(), box.bottom()));
    if (std::isnan(worst)) {
        const double across = std::floor((box.left() - box.bottom()) / distance);
        for (double k = across; k * distance <= box.right() - box.top(); ++k)
            painter.drawLine(QPointF(k * distance + box.top(), box.top()),
                             QPointF(k * distance + box.bottom(), box.bottom()));
    }
    painter.restore();
}

void ErrorMapView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.fillRect(rect(), m_theme.colours().field);
    if (!m_map) return;
    painter.setFont(m_theme.captionFont());
    drawHeader(painter);
    drawLegend(painter);
    for (int row = 0; row < m_map->rows; ++row)
        for (int column = 0; column < m_map->columns; ++column)
            drawCell(painter, cellRect({column, row}), m_map->at(row, column));
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setBrush(Qt::NoBrush);
    painter.setPen(QPen(m_theme.colours().line, 1));
    painter.drawRect(area().adjusted(-0.5, -0.5, 0.5, 0.5));
    if (m_current != nowhere) {
        const QRectF box = cellRect(m_current).adjusted(-1.5, -1.5, 1.5, 1.5);
        painter.setPen(QPen(m_theme.colours().field, 4));
        painter.drawRect(box);
        painter.setPen(QPen(m_theme.colours().accent, 2));
        painter.drawRect(box);
    } else if (hasFocus()) {
        painter.setPen(QPen(m_theme.colours().accent, 1));
        painter.drawRect(area().adjusted(-2.5, -2.5, 2.5, 2.5));
    }
}

void ErrorMapView::drawHeader(QPainter& painter) const {
    const QFontMetricsF metrics(painter.font());
    QString text = tr("Output %1 %2").arg(int(m_map->output)).arg(QString::fromStdString(m_map->shapeText()));
    if (m_map->cellSize[0] > 1 || m_map->cellSize[1] > 1)
        text += tr(", %1 × %2 elements per cell").arg(m_map->cellSize[0]).arg(m_map->cellSize[1]);
    text += tr("; %1 of %2 cells wrong").arg(wrongCells()).arg(m_map->rows * m_map->columns);
    painter.setPen(m_theme.colours().muted);
    painter.drawText(QPointF(side, side + metrics.ascent()),
                     metrics.elidedText(text, Qt::ElideRight, width() - 2 * side));
}

void ErrorMapView::drawLegend(QPainter& painter) const {
    const QFontMetricsF metrics(painter.font());
    const double top = height() - side - swatch;
    double x = side;
    const std::pair<QString, float> entries[] = {
        {tr("right"), 0.0F}, {tr("at the tolerance"), 1.0F}, {tr("beyond it"), 2.0F}, {tr("NaN"), NAN}};
    for (const auto& [text, worst] : entries) {
        if (x + swatch + 4 + metrics.horizontalAdvance(text) > width() - side) break;
        const QRectF box(x, top, swatch, swatch);
        drawCell(painter, box, worst);
        painter.setPen(m_theme.colours().line);
        painter.drawRect(box);
        x += swatch + 6;
        painter.setPen(m_theme.colours().muted);
        painter.drawText(QPointF(x, top + swatch / 2 + (metrics.ascent() - metrics.descent()) / 2), text);
        x += metrics.horizontalAdvance(text) + 16;
    }
}

} // namespace kernelarium::ui
