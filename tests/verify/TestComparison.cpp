// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestComparison.h"

#include "core/verify/Comparison.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace kernelarium;
using namespace kernelarium::verify;
using tensor::DType;
using tensor::Tensor;

namespace {
const double notANumber = std::numeric_limits<double>::quiet_NaN();
const double infinity = std::numeric_limits<double>::infinity();

Tensor make(DType type, tensor::Shape shape, std::vector<double> values) {
    Tensor t(type, std::move(shape));
    for (std::int64_t i = 0; i < t.count(); ++i)
        t.set(i, values[std::size_t(i)]);
    return t;
}
Comparison judge(std::vector<double> got, std::vector<double> expected, DType type = DType::Float32) {
    const auto n = std::int64_t(got.size());
    return compare(make(type, {n}, got), make(DType::Float64, {n}, expected), {type}, Tolerance{});
}
} // namespace

void TestComparison::equalIsRight() {
    const Comparison c = judge({1, -2, 3}, {1, -2, 3});
    QVERIFY(c.right() && c.rightStrictly());
    QCOMPARE(c.maxAbsoluteError, 0.0);
    QVERIFY(!c.firstBeyondStrict);
}

void TestComparison::toleranceScalesWithTheReference() {
    // RMS 100: an error of 0.5 is 0.5%: legacy but not strict, even at an element that is zero.
    Comparison c = judge({100, -100, 100, 0.5}, {100, -100, 100, 0});
    QVERIFY(c.right());
    QVERIFY(!c.rightStrictly());
    // The same error on numbers around 1 is wrong, and 1e-3 on numbers around 1e-3 is too.
    QVERIFY(!judge({1, -1, 1, 0.5}, {1, -1, 1, 0}).right());
    QVERIFY(!judge({2e-3, 1e-3}, {1e-3, 1e-3}).right());
    // A reference that is zero by construction leaves room for float32's last bits only.
    QVERIFY(judge({1e-9, -2e-9}, {0, 0}).rightStrictly());
    QVERIFY(!judge({1e-5, 0}, {0, 0}).right());
}

void TestComparison::firstMismatchIsNamed() {
    const Tensor expected = make(DType::Float64, {2, 3}, {1, 2, 3, 4, 5, 6});
    const Tensor got = make(DType::Float32, {2, 3}, {1, 2, 3, 4, 9, 0});
    const Comparison c = compare(got, expected, {DType::Float32}, Tolerance{});
    QCOMPARE(c.beyondLegacy, 2);
    QCOMPARE(c.firstBeyondLegacy->index, (tensor::Shape{1, 1}));
    QCOMPARE(c.firstBeyondLegacy->expected, 5.0);
    QCOMPARE(c.firstBeyondLegacy->got, 9.0);
}

void TestComparison::nanNeverPassesWhereTheReferenceHasNone() {
    const Comparison c = judge({1, notANumber, 3}, {1, 2, 3});
    QVERIFY(!c.right());
    QCOMPARE(c.unexpectedNan, 1);
    QVERIFY(judge({1, notANumber}, {1, notANumber}).rightStrictly());
    QVERIFY(!judge({1, 2}, {1, notANumber}).right());
    QVERIFY(!judge({notANumber, 1}, {infinity, 1}).right());
}

void TestComparison::infinitiesMustMatch() {
    QVERIFY(judge({infinity, 1}, {infinity, 1}).rightStrictly());
    QVERIFY(!judge({infinity, 1}, {-infinity, 1}).right());
    QVERIFY(!judge({infinity, 1}, {5, 1}).right());
    QVERIFY(!judge({5, 1}, {infinity, 1}).right());
}

void TestComparison::overflowOfTheOutputTypeIsRight() {
    QVERIFY(judge({infinity, 1}, {1e39, 1}, DType::Float32).right());
    QVERIFY(!judge({-infinity, 1}, {1e39, 1}, DType::Float32).right());
    const Tensor half = make(DType::Float16, {2}, {infinity, 1}), expected = make(DType::Float64, {2}, {1e5, 1});
    QVERIFY(compare(half, expected, {DType::Float16}, Tolerance{}).right());
    // What the task declares holds 1e5, whatever the kernel returns it in.
    QVERIFY(!compare(half, expected, {DType::Float32}, Tolerance{}).right());
}

void TestComparison::wholeNumbersMustBeEqual() {
    const Tensor expected = make(DType::Int64, {3}, {1000000, 2, 3});
    QVERIFY(compare(expected, expected, {DType::Int64}, Tolerance{}).right());
    const Comparison c = compare(make(DType::Int64, {3}, {1000001, 2, 3}), expected, {DType::Int64}, Tolerance{});
    QCOMPARE(c.beyondLegacy, 1);
}

