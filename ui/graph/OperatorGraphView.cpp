// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/OperatorGraphView.h"

#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QKeyEvent>
#include <QScrollBar>
#include <cmath>

namespace kernelarium::ui {

namespace {
constexpr double zoomStep = 1.25;
constexpr double smallest = 0.2, largest = 4;
constexpr double largestFit = 1.5; ///< a few operators fill their box without shouting
constexpr int graphMargin = 16;
constexpr int clickSlack = 4;
} // namespace

OperatorGraphView::OperatorGraphView(Theme& theme, QWidget* parent)
    : QGraphicsView(parent)
    , m_theme(theme)
    , m_empty(new EmptyState(theme, QStringLiteral("graph"), this))
    , m_card(new HoverCard(*this)) {
    setScene(&m_scene);
    setFrameShape(QFrame::NoFrame);
    setRenderHint(QPainter::Antialiasing);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setDragMode(QGraphicsView::ScrollHandDrag);
    setViewportUpdateMode(QGraphicsView::FullViewportUpdate);
    setTransformationAnchor(QGraphicsView::AnchorUnderMouse);
    setAccessibleName(tr("Operators of the task"));
    m_empty->setTexts(tr("No task chosen"),
                      tr("What a task computes: its operators from left to right, with shapes and costs."));
    connect(&theme, &Theme::changed, this, &OperatorGraphView::restyle);
    restyle();
    clear();
}

void OperatorGraphView::setGraph(const task::Card& card, const task::Cost& cost, const task::Symbols& symbols) {
    const auto shapes = task::tensorShapes(card, symbols);
    setGraph(operatorGraph(card, shapes ? *shapes : std::vector<tensor::Shape>{}, cost));
}

void OperatorGraphView::setGraph(OperatorGraph graph) {
    setCurrent(-1, false);
    m_graph = std::move(graph);
    m_zoomed = false;
    measure();
    m_empty->hide();
    showAll();
}

int OperatorGraphView::fittingHeight() const {
    return int(m_scene.sceneRect().height() * largestFit) + 2 * graphMargin;
}

void OperatorGraphView::clear() {
    setCurrent(-1, false);
    m_graph = {};
    m_scene.setSceneRect({});
    m_empty->setVisible(true);
    viewport()->update();
}

void OperatorGraphView::measure() {
    const QFontMetricsF heading(m_theme.headingFont()), caption(m_theme.captionFont());
    for (GraphNode& node : m_graph.nodes) {
        const bool view = node.kind == GraphNode::Kind::view;
        const QFontMetricsF& titleMetrics = view ? caption : heading;
        double width = titleMetrics.horizontalAdvance(node.title), height = titleMetrics.height();
        if (!view && !node.shape.isEmpty()) {
            width = std::max(width, caption.horizontalAdvance(node.shape));
            height += caption.height();
        }
        node.box = QRectF(0, 0, std::ceil(width) + (view ? 12 : 24), std::ceil(height) + (view ? 4 : 8));
    }
    for (GraphFrame& frame : m_graph.frames) {
        frame.titleWidth = std::ceil(heading.horizontalAdvance(frame.title));
        frame.titleHeight = std::ceil(heading.height());
    }
    layOut(m_graph);
    m_scene.setSceneRect(QRectF({0, 0}, m_graph.size));
}

void OperatorGraphView::restyle() {
    setBackgroundBrush(m_theme.colours().field);
    m_card->setColours(m_theme.colours(), m_theme.captionFont());
    measure();
    viewport()->update();
}

void OperatorGraphView::showAll() {
    fit(m_graph.frames.empty() ? 0.75 : 0.6); // smaller than this nobody reads: then it scrolls
}

void OperatorGraphView::zoomToFit() {
    fit(smallest);
}

void OperatorGraphView::setEmptyTexts(const QString& title, const QString& sentence) {
    m_empty->setTexts(title, sentence);
}

void OperatorGraphView::fit(double least) {
    resetTransform();
    const QRectF all = m_scene.sceneRect();
    if (all.isEmpty()) return;
    const double fit = std::min(viewport()->width() / all.width(), viewport()->height() / all.height());
    const double factor = std::clamp(fit, least, largestFit);
    scale(factor, factor);
    if (fit >= factor)
        centerOn(all.center());
    else
        horizontalScrollBar()->setValue(horizontalScrollBar()->minimum());
    m_zoomed = false;
}

Record OperatorGraphView::recordOf(int index) const {
    if (frameIndex(index) >= 0) return m_graph.frames[std::size_t(frameIndex(index))].record;
    const GraphNode& node = m_graph.nodes[std::size_t(index)];
    if (!node.record.isEmpty()) return node.record;
    Record record;
    record.title = node.title;
    if (node.id != node.title) record.rows.append({tr("Name"), node.id});
    if (!node.shape.isEmpty()) record.rows.append({tr("Shape"), node.shape});
    record.explanation = node.formula;
    const QString bytes = bytesText(node.bytes);
    switch (node.kind) {
    case GraphNode::Kind::input:
        if (node.bytes > 0) record.rows.append({tr("Input"), bytes});
        break;
    case GraphNode::Kind::parameter:
        if (node.bytes > 0) record.rows.append({tr("Parameter"), bytes});
        break;
    case GraphNode::Kind::view: record.explanation = tr("Another view of its operand: it moves no bytes."); break;
    case GraphNode::Kind::output: record.explanation = tr("What forward returns."); break;
    case GraphNode::Kind::tile:
    case GraphNode::Kind::work:
        record.rows.append({tr("Work"), siText(node.flops, QStringLiteral("FLOP"))});
        if (node.bytes > 0) record.rows.append({tr("Moves on its own"), bytes});
        if (node.bytes > 0)
            record.rows.append({tr("Intensity"), numberText(node.flops / node.bytes) + QStringLiteral(" FLOP/byte")});
        break;
    }
    return record;
}

QPoint OperatorGraphView::positionOf(int node) const {
    const QRectF box = boxOf(node);
    return mapFromScene(frameIndex(node) < 0 ? box.center() : box.topLeft() + QPointF(8, 8));
}

const QRectF& OperatorGraphView::boxOf(int index) const {
    const int frame = frameIndex(index);
    return frame < 0 ? m_graph.nodes[std::size_t(index)].box : m_graph.frames[std::size_t(frame)].box;
}

int OperatorGraphView::frameAround(int index) const {
    const int frame = frameIndex(index);
    return frame < 0 ? m_graph.nodes[std::size_t(index)].frame : m_graph.frames[std::size_t(frame)].parent;
}

int OperatorGraphView::nodeAt(QPoint position) const {
    const QPointF at = mapToScene(position);
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i)
        if (m_graph.nodes[i].box.contains(at)) return int(i);
    for (int f = int(m_graph.frames.size()) - 1; f >= 0; --f) // inner ones stand behind those around them
        if (m_graph.frames[std::size_t(f)].box.contains(at)) return int(m_graph.nodes.size()) + f;
    return -1;
}

