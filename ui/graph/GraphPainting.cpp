// SPDX-License-Identifier: GPL-3.0-or-later
// How OperatorGraphView draws.
#include "ui/graph/OperatorGraphView.h"
#include "ui/theme/Theme.h"

#include <QPainter>

namespace kernelarium::ui {

namespace {

QPainterPath outline(const GraphNode& node) {
    QPainterPath path;
    const QRectF box = node.box;
    switch (node.kind) {
    case GraphNode::Kind::input:
    case GraphNode::Kind::output: path.addRoundedRect(box, box.height() / 2, box.height() / 2); break;
    case GraphNode::Kind::parameter: {
        constexpr double cut = 8;
        path.addPolygon(QPolygonF({box.topLeft(), box.topRight() - QPointF(cut, 0), box.topRight() + QPointF(0, cut),
                                   box.bottomRight(), box.bottomLeft()}));
        path.closeSubpath();
        break;
    }
    case GraphNode::Kind::tile: path.addRect(box); break;
    case GraphNode::Kind::view:
    case GraphNode::Kind::work: path.addRoundedRect(box, 4, 4); break;
    }
    return path;
}

} // namespace

void OperatorGraphView::drawBackground(QPainter* painter, const QRectF& rect) {
    painter->fillRect(rect, m_theme.colours().field);
    painter->setRenderHint(QPainter::Antialiasing);
    for (int f = 0; f < int(m_graph.frames.size()); ++f)
        drawFrame(*painter, f);
    for (const GraphEdge& edge : m_graph.edges)
        drawEdge(*painter, edge);
    for (int i = 0; i < int(m_graph.nodes.size()); ++i)
        drawNode(*painter, i);
}

void OperatorGraphView::drawFrame(QPainter& painter, int index) const {
    const Palette& p = m_theme.colours();
    const GraphFrame& frame = m_graph.frames[std::size_t(index)];
    const bool here = frameIndex(m_current) == index;
    QPen pen(here ? p.accent : frame.isStrong ? p.muted : p.line, here ? 2 : 1);
    if (!frame.isStrong) pen.setStyle(Qt::DashLine);
    painter.setPen(pen);
    painter.setBrush(frame.isStrong ? p.background : p.field);
    painter.drawRoundedRect(frame.box, 6, 6);
    painter.setPen(frame.isStrong ? p.text : p.muted);
    painter.setFont(m_theme.headingFont());
    painter.drawText(frame.box.adjusted(8, 4, -4, 0), Qt::AlignTop | Qt::AlignLeft, frame.title);
}

void OperatorGraphView::drawEdge(QPainter& painter, const GraphEdge& edge) const {
    const Palette& p = m_theme.colours();
    const bool near = m_current >= 0 && (edge.from == m_current || edge.to == m_current);
    const QColor colour = near ? p.accent : p.muted;
    painter.setPen(QPen(colour, near ? 1.6 : 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawPath(edge.path);
    const QPointF tip = edge.path.currentPosition();
    painter.setPen(Qt::NoPen);
    painter.setBrush(colour);
    painter.drawPolygon(QPolygonF({tip, tip + QPointF(-6, -3), tip + QPointF(-6, 3)}));
}

void OperatorGraphView::drawNode(QPainter& painter, int index) const {
    const Palette& p = m_theme.colours();
    const GraphNode& node = m_graph.nodes[std::size_t(index)];
    const bool here = index == m_current;
    const bool work = node.kind == GraphNode::Kind::work;
    const bool view = node.kind == GraphNode::Kind::view;
    painter.setPen(QPen(here || node.isChanged ? p.accent : p.muted, here || node.isChanged ? 2 : (view ? 0.8 : 1)));
    painter.setBrush(here ? p.selection : work ? p.raised : p.field);
    painter.drawPath(outline(node));
    if (node.kind == GraphNode::Kind::tile) { // a grid in its corner: values that are kept
        const QRectF corner(node.box.topLeft() + QPointF(3, 3), QSizeF(6, 6));
        painter.setPen(QPen(p.muted, 0.8));
        painter.drawRect(corner);
        painter.drawLine(QPointF(corner.center().x(), corner.top()), QPointF(corner.center().x(), corner.bottom()));
        painter.drawLine(QPointF(corner.left(), corner.center().y()), QPointF(corner.right(), corner.center().y()));
    }
    const QFont title = view ? m_theme.captionFont() : work ? m_theme.headingFont() : m_theme.textFont();
    painter.setPen(here ? p.selectionText : view ? p.muted : p.text);
    painter.setFont(title);
    if (view || node.shape.isEmpty()) return painter.drawText(node.box, Qt::AlignCenter, node.title);
    const double above = QFontMetricsF(title).height();
    QRectF upper = node.box.adjusted(0, 4, 0, 0);
    upper.setHeight(above);
    painter.drawText(upper, Qt::AlignCenter, node.title);
    painter.setFont(m_theme.captionFont());
    painter.setPen(here ? p.selectionText : p.muted);
    painter.drawText(node.box.adjusted(0, 4 + above, 0, -4), Qt::AlignCenter, node.shape);
}

} // namespace kernelarium::ui
