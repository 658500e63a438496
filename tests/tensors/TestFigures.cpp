// SPDX-License-Identifier: GPL-3.0-or-later
//
// Statistics, histograms and wrong elements of tensors that one meets.
#include "core/tensorview/Histogram.h"
#include "core/tensorview/Statistics.h"
#include "core/tensorview/WrongElements.h"
#include "core/verify/Comparison.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <numeric>

using namespace kernelarium;
using namespace kernelarium::tensorview;
using tensor::DType;
using tensor::Tensor;

namespace {

constexpr double noNumber = std::numeric_limits<double>::quiet_NaN();
constexpr double noEnd = std::numeric_limits<double>::infinity();

Tensor tensorOf(DType type, const tensor::Shape& shape, const std::vector<double>& values) {
    Tensor t(type, shape);
    for (std::size_t k = 0; k < values.size(); ++k)
        t.set(std::int64_t(k), values[k]);
    return t;
}

std::int64_t total(const Histogram& h) {
    return std::accumulate(h.counts.begin(), h.counts.end(), h.below + h.above + h.notFinite);
}

} // namespace

class TestFigures : public QObject {
    Q_OBJECT
private slots:
    void everyTypeHasFigures_data();
    void everyTypeHasFigures();
    void notFiniteElementsAreCountedApart();
    void nothingHasNoRange();
    void sumsDoNotOverflow();
    void manyElementsAreAsFew();
    void histogramsHoldEveryElement();
    void wholeNumbersHaveBinsOfTheirOwn();
    void histogramsOfARangeSayWhatIsOutside();
    void hugeRangesHaveBins();
    void differencesOfIntegersAreExact();
    void theWorstComeFirst();
    void wrongIsWhatTheComparisonSays();
};

void TestFigures::everyTypeHasFigures_data() {
    QTest::addColumn<int>("type");
    for (const DType type : {DType::UInt8, DType::Int8, DType::Int16, DType::Int32, DType::Int64, DType::Float16,
                             DType::Float32, DType::Float64, DType::BFloat16, DType::Float8E5m2, DType::Float8E4m3fn})
        QTest::newRow(std::string(tensor::name(type)).c_str()) << int(type);
}

void TestFigures::everyTypeHasFigures() {
    QFETCH(int, type);
    const Statistics s = statisticsOf(Elements(tensorOf(DType(type), {2, 3}, {3, 0, 1, 7, 0, 1})));
    QCOMPARE(s.elements, 6);
    QCOMPARE(s.zeros, 2);
    QVERIFY(s.finite);
    QCOMPARE(s.finite->smallest, 0.0);
    QCOMPARE(s.finite->smallestAt, 1);
    QCOMPARE(s.finite->largest, 7.0);
    QCOMPARE(s.finite->largestAt, 3);
    QCOMPARE(s.finite->mean, 2.0);
    QCOMPARE(s.finite->rms, std::sqrt(10.0));
    QCOMPARE(s.finite->deviation, std::sqrt(6.0));
    const Statistics truths = statisticsOf(Elements(tensorOf(DType::Bool, {4}, {1, 0, 1, 1})));
    QCOMPARE(truths.finite->mean, 0.75);
}

void TestFigures::notFiniteElementsAreCountedApart() {
    const Elements elements(tensorOf(DType::Float16, {7}, {noNumber, 1, noEnd, -noEnd, 70000, 2, noNumber}));
    const Statistics s = statisticsOf(elements);
    QCOMPARE(s.nans, 2);
    QCOMPARE(s.infinities, 2); // 70000 is none of float16's numbers
    QCOMPARE(s.negativeInfinities, 1);
    QCOMPARE(s.finite->largest, 2.0);
    QCOMPARE(s.finite->mean, 1.5);
    const Histogram h = histogramOf(elements, {});
    QCOMPARE(h.notFinite, 5);
    QCOMPARE(total(h), 7);
    const Statistics none = statisticsOf(Elements(tensorOf(DType::Float32, {2}, {noNumber, noEnd})));
    QVERIFY(!none.finite);
    QVERIFY(histogramOf(Elements(tensorOf(DType::Float32, {2}, {noNumber, noEnd})), {}).counts.empty());
}