void TestComparison::unitDimensionsAreARemark() {
    const Comparison c =
        compare(make(DType::Float32, {1}, {4}), make(DType::Float64, {}, {4}), {DType::Float32}, Tolerance{});
    QVERIFY(c.right());
    QVERIFY(c.unitDimensions);
}

void TestComparison::otherShapesAreWrong() {
    const Comparison c = compare(make(DType::Float32, {2, 3}, {1, 2, 3, 4, 5, 6}),
                                 make(DType::Float64, {3, 2}, {1, 2, 3, 4, 5, 6}), {}, Tolerance{});
    QVERIFY(!c.right());
    QVERIFY(c.structureError.find("[2, 3]") != std::string::npos);
    const tensor::List two = {make(DType::Float32, {1}, {1}), make(DType::Float32, {1}, {1})};
    QVERIFY(!compare(two, make(DType::Float64, {1}, {1}), {}, Tolerance{}).right());
    const tensor::List one = {make(DType::Float32, {1}, {1})};
    QVERIFY(!compare(one, make(DType::Float64, {1}, {1}), {}, Tolerance{}).right());
    QVERIFY(compare(one, tensor::List{make(DType::Float64, {1}, {1})}, {}, Tolerance{}).right());
}

void TestComparison::typesAreCompared() {
    const Tensor expected = make(DType::Float64, {2}, {1, 2});
    const Comparison half = compare(make(DType::Float16, {2}, {1, 2}), expected, {DType::Float32}, Tolerance{});
    QVERIFY(half.right());
    QCOMPARE(half.dtypeRemarks.size(), std::size_t(1));
    const Comparison whole = compare(make(DType::Int32, {2}, {1, 2}), expected, {DType::Float32}, Tolerance{});
    QVERIFY(!whole.right());
}

void TestComparison::statisticsAreThose() {
    const Comparison c = judge({3, 4, 0, 1}, {3, 0, 0, 0});
    QCOMPARE(c.maxAbsoluteError, 4.0);
    QCOMPARE(c.rmsError, std::sqrt(17.0 / 4));
    QCOMPARE(c.referenceRms, 1.5);
    QCOMPARE(c.maxRelativeError, 4.0 / 1.5);
    QCOMPARE(c.mismatchShare(), 0.5);
}

/// Outputs of several chunks, which threads judge: the same first mismatch, counts and figures as one by one.
void TestComparison::largeOutputsAreJudgedInOrder() {
    constexpr std::int64_t rows = 700, columns = 1001;
    Tensor expected(DType::Float64, {rows, columns}), got(DType::Float32, {rows, columns});
    for (std::int64_t i = 0; i < expected.count(); ++i) {
        expected.set(i, double(i % 101) / 50 - 1);
        got.set(i, expected.at(i));
    }
    for (const std::int64_t i : {500'000, 300'123, 650'001, 699'999})
        got.set(i, 9);
    got.set(400'000, notANumber);
    got.set(200'000, expected.at(200'000) + 1e-3);      // strict only
    long double squaredError = 0, squaredReference = 0; // one sum over all loses digits
    for (std::int64_t i = 0; i < got.count(); ++i) {
        const double error = got.at(i) - expected.at(i);
        if (std::isfinite(error)) squaredError += error * error;
        squaredReference += expected.at(i) * expected.at(i);
    }
    const Comparison c = compare(got, expected, {DType::Float32}, Tolerance{});
    QCOMPARE(c.elements, rows * columns);
    QCOMPARE(c.beyondLegacy, 5);
    QCOMPARE(c.beyondStrict, 6);
    QCOMPARE(c.unexpectedNan, 1);
    QCOMPARE(c.firstBeyondLegacy->index, (tensor::Shape{300'123 / columns, 300'123 % columns}));
    QCOMPARE(c.firstBeyondStrict->index, (tensor::Shape{200'000 / columns, 200'000 % columns}));
    QVERIFY(std::abs(c.rmsError / double(std::sqrt(squaredError / got.count())) - 1) < 1e-12);
    const double rms = double(std::sqrt(squaredReference / got.count()));
    QVERIFY2(std::abs(c.referenceRms / rms - 1) < 1e-12, qPrintable(QString::number(c.referenceRms / rms - 1)));
    const Comparison again = compare(got, expected, {DType::Float32}, Tolerance{});
    QCOMPARE(again.rmsError, c.rmsError); // bit for bit, whatever the threads did
    QCOMPARE(again.referenceRms, c.referenceRms);
}

KERNELARIUM_TEST(TestComparison);
