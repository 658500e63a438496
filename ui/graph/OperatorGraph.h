// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/task/Card.h"
#include "core/task/Cost.h"
#include "ui/widgets/HoverCard.h"

#include <QPainterPath>
#include <QRectF>
#include <QString>
#include <vector>

namespace kernelarium::ui {

struct GraphNode {
    enum class Kind { input, parameter, work, view, output, tile };
    Kind kind = Kind::work;
    QString id;    ///< the graph node's or the tensor's name; "output"
    QString title; ///< "conv2d", or the tensor's name
    QString shape; ///< of the result: "[16, 64, 3]"
    double flops = 0;
    double bytes = 0;
    QString formula;        ///< what it computes, where that is known
    bool isChanged = false; ///< not in the graph that this one is compared with
    Record record;          ///< what is told of it; empty: made of the above
    int frame = -1;         ///< index of the frame that it lies in
    QRectF box;             ///< set by layOut()
    int layer = 0;
};

/// Nodes that belong together, in a frame with a title; frames lie in one another.
struct GraphFrame {
    QString title;
    Record record;
    int parent = -1; ///< index of the frame around it, which stands before it
    bool isStrong = false;
    double titleWidth = 0, titleHeight = 0; ///< that it takes; known before layOut()
    QRectF box;                             ///< set by layOut()
};

struct GraphEdge {
    int from = 0;
    int to = 0;
    QPainterPath path; ///< set by layOut()
};

/// A task's operators as a drawing.
struct OperatorGraph {
    std::vector<GraphNode> nodes;
    std::vector<GraphEdge> edges;
    std::vector<GraphFrame> frames; ///< none in most
    QSizeF size;                    ///< set by layOut()
};

/// Operators with their costs, the tensors that they use, and the output. `shapes` are the card's tensors', as
/// task::tensorShapes() gives them, or empty; `cost` is of the same size.
[[nodiscard]] OperatorGraph operatorGraph(const task::Card& card, const std::vector<tensor::Shape>& shapes,
                                          const task::Cost& cost);

/// Places nodes whose boxes have their sizes: layers from left to right by the longest way from an input, crossings
/// reduced by barycentres (K. Sugiyama, S. Tagawa, M. Toda, "Methods for Visual Understanding of Hierarchical System
/// Structures", IEEE Transactions on Systems, Man, and Cybernetics 11(2), 1981), heights drawn to the neighbours'.
/// Of graphs with very many long edges, those pass behind the nodes, so that placing stays within a frame.
/// Where there are frames, the inside of each is laid out by itself, and then placed as one node of what is around it.
void layOut(OperatorGraph& graph);

} // namespace kernelarium::ui
