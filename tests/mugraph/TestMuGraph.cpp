// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/mugraph/check/Check.h"
#include "core/mugraph/graph/Formulas.h"
#include "core/mugraph/graph/MuGraph.h"
#include "core/mugraph/target/ProblemOf.h"
#include "core/mugraph/target/Reading.h"
#include "tests/TestRegistry.h"

#include <algorithm>
#include <random>

#include <QTest>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::mugraph::test {
namespace {

constexpr const char* onePass =
    "1:-/square(0);product(1,0|1);sum(2|1);accumulate(3);accumulate(4);scale(6|0);sqrt(7);divide(5,8)";

Problem problemOfTask(int task, const std::string& size) {
    const task::Card card = *task::loadCard(4, task);
    return *problemOf(card, *card.size(size));
}

/// The same graph with its steps in another order that they can be done in.
MuGraph shuffled(const MuGraph& graph, std::size_t inputs, std::mt19937_64& random) {
    MuGraph result{graph.roles, {}};
    std::vector<int> numbers(inputs + graph.steps.size(), -1);
    for (std::size_t k = 0; k < inputs; ++k)
        numbers[k] = int(k);
    while (result.steps.size() < graph.steps.size()) {
        const std::size_t i = random() % graph.steps.size();
        Step s = graph.steps[i];
        if (numbers[inputs + i] >= 0 || numbers[s.a] < 0 || (s.b != Step::none && numbers[s.b] < 0)) continue;
        s.a = std::uint8_t(numbers[s.a]);
        if (s.b != Step::none) s.b = std::uint8_t(numbers[s.b]);
        if (s.b != Step::none && s.b > s.a) {
            std::swap(s.a, s.b);
            if (s.op == Operator::divide) s.turned = !s.turned;
        }
        numbers[inputs + i] = int(inputs + result.steps.size());
        result.steps.push_back(s);
    }
    return result;
}

class TestMuGraph : public QObject {
    Q_OBJECT
private slots:
    void keyAndJsonAreReadBack() {
        const Problem problem = problemOfTask(3, "full");
        const MuGraph graph = *graphFromKey(onePass);
        QCOMPARE(keyOf(graph), std::string(onePass));
        const Result<MuGraph> again = muGraphFrom(problem, nlohmann::json::parse(toJson(problem, graph).dump()));
        QVERIFY2(again.ok(), again.ok() ? "" : again.error().text().c_str());
        QCOMPARE(*again, graph);
        // Of operands that cannot be exchanged, too.
        const MuGraph turned = *graphFromKey("-:-/square(0);divide(0,2);divide(2,0)");
        QVERIFY(turned.steps[1].turned && !turned.steps[2].turned);
        QCOMPARE(keyOf(turned), std::string("-:-/square(0);divide(0,2);divide(2,0)"));
    }

    void whatIsNoKeyIsRefused() {
        for (const char* key :
             {"", "1", "1:1", "1:1/x", "1:1/square", "1:1/square(0", "1:1/square(0))", "1:1/square(0);",
              "1:1/square(0,1)", "1:1/product(0|1)", "1:1/product(0,1)", "1:1/product(0,1|12)", "1:1/sum(0|1+)",
              "99:1/square(0)", "1:1/square(300)", "1:1/square(-1)"})
            QCOMPARE(graphFromKey(key).ok() ? std::string("read") : graphFromKey(key).error().code,
                     std::string("bad_input"));
    }

    void jsonOfAnotherTaskIsRefused() {
        const Problem norm = problemOfTask(3, "full"), lora = problemOfTask(4, "full");
        nlohmann::json json = toJson(norm, *graphFromKey(onePass));
        QCOMPARE(muGraphFrom(lora, json).error().code, std::string("bad_input"));
        json["steps"][0]["operator"] = "cube";
        QCOMPARE(muGraphFrom(norm, json).error().code, std::string("bad_input"));
        json.erase("steps");
        QCOMPARE(muGraphFrom(norm, json).error().code, std::string("bad_input"));
        QCOMPARE(muGraphFrom(norm, nlohmann::json(3)).error().code, std::string("bad_input"));
    }

