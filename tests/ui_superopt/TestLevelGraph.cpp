// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/Emit.h"
#include "tests/TestRegistry.h"
#include "ui/graph/OperatorGraphView.h"
#include "ui/superopt/LevelGraph.h"
#include "ui/theme/Theme.h"
#include "ui/tour/Keys.h"

#include <QtTest>

namespace kernelarium::ui {

namespace {

kernelgen::Levels levelsOf(std::string_view emitter, int level, int task) {
    const auto card = task::loadCard(level, task);
    for (const kernelgen::Emitter& e : kernelgen::emitters()) {
        if (!card || e.name != emitter) continue;
        if (auto emitted = e.write(*card, {})) return emitted->levels;
    }
    return {};
}

QRectF inner(const GraphFrame& frame) {
    return frame.box.adjusted(-0.5, -0.5, 0.5, 0.5);
}

} // namespace

class TestLevelGraph : public QObject {
    Q_OBJECT

private Q_SLOTS:

    /// Every tile, operator, loop and launch is drawn, inside what it belongs to, and nothing covers another.
    void levelsAreNestedFrames_data() {
        QTest::addColumn<QString>("emitter");
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        QTest::newRow("convolution") << QStringLiteral("convolution") << 2 << 50;
        QTest::newRow("rows") << QStringLiteral("fused") << 1 << 23;
        QTest::newRow("naive") << QStringLiteral("naive") << 2 << 38;
        QTest::newRow("product") << QStringLiteral("naive") << 1 << 1;
    }
    void levelsAreNestedFrames() {
        QFETCH(QString, emitter);
        QFETCH(int, level);
        QFETCH(int, task);
        const kernelgen::Levels levels = levelsOf(emitter.toStdString(), level, task);
        QVERIFY(!levels.launches.empty());
        std::size_t nodes = levels.tensors.size(), frames = 0, edges = 0;
        for (const kernelgen::Launch& launch : levels.launches) {
            nodes += launch.tiles.size() + launch.operators.size();
            frames += 1 + launch.loops.size();
            edges += launch.edges.size();
        }
        Theme theme;
        OperatorGraphView view(theme);
        view.setGraph(levelGraph(levels));
        const OperatorGraph& graph = view.graph();
        QCOMPARE(graph.nodes.size(), nodes);
        // Loops with nothing but one another directly in them share a frame.
        QVERIFY(graph.frames.size() <= frames && graph.frames.size() > levels.launches.size() - 1);
        for (const kernelgen::Launch& launch : levels.launches)
            for (const kernelgen::Loop& loop : launch.loops)
                QVERIFY(std::any_of(graph.frames.begin(), graph.frames.end(), [&](const GraphFrame& frame) {
                    return frame.title.contains(QString::fromStdString(loop.label));
                }));
        QCOMPARE(graph.edges.size(), edges);
        const QRectF all({0, 0}, graph.size);
        for (const GraphFrame& frame : graph.frames) {
            QVERIFY(all.contains(frame.box));
            if (frame.parent >= 0) QVERIFY(inner(graph.frames[std::size_t(frame.parent)]).contains(frame.box));
            QVERIFY(!frame.record.isEmpty());
        }
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            const GraphNode& node = graph.nodes[i];
            QVERIFY(all.contains(node.box) && !node.record.isEmpty());
            if (node.frame >= 0) QVERIFY(inner(graph.frames[std::size_t(node.frame)]).contains(node.box));
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY2(!node.box.intersects(graph.nodes[j].box),
                         qPrintable(node.title + QLatin1Char(' ') + graph.nodes[j].title));
        }
    }