void OperatorGraphView::setCurrent(int node, bool byKeyboard) {
    if (node == m_current) return;
    m_current = node;
    viewport()->update();
    if (node < 0) {
        setAccessibleDescription({});
        return m_card->hide();
    }
    QRectF box = boxOf(node);
    // Of a frame its title: what lies in it is not to be covered.
    if (const int frame = frameIndex(node); frame >= 0)
        box.setHeight(m_graph.frames[std::size_t(frame)].titleHeight + 8);
    if (byKeyboard) ensureVisible(box, 24, 24);
    const Record record = recordOf(node);
    setAccessibleDescription(record.plain());
    const QPoint corner = mapFromScene(QPointF(box.center().x(), box.bottom()));
    if (isVisible()) m_card->show(record, viewport()->mapTo(this, corner));
}

int OperatorGraphView::alongEdges(bool forward) const {
    int best = -1;
    double least = INFINITY;
    const double y = m_graph.nodes[std::size_t(m_current)].box.center().y();
    for (const GraphEdge& edge : m_graph.edges) {
        if ((forward ? edge.from : edge.to) != m_current) continue;
        const int other = forward ? edge.to : edge.from;
        const double distance = std::abs(m_graph.nodes[std::size_t(other)].box.center().y() - y);
        if (distance >= least) continue;
        least = distance;
        best = other;
    }
    return best < 0 ? m_current : best;
}

int OperatorGraphView::inLayer(int step) const {
    const GraphNode& here = m_graph.nodes[std::size_t(m_current)];
    int best = m_current;
    double least = INFINITY;
    for (std::size_t i = 0; i < m_graph.nodes.size(); ++i) {
        const GraphNode& other = m_graph.nodes[i];
        const double distance = (other.box.center().y() - here.box.center().y()) * step;
        if (other.layer != here.layer || distance <= 0 || distance >= least) continue;
        least = distance;
        best = int(i);
    }
    return best;
}

int OperatorGraphView::neighbour(int key) const {
    if (m_graph.nodes.empty()) return -1;
    if (m_current < 0) {
        // Begin at the left.
        const auto first = std::min_element(m_graph.nodes.begin(), m_graph.nodes.end(),
                                            [](const auto& a, const auto& b) { return a.box.left() < b.box.left(); });
        return int(first - m_graph.nodes.begin());
    }
    if (!m_graph.frames.empty()) return neighbourInFrames(key);
    switch (key) {
    case Qt::Key_Right: return alongEdges(true);
    case Qt::Key_Left: return alongEdges(false);
    case Qt::Key_Up: return inLayer(-1);
    default: return inLayer(1);
    }
}