    /// One graph has one form and one hash, in whatever order it is written.
    void formIsCanonical() {
        const Problem problem = problemOfTask(3, "full");
        const MuGraph graph = *graphFromKey(onePass);
        QCOMPARE(canonical(problem, graph), graph);
        const std::string hash = hashOf(problem, graph);
        QCOMPARE(hash.size(), std::size_t(32));
        std::mt19937_64 random(3);
        for (int i = 0; i < 200; ++i) {
            const MuGraph other = shuffled(graph, problem.inputs.size(), random);
            QVERIFY(checkGraph(problem, other).ok());
            QCOMPARE(keyOf(canonical(problem, other)), keyOf(graph));
            QCOMPARE(hashOf(problem, other), hash);
        }
        // At another size it is the same graph, with other roles or steps another.
        QCOMPARE(hashOf(problemOfTask(3, "odd"), graph), hash);
        MuGraph other = graph;
        other.roles.split = 1;
        QVERIFY(hashOf(problem, other) != hash);
    }

    void stepsThatDoNotFitAreRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::newRow("a sum over what is not there") << "1:-/sum(0|2)";
        QTest::newRow("a product over one's own axis") << "1:-/product(0,1|0)";
        QTest::newRow("neither's axes are among the other's") << "1:-/multiply(0,1)";
        QTest::newRow("nothing to accumulate") << "-:-/accumulate(0)";
        QTest::newRow("accumulated twice") << "1:-/accumulate(0);accumulate(2)";
        QTest::newRow("after the loop, with what is in it") << "1:-/sum(0|1);accumulate(2);divide(0,3)";
        QTest::newRow("nothing to gather") << "1:-/gather(0)";
        QTest::newRow("gathered within the loop") << "1:1/gather(0)";
        QTest::newRow("after gathering, with a part") << "-:1/sum(0|1);gather(2);divide(0,3)";
        QTest::newRow("a constant that is not there") << "-:-/scale(0|7)";
        QTest::newRow("a function that is not there") << "-:-/apply(0|0)";
        QTest::newRow("a tensor that is not there") << "-:-/square(2)";
        QTest::newRow("no steps") << "-:-/";
        QTest::newRow("an input is not used") << "-:-/square(0);sum(2|1)";
        QTest::newRow("a result is not used") << "-:-/square(0);product(0,1|1)";
        QTest::newRow("other axes than the output")
            << "-:-/product(0,1|1);sum(0|1);multiply(2,3);square(0);divide(5,4)";
        QTest::newRow("a step's part") << "1:-/product(0,1|1)";
        QTest::newRow("a block's part") << "-:1/product(0,1|1)";
        QTest::newRow("an axis that is not there") << "7:-/product(0,1|1)";
    }
    void stepsThatDoNotFitAreRefused() {
        QFETCH(QString, key);
        const Problem problem = problemOfTask(3, "full");
        const MuGraph graph = *graphFromKey(key.toStdString());
        const Result<void> sound = checkGraph(problem, graph);
        QVERIFY(!sound.ok());
        QCOMPARE(sound.error().code, std::string("bad_graph"));
        QVERIFY(!formulasOf(problem, graph, {problem.extents, 1}).ok());
        QVERIFY(!prove(*task::loadCard(4, 3), graph).ok());
    }

