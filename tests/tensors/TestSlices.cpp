// SPDX-License-Identifier: GPL-3.0-or-later
//
// What of a tensor is seen, and how it is asked for.
#include "core/tensorview/Slice.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <cmath>
#include <limits>

using namespace kernelarium;
using namespace kernelarium::tensorview;
using tensor::DType;
using tensor::Shape;
using tensor::Tensor;

namespace {

/// Every element is its row-major number.
Tensor counted(const Shape& shape, DType type = DType::Float64) {
    Tensor t(type, shape);
    for (std::int64_t k = 0; k < t.count(); ++k)
        t.set(k, double(k));
    return t;
}

Slice sliced(const Tensor& t, const std::string& text, std::int64_t cells = 64) {
    Result<SliceRequest> request = parseSlice(text, t.shape());
    if (!request) {
        QTest::qFail(request.error().text().c_str(), __FILE__, __LINE__);
        return {};
    }
    request->mostRows = request->mostColumns = cells;
    Result<Slice> slice = sliceOf(Elements(t), *request);
    if (!slice) QTest::qFail(slice.error().text().c_str(), __FILE__, __LINE__);
    return slice ? *slice : Slice();
}

} // namespace

class TestSlices : public QObject {
    Q_OBJECT
private slots:
    void slicesAreWhatPythonWouldGive_data();
    void slicesAreWhatPythonWouldGive();
    void badSlicesAreRefused_data();
    void badSlicesAreRefused();
    void badRequestsAreRefused();
    void anyTwoDimensionsAreSeen();
    void manyElementsAreJoined();
    void notFiniteCellsAreSeen();
    void integersStayExact();
    void nothingHasNoCells();
    void longSlicesAreReadInParts();
};

void TestSlices::slicesAreWhatPythonWouldGive_data() {
    QTest::addColumn<Shape>("shape");
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("shown");
    QTest::addColumn<std::vector<double>>("values");
    using V = std::vector<double>;
    QTest::newRow("scalar") << Shape{} << ""
                            << "[]" << V{0};
    QTest::newRow("scalar in brackets") << Shape{} << "[]"
                                        << "[]" << V{0};
    QTest::newRow("vector") << Shape{4} << ""
                            << "[:]" << V{0, 1, 2, 3};
    QTest::newRow("part of a vector") << Shape{4} << "1:3"
                                      << "[1:3]" << V{1, 2};
    QTest::newRow("element") << Shape{4} << "-1"
                             << "[3:4]" << V{3};
    QTest::newRow("matrix") << Shape{2, 3} << ""
                            << "[:, :]" << V{0, 1, 2, 3, 4, 5};
    QTest::newRow("row") << Shape{2, 3} << "1"
                         << "[1, :]" << V{3, 4, 5};
    QTest::newRow("column") << Shape{2, 3} << ":, 2"
                            << "[:, 2]" << V{2, 5};
    QTest::newRow("from the end") << Shape{2, 3} << "[:, -2:]"
                                  << "[:, 1:3]" << V{1, 2, 4, 5};
    QTest::newRow("beyond the end") << Shape{2, 3} << "0:99, :1"
                                    << "[:, 0:1]" << V{0, 3};
    QTest::newRow("first of many") << Shape{2, 2, 2} << ""
                                   << "[0, :, :]" << V{0, 1, 2, 3};
    QTest::newRow("of five") << Shape{2, 1, 2, 1, 3} << "1, 0, :, 0, 1:"
                             << "[1, 0, :, 0, 1:3]" << V{7, 8, 10, 11};
    QTest::newRow("outer two") << Shape{2, 2, 2} << ":, :"
                               << "[:, :, 0]" << V{0, 2, 4, 6};
    QTest::newRow("one element") << Shape{2, 3} << "1, 1"
                                 << "[1, 1:2]" << V{4};
}

void TestSlices::slicesAreWhatPythonWouldGive() {
    QFETCH(Shape, shape);
    QFETCH(QString, text);
    QFETCH(QString, shown);
    QFETCH(std::vector<double>, values);
    const Slice slice = sliced(counted(shape), text.toStdString());
    QCOMPARE(QString::fromStdString(toString(slice, shape)), shown);
    QCOMPARE(slice.values, values);
    QCOMPARE(slice.rowStep, 1);
    for (std::int64_t r = 0; r < slice.rows; ++r)
        for (std::int64_t c = 0; c < slice.columns; ++c)
            QCOMPARE(double(elementAt(slice.indexOf(r, c), shape)), slice.value(r, c));
}

void TestSlices::badSlicesAreRefused_data() {
    QTest::addColumn<QString>("text");
    QTest::addColumn<QString>("why");
    QTest::newRow("too many") << "0, 0, 0, 0"
                              << "4 indexes";
    QTest::newRow("three ranges") << ":, :, :"
                                  << "more than two ranges";
    QTest::newRow("no index") << "2"
                              << "dimension 0 has no index 2";
    QTest::newRow("no index from the end") << "-3"
                                           << "dimension 0 has no index -3";
    QTest::newRow("word") << "x"
                          << "neither an index nor a range";
    QTest::newRow("nothing") << "0,,1"
                             << "neither an index nor a range";
    QTest::newRow("step") << "::2"
                          << "neither an index nor a range";
    QTest::newRow("empty range") << "0, 1:1, :"
                                 << "a range is empty";
    QTest::newRow("beyond 64 bits") << "99999999999999999999"
                                    << "neither an index nor a range";
}

