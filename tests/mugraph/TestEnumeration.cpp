// SPDX-License-Identifier: GPL-3.0-or-later
#include "Searched.h"
#include "core/algebra/graph/Interpreter.h"
#include "core/mugraph/check/Check.h"
#include "core/mugraph/graph/Formulas.h"
#include "core/mugraph/target/Reading.h"
#include "core/threads/FanOut.h"
#include "tests/TestRegistry.h"

#include <algorithm>
#include <cmath>
#include <random>
#include <set>

#include <QTest>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace kernelarium::mugraph::test {
namespace {

/// Every graph that a search would find if it pruned nothing: steps in any order, canonical forms once.
class Everything {
public:
    Everything(const Searched& s, Roles roles)
        : m_s(s)
        , m_graph{roles, {}} {
        for (std::size_t k = 0; k < s.problem.inputs.size(); ++k) {
            m_tiles.push_back(loaded(s.problem, roles, k));
            m_of.push_back(m_terms.variable(std::uint32_t(k)));
        }
        m_target = targetTerm(m_terms, s.problem);
    }
    std::set<std::string> hashes() {
        extend();
        return m_hashes;
    }

private:
    std::vector<Step> steps() const {
        const Closure& c = m_s.problem.closure;
        std::vector<Step> all;
        for (std::uint8_t a = 0; a < m_tiles.size(); ++a) {
            for (std::uint8_t b = 0; b < a; ++b) {
                for (AxisSet axes = 1; axes < axisBit(int(m_s.problem.extents.size())); ++axes)
                    if ((axes & ~c.products) == 0) all.push_back({a, b, Operator::product, false, axes});
                if (c.multiply) all.push_back({a, b, Operator::multiply});
                if (c.add) all.push_back({a, b, Operator::add});
                for (const bool turned : {false, true})
                    if (c.divide) all.push_back({a, b, Operator::divide, turned});
            }
            if (c.add) all.push_back({a, a, Operator::add});
            if (c.square) all.push_back({a, Step::none, Operator::square});
            if (c.exp) all.push_back({a, Step::none, Operator::exp});
            for (int axis = 0; axis < int(m_s.problem.extents.size()); ++axis)
                if (c.sums & axisBit(axis)) all.push_back({a, Step::none, Operator::sum, false, axisBit(axis)});
            all.push_back({a, Step::none, Operator::accumulate});
            all.push_back({a, Step::none, Operator::gather});
        }
        return all;
    }
    void extend() {
        if (!m_graph.steps.empty() && checkGraph(m_s.problem, m_graph).ok() && m_of.back() == m_target)
            m_hashes.insert(hashOf(m_s.problem, m_graph));
        if (int(m_tiles.size()) == m_s.limits.operators) return;
        for (const Step& step : steps()) {
            const auto tile = resultOf(m_s.problem, m_tiles, step);
            if (!tile) continue;
            const TermId term = termOf(m_terms, m_graph.roles, m_of, step);
            bool isKnown = term == noTerm;
            for (std::size_t i = 0; i < m_tiles.size(); ++i)
                isKnown = isKnown || (m_of[i] == term && m_tiles[i].axes == tile->axes &&
                                      m_tiles[i].looped == tile->looped && m_tiles[i].partial == tile->partial);
            if (isKnown) continue;
            m_graph.steps.push_back(step);
            m_tiles.push_back(*tile);
            m_of.push_back(term);
            extend();
            m_graph.steps.pop_back();
            m_tiles.pop_back();
            m_of.pop_back();
        }
    }