    /// Wrong graphs that are sound as graphs: the first rows have even the task's abstract expression.
    void wrongGraphsAreRefused_data() {
        QTest::addColumn<int>("task");
        QTest::addColumn<QString>("key");
        QTest::addColumn<bool>("hasExpression");
        QTest::newRow("the sum of a row times the row, for its square")
            << 3 << "-:-/sum(0|1);multiply(0,2);scale(3|0);sqrt(4);divide(0,5);product(1,6|1)" << true;
        QTest::newRow("the same, in a loop")
            << 3
            << "1:-/scale(0|0);sum(0|1);sqrt(2);accumulate(3);divide(0,4);sqrt(5);product(1,6|1);accumulate(8);"
               "divide(9,7)"
            << true;
        QTest::newRow("steps are squared together")
            << 3 << "1:-/product(1,0|1);accumulate(0);square(3);sum(4|1);scale(5|0);sqrt(6);accumulate(2);divide(8,7)"
            << false;
        QTest::newRow("no mean")
            << 3 << "1:-/square(0);product(1,0|1);sum(2|1);accumulate(3);accumulate(4);sqrt(6);divide(5,7)" << false;
        QTest::newRow("root before the loop's end")
            << 3 << "1:-/square(0);product(1,0|1);sum(2|1);scale(4|0);sqrt(5);accumulate(3);accumulate(6);divide(7,8)"
            << false;
        QTest::newRow("upside down") << 3 << "-:-/square(0);product(1,0|1);sum(2|1);scale(4|0);sqrt(5);divide(6,3)"
                                     << false;
        QTest::newRow("exponentials of parts of a product")
            << 1 << "2:-/product(1,0|2);exp(3);accumulate(4);sum(5|3);product(5,2|3);divide(7,6)" << false;
        QTest::newRow("parts divided before they are gathered")
            << 1 << "-:3/product(1,0|2);exp(3);sum(4|3);product(4,2|3);divide(6,5);gather(7)" << false;
        QTest::newRow("an adapter taken away")
            << 4 << "-:-/product(0,3|1);product(0,1|1);product(5,2|2);subtract(4,6)" << false;
    }
    void wrongGraphsAreRefused() {
        QFETCH(int, task);
        QFETCH(QString, key);
        QFETCH(bool, hasExpression);
        const task::Card card = *task::loadCard(4, task);
        const Problem problem = problemOfTask(task, "full");
        const MuGraph graph = *graphFromKey(key.toStdString());
        const Result<void> sound = checkGraph(problem, graph);
        QVERIFY2(sound.ok(), sound.ok() ? "" : sound.error().text().c_str());
        Terms terms;
        std::vector<TermId> of;
        for (std::size_t k = 0; k < problem.inputs.size(); ++k)
            of.push_back(terms.variable(std::uint32_t(k)));
        for (const Step& step : graph.steps)
            of.push_back(termOf(terms, graph.roles, of, step));
        QCOMPARE(of.back() == targetTerm(terms, problem), hasExpression);
        const Result<proof::Proof> proof = prove(card, graph);
        QVERIFY2(proof.ok(), proof.ok() ? "" : proof.error().text().c_str());
        QVERIFY2(proof->verdict == proof::Verdict::different, proof->summary().c_str());
        QVERIFY(proof->failed() && proof->failed()->counterexample);
    }

    /// Every axis is in several pieces of unequal size, as small as a proof's extents may be.
    void tilesAreRagged() {
        const task::Card card = *task::loadCard(4, 3);
        const Problem problem = *problemOf(card, *card.size("odd"));
        const Tiling tiling = raggedTiling(problem, {1, 1});
        QCOMPARE(gridAxes(problem), AxisSet(axisBit(0) | axisBit(2)));
        for (const int axis : {0, 2}) {
            const std::int64_t extent = problem.extents[std::size_t(axis)], tile = tiling.tile[std::size_t(axis)];
            QVERIFY(tile < extent && extent % tile != 0);
        }
        QVERIFY(tiling.splits > 1 && loopSteps(problem, {1, 1}, tiling) > 1);
    }

    void sizesFitIntoSharedMemory() {
        const Problem problem = problemOfTask(3, "full");
        const perf::DeviceSpec& device = *perf::findDeviceSpec("h200");
        const TileModel model(problem, device);
        const MuGraph graph = *graphFromKey(onePass);
        const std::vector<Tile> tiles = *tilesOf(problem, graph);
        const auto best = model.best(graph, tiles);
        QVERIFY(best && model.fits(graph, tiles, best->tiling));
        QVERIFY(!model.fits(graph, tiles, {problem.extents, 1}));
        // No less than its bytes take, and one launch; no more than the same formula by formula.
        const double bytes = 2.0 * (2 * 4096 + 4096 * 6144.0 + 2 * 6144);
        QVERIFY(best->seconds >= bytes / device.memoryBandwidth + device.launchSeconds);
        QVERIFY(best->seconds < model.formulaSeconds());
    }
};

KERNELARIUM_TEST(TestMuGraph);

} // namespace
} // namespace kernelarium::mugraph::test

#include "TestMuGraph.moc"
