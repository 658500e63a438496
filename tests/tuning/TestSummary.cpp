// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tuning/search/Ledger.h"
#include "core/tuning/search/Shard.h"
#include "core/tuning/search/Summary.h"
#include "core/tuning/strategies/Importance.h"
#include "core/tuning/strategies/SweepTable.h"
#include "tests/TestRegistry.h"
#include "tests/tuning/TuningFixture.h"

#include <cmath>

namespace kernelarium::tuning {
namespace {

class TestSummary : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theCurveOfTheBest() {
        std::vector<Judged> all{judgedOf("A", Outcome::Kind::refused, 1),
                                judgedOf("B", 5, 2),
                                judgedOf("C", 7, 3),
                                judgedOf("D", 4, 4),
                                judgedOf("E", 1, 5),
                                judgedOf("F", 4, 6),
                                judgedOf("G", 3, 7),
                                judgedOf("H", 2, 8),
                                judgedOf("I", 1, 9)};
        all[0].filtered = true;                     // cost nothing
        all[3].sameAs = "B";                        // neither did this
        all[4].outcome.kind = Outcome::Kind::wrong; // the least value, but wrong
        all[7].candidate.effort = 0.5;              // a rough value
        const auto curve = bestSoFar(all);
        QCOMPARE(curve.size(), std::size_t(4));
        const double looks[] = {1, 2, 5, 6.5}, values[] = {5, 4, 3, 1};
        for (std::size_t i = 0; i < 4; ++i) {
            QCOMPARE(curve[i].looks, looks[i]);
            QCOMPARE(curve[i].value, values[i]);
        }
        QCOMPARE(curve.back().key, std::string("I"));
        QCOMPARE(curve.back().when, std::int64_t(9));
        QVERIFY(bestSoFar({}).empty());
    }

    /// Whatever its value is: the best, the curve and the first rank are of what may be called best.
    void whatIsNotProvenIsNeverBest() {
        const Space space({powers("A", 4)}, {});
        std::vector<Judged> all{judgedOf("A=1", 4), judgedOf("A=2", 1), judgedOf("A=4", 3), judgedOf("A=8", 5)};
        all[1].outcome.unproven = all[3].outcome.unproven = true;
        QVERIFY(all[1].ranks() && !all[1].leads() && all[2].leads());
        QCOMPARE(bestSoFar(all).back().key, std::string("A=4"));
        const SweepTable table = tableOf(space, all);
        QVERIFY(!table.lines[1].rank && !table.lines[1].ratio);
        QCOMPARE(table.lines[2].rank.value_or(0), std::size_t(1));
        QCOMPARE(table.lines[0].rank.value_or(0), std::size_t(2));
        QCOMPARE(table.lines[3].rank.value_or(0), std::size_t(3)); // slower: it has its place
        Ledger ledger;
        for (const Judged& judged : all)
            QVERIFY(ledger.enter(judged, false));
        QCOMPARE(ledger.sums().best->candidate.key, std::string("A=4"));
        all.erase(all.begin() + 2);
        all.erase(all.begin());
        QVERIFY(bestSoFar(all).empty() && !tableOf(space, all).lines[0].rank);
    }

    void theTable() {
        const Space space({powers("A", 4), powers("B", 2)}, {});
        std::vector<Judged> all{judgedOf("A=1 B=1", 4), judgedOf("A=2 B=1", Outcome::Kind::wrong),
                                judgedOf("A=3 B=1", 1), // not a point of it
                                judgedOf("B=2 A=4", 2), judgedOf("A=8 B=1", 2)};
        const SweepTable table = tableOf(space, all);
        QCOMPARE(table.foreign, std::size_t(1));
        QCOMPARE(table.lines.size(), std::size_t(4));
        QCOMPARE(table.lines[0].rank.value_or(0), std::size_t(3));
        QCOMPARE(table.lines[0].ratio.value_or(0), 2.0);
        QVERIFY(!table.lines[1].rank && !table.lines[1].ratio);
        QCOMPARE(table.lines[2].candidate, std::size_t(3));
        QVERIFY((table.lines[2].point == Point{{2, 1}}));
        // Equal ones by their keys: the order in which they came is another one in every run.
        QCOMPARE(table.lines[2].rank.value_or(0), std::size_t(2));
        QCOMPARE(table.lines[3].rank.value_or(0), std::size_t(1));
        all.erase(all.begin() + 2);
        QCOMPARE(bestSoFar(all).back().key, std::string("A=8 B=1"));
        QCOMPARE(bestSoFar(all).size(), std::size_t(2));
        std::reverse(all.begin(), all.end());
        const SweepTable reversed = tableOf(space, all);
        QCOMPARE(reversed.lines[0].rank.value_or(0), std::size_t(1));
        QCOMPARE(bestSoFar(all).back().key, std::string("A=8 B=1"));
    }

