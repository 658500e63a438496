// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/ParallelView.h"

#include "ui/tuning/PointModel.h"
#include "ui/words/Quantities.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <algorithm>
#include <cmath>

namespace kernelarium::ui {

namespace {

constexpr int grabWidth = 12; ///< pixels on both sides of an axis
constexpr int parallelSlack = 4;
constexpr double timeSteps = 20;
constexpr double whisker = 1e-9;

} // namespace

ParallelView::ParallelView(const PointModel& model, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_model(model)
    , m_theme(theme) {
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Parallel coordinates"));
    setToolTip(tr("Drag along an axis to narrow the table, click on it to show all again; arrow keys do it, too"));
    connect(&theme, &Theme::changed, this, &ParallelView::repaintAll);
}

void ParallelView::refresh() {
    m_brushes.resize(std::size_t(axisCount()));
    m_axis = std::clamp(m_axis, 0, std::max(0, axisCount() - 1));
    double fastest = INFINITY, slowest = 0;
    for (const PointRow& row : m_model.rows())
        if (row.milliseconds > 0) {
            fastest = std::min(fastest, row.milliseconds);
            slowest = std::max(slowest, row.milliseconds);
        }
    m_fastest = std::isfinite(fastest) ? fastest : 0;
    m_slowest = slowest;
    repaintAll();
}

void ParallelView::repaintAll() {
    m_lines = QPixmap();
    update();
}

int ParallelView::axisCount() const {
    return m_model.parameters().empty() ? 0 : int(m_model.parameters().size()) + 1;
}

bool ParallelView::isTime(int axis) const {
    return axis == int(m_model.parameters().size());
}

double ParallelView::steps(int axis) const {
    if (isTime(axis)) return timeSteps;
    return double(m_model.parameters()[std::size_t(axis)].values.size()) - 1;
}

double ParallelView::shareOf(const PointRow& row, int axis) const {
    if (!isTime(axis)) {
        const double last = steps(axis);
        return last > 0 ? row.point.at[std::size_t(axis)] / last : 0.5;
    }
    if (!(row.milliseconds > 0)) return std::nan("");
    if (!(m_slowest > m_fastest)) return 0.5;
    return std::log(row.milliseconds / m_fastest) / std::log(m_slowest / m_fastest);
}

QRectF ParallelView::plotRect() const {
    const int line = fontMetrics().height();
    return QRectF(rect()).adjusted(24, 2 * line + 4, -64, -line - 4);
}

double ParallelView::axisX(int axis) const {
    const QRectF plot = plotRect();
    return axisCount() < 2 ? plot.center().x() : plot.left() + plot.width() * axis / (axisCount() - 1);
}

QRectF ParallelView::axisRect(int axis) const {
    const QRectF plot = plotRect();
    return {axisX(axis) - grabWidth, plot.top() - 6, 2.0 * grabWidth, plot.height() + 12};
}

double ParallelView::positionOf(int, double share) const {
    const QRectF plot = plotRect();
    return plot.bottom() - share * plot.height();
}

double ParallelView::shareAt(double y) const {
    const QRectF plot = plotRect();
    return std::clamp((plot.bottom() - y) / std::max(1.0, plot.height()), 0.0, 1.0);
}

int ParallelView::axisAt(QPointF place) const {
    for (int axis = 0; axis < axisCount(); ++axis)
        if (axisRect(axis).contains(place)) return axis;
    return -1;
}

QString ParallelView::valueText(int axis, double share) const {
    if (isTime(axis)) return secondsText(m_fastest * std::pow(m_slowest / std::max(m_fastest, whisker), share) / 1e3);
    const auto& values = m_model.parameters()[std::size_t(axis)].values;
    return QString::fromStdString(tuning::textOf(values[std::size_t(std::lround(share * steps(axis)))]));
}

// --- brushes

bool ParallelView::isBrushed() const {
    return std::any_of(m_brushes.begin(), m_brushes.end(), [](const auto& brush) { return brush.has_value(); });
}

bool ParallelView::takes(const PointRow& row) const {
    for (int axis = 0; axis < int(m_brushes.size()); ++axis) {
        const auto& brush = m_brushes[std::size_t(axis)];
        if (!brush) continue;
        const double share = shareOf(row, axis);
        if (!(share >= brush->from - whisker && share <= brush->to + whisker)) return false;
    }
    return true;
}

/// A parameter's brush covers whole values: to the middle between two.
void ParallelView::snap(int axis, Brush& brush) const {
    const double last = steps(axis);
    if (isTime(axis) || last <= 0) return;
    const double half = 0.5 / last;
    const double from = std::ceil((brush.from - half * 0.5) * last), to = std::floor((brush.to + half * 0.5) * last);
    const double nearest = std::round((brush.from + brush.to) / 2 * last);
    brush = from <= to ? Brush{from / last - half * 0.8, to / last + half * 0.8}
                       : Brush{nearest / last - half * 0.8, nearest / last + half * 0.8};
}

void ParallelView::setBrush(int axis, std::optional<Brush> brush) {
    if (axis < 0 || axis >= int(m_brushes.size())) return;
    if (brush) snap(axis, *brush);
    m_brushes[std::size_t(axis)] = brush;
    tell();
    repaintAll();
    Q_EMIT brushed();
}

void ParallelView::clearBrushes() {
    if (!isBrushed()) return;
    for (auto& brush : m_brushes)
        brush.reset();
    tell();
    repaintAll();
    Q_EMIT brushed();
}

/// By whole values; of the time by twentieths of its range.
void ParallelView::moveBrush(int direction, bool widen) {
    if (axisCount() == 0) return;
    const double last = std::max(1.0, steps(m_axis));
    const double half = isTime(m_axis) ? 0 : 0.4 / last, step = 1 / last;
    auto& brush = m_brushes[std::size_t(m_axis)];
    double from = 0, to = 0; // middles of the values at its ends
    if (!brush) {
        from = to = direction > 0 ? 0 : 1;
        if (isTime(m_axis)) {
            from = direction > 0 ? 0 : 1 - step;
            to = from + step;
        }
    } else {
        from = brush->from + half;
        to = brush->to - half;
        if (direction > 0) {
            if (to + step > 1 + whisker) return;
            to += step;
            if (!widen) from += step;
        } else {
            if (from - step < -whisker) return;
            from -= step;
            if (!widen) to -= step;
        }
    }
    setBrush(m_axis, Brush{from - half, to + half});
}

void ParallelView::tell() {
    QStringList parts;
    for (int axis = 0; axis < int(m_brushes.size()); ++axis) {
        const auto& brush = m_brushes[std::size_t(axis)];
        if (!brush) continue;
        const QString name =
            isTime(axis) ? tr("time") : QString::fromStdString(m_model.parameters()[std::size_t(axis)].name);
        const QString from = valueText(
                          axis,
                          std::clamp(brush->from + (isTime(axis) ? 0 : 0.4 / std::max(1.0, steps(axis))), 0.0, 1.0)),
                      to = valueText(axis, std::clamp(brush->to - (isTime(axis) ? 0 : 0.4 / std::max(1.0, steps(axis))),
                                                      0.0, 1.0));
        parts << (from == to ? tr("%1 is %2").arg(name, from) : tr("%1 from %2 to %3").arg(name, from, to));
    }
    setAccessibleDescription(parts.join(QStringLiteral(", ")));
}

// --- hands

void ParallelView::mousePressEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mousePressEvent(event);
    m_dragged = axisAt(event->position());
    m_pressedAt = event->pos();
    m_moved = false;
    if (m_dragged < 0) return;
    m_axis = m_dragged;
    m_dragFrom = shareAt(event->position().y());
    update();
}

void ParallelView::mouseMoveEvent(QMouseEvent* event) {
    if (m_dragged < 0) return;
    if (!m_moved && (event->pos() - m_pressedAt).manhattanLength() <= parallelSlack) return;
    m_moved = true;
    const double to = shareAt(event->position().y());
    setBrush(m_dragged, Brush{std::min(m_dragFrom, to), std::max(m_dragFrom, to)});
}

void ParallelView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton) return QWidget::mouseReleaseEvent(event);
    if (m_dragged >= 0 && !m_moved && m_brushes[std::size_t(m_dragged)]) setBrush(m_dragged, std::nullopt);
    m_dragged = -1;
}

void ParallelView::mouseDoubleClickEvent(QMouseEvent*) {
    clearBrushes();
}

void ParallelView::keyPressEvent(QKeyEvent* event) {
    const bool widen = event->modifiers().testFlag(Qt::ShiftModifier);
    switch (event->key()) {
    case Qt::Key_Left: m_axis = std::max(0, m_axis - 1); break;
    case Qt::Key_Right: m_axis = std::min(std::max(0, axisCount() - 1), m_axis + 1); break;
    case Qt::Key_Up: return moveBrush(1, widen);
    case Qt::Key_Down: return moveBrush(-1, widen);
    case Qt::Key_Delete:
    case Qt::Key_Backspace: return setBrush(m_axis, std::nullopt);
    case Qt::Key_Escape:
        if (isBrushed()) return clearBrushes();
        [[fallthrough]];
    default: return QWidget::keyPressEvent(event);
    }
    update();
}

void ParallelView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    update();
}

void ParallelView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    update();
}

void ParallelView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    repaintAll();
}

} // namespace kernelarium::ui
