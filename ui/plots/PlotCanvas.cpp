// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/PlotCanvas.h"

#include <QContextMenuEvent>
#include <QFontMetricsF>
#include <QKeyEvent>
#include <cmath>
#include <numeric>
#include <utility>

namespace kernelarium::ui {

namespace {
constexpr double reach = 11;  ///< pixels around a mark that still mean it
constexpr int clickSlack = 4; ///< pixels that a click may move
constexpr double zoomStep = 0.8;
} // namespace

/// One of our two painting passes as a layer of QCustomPlot.
class PlotCanvas::Scene : public QCPLayerable {
public:
    Scene(PlotCanvas& canvas, const QString& layerName, bool above)
        : QCPLayerable(&canvas, layerName)
        , m_canvas(canvas)
        , m_above(above) {}

protected:
    void applyDefaultAntialiasingHint(QCPPainter* painter) const override { painter->setAntialiasing(true); }
    void draw(QCPPainter* painter) override {
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setFont(m_canvas.m_look.caption);
        if (m_above)
            m_canvas.paintAbove(*painter);
        else
            m_canvas.paintBelow(*painter);
    }
    [[nodiscard]] QRect clipRect() const override { return m_canvas.viewport(); }

private:
    PlotCanvas& m_canvas;
    bool m_above;
};

PlotCanvas::PlotCanvas(QWidget* parent)
    : QCustomPlot(parent) {
    m_look.palette = lightPalette();
    m_look.text = font();
    m_look.caption = font();
    setFocusPolicy(Qt::StrongFocus);
    setMouseTracking(true);
    // QCustomPlot keeps all of the mouse to itself, and with it the context menu, which is the panel's around it.
    setAttribute(Qt::WA_NoMousePropagation, false);
    setNoAntialiasingOnDrag(false);
    setPlottingHint(QCP::phImmediateRefresh, false); // what else is to be painted is painted with it, once
    setInteractions(QCP::iRangeDrag | QCP::iRangeZoom);
    axisRect()->setRangeZoomFactor(zoomStep);
    new Scene(*this, QStringLiteral("main"), false);
    new Scene(*this, QStringLiteral("overlay"), true);
}

void PlotCanvas::redraw() {
    m_stale = true;
    update();
}

void PlotCanvas::resizeEvent(QResizeEvent*) {
    // Not QCustomPlot's, which draws at once: while a page's layout settles there are several sizes.
    setViewport(rect());
    updateLayout(); // where marks are
    redraw();
}

void PlotCanvas::paintEvent(QPaintEvent* event) {
    if (std::exchange(m_stale, false)) {
        setAttribute(Qt::WA_UpdatesDisabled); // it would ask to be painted again
        replot(rpQueuedRefresh);
        setAttribute(Qt::WA_UpdatesDisabled, false);
    }
    QCustomPlot::paintEvent(event);
}

void PlotCanvas::setLook(const PlotLook& look) {
    m_look = look;
    styleAxes();
    redraw();
}

void PlotCanvas::styleAxes() {
    const Palette& p = m_look.palette;
    setBackground(QBrush(p.field));
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setBasePen(QPen(p.line));
        axis->setTickPen(QPen(p.line));
        axis->setSubTickPen(Qt::NoPen);
        axis->setSubTicks(false);
        axis->setTickLength(0, 4);
        axis->setTickLabelColor(p.muted);
        axis->setLabelColor(p.text);
        axis->setTickLabelFont(m_look.caption);
        axis->setLabelFont(m_look.caption);
        axis->setTickLabelPadding(4);
        axis->setLabelPadding(4);
        axis->grid()->setPen(QPen(p.grid, 1));
        axis->grid()->setZeroLinePen(Qt::NoPen);
        axis->grid()->setSubGridVisible(false);
    }
    // Room for the line above the plot, and for half of the last label.
    const QFontMetricsF metrics(m_look.caption);
    // The left one does not depend on the labels seen, so that zooming keeps what is under the cursor there.
    const int left = int(metrics.horizontalAdvance(widestLabel()) + metrics.height()) + 18;
    axisRect()->setMinimumMargins(QMargins(left, int(metrics.height()) + 16, 20, 0));
}

void PlotCanvas::dataChanged() {
    if (!m_zoomed) resetView();
    redraw();
    // What was under a resting mouse is elsewhere now; who walks by keys stays, and reads what is there now.
    if (m_current >= markCount() || (m_current >= 0 && !hasFocus()))
        setCurrent(-1);
    else if (m_current >= 0)
        Q_EMIT markEntered(m_current);
}

void PlotCanvas::resetView() {
    QCPRange x = xAxis->range(), y = yAxis->range();
    home(x, y);
    xAxis->setRange(x);
    yAxis->setRange(y);
    m_zoomed = false;
    redraw();
}

QPointF PlotCanvas::pixelOf(double x, double y) const {
    return {xAxis->coordToPixel(x), yAxis->coordToPixel(y)};
}

bool PlotCanvas::canSee(int mark) const {
    return plotArea().adjusted(-1, -1, 1, 1).contains(markPosition(mark));
}

int PlotCanvas::markAt(QPointF position) const {
    int nearest = -1;
    double least = reach;
    for (int i = 0; i < markCount(); ++i) {
        const QPointF way = markPosition(i) - position;
        const double distance = std::hypot(way.x(), way.y());
        if (distance > least || !canSee(i)) continue;
        least = distance;
        nearest = i;
    }
    return nearest;
}