    void theFrontOfTwoValues() {
        const double none = std::nan("");
        QCOMPARE(paretoFront({3, 1, 2, 2, 5, none, 1, 0.5}, {1, 4, 2, 3, 1, 0, 4, none}),
                 (std::vector<std::size_t>{1, 2, 0}));
        QVERIFY(paretoFront({}, {}).empty());
        QCOMPARE(paretoFront({1, 1, 1}, {2, 1, 1}), (std::vector<std::size_t>{1}));
    }

    void whatMattersIsTold() {
        const Space space(
            {powers("MUCH", 6), powers("LITTLE", 6), powers("NONE", 6), wordsNamed("WORD", {"x", "y", "z"})}, {});
        std::vector<Judged> all;
        for (std::uint64_t i = 0; i < space.size(); ++i) {
            const Point point = space.point(i);
            const double word = point.at[3] == 1 ? 1.5 : 1;
            all.push_back(judgedOf(space.key(point), std::exp(double(point.at[0])) * (1 + 0.1 * point.at[1]) * word));
        }
        all.push_back(judgedOf("MUCH=1 LITTLE=1 NONE=1 WORD=x", 1e9));
        all.back().candidate.effort = 0.1;
        all.push_back(judgedOf("OTHER=1", 1e9));
        const auto importance = importanceOf(space, all);
        QVERIFY(importance.has_value());
        QCOMPARE(importance->points, std::size_t(648));
        const auto& shares = importance->shares;
        QVERIFY(std::abs(shares[0] + shares[1] + shares[2] + shares[3] - 1) < 1e-9);
        // Of the logarithm's variance: 2.92 by MUCH, 0.018 by LITTLE, 0.037 by WORD.
        QVERIFY2(shares[0] > 0.95, std::to_string(shares[0]).c_str());
        QVERIFY(shares[3] > shares[1] && shares[1] > 2 * shares[2]);
        QVERIFY2(shares[2] < 0.002, std::to_string(shares[2]).c_str());
        QVERIFY2(importance->explained > 0.95, std::to_string(importance->explained).c_str());

        QVERIFY(!importanceOf(space, {all.begin(), all.begin() + 9}).has_value());
        for (Judged& judged : all)
            judged.outcome.value = 2;
        const auto flat = importanceOf(space, all);
        QVERIFY(flat->shares == std::vector<double>(4, 0.0));
        QCOMPARE(flat->explained, 0.0);
    }

    void chanceExplainsNothing() {
        const Space space({powers("A", 6), powers("B", 6)}, {});
        std::vector<Judged> all;
        for (std::uint64_t i = 0; i < space.size(); ++i)
            all.push_back(judgedOf(space.key(space.point(i)), 1 + double(i * 2654435761U % 1000)));
        QVERIFY(importanceOf(space, all)->explained < 0.3);
    }

    void shardsAreRead() {
        QVERIFY(*shardOf("3/8") == (Shard{3, 8}));
        QCOMPARE(Shard({3, 8}).text(), std::string("3/8"));
        for (const char* wrong : {"", "/", "1", "0/8", "9/8", "1/0", "-1/8", "1/8x", "a/b", "1/1000000", " 1/8"})
            QCOMPARE(shardOf(wrong).error().code, std::string("bad_input"));
        for (std::uint64_t number = 0; number < 100; ++number) {
            int owners = 0;
            for (unsigned i = 1; i <= 8; ++i)
                owners += Shard({i, 8}).has(number) ? 1 : 0;
            QCOMPARE(owners, 1);
        }
    }
};

KERNELARIUM_TEST(TestSummary);

} // namespace
} // namespace kernelarium::tuning

#include "TestSummary.moc"