/// What lies nearest in a direction; what is off to the side counts as farther.
int OperatorGraphView::neighbourInFrames(int key) const {
    if (key == Qt::Key_PageUp) {
        const int around = frameAround(m_current);
        return around < 0 ? m_current : int(m_graph.nodes.size()) + around;
    }
    const int inside = frameIndex(m_current);
    if (key == Qt::Key_PageDown) {
        for (int i = 0; inside >= 0 && i < int(m_graph.nodes.size() + m_graph.frames.size()); ++i)
            if (frameAround(i) == inside) return i;
        return m_current;
    }
    const QPointF here = boxOf(m_current).center();
    const bool sideways = key == Qt::Key_Left || key == Qt::Key_Right;
    const double sign = key == Qt::Key_Right || key == Qt::Key_Down ? 1 : -1;
    int best = m_current;
    double least = INFINITY;
    for (int i = 0; i < int(m_graph.nodes.size()); ++i) {
        const QPointF to = boxOf(i).center() - here;
        const double along = sign * (sideways ? to.x() : to.y()), across = std::abs(sideways ? to.y() : to.x());
        const double distance = along + 2 * across;
        if (i == m_current || along <= 1 || distance >= least) continue;
        least = distance;
        best = i;
    }
    return best;
}

void OperatorGraphView::zoom(double factor) {
    const double now = transform().m11();
    const double wanted = std::clamp(now * factor, smallest, largest);
    scale(wanted / now, wanted / now);
    m_zoomed = true;
}

void OperatorGraphView::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Left:
    case Qt::Key_Right:
    case Qt::Key_Up:
    case Qt::Key_Down: return setCurrent(neighbour(event->key()), true);
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        if (m_graph.frames.empty()) break;
        return setCurrent(neighbour(event->key()), true);
    case Qt::Key_Plus:
    case Qt::Key_Equal: return zoom(zoomStep);
    case Qt::Key_Minus: return zoom(1 / zoomStep);
    case Qt::Key_0: return m_graph.frames.empty() ? showAll() : zoomToFit();
    case Qt::Key_Return:
    case Qt::Key_Enter:
    case Qt::Key_Space:
        if (m_current >= 0 && frameIndex(m_current) < 0) Q_EMIT nodeActivated(m_graph.nodes[std::size_t(m_current)].id);
        return;
    case Qt::Key_Escape:
        if (m_current >= 0) return setCurrent(-1, true);
        break;
    default: break;
    }
    QGraphicsView::keyPressEvent(event);
}

void OperatorGraphView::mousePressEvent(QMouseEvent* event) {
    m_pressedAt = event->pos();
    QGraphicsView::mousePressEvent(event);
}

void OperatorGraphView::mouseMoveEvent(QMouseEvent* event) {
    QGraphicsView::mouseMoveEvent(event);
    setCurrent(event->buttons() ? -1 : nodeAt(event->pos()), false);
    viewport()->setCursor(m_current >= 0 ? Qt::PointingHandCursor : Qt::ArrowCursor);
}

void OperatorGraphView::mouseReleaseEvent(QMouseEvent* event) {
    QGraphicsView::mouseReleaseEvent(event);
    viewport()->setCursor(Qt::ArrowCursor);
    if (event->button() != Qt::LeftButton || (event->pos() - m_pressedAt).manhattanLength() > clickSlack) return;
    if (const int node = nodeAt(event->pos()); node >= 0 && frameIndex(node) < 0)
        Q_EMIT nodeActivated(m_graph.nodes[std::size_t(node)].id);
}

void OperatorGraphView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (!m_graph.frames.empty()) return zoomToFit();
    if (nodeAt(event->pos()) < 0) showAll();
}

void OperatorGraphView::wheelEvent(QWheelEvent* event) {
    setCurrent(-1, false);
    if (!(event->modifiers() & Qt::ControlModifier)) return QGraphicsView::wheelEvent(event);
    zoom(std::pow(zoomStep, event->angleDelta().y() / 120.0));
    event->accept();
}

void OperatorGraphView::leaveEvent(QEvent* event) {
    QGraphicsView::leaveEvent(event);
    setCurrent(-1, false);
}

void OperatorGraphView::resizeEvent(QResizeEvent* event) {
    QGraphicsView::resizeEvent(event);
    m_empty->setGeometry(rect());
    if (!m_zoomed) showAll();
}

void OperatorGraphView::focusInEvent(QFocusEvent* event) {
    QGraphicsView::focusInEvent(event);
    viewport()->update();
}

void OperatorGraphView::focusOutEvent(QFocusEvent* event) {
    QGraphicsView::focusOutEvent(event);
    setCurrent(-1, true);
}

} // namespace kernelarium::ui