void TestFigures::nothingHasNoRange() {
    for (const tensor::Shape& shape : {tensor::Shape{0}, tensor::Shape{3, 0, 5}}) {
        const Statistics s = statisticsOf(Elements(Tensor(DType::Float32, shape)));
        QCOMPARE(s.elements, 0);
        QVERIFY(!s.finite);
        QVERIFY(histogramOf(Elements(Tensor(DType::Float32, shape)), {}).counts.empty());
    }
    const Statistics one = statisticsOf(Elements(tensorOf(DType::Float32, {}, {-5})));
    QCOMPARE(one.elements, 1);
    QCOMPARE(one.finite->smallest, -5.0);
    QCOMPARE(one.finite->deviation, 0.0);
}

void TestFigures::sumsDoNotOverflow() {
    const double most = std::numeric_limits<double>::max();
    const Statistics s = statisticsOf(Elements(tensorOf(DType::Float64, {3}, {most, most, most})));
    QCOMPARE(s.finite->mean, most);
    QCOMPARE(s.finite->rms, most);
    QCOMPARE(s.finite->deviation, 0.0);
}

void TestFigures::manyElementsAreAsFew() {
    Tensor many(DType::Float32, {1000, 1000});
    float* data = many.data<float>();
    for (std::int64_t k = 0; k < many.count(); ++k)
        data[k] = float(k % 1000) / 8;
    data[777'777] = -3;
    const Statistics s = statisticsOf(Elements(many));
    QCOMPARE(s.finite->smallestAt, 777'777);
    QCOMPARE(s.finite->largestAt, 999); // the first of many
    QCOMPARE(s.zeros, 1000);
    const Histogram h = histogramOf(Elements(many), {.bins = 1000});
    QCOMPARE(total(h), many.count());
    QCOMPARE(h.counts.front(), 1);
}

void TestFigures::histogramsHoldEveryElement() {
    const Histogram h =
        histogramOf(Elements(tensorOf(DType::Float32, {6}, {0, 0.24, 0.25, 0.5, 0.75, 1})), {.bins = 4});
    QCOMPARE(h.low, 0.0);
    QCOMPARE(h.high, 1.0);
    QCOMPARE(h.counts, (std::vector<std::int64_t>{2, 1, 1, 2})); // the last holds its end
    const Histogram same = histogramOf(Elements(tensorOf(DType::Float32, {3}, {2, 2, 2})), {.bins = 4});
    QCOMPARE(same.counts, (std::vector<std::int64_t>{3}));
}

void TestFigures::wholeNumbersHaveBinsOfTheirOwn() {
    const Histogram h = histogramOf(Elements(tensorOf(DType::Int32, {5}, {3, 5, 5, 4, 3})), {.bins = 64});
    QCOMPARE(h.low, 2.5);
    QCOMPARE(h.high, 5.5);
    QCOMPARE(h.counts, (std::vector<std::int64_t>{2, 1, 2}));
    QCOMPARE(histogramOf(Elements(tensorOf(DType::Int32, {2}, {0, 1000})), {.bins = 64}).counts.size(), 64u);
}

void TestFigures::histogramsOfARangeSayWhatIsOutside() {
    const Elements elements(tensorOf(DType::Float32, {6}, {-9, 0, 1, 2, 50, noEnd}));
    const Histogram h = histogramOf(elements, {.bins = 2, .low = 0.0, .high = 2.0});
    QCOMPARE(h.below, 1);
    QCOMPARE(h.above, 1);
    QCOMPARE(h.notFinite, 1);
    QCOMPARE(h.counts, (std::vector<std::int64_t>{1, 2}));
    QCOMPARE(histogramOf(elements, {.bins = 2, .low = 2.0, .high = 0.0}).counts, h.counts); // the other way round
    QCOMPARE(histogramOf(elements, {.bins = 1 << 30}).counts.size(), std::size_t(HistogramRequest::mostBins));
}

void TestFigures::hugeRangesHaveBins() {
    const double most = std::numeric_limits<double>::max();
    const Histogram h = histogramOf(Elements(tensorOf(DType::Float64, {3}, {-most, 0, most})), {.bins = 3});
    QCOMPARE(h.counts, (std::vector<std::int64_t>{1, 1, 1}));
}

void TestFigures::differencesOfIntegersAreExact() {
    Tensor got(DType::Int64, {2}), expected(DType::Int64, {2});
    const std::int64_t big = (std::int64_t(1) << 53) + 1; // no double
    got.data<std::int64_t>()[0] = big;
    expected.data<std::int64_t>()[0] = big - 1;
    const Elements difference(got, expected);
    QCOMPARE(difference.at(0), 1.0);
    QCOMPARE(difference.integerAt(0), 1);
    QCOMPARE(Elements(got).integerAt(0), big);
    QCOMPARE(difference.dtype(), DType::Int64);
    const Elements equal(tensorOf(DType::Float32, {3}, {noNumber, noEnd, 1}),
                         tensorOf(DType::Float64, {3}, {noNumber, noEnd, 0.5}));
    QCOMPARE(equal.at(0), 0.0);
    QCOMPARE(equal.at(1), 0.0);
    QCOMPARE(equal.at(2), 0.5);
    QCOMPARE(equal.dtype(), DType::Float64);
}

void TestFigures::theWorstComeFirst() {
    const Tensor expected = tensorOf(DType::Float64, {8}, {1, 1, 1, 1, 1, 1, 1, noEnd});
    const Tensor got = tensorOf(DType::Float32, {8}, {1, 2, noNumber, 1.5, noEnd, 1, 9, 1});
    const WrongElements w = wrongElements(got, expected, DType::Float32, {}, 4);
    QCOMPARE(w.elements, 8);
    QCOMPARE(w.wrong, 6);
    std::vector<std::int64_t> order;
    for (const WrongElement& e : w.worst)
        order.push_back(e.element);
    QCOMPARE(order, (std::vector<std::int64_t>{2, 4, 7, 6}));
    QCOMPARE(w.worst[3].got, 9.0);
    QCOMPARE(w.worst[3].expected, 1.0);
    // Whole numbers by their distance.
    const WrongElements whole = wrongElements(tensorOf(DType::Int64, {4}, {1, 5, 2, 9}),
                                              tensorOf(DType::Int64, {4}, {1, 1, 1, 1}), DType::Int64, {}, 9);
    QCOMPARE(whole.wrong, 3);
    QCOMPARE(whole.worst.front().element, 3);
    QCOMPARE(whole.worst.back().element, 2);
    // However many there are, the list is short.
    Tensor bad(DType::Float32, {300'000}), zero(DType::Float64, {300'000});
    for (std::int64_t k = 0; k < bad.count(); ++k)
        bad.data<float>()[k] = float(k + 1);
    const WrongElements many = wrongElements(bad, zero, DType::Float32, {}, 3);
    QCOMPARE(many.wrong, 300'000);
    QCOMPARE(many.worst.size(), 3u);
    QCOMPARE(many.worst.front().element, 299'999);
    QCOMPARE(many.worst.back().element, 299'997);
}

void TestFigures::wrongIsWhatTheComparisonSays() {
    Tensor expected(DType::Float64, {64, 64}), got(DType::Float32, {64, 64});
    for (std::int64_t k = 0; k < got.count(); ++k) {
        const double value = std::sin(double(k));
        expected.set(k, value);
        got.set(k, value + (k % 3 ? 0 : 1e-5 * double(k)));
    }
    const verify::Comparison comparison = verify::compare(tensor::Value(got), tensor::Value(expected), {}, {});
    const WrongElements w = wrongElements(got, expected, DType::Float64, {}, 1);
    QVERIFY(comparison.beyondLegacy > 0);
    QCOMPARE(w.wrong, comparison.beyondLegacy);
}

KERNELARIUM_TEST(TestFigures);
#include "TestFigures.moc"