    void hoveringTellsTileAndPlace() {
        Theme theme;
        OperatorGraphView view(theme);
        view.resize(900, 500);
        view.show();
        QVERIFY(QTest::qWaitForWindowExposed(&view));
        view.setGraph(levelGraph(levelsOf("convolution", 2, 50)));
        view.zoomToFit();
        const auto& nodes = view.graph().nodes;
        const auto tile = std::find_if(nodes.begin(), nodes.end(),
                                       [](const GraphNode& n) { return n.kind == GraphNode::Kind::tile; });
        QVERIFY(tile != nodes.end());
        QTest::mouseMove(view.viewport(), view.positionOf(int(tile - nodes.begin())));
        QCOMPARE(view.current(), int(tile - nodes.begin()));
        QVERIFY2(view.card().text().contains(QStringLiteral("Place")) &&
                     view.card().text().contains(QStringLiteral("Tile")),
                 qPrintable(view.card().text()));
        // A frame tells of its launch.
        const int frame = int(nodes.size());
        QTest::mouseMove(view.viewport(), view.positionOf(frame));
        QCOMPARE(view.current(), frame);
        QVERIFY2(view.card().text().contains(QStringLiteral("Grid")), qPrintable(view.card().text()));
        QVERIFY(view.viewport()->rect().contains(view.positionOf(int(nodes.size()) - 1))); // all of it is seen
    }

    void theKeyboardReachesEverything() {
        Theme theme;
        OperatorGraphView view(theme);
        view.resize(900, 500);
        view.setGraph(levelGraph(levelsOf("fused", 1, 23)));
        pressKey(view, Qt::Key_Right);
        QVERIFY(view.current() >= 0);
        const int first = view.current();
        pressKey(view, Qt::Key_Right);
        QVERIFY(view.current() != first);
        QVERIFY(view.graph().nodes[std::size_t(view.current())].box.left() >
                view.graph().nodes[std::size_t(first)].box.left());
        pressKey(view, Qt::Key_Left);
        QCOMPARE(view.current(), first);
        int inside = -1; // a node within a frame
        for (int i = 0; i < 60 && inside < 0; ++i) {
            pressKey(view, i % 7 == 6 ? Qt::Key_Down : Qt::Key_Right);
            if (view.graph().nodes[std::size_t(view.current())].frame >= 0) inside = view.current();
        }
        QVERIFY(inside >= 0);
        const int frame = view.graph().nodes[std::size_t(inside)].frame;
        pressKey(view, Qt::Key_PageUp);
        QCOMPARE(view.current(), int(view.graph().nodes.size()) + frame);
        QVERIFY(!view.accessibleDescription().isEmpty());
        pressKey(view, Qt::Key_PageDown);
        QVERIFY(view.current() < int(view.graph().nodes.size() + view.graph().frames.size()));
        pressKey(view, Qt::Key_Plus);
        const double zoomed = view.transform().m11();
        pressKey(view, Qt::Key_0);
        QVERIFY(view.transform().m11() < zoomed);
        pressKey(view, Qt::Key_Escape);
        QCOMPARE(view.current(), -1);
    }

    void manyLaunchesAreBoxes() {
        const kernelgen::Levels levels = levelsOf("naive", 3, 11); // a network of some dozens of layers
        QVERIFY2(levels.launches.size() > 40 && levels.launches.size() <= 200,
                 qPrintable(QString::number(levels.launches.size())));
        Theme theme;
        OperatorGraphView view(theme);
        view.setGraph(levelGraph(levels));
        const OperatorGraph& graph = view.graph();
        QCOMPARE(graph.frames.size(), std::size_t(1));
        QCOMPARE(graph.nodes.size(), levels.tensors.size() + levels.launches.size());
        QVERIFY(graph.edges.size() >= levels.launches.size());
        for (const GraphEdge& edge : graph.edges)
            QVERIFY(graph.nodes[std::size_t(edge.from)].layer < graph.nodes[std::size_t(edge.to)].layer);
    }

    void ofVeryManyNothingIsDrawn() {
        const kernelgen::Levels levels = levelsOf("naive", 3, 16);
        QVERIFY(levels.launches.size() > 200);
        QVERIFY(levelGraph(levels).nodes.empty());
    }
};

KERNELARIUM_TEST(TestLevelGraph);

} // namespace kernelarium::ui

#include "TestLevelGraph.moc"