    const Searched& m_s;
    MuGraph m_graph;
    Terms m_terms;
    TermId m_target = noTerm;
    std::vector<Tile> m_tiles;
    std::vector<TermId> m_of;
    std::set<std::string> m_hashes;
};

/// Largest difference of a graph at a size from the task's own formulas there, over the largest value.
double distance(const task::Card& card, const std::string& size, const MuGraph& graph, bool isRagged) {
    const Problem problem = *problemOf(card, *card.size(size));
    Tiling tiling = raggedTiling(problem, graph.roles);
    if (!isRagged) {
        const TileModel model(problem, *perf::findDeviceSpec("h200"));
        tiling = model.best(graph, *tilesOf(problem, graph))->tiling;
    }
    std::mt19937_64 random(7);
    std::normal_distribution<double> normal;
    std::vector<std::vector<double>> inputs(card.tensors.size());
    for (const Problem::Tensor& t : problem.inputs) {
        inputs[t.cardTensor].resize(std::size_t(algebra::pointCount(t.extents)));
        for (double& x : inputs[t.cardTensor])
            x = 0.3 + 0.2 * normal(random);
    }
    const auto wanted = *algebra::evaluate(problem.graph, inputs);
    const auto got = *algebra::evaluate(*formulasOf(problem, graph, tiling), inputs);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < wanted[0].size(); ++i) {
        largest = std::max(largest, std::abs(wanted[0][i]));
        const double d = std::abs(wanted[0][i] - got[0][i]);
        difference = std::max(difference, std::isnan(d) ? 1e9 : d);
    }
    return difference / largest;
}

class TestEnumeration : public QObject {
    Q_OBJECT
private slots:
    /// From the card alone: no rule of the algebra's rewriting and no skeleton is in reach of core/mugraph.
    void structuresAreFound_data() {
        QTest::addColumn<int>("task");
        QTest::addColumn<int>("operators");
        QTest::addColumn<QString>("graph");
        QTest::newRow("RMSNorm and product in one pass")
            << 3 << 11
            << "1:-/square(0);sum(2|1);accumulate(3);scale(4|0);sqrt(5);product(0,1|1);accumulate(7);divide(8,6)";
        QTest::newRow("RMSNorm and product, the pass shared out")
            << 3 << 13
            << "1:1/square(0);sum(2|1);accumulate(3);gather(4);scale(5|0);sqrt(6);product(0,1|1);accumulate(8);"
               "gather(9);divide(10,7)";
        QTest::newRow("split-key attention")
            << 1 << 12
            << "3:3/product(0,1|2);exp(3);sum(4|3);accumulate(5);gather(6);product(4,2|3);accumulate(8);gather(9);"
               "divide(10,7)";
        QTest::newRow("attention in one pass")
            << 1 << 12 << "3:-/product(0,1|2);exp(3);sum(4|3);accumulate(5);product(4,2|3);accumulate(7);divide(8,6)";
        QTest::newRow("one-kernel LoRA")
            << 4 << 10 << "1:-/product(0,3|1);accumulate(4);product(0,1|1);accumulate(6);product(7,2|2);add(5,8)";
        QTest::newRow("gated MLP in one pass")
            << 5 << 9 << "1:-/product(0,1|1);accumulate(3);apply(4|0);product(0,2|1);accumulate(6);multiply(5,7)";
    }
    void structuresAreFound() {
        QFETCH(int, task);
        QFETCH(int, operators);
        QFETCH(QString, graph);
        const Searched s(4, task, operators);
        const MuGraph wanted = s.written(graph.toStdString());
        QVERIFY(checkGraph(s.problem, wanted).ok());
        const Merged::Candidate* candidate = s.find(wanted);
        QVERIFY2(candidate, fmt::format("not among {} candidates", s.merged.candidates.size()).c_str());
        QCOMPARE(s.graphOf(*candidate), wanted);
        QVERIFY(candidate->state > 0 && candidate->state <= s.merged.counts.states);
        qInfo("found at state %llu of %llu, %zu candidates", static_cast<unsigned long long>(candidate->state),
              static_cast<unsigned long long>(s.merged.counts.states), s.merged.candidates.size());
        const Result<proof::Proof> proof = prove(s.card, wanted);
        QVERIFY2(proof.ok(), proof.ok() ? "" : proof.error().text().c_str());
        QVERIFY2(proof->verdict == proof::Verdict::equal, proof->summary().c_str());
    }

