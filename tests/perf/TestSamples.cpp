// SPDX-License-Identifier: GPL-3.0-or-later
//
// Expected values are worked out by hand, or are exact binomial sums.
#include "core/perf/PairedTimes.h"
#include "core/perf/Samples.h"
#include "tests/TestRegistry.h"

#include <QTest>
#include <cmath>

using namespace kernelarium::perf;

namespace {

std::vector<Sample> ramp(int n) {
    std::vector<Sample> samples;
    for (int i = n; i >= 1; --i)
        samples.push_back({double(i), 1980});
    return samples;
}

bool near(double a, double b) {
    return std::abs(a - b) <= 1e-12 * std::max(1.0, std::abs(b));
}

} // namespace

class TestSamples : public QObject {
    Q_OBJECT
private slots:
    void quartilesAndNoise() {
        const SampleSummary s = summarise(ramp(9), 1980); // 1 ... 9
        QCOMPARE(s.count, std::size_t(9));
        QCOMPARE(s.median, 5.0);
        QCOMPARE(s.lowerQuartile, 3.0);
        QCOMPARE(s.upperQuartile, 7.0);
        QCOMPARE(s.smallest, 1.0);
        QCOMPARE(s.largest, 9.0);
        QCOMPARE(s.mean, 5.0);
        QCOMPARE(s.medianClockMHz, 1980.0);
        QVERIFY(near(s.relativeNoise, std::sqrt(M_PI / 2) * (4 / 1.3489795003921634) / 3 / 5));
    }

    /// Of 9, P(at most 1 below the median) = (1 + 9) / 512 = 0.0195; with 2 it is 46 / 512. So the 2nd to the 8th.
    void intervalOfTheMedian() {
        const SampleSummary s = summarise(ramp(9), 0);
        QCOMPARE(s.confidentFrom, 2.0);
        QCOMPARE(s.confidentTo, 8.0);
        QVERIFY(near(s.confidence, 1 - 20.0 / 512));
        const SampleSummary few = summarise(ramp(3), 0);
        QCOMPARE(few.confidentFrom, 1.0);
        QCOMPARE(few.confidentTo, 3.0);
        QVERIFY(near(few.confidence, 0.75));
        QVERIFY(summarise(ramp(6), 0).confidence >= 0.95);
        const SampleSummary many = summarise(ramp(5000), 0); // 2^-5000 is not a double
        QVERIFY(many.confidence >= 0.95 && many.confidence < 0.96);
    }

    void slowClocksAreDropped() {
        std::vector<Sample> samples = ramp(4);
        samples.push_back({100, 1484}); // 75% of 1980 is 1485
        samples.push_back({5, 1485});
        samples.push_back({6, 0}); // not known
        const SampleSummary s = summarise(samples, 1980);
        QCOMPARE(s.dropped, std::size_t(1));
        QCOMPARE(s.count, std::size_t(6));
        QCOMPARE(s.largest, 6.0);
        QCOMPARE(summarise(samples, 0).dropped, std::size_t(0));
        QCOMPARE(summarise({}, 1980).count, std::size_t(0));
    }

    void stopRule() {
        const StopRule rule;
        SampleSummary s;
        s.count = 9;
        QVERIFY(!rule.isMet(s, 0));
        s.count = 10;
        s.relativeNoise = 0.005;
        QVERIFY(rule.isMet(s, 0));
        s.relativeNoise = 0.0051;
        QVERIFY(!rule.isMet(s, 4.9));
        QVERIFY(rule.isMet(s, 5));
        s.count = 1;
        s.dropped = rule.most - 1; // only throttled samples: it ends all the same
        QVERIFY(rule.isMet(s, 0));
    }

    /// For whole numbers I_x(a, b) is a binomial tail: the chance of at least a of a + b - 1.
    void incompleteBetaIsABinomialTail() {
        QVERIFY(near(incompleteBeta(0.5, 1, 1), 0.5));
        QVERIFY(near(incompleteBeta(0.25, 1, 3), 1 - std::pow(0.75, 3)));
        QVERIFY(near(incompleteBeta(0.5, 3, 2), (4.0 + 1) / 16)); // at least 3 of 4
        QVERIFY(near(incompleteBeta(0.5, 11, 1), std::pow(0.5, 11)));
        QVERIFY(near(incompleteBeta(0.9, 2, 1), 0.81));
        QVERIFY(near(incompleteBeta(0.5, 2.5, 2.5), 0.5));
        QCOMPARE(incompleteBeta(0, 2, 3), 0.0);
        QCOMPARE(incompleteBeta(1, 2, 3), 1.0);
    }

    /// Ten wins of ten: p over one half has probability 1 - 2^-11.
    void probabilityOfBeingFaster() {
        std::vector<TimedPair> pairs;
        for (int i = 0; i < 10; ++i)
            pairs.push_back({1.0, 1.1, i % 2 == 0});
        const PairedTimes t = comparePairs(pairs, 0);
        QCOMPARE(t.firstWins, std::size_t(10));
        QVERIFY(near(t.firstIsFaster, 1 - std::pow(0.5, 11)));
        QVERIFY(near(t.firstIsFaster + t.secondIsFaster, 1));
        QVERIFY(near(t.ratio, 1 / 1.1));
        QVERIFY(near(t.orderEffect, 1));
    }

    /// Of 12 pairs from the 3rd to the 10th: P(at most 2 below the median) = 79 / 4096. Orders are told apart first.
    void intervalOfTheRatio() {
        std::vector<TimedPair> pairs;
        for (int i = 0; i < 6; ++i) {
            pairs.push_back({1.1 * (1 + i * 0.01), 1.0, true});
            pairs.push_back({1.0 * (1 + i * 0.01), 1.1, false});
        }
        const RatioInterval interval = ratioInterval(pairs);
        QVERIFY(near(interval.coverage, 1 - 2 * 79.0 / 4096));
        QVERIFY(near(interval.low, 1.01) && near(interval.high, 1.04)); // both orders' pairs fall together
        const PairedTimes t = comparePairs(pairs, 0);
        QVERIFY(interval.low < t.ratio && t.ratio < interval.high);
        const RatioInterval few = ratioInterval(std::span(pairs).first(3));
        QVERIFY(few.coverage < 0.95 && few.low <= few.high);
        QCOMPARE(ratioInterval({}).coverage, 0.0);
        QCOMPARE(ratioInterval({}).low, 0.0);
    }

    void tiesSayNothing() {
        const std::vector<TimedPair> pairs(7, TimedPair{1.0, 1.0004, true});
        const PairedTimes t = comparePairs(pairs, 0.0005);
        QCOMPARE(t.ties, std::size_t(7));
        QVERIFY(near(t.firstIsFaster, 0.5));
        QCOMPARE(comparePairs({}, 0).firstIsFaster, 0.5);
        QCOMPARE(comparePairs({}, 0).ratio, 1.0);
    }

    /// Equal kernels, of which the second to go takes 4% longer: no ratio, and an order effect of 1.04.
    void orderEffectCancels() {
        std::vector<TimedPair> pairs;
        for (int i = 0; i < 20; ++i)
            pairs.push_back(i % 2 ? TimedPair{1.04, 1.0, false} : TimedPair{1.0, 1.04, true});
        const PairedTimes t = comparePairs(pairs, 0);
        QVERIFY(near(t.ratio, 1));
        QVERIFY(near(t.orderEffect, 1.04));
        QCOMPARE(t.firstWins, t.secondWins);
        QVERIFY(near(t.firstIsFaster, 0.5));
    }
};

namespace {
KERNELARIUM_TEST(TestSamples);
}

#include "TestSamples.moc"