void TestSlices::badSlicesAreRefused() {
    QFETCH(QString, text);
    QFETCH(QString, why);
    const Result<SliceRequest> request = parseSlice(text.toStdString(), {2, 3, 4});
    QVERIFY(!request);
    QCOMPARE(request.error().code, std::string("bad_input"));
    QVERIFY2(QString::fromStdString(request.error().message).contains(why), request.error().message.c_str());
}

void TestSlices::badRequestsAreRefused() {
    const Elements elements(counted({2, 3, 4}));
    const auto refused = [&](const SliceRequest& request) { return !sliceOf(elements, request).ok(); };
    QVERIFY(!refused({}));
    QVERIFY(refused({.at = {2, 0, 0}}));
    QVERIFY(refused({.at = {-1, 0, 0}}));
    QVERIFY(refused({.rowDim = 3, .columnDim = 2}));
    QVERIFY(refused({.rowDim = 2, .columnDim = 2}));
    QVERIFY(refused({.firstRow = 3}));
    QVERIFY(refused({.firstRow = -1}));
    QVERIFY(refused({.firstColumn = 1, .columns = 4}));
    QVERIFY(refused({.firstColumn = 1, .columns = std::numeric_limits<std::int64_t>::max()}));
    QVERIFY(refused({.mostRows = 1000, .mostColumns = 1000}));
    QVERIFY(refused({.mostRows = 0}));
    QVERIFY(!refused({.at = {1, 0, 0, 5, 6}})); // of other dimensions, which it does not have
}

void TestSlices::anyTwoDimensionsAreSeen() {
    const Tensor t = counted({2, 3, 4});
    const Result<Slice> slice = sliceOf(Elements(t), {.at = {0, 2, 0}, .rowDim = 2, .columnDim = 0});
    QVERIFY(slice.ok());
    QCOMPARE(slice->rows, 4);
    QCOMPARE(slice->columns, 2);
    QCOMPARE(slice->values, (std::vector<double>{8, 20, 9, 21, 10, 22, 11, 23}));
    QCOMPARE(slice->indexOf(1, 1), (Shape{1, 2, 1}));
}

void TestSlices::manyElementsAreJoined() {
    const Tensor t = counted({5, 7});
    const Slice mean = sliced(t, "", 2);
    QCOMPARE(mean.rowStep, 3);
    QCOMPARE(mean.columnStep, 4);
    QCOMPARE(mean.rows, 2);
    QCOMPARE(mean.columns, 2);
    QCOMPARE(mean.value(0, 0), 8.5);        // rows 0 to 2, columns 0 to 3
    QCOMPARE(mean.value(1, 1), 29.5 - 0.0); // rows 3 and 4, columns 4 to 6
    const Result<Slice> largest = sliceOf(Elements(t), {.mostRows = 2, .mostColumns = 2, .join = Join::largest});
    QVERIFY(largest.ok());
    QCOMPARE(largest->values, (std::vector<double>{17, 20, 31, 34}));
    QCOMPARE(largest->indexOf(1, 1), (Shape{3, 4}));
}

void TestSlices::notFiniteCellsAreSeen() {
    Tensor t = counted({4, 4}, DType::Float32);
    t.set(0, std::numeric_limits<double>::infinity());
    t.set(1, std::nan(""));
    t.set(10, -std::numeric_limits<double>::infinity());
    const Slice slice = sliced(t, "", 2);
    QVERIFY(std::isnan(slice.value(0, 0)));
    QVERIFY(std::isfinite(slice.value(0, 1)));
    QCOMPARE(slice.value(1, 1), -std::numeric_limits<double>::infinity());
}

void TestSlices::integersStayExact() {
    Tensor t(DType::Int64, {2, 2});
    t.data<std::int64_t>()[3] = std::numeric_limits<std::int64_t>::max();
    const Slice slice = sliced(t, "");
    QCOMPARE(slice.exact, (std::vector<std::int64_t>{0, 0, 0, std::numeric_limits<std::int64_t>::max()}));
    QVERIFY(sliced(t, "", 1).exact.empty()); // joined
    QVERIFY(sliced(counted({2}), "").exact.empty());
}

void TestSlices::nothingHasNoCells() {
    for (const Shape& shape : {Shape{0}, Shape{0, 5}, Shape{5, 0}, Shape{0, 3, 4}, Shape{3, 0, 4}}) {
        const Slice slice = sliced(Tensor(DType::Float32, shape), "");
        QVERIFY(slice.values.empty());
        QCOMPARE(slice.rows * slice.columns, 0);
    }
}

void TestSlices::longSlicesAreReadInParts() {
    const Tensor t = counted({300, 2000});
    const Result<Slice> slice = sliceOf(Elements(t), {.mostRows = 100, .mostColumns = 20});
    QVERIFY(slice.ok());
    QCOMPARE(slice->rows, 100);
    QCOMPARE(slice->columns, 20);
    for (std::int64_t r = 0; r < 100; ++r)
        for (std::int64_t c = 0; c < 20; ++c)
            QCOMPARE(slice->value(r, c), double(r * 3 + 1) * 2000 + double(c) * 100 + 49.5);
}

KERNELARIUM_TEST(TestSlices);
#include "TestSlices.moc"
