// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/graph/FrameLayout.h"

#include <algorithm>
#include <map>
#include <set>

namespace kernelarium::ui {

namespace {

constexpr double titleGap = 4; ///< around a frame's title
constexpr int outermost = -1;

/// Frames from the innermost outwards. Each level is a graph without frames, of the nodes that lie directly in it and
/// of the frames in it as nodes of their size.
class FrameLayout {
public:
    explicit FrameLayout(OperatorGraph& graph)
        : m_graph(graph)
        , m_inside(graph.frames.size() + 1) {
        for (std::size_t n = 0; n < graph.nodes.size(); ++n)
            inside(graph.nodes[n].frame).push_back({false, int(n)});
        for (std::size_t f = 0; f < graph.frames.size(); ++f)
            inside(graph.frames[f].parent).push_back({true, int(f)});
    }

    void run() {
        for (int f = int(m_graph.frames.size()) - 1; f >= 0; --f) {
            GraphFrame& frame = m_graph.frames[std::size_t(f)];
            const QSizeF size = layOutInside(f);
            frame.box = QRectF(0, 0, std::max(size.width(), frame.titleWidth + 4 * titleGap),
                               size.height() + frame.titleHeight + titleGap);
        }
        m_graph.size = layOutInside(outermost);
        for (const Member& member : inside(outermost))
            place(member, {0, 0});
        for (GraphEdge& edge : m_graph.edges)
            draw(edge);
    }

private:
    struct Member {
        bool isFrame = false;
        int index = 0;
        bool operator<(const Member& other) const {
            return std::pair(isFrame, index) < std::pair(other.isFrame, other.index);
        }
    };
    std::vector<Member>& inside(int frame) { return m_inside[std::size_t(frame + 1)]; }
    QRectF& box(const Member& member) {
        return member.isFrame ? m_graph.frames[std::size_t(member.index)].box
                              : m_graph.nodes[std::size_t(member.index)].box;
    }

    /// The node, or the frame around it, that lies directly in `frame`; false: the node lies elsewhere.
    bool memberOf(int node, int frame, Member& member) const {
        member = {false, node};
        int around = m_graph.nodes[std::size_t(node)].frame;
        while (around != frame) {
            if (around == outermost) return false;
            member = {true, around};
            around = m_graph.frames[std::size_t(around)].parent;
        }
        return true;
    }

    /// Places the members relative to the frame's inside; returns its size.
    QSizeF layOutInside(int frame) {
        std::vector<Member>& members = inside(frame);
        if (members.empty()) return {0, 0};
        std::set<std::pair<Member, Member>> edges;
        for (const GraphEdge& edge : m_graph.edges) {
            Member from, to;
            if (memberOf(edge.from, frame, from) && memberOf(edge.to, frame, to) && (from < to || to < from))
                edges.insert({from, to});
        }
        members = inOrder(members, edges);
        std::set<Member> starts, ends;
        for (const auto& [from, to] : edges) {
            starts.insert(from);
            ends.insert(to);
        }
        OperatorGraph level;
        std::map<Member, int> place;
        for (const Member& member : members) {
            place[member] = int(level.nodes.size());
            GraphNode node;
            node.kind = GraphNode::Kind::work;
            if (starts.count(member) && !ends.count(member))
                node.kind = GraphNode::Kind::input; // right before whoever reads it
            node.box = box(member);
            level.nodes.push_back(node);
        }
        for (const auto& [from, to] : edges)
            if (place[from] < place[to]) level.edges.push_back({place[from], place[to], {}}); // no circles
        layOut(level);
        for (std::size_t i = 0; i < members.size(); ++i) {
            box(members[i]) = level.nodes[i].box;
            if (!members[i].isFrame) m_graph.nodes[std::size_t(members[i].index)].layer = level.nodes[i].layer;
        }
        return level.size;
    }

    /// From earlier to later; where they go round in a circle, as they stood.
    static std::vector<Member> inOrder(const std::vector<Member>& members,
                                       const std::set<std::pair<Member, Member>>& edges) {
        std::map<Member, int> waitsFor, place;
        for (const auto& [from, to] : edges)
            ++waitsFor[to];
        std::set<int> left, ready; // by place
        for (std::size_t i = 0; i < members.size(); ++i) {
            place[members[i]] = int(i);
            left.insert(int(i));
            if (!waitsFor.count(members[i])) ready.insert(int(i));
        }
        std::vector<Member> ordered;
        while (!left.empty()) {
            const int next = ready.empty() ? *left.begin() : *ready.begin();
            left.erase(next);
            ready.erase(next);
            const Member& member = members[std::size_t(next)];
            ordered.push_back(member);
            for (auto e = edges.lower_bound({member, Member{false, -1}}); e != edges.end() && !(member < e->first); ++e)
                if (--waitsFor[e->second] == 0 && left.count(place[e->second])) ready.insert(place[e->second]);
        }
        return ordered;
    }

    void place(const Member& member, QPointF by) {
        QRectF& rect = box(member);
        rect.translate(by);
        if (!member.isFrame) return;
        const QPointF corner =
            rect.topLeft() + QPointF(0, m_graph.frames[std::size_t(member.index)].titleHeight + titleGap);
        for (const Member& inner : inside(member.index))
            place(inner, corner);
    }

    void draw(GraphEdge& edge) const {
        const QRectF from = m_graph.nodes[std::size_t(edge.from)].box, to = m_graph.nodes[std::size_t(edge.to)].box;
        const QPointF start(from.right(), from.center().y()), end(to.left(), to.center().y());
        const double reach = std::max(20.0, std::abs(end.x() - start.x()) / 2);
        edge.path = QPainterPath(start);
        edge.path.cubicTo(start + QPointF(reach, 0), end - QPointF(reach, 0), end);
    }

    OperatorGraph& m_graph;
    std::vector<std::vector<Member>> m_inside; ///< by frame, the outermost first
};

} // namespace

void layOutFrames(OperatorGraph& graph) {
    FrameLayout(graph).run();
}

} // namespace kernelarium::ui
