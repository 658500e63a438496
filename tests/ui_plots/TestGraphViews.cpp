// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_plots/TestGraphViews.h"

#include "tests/TestRegistry.h"
#include "tests/ui_plots/Samples.h"
#include "ui/graph/ErrorMapView.h"
#include "ui/graph/OperatorGraphView.h"

#include <QSignalSpy>
#include <cmath>

using namespace kernelarium;
using namespace kernelarium::ui;

namespace {

void show(OperatorGraphView& view, int level, int number) {
    const task::Card card = task::loadCard(level, number).value();
    const task::Symbols symbols = card.size("full").value();
    view.setGraph(card, task::costOf(card, symbols).value(), symbols);
}

int indexOf(const OperatorGraph& graph, GraphNode::Kind kind) {
    for (std::size_t i = 0; i < graph.nodes.size(); ++i)
        if (graph.nodes[i].kind == kind) return int(i);
    return -1;
}

/// 100 by 200 elements; the last block of rows wrong, one NaN.
verify::ErrorMap sampleMap() {
    verify::ErrorMap map;
    map.shape = {4, 25, 200};
    map.rows = 50;
    map.columns = 50;
    map.cellSize = {2, 4};
    for (int row = 0; row < 50; ++row)
        for (int column = 0; column < 50; ++column)
            map.worst.push_back(row >= 45 ? 3.0F : 0.3F * float(std::abs(std::sin(0.3 * row + 0.2 * column))));
    map.worst[10 * 50 + 20] = NAN;
    return map;
}

} // namespace

void TestGraphViews::init() {
    theme().setChoice(Theme::Choice::light);
}
void TestGraphViews::everyCardIsLaidOutWithoutOverlap() {
    OperatorGraphView view(theme());
    for (const task::TaskKey key : task::builtInCards()) {
        show(view, key.level, key.task);
        const OperatorGraph& graph = view.graph();
        const QByteArray where = QByteArray::number(key.level) + '/' + QByteArray::number(key.task);
        for (std::size_t i = 0; i < graph.nodes.size(); ++i) {
            QVERIFY2(QRectF(QPointF(0, 0), graph.size).contains(graph.nodes[i].box), where.constData());
            for (std::size_t k = i + 1; k < graph.nodes.size(); ++k)
                QVERIFY2(!graph.nodes[i].box.intersects(graph.nodes[k].box), where.constData());
        }
        for (const GraphEdge& edge : graph.edges) {
            // Left to right, from border to border.
            const QRectF from = graph.nodes[std::size_t(edge.from)].box, to = graph.nodes[std::size_t(edge.to)].box;
            QVERIFY2(from.right() < to.left(), where.constData());
            QCOMPARE(edge.path.currentPosition(), QPointF(to.left(), to.center().y()));
        }
    }
}

void TestGraphViews::kindsOfNodesDiffer() {
    OperatorGraphView view(theme());
    show(view, 1, 1);
    QVERIFY(indexOf(view.graph(), GraphNode::Kind::input) >= 0);
    QVERIFY(indexOf(view.graph(), GraphNode::Kind::work) >= 0);
    QVERIFY(indexOf(view.graph(), GraphNode::Kind::output) >= 0);
    // Something with parameters.
    show(view, 2, 1);
    QVERIFY(indexOf(view.graph(), GraphNode::Kind::parameter) >= 0);
    // Without the size's symbols, shapes are in the card's own.
    const task::Card card = task::loadCard(1, 1).value();
    view.setGraph(card, task::costOf(card, card.size("full").value()).value());
    const QString shape = view.graph().nodes[std::size_t(indexOf(view.graph(), GraphNode::Kind::input))].shape;
    QVERIFY2(shape.contains(QString::fromStdString(card.tensors.front().shape.front().text())), qPrintable(shape));
}

void TestGraphViews::nodesTellTheirCosts() {
    OperatorGraphView view(theme());
    show(view, 1, 1);
    present(view, {600, 300});
    const int work = indexOf(view.graph(), GraphNode::Kind::work);
    hover(*view.viewport(), view.positionOf(work));
    QCOMPARE(view.current(), work);
    QVERIFY(view.card().isVisible());
    for (const char* words : {"FLOP", "FLOP/byte", "Shape"})
        QVERIFY2(view.card().text().contains(QString::fromUtf8(words)), qPrintable(view.card().text()));
    hover(*view.viewport(), {1, 1});
    QVERIFY(!view.card().isVisible());
}

void TestGraphViews::graphKeysWalkAlongEdges() {
    OperatorGraphView view(theme());
    show(view, 2, 1);
    present(view, {700, 300});
    view.setFocus();
    std::vector<int> walked;
    for (int i = 0; i < 40; ++i) {
        QTest::keyClick(&view, Qt::Key_Right);
        walked.push_back(view.current());
    }
    QCOMPARE(view.graph().nodes[std::size_t(walked.back())].kind, GraphNode::Kind::output);
    QTest::keyClick(&view, Qt::Key_Left);
    QVERIFY(view.current() != walked.back());
    const int here = view.current();
    QTest::keyClick(&view, Qt::Key_Up);
    QTest::keyClick(&view, Qt::Key_Down);
    QVERIFY(view.graph().nodes[std::size_t(view.current())].layer == view.graph().nodes[std::size_t(here)].layer);
    QSignalSpy activated(&view, &OperatorGraphView::nodeActivated);
    QTest::keyClick(&view, Qt::Key_Return);
    QCOMPARE(activated.at(0).at(0).toString(), view.graph().nodes[std::size_t(view.current())].id);
    QTest::keyClick(&view, Qt::Key_Escape);
    QCOMPARE(view.current(), -1);
}

