// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestErrorMap.h"

#include "core/verify/ErrorMap.h"
#include "core/verify/VerdictJson.h"
#include "core/verify/Verifier.h"
#include "tests/TestRegistry.h"
#include "tests/verify/FakeRunner.h"

#include <QtTest>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

using namespace kernelarium;
using namespace kernelarium::verify;
using tensor::DType;
using tensor::Shape;
using tensor::Tensor;

namespace {

Tensor ones(DType type, const Shape& shape) {
    Tensor t(type, shape);
    for (std::int64_t i = 0; i < t.count(); ++i)
        t.set(i, 1);
    return t;
}

ErrorMap mapOf(const Tensor& got, const Tensor& reference) {
    return errorMap(tensor::Value(got), tensor::Value(reference), 0, {got.dtype()}, Tolerance{});
}

std::size_t wrongCells(const ErrorMap& map) {
    return std::size_t(
        std::count_if(map.worst.begin(), map.worst.end(), [](float w) { return std::isnan(w) || w > 1; }));
}

} // namespace

void TestErrorMap::cellsCoverTheOutput_data() {
    QTest::addColumn<QList<int>>("shape");
    QTest::addColumn<int>("rows");
    QTest::addColumn<int>("columns");
    QTest::newRow("scalar") << QList<int>{} << 1 << 1;
    QTest::newRow("row") << QList<int>{5} << 1 << 5;
    QTest::newRow("matrix") << QList<int>{64, 64} << 64 << 64;
    QTest::newRow("one more than fits") << QList<int>{65, 129} << 33 << 43;
    QTest::newRow("folded rows") << QList<int>{2, 3, 4} << 6 << 4;
    QTest::newRow("empty") << QList<int>{0, 4} << 0 << 4;
}

void TestErrorMap::cellsCoverTheOutput() {
    QFETCH(QList<int>, shape);
    QFETCH(int, rows);
    QFETCH(int, columns);
    const Tensor reference = ones(DType::Float64, Shape(shape.begin(), shape.end()));
    const ErrorMap map = mapOf(ones(DType::Float32, reference.shape()), reference);
    QCOMPARE(map.rows, rows);
    QCOMPARE(map.columns, columns);
    QCOMPARE(map.worst.size(), std::size_t(rows * columns));
    QVERIFY(map.cellSize[0] * map.rows >= map.matrixRows());
    QVERIFY(map.cellSize[1] * map.columns >= map.matrixColumns());
    QCOMPARE(wrongCells(map), std::size_t(0));
}

void TestErrorMap::oneWrongElementMarksItsCell() {
    const Tensor reference = ones(DType::Float64, {130, 200});
    Tensor got = ones(DType::Float32, {130, 200});
    got.set(129 * 200 + 150, 1.1); // scale and value are 1: 0.1 of an allowance of 0.01 * 2
    const ErrorMap map = mapOf(got, reference);
    QCOMPARE(map.cellSize[0], std::int64_t(3));
    QCOMPARE(map.cellSize[1], std::int64_t(4));
    QCOMPARE(wrongCells(map), std::size_t(1));
    QVERIFY(std::abs(map.at(129 / 3, 150 / 4) - 5.0F) < 1e-3F);
}

void TestErrorMap::nanIsWorseThanAnyError() {
    const Tensor reference = ones(DType::Float64, {2, 256});
    Tensor got = ones(DType::Float32, {2, 256});
    got.set(0, std::numeric_limits<double>::quiet_NaN());
    got.set(1, 100);
    got.set(256, std::numeric_limits<double>::infinity());
    const ErrorMap map = mapOf(got, reference);
    QVERIFY(std::isnan(map.at(0, 0)));
    QVERIFY(std::isinf(map.at(1, 0)));
    QCOMPARE(wrongCells(map), std::size_t(2));
}

void TestErrorMap::wholeNumbersAreRightOrInfinitelyWrong() {
    const Tensor reference = ones(DType::Int64, {4});
    Tensor got = ones(DType::Int64, {4});
    got.set(2, 2);
    const ErrorMap map = mapOf(got, reference);
    QCOMPARE(map.at(0, 1), 0.0F);
    QVERIFY(std::isinf(map.at(0, 2)));
}

void TestErrorMap::itAgreesWithTheComparison() {
    Tensor reference(DType::Float64, {40, 40});
    Tensor got(DType::Float32, {40, 40});
    for (std::int64_t i = 0; i < reference.count(); ++i) {
        reference.set(i, std::sin(double(i)));
        got.set(i, std::sin(double(i)) + (i % 7 == 0 ? 0.03 * std::cos(double(i)) : 0));
    }
    const Comparison comparison = compare(tensor::Value(got), tensor::Value(reference), {DType::Float32}, Tolerance{});
    QVERIFY(comparison.beyondLegacy > 0);
    // A cell is an element here.
    QCOMPARE(wrongCells(mapOf(got, reference)), std::size_t(comparison.beyondLegacy));
}

void TestErrorMap::theVerdictCarriesItThroughJson() {
    Verdict verdict;
    QVERIFY(toJson(verdict)["error_map"].is_null());
    Tensor got = ones(DType::Float32, {8, 3});
    got.set(3, std::numeric_limits<double>::quiet_NaN());
    got.set(4, std::numeric_limits<double>::infinity());
    verdict.errorMap = mapOf(got, ones(DType::Float64, {8, 3}));
    const auto again = verdictFromJson(nlohmann::json::parse(toJson(verdict).dump()));
    QVERIFY(again.ok());
    QVERIFY(again->errorMap.has_value());
    QCOMPARE(again->errorMap->shapeText(), std::string("[8, 3]"));
    QVERIFY(std::isnan(again->errorMap->at(1, 0)));
    QVERIFY(std::isinf(again->errorMap->at(1, 1)));
    QCOMPARE(toJson(*again), toJson(verdict));
}

void TestErrorMap::damagedMapsAreRefused() {
    Verdict verdict;
    verdict.errorMap = mapOf(ones(DType::Float32, {8, 3}), ones(DType::Float64, {8, 3}));
    nlohmann::json j = toJson(verdict);
    j["error_map"]["rows"] = 9;
    QVERIFY(!verdictFromJson(j).ok());
    j["error_map"]["rows"] = -1;
    QVERIFY(!verdictFromJson(j).ok());
}

KERNELARIUM_TEST(TestErrorMap);