void PlotCanvas::setCurrent(int mark) {
    if (mark == m_current) return;
    m_current = mark;
    setCursor(mark >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
    redraw();
    Q_EMIT markEntered(mark);
}

void PlotCanvas::mousePressEvent(QMouseEvent* event) {
    m_pressed = event->button() == Qt::LeftButton;
    m_pressedAt = event->pos();
    QCustomPlot::mousePressEvent(event);
}

void PlotCanvas::mouseMoveEvent(QMouseEvent* event) {
    if (m_pressed) {
        if ((event->pos() - m_pressedAt).manhattanLength() <= clickSlack) return;
        m_zoomed = true;
        setCurrent(-1);
    }
    QCustomPlot::mouseMoveEvent(event);
    if (!m_pressed) setCurrent(markAt(event->position()));
}

void PlotCanvas::mouseReleaseEvent(QMouseEvent* event) {
    QCustomPlot::mouseReleaseEvent(event);
    const bool click = m_pressed && (event->pos() - m_pressedAt).manhattanLength() <= clickSlack;
    m_pressed = false;
    if (!click) return;
    if (const int mark = markAt(event->position()); mark >= 0) Q_EMIT markActivated(mark);
}

void PlotCanvas::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() == Qt::LeftButton && markAt(event->position()) < 0) resetView();
}

void PlotCanvas::wheelEvent(QWheelEvent* event) {
    m_zoomed = true;
    setCurrent(-1);
    const QCPRange x = xAxis->range(), y = yAxis->range();
    QCustomPlot::wheelEvent(event);
    keepInReason(x, y);
    event->accept();
}

/// Takes a zoom back that shows next to nothing, or everything as a dot.
void PlotCanvas::keepInReason(const QCPRange& xBefore, const QCPRange& yBefore) {
    constexpr double closest = 1e-3, farthest = 6; // of the whole
    QCPRange x = xAxis->range(), y = yAxis->range();
    home(x, y);
    const auto extent = [](const QCPAxis& axis, const QCPRange& range) {
        return axis.scaleType() == QCPAxis::stLogarithmic ? std::log10(range.upper / range.lower) : range.size();
    };
    const auto inReason = [&](const QCPAxis& axis, const QCPRange& whole) {
        const double share = extent(axis, axis.range()) / extent(axis, whole);
        return share > closest && share < farthest;
    };
    if (inReason(*xAxis, x) && inReason(*yAxis, y)) return;
    xAxis->setRange(xBefore);
    yAxis->setRange(yBefore);
    redraw();
}

void PlotCanvas::zoom(double factor) {
    m_zoomed = true;
    const QCPRange x = xAxis->range(), y = yAxis->range();
    for (QCPAxis* axis : {xAxis, yAxis})
        axis->scaleRange(factor);
    keepInReason(x, y);
    redraw();
}

void PlotCanvas::walk(int step) {
    std::vector<int> order;
    for (int i = 0; i < markCount(); ++i)
        if (canSee(i)) order.push_back(i);
    if (order.empty()) return;
    std::stable_sort(order.begin(), order.end(),
                     [this](int a, int b) { return markPosition(a).x() < markPosition(b).x(); });
    const auto here = std::find(order.begin(), order.end(), m_current);
    const int last = int(order.size()) - 1;
    int next = step > 0 ? 0 : last;
    if (here != order.end()) next = std::clamp(int(here - order.begin()) + step, 0, last);
    setCurrent(order[std::size_t(next)]);
}

/// Some platforms make this of the keys by themselves, and have a menu open by now.
void PlotCanvas::askForMenu() {
    if (QApplication::activePopupWidget()) return;
    const QPoint middle = rect().center();
    QContextMenuEvent request(QContextMenuEvent::Keyboard, middle, mapToGlobal(middle));
    QApplication::sendEvent(this, &request);
}

void PlotCanvas::keyPressEvent(QKeyEvent* event) {
    constexpr int farthest = 1 << 20;
    if (event->key() == Qt::Key_Menu || (event->key() == Qt::Key_F10 && event->modifiers() == Qt::ShiftModifier))
        return askForMenu();
    switch (event->key()) {
    case Qt::Key_Left: return walk(-1);
    case Qt::Key_Right: return walk(1);
    case Qt::Key_Home: return m_current = -1, walk(1);
    case Qt::Key_End: return m_current = -1, walk(-farthest);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(zoomStep);
    case Qt::Key_Minus: return zoom(1 / zoomStep);
    case Qt::Key_0: return resetView();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current >= 0) Q_EMIT markActivated(m_current);
        return;
    case Qt::Key_Escape:
        if (m_current >= 0) return setCurrent(-1);
        break;
    default: break;
    }
    QCustomPlot::keyPressEvent(event);
}

void PlotCanvas::focusInEvent(QFocusEvent* event) {
    QCustomPlot::focusInEvent(event);
    redraw();
}

void PlotCanvas::focusOutEvent(QFocusEvent* event) {
    QCustomPlot::focusOutEvent(event);
    // A menu over the plot speaks about the current mark.
    if (event->reason() != Qt::PopupFocusReason) setCurrent(-1);
    redraw();
}

void PlotCanvas::leaveEvent(QEvent* event) {
    QCustomPlot::leaveEvent(event);
    if (!QApplication::activePopupWidget()) setCurrent(-1);
}

} // namespace kernelarium::ui