    /// Nothing that should be found is pruned, and nothing is found twice.
    void pruningLosesNothing_data() {
        QTest::addColumn<int>("level");
        QTest::addColumn<int>("task");
        QTest::addColumn<int>("operators");
        QTest::newRow("softmax") << 1 << 23 << 7;
        QTest::newRow("product") << 1 << 1 << 6;
        QTest::newRow("LoRA") << 4 << 4 << 8;
    }
    void pruningLosesNothing() {
        QFETCH(int, level);
        QFETCH(int, task);
        QFETCH(int, operators);
        const Searched s(level, task, operators, "small");
        QCOMPARE(s.merged.counts.memory, std::uint64_t(0));
        QCOMPARE(s.merged.counts.bound, std::uint64_t(0));
        std::vector<int> axes{-1};
        for (int axis = 0; axis < int(s.problem.extents.size()); ++axis)
            if (s.problem.summed() & ~s.problem.output.axisSet() & axisBit(axis)) axes.push_back(axis);
        std::set<std::string> all, found;
        for (const int loop : axes)
            for (const int split : axes)
                all.merge(Everything(s, {loop, split}).hashes());
        for (const Merged::Candidate& c : s.merged.candidates)
            QVERIFY(found.insert(c.found.hash).second);
        QVERIFY(!all.empty());
        QCOMPARE(found, all);
    }

    void countsAddUp() {
        const Searched s(4, 3, 9);
        for (const UnitResult& r : s.results) {
            const Counts& c = r.counts;
            QCOMPARE(c.extensions,
                     c.expression + c.reach + c.memory + c.bound + c.redundant + c.unfinished + c.states - 1);
        }
        QVERIFY(s.units.size() > 100);
    }

    /// Too little shared memory for the keys of a whole row, and no time for needless arithmetic.
    void memoryAndArithmeticBound() {
        const Searched attention(4, 2, 11), small(4, 2, 11, "small");
        QVERIFY(attention.merged.counts.memory > 0);
        QCOMPARE(small.merged.counts.memory, std::uint64_t(0));
    }

    void unitsAreReadBack() {
        const Searched s(4, 4, 9);
        QCOMPARE(*units(s.problem, s.limits), s.units);
        std::set<std::string> keys;
        for (std::size_t i = 0; i < s.units.size(); ++i) {
            const Unit& unit = s.units[i];
            QVERIFY(keys.insert(unit.key).second);
            QCOMPARE(keyOf(*graphFromKey(unit.key)), unit.key);
            const Result<UnitResult> again = unitResultFrom(nlohmann::json::parse(toJson(s.results[i]).dump()));
            QVERIFY(again.ok());
            QCOMPARE(*again, s.results[i]);
        }
        const Limits limits{11, 2, "h100"};
        QCOMPARE(*limitsFrom(toJson(limits)), limits);
    }

    /// Whoever does them, in whatever order, in one thread or several.
    void unitsAreIndependent() {
        const Searched s(4, 3, 10);
        const std::string wanted = textOf(s.merged);
        std::vector<UnitResult> results(s.units.size());
        threads::forEach(s.units.size(), 4, [&](std::size_t i, std::size_t) {
            results[i] = *explore(s.problem, s.units[s.units.size() - 1 - i], s.limits);
        });
        QCOMPARE(textOf(*merge(s.units, results)), wanted);
        for (const std::size_t shards : {8, 64}) {
            std::vector<UnitResult> parts;
            for (std::size_t shard = 0; shard < shards; ++shard) {
                Result<Explorer> explorer = Explorer::of(s.problem, s.limits);
                for (std::size_t i = shard; i < s.units.size(); i += shards)
                    parts.push_back(*explorer->explore(s.units[i]));
            }
            std::shuffle(parts.begin(), parts.end(), std::mt19937_64(shards));
            parts.push_back(parts.front());
            QCOMPARE(textOf(*merge(s.units, parts)), wanted);
        }
    }

