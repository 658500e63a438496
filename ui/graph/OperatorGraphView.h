// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/graph/OperatorGraph.h"
#include "ui/widgets/HoverCard.h"

#include <QGraphicsScene>
#include <QGraphicsView>

namespace kernelarium::ui {

class EmptyState;
class Theme;

/// A task as its operators: work as boxes, views small, inputs round, parameters with a cut corner. Scrolls and zooms
/// (Ctrl+wheel, +, -, 0); arrow keys walk along the edges. Where there are frames, they walk to what lies next in their
/// direction, Page Up to the frame around and Page Down into it.
class OperatorGraphView : public QGraphicsView {
    Q_OBJECT
public:
    explicit OperatorGraphView(Theme& theme, QWidget* parent = nullptr);

    /// `cost` is of the size whose symbols these are; without symbols, inputs and parameters show their shapes in the
    /// card's own ("[M, K]").
    void setGraph(const task::Card& card, const task::Cost& cost, const task::Symbols& symbols = {});
    void setGraph(OperatorGraph graph); ///< any other that is made of the same kinds of nodes
    void clear();
    [[nodiscard]] const OperatorGraph& graph() const { return m_graph; }
    /// Index of the node that the cursor or the keyboard is on; that of a frame follows those of the nodes; -1 without.
    [[nodiscard]] int current() const { return m_current; }
    [[nodiscard]] Record recordOf(int node) const;
    [[nodiscard]] const HoverCard& card() const { return *m_card; }
    /// A node's middle in the viewport's pixels.
    [[nodiscard]] QPoint positionOf(int node) const;
    /// Zooms so that the whole is seen, but not beyond its natural size, nor so small that nobody reads it.
    void showAll();
    void zoomToFit(); ///< the whole, however small
    void setEmptyTexts(const QString& title, const QString& sentence);
    [[nodiscard]] int fittingHeight() const; ///< in which all of it is seen at the largest scale that showAll() takes

Q_SIGNALS:
    /// The name of the operator's node or of the tensor.
    void nodeActivated(const QString& id);

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void drawBackground(QPainter* painter, const QRectF& rect) override;

private:
    void measure();
    void restyle();
    void setCurrent(int node, bool byKeyboard);
    [[nodiscard]] int nodeAt(QPoint position) const;
    [[nodiscard]] int neighbour(int key) const;
    [[nodiscard]] int neighbourInFrames(int key) const;
    [[nodiscard]] const QRectF& boxOf(int index) const;
    [[nodiscard]] int frameAround(int index) const;
    [[nodiscard]] int frameIndex(int index) const { return index - int(m_graph.nodes.size()); } ///< negative: a node
    void fit(double least);
    [[nodiscard]] int alongEdges(bool forward) const;
    [[nodiscard]] int inLayer(int step) const;
    void zoom(double factor);
    void drawEdge(QPainter& painter, const GraphEdge& edge) const;
    void drawNode(QPainter& painter, int node) const;
    void drawFrame(QPainter& painter, int frame) const;

    Theme& m_theme;
    OperatorGraph m_graph;
    QGraphicsScene m_scene;
    EmptyState* m_empty;
    HoverCard* m_card;
    int m_current = -1;
    QPoint m_pressedAt;
    bool m_zoomed = false;
};

} // namespace kernelarium::ui