void TestGraphViews::graphClickActivates() {
    OperatorGraphView view(theme());
    show(view, 1, 1);
    present(view, {600, 300});
    QSignalSpy activated(&view, &OperatorGraphView::nodeActivated);
    const int input = indexOf(view.graph(), GraphNode::Kind::input);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, view.positionOf(input));
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated.at(0).at(0).toString(), view.graph().nodes[std::size_t(input)].id);
    QTest::mouseClick(view.viewport(), Qt::LeftButton, {}, QPoint(2, 2));
    QCOMPARE(activated.count(), 1);
}

void TestGraphViews::graphZoomsAndShowsAll() {
    OperatorGraphView view(theme());
    show(view, 1, 1);
    present(view, {600, 300});
    const double natural = view.transform().m11();
    for (int i = 0; i < 30; ++i)
        QTest::keyClick(&view, Qt::Key_Plus);
    QVERIFY(view.transform().m11() > natural && view.transform().m11() < 5);
    QTest::keyClick(&view, Qt::Key_0);
    QCOMPARE(view.transform().m11(), natural);
    view.clear();
    QVERIFY(view.graph().nodes.empty());
}

void TestGraphViews::graphPictures() {
    const std::pair<int, int> cards[] = {{1, 1}, {2, 23}, {3, 1}, {3, 43}};
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        theme().setChoice(choice);
        for (const auto& [level, number] : cards) {
            OperatorGraphView view(theme());
            show(view, level, number);
            present(view, {900, 360});
            keepPicture(view, QStringLiteral("graph-%1-%2-").arg(level).arg(number) + Theme::word(choice));
        }
    }
    OperatorGraphView view(theme());
    show(view, 2, 23);
    present(view, {900, 360});
    hover(*view.viewport(), view.positionOf(indexOf(view.graph(), GraphNode::Kind::work)));
    keepPicture(view, QStringLiteral("graph-hover"));
    QVERIFY(view.card().isVisible());
}

void TestGraphViews::errorMapEmptyState() {
    ErrorMapView view(theme());
    present(view, {400, 300});
    QVERIFY(view.isEmpty());
    keepPicture(view, QStringLiteral("errors-empty"));
    view.setMap(sampleMap());
    QVERIFY(!view.isEmpty());
    QCOMPARE(view.wrongCells(), 5 * 50 + 1);
    view.setMap(verify::ErrorMap{}); // an output without elements
    QVERIFY(view.isEmpty());
}

void TestGraphViews::errorMapCellsTellTheirElements() {
    ErrorMapView view(theme());
    view.setMap(sampleMap());
    present(view, {420, 460});
    hover(view, view.cellRect({20, 10}).center().toPoint());
    QCOMPARE(view.current(), QPoint(20, 10));
    for (const char* words : {"Wrong", "20 to 21", "80 to 83", "NaN"})
        QVERIFY2(view.card().text().contains(QString::fromUtf8(words)), qPrintable(view.card().text()));
    hover(view, view.cellRect({0, 49}).center().toPoint());
    QVERIFY(view.card().text().contains(QStringLiteral("300% of the tolerance")));
    hover(view, {1, 1});
    QVERIFY(!view.card().isVisible());
}

void TestGraphViews::errorMapKeysWalkAndFindTheNextWrong() {
    ErrorMapView view(theme());
    view.setMap(sampleMap());
    present(view, {420, 460});
    view.setFocus();
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.current(), QPoint(0, 0));
    QTest::keyClick(&view, Qt::Key_Down);
    QTest::keyClick(&view, Qt::Key_Right);
    QCOMPARE(view.current(), QPoint(1, 1));
    QTest::keyClick(&view, Qt::Key_N);
    QCOMPARE(view.current(), QPoint(20, 10));
    QTest::keyClick(&view, Qt::Key_N);
    QCOMPARE(view.current(), QPoint(0, 45));
    QVERIFY(view.accessibleDescription().contains(QStringLiteral("90 to 91")));
    QTest::keyClick(&view, Qt::Key_Escape);
    QCOMPARE(view.current(), QPoint(-1, -1));
}

void TestGraphViews::errorMapClickNamesTheElement() {
    ErrorMapView view(theme());
    view.setMap(sampleMap());
    present(view, {420, 460});
    QSignalSpy activated(&view, &ErrorMapView::cellActivated);
    QTest::mouseClick(&view, Qt::LeftButton, {}, view.cellRect({3, 46}).center().toPoint());
    QCOMPARE(activated.count(), 1);
    QCOMPARE(activated[0][0].toLongLong(), 92);
    QCOMPARE(activated[0][1].toLongLong(), 12);
}

void TestGraphViews::errorMapPictures() {
    for (const auto choice : {Theme::Choice::light, Theme::Choice::dark}) {
        theme().setChoice(choice);
        ErrorMapView view(theme());
        view.setMap(sampleMap());
        present(view, {420, 460});
        keepPicture(view, QStringLiteral("errors-") + Theme::word(choice));
        const QImage image = view.grab().toImage();
        const double ratio = image.devicePixelRatio();
        const auto colour = [&](QPoint cell) {
            return image.pixelColor((view.cellRect(cell).center() * ratio).toPoint());
        };
        QVERIFY(colour({10, 10}) != colour({10, 48}));
        QVERIFY(contrast(theme().colours().field, theme().colours().series[1]) >= 3);
    }
}

KERNELARIUM_TEST(TestGraphViews);