    /// Another depth of units is another way to share out the same graphs.
    void depthOfUnitsChangesNoCandidate() {
        const Searched s(4, 3, 9);
        std::set<std::string> wanted, found;
        for (const Merged::Candidate& c : s.merged.candidates)
            wanted.insert(c.found.hash);
        Limits limits = s.limits;
        for (const int depth : {0, 1, 5}) {
            limits.unitDepth = depth;
            found.clear();
            for (const Unit& unit : *units(s.problem, limits)) {
                const UnitResult result = *explore(s.problem, unit, limits);
                for (const Found& f : result.found)
                    QVERIFY(found.insert(f.hash).second);
            }
            QCOMPARE(found, wanted);
        }
    }

    void whatIsNoUnitIsRefused_data() {
        QTest::addColumn<QString>("key");
        QTest::newRow("empty") << "";
        QTest::newRow("not a key") << "product";
        QTest::newRow("too short") << "1:-/square(0)";
        QTest::newRow("an axis of the output is looped over") << "0:-/square(0);sum(2|1);product(0,1|1)";
        QTest::newRow("not canonical") << "-:-/product(1,0|1);square(0);sum(3|1)";
        QTest::newRow("no part of the task") << "-:-/square(0);square(2);square(3)";
        QTest::newRow("no such tensor") << "-:-/square(0);square(9);square(3)";
        QTest::newRow("written otherwise") << "-:-/square(0);product(0,1|1);sum(2|01)";
    }
    void whatIsNoUnitIsRefused() {
        QFETCH(QString, key);
        const Searched s(4, 3, 9);
        const Result<UnitResult> result = explore(s.problem, {key.toStdString()}, s.limits);
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, std::string("bad_input"));
        UnitResult none;
        none.unit = key.toStdString();
        QCOMPARE(merge(s.units, std::vector{none}).error().code, std::string("bad_input"));
    }

    void resultsThatDifferAreRefused() {
        const Searched s(4, 3, 9);
        std::vector<UnitResult> results = s.results;
        results.push_back(results.front());
        results.back().counts.states += 1;
        QCOMPARE(merge(s.units, results).error().code, std::string("bad_input"));
    }

    void limitsHaveARange() {
        const task::Card card = *task::loadCard(4, 3);
        const Problem problem = *problemOf(card, *card.size("full"));
        for (const Limits& limits :
             {Limits{2, 3, "h200"}, Limits{25, 3, "h200"}, Limits{9, -1, "h200"}, Limits{9, 3, "no such device"}})
            QCOMPARE(units(problem, limits).error().code, std::string("bad_input"));
    }

    void aStopEndsIt() {
        const Searched s(4, 3, 9);
        std::stop_source source;
        source.request_stop();
        Limits limits = s.limits;
        limits.operators = 16; // longer than anyone waits
        limits.unitDepth = 0;
        const Result<UnitResult> result = explore(s.problem, {"1:1/"}, limits, source.get_token());
        QVERIFY(!result.ok());
        QCOMPARE(result.error().code, std::string("cancelled"));
    }

    /// All candidates of a search, right and wrong: what the proof says of each is what evaluating it shows, at
    /// another size and with other tiles.
    void proofAgreesWithEvaluation() {
        const Searched s(4, 3, 9);
        std::size_t right = 0, wrong = 0;
        for (const Merged::Candidate& c : s.merged.candidates) {
            const MuGraph graph = s.graphOf(c);
            const proof::Proof proof = *prove(s.card, graph);
            const double far = std::max(distance(s.card, "odd", graph, true), distance(s.card, "small", graph, false));
            const std::string text = fmt::format("{}\n{}\n{}", toText(s.problem, graph), proof.summary(), far);
            QVERIFY2(proof.verdict != proof::Verdict::notDecided, text.c_str());
            QVERIFY2((proof.verdict == proof::Verdict::equal) == (far < 1e-9), text.c_str());
            ++(proof.verdict == proof::Verdict::equal ? right : wrong);
        }
        qInfo("%zu right, %zu wrong", right, wrong);
        QVERIFY(right > 0 && wrong > 0);
    }
};

KERNELARIUM_TEST(TestEnumeration);

} // namespace
} // namespace kernelarium::mugraph::test

#include "TestEnumeration.moc"
