// SPDX-License-Identifier: GPL-3.0-or-later
//
// Colours, cells and keys of the picture of a slice.
#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "ui/tensors/HistogramPlot.h"
#include "ui/tensors/TensorPicture.h"
#include "ui/tensors/TensorWords.h"

#include <QSignalSpy>
#include <QtTest>
#include <cmath>
#include <limits>

namespace kernelarium::ui {

namespace {

std::shared_ptr<const tensorview::Slice> pictured(std::int64_t rows, std::int64_t columns, std::vector<double> values) {
    tensorview::Slice slice;
    slice.rowDim = 0;
    slice.columnDim = 1;
    slice.at = {0, 0};
    slice.rows = slice.elementRows = rows;
    slice.columns = slice.elementColumns = columns;
    slice.values = std::move(values);
    return std::make_shared<const tensorview::Slice>(std::move(slice));
}

} // namespace

class TestTensorPicture : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void coloursSayTheValue();
    void keysWalkAndActivate();
    void joinedCellsSayWhatTheyStandFor();
    void outlinesAreOfTheSlice();
    void strangeSlicesAreDrawn_data();
    void strangeSlicesAreDrawn();
    void histogramsOfAnyRangeAreDrawn();
    void valuesInWords();
};

void TestTensorPicture::coloursSayTheValue() {
    for (const Theme::Choice choice : {Theme::Choice::light, Theme::Choice::dark}) {
        Theme theme;
        theme.setChoice(choice);
        TensorPicture picture(theme);
        picture.setSlice(pictured(1, 3, {-2, 0, 4}), {}, false);
        QVERIFY(picture.colour(-2) != picture.colour(2));
        QVERIFY(picture.colour(0) != picture.colour(4));
        const QColor noNumber = picture.colour(std::nan("")), infinity = picture.colour(INFINITY);
        QVERIFY(noNumber != infinity);
        for (const double value : {-4.0, -2.0, 0.0, 4.0})
            QVERIFY(picture.colour(value) != noNumber && picture.colour(value) != infinity);
        picture.setSlice(pictured(1, 3, {1, 2, 3}), {}, false); // one sign: from the least to the most
        QVERIFY(picture.colour(1) != picture.colour(2) && picture.colour(2) != picture.colour(3));
        picture.setSlice(pictured(1, 2, {7, 7}), {}, false);
        QVERIFY(picture.colour(7).isValid());
    }
}

void TestTensorPicture::keysWalkAndActivate() {
    Theme theme;
    TensorPicture picture(theme);
    picture.resize(400, 300);
    picture.show();
    picture.setSlice(pictured(2, 3, {0, 1, 2, 3, 4, 5}), {}, false);
    QSignalSpy activated(&picture, &TensorPicture::elementActivated);
    QTest::keyClick(&picture, Qt::Key_Return); // nowhere
    QCOMPARE(activated.size(), 0);
    for (const Qt::Key key : {Qt::Key_Right, Qt::Key_Right, Qt::Key_Down, Qt::Key_Down})
        QTest::keyClick(&picture, key);
    QCOMPARE(picture.current(), QPoint(1, 1));
    QVERIFY(picture.accessibleDescription().contains(QStringLiteral("[1, 1]")));
    QTest::keyClick(&picture, Qt::Key_Return);
    QCOMPARE(activated.size(), 1);
    QCOMPARE(activated[0][0].value<tensor::Shape>(), (tensor::Shape{1, 1}));
    QTest::mouseClick(&picture, Qt::LeftButton, {}, picture.cellRect({2, 0}).center().toPoint());
    QCOMPARE(activated.size(), 2);
    QCOMPARE(activated[1][0].value<tensor::Shape>(), (tensor::Shape{0, 2}));
    QTest::keyClick(&picture, Qt::Key_Escape);
    QCOMPARE(picture.current(), QPoint(-1, -1));
}

void TestTensorPicture::joinedCellsSayWhatTheyStandFor() {
    Theme theme;
    TensorPicture picture(theme);
    tensorview::Slice slice = *pictured(2, 2, {1, 2, 3, 4});
    slice.rowStep = 3;
    slice.columnStep = 2;
    slice.elementRows = 5;
    slice.elementColumns = 3;
    picture.setSlice(std::make_shared<const tensorview::Slice>(slice), {}, false);
    QVERIFY(picture.recordOf({0, 0}).plain().contains(QStringLiteral("0–2")));
    QVERIFY(picture.recordOf({0, 0}).explanation.contains(QStringLiteral("mean of 6")));
    QVERIFY(picture.recordOf({1, 1}).explanation.contains(QStringLiteral("2"))); // the last cells have fewer
    QVERIFY(picture.recordOf({1, 1}).plain().contains(QStringLiteral("3–4")));
}

void TestTensorPicture::outlinesAreOfTheSlice() {
    Theme theme;
    TensorPicture picture(theme);
    picture.setSlice(pictured(2, 2, {1, 2, 3, 4}), {}, false);
    picture.setOutlined({{0, 1}, {1, 1}, {1, 1}, {5, 0}, {0}, {0, 0, 0}});
    QCOMPARE(picture.outlinedCells(), 2);
    picture.setSlice(pictured(2, 2, {1, 2, 3, 4}), {}, false);
    QCOMPARE(picture.outlinedCells(), 0);
}

void TestTensorPicture::strangeSlicesAreDrawn_data() {
    QTest::addColumn<std::int64_t>("rows");
    QTest::addColumn<std::int64_t>("columns");
    QTest::addColumn<std::vector<double>>("values");
    using V = std::vector<double>;
    const double noNumber = std::nan("");
    QTest::newRow("nothing") << std::int64_t(0) << std::int64_t(0) << V{};
    QTest::newRow("one") << std::int64_t(1) << std::int64_t(1) << V{3};
    QTest::newRow("no numbers") << std::int64_t(1) << std::int64_t(2) << V{noNumber, -INFINITY};
    QTest::newRow("huge") << std::int64_t(1) << std::int64_t(2)
                          << V{std::numeric_limits<double>::max(), -std::numeric_limits<double>::max()};
    QTest::newRow("long") << std::int64_t(1) << std::int64_t(256) << V(256, 1.5);
    QTest::newRow("high") << std::int64_t(256) << std::int64_t(1) << V(256, -1.5);
}

void TestTensorPicture::strangeSlicesAreDrawn() {
    QFETCH(std::int64_t, rows);
    QFETCH(std::int64_t, columns);
    QFETCH(std::vector<double>, values);
    Theme theme;
    TensorPicture picture(theme);
    picture.setSlice(pictured(rows, columns, values), QStringLiteral("slice"), false);
    for (const QSize size : {QSize(400, 300), QSize(160, 96), QSize(12, 9)}) {
        picture.resize(size);
        QVERIFY(!picture.grab().isNull());
    }
    test::keepPicture(picture, QStringLiteral("tensor_picture_") + QLatin1String(QTest::currentDataTag()));
}

void TestTensorPicture::histogramsOfAnyRangeAreDrawn() {
    Theme theme;
    HistogramPlot plot(theme);
    plot.resize(500, 300);
    plot.show();
    QVERIFY(plot.isEmpty());
    const double most = std::numeric_limits<double>::max();
    for (const tensorview::Histogram& h :
         {tensorview::Histogram{0, 1, {1, 2, 300'000'000}, 0, 0, 5}, tensorview::Histogram{2, 2, {7}, 0, 0, 0},
          tensorview::Histogram{-most / 4, most / 4, {1, 0, 1}, 0, 0, 0}}) {
        plot.setHistogram(h, QStringLiteral("Output 0"));
        QVERIFY(!plot.isEmpty());
        QVERIFY(!plot.grab().isNull());
        QVERIFY(plot.numbers().count(QLatin1Char('\n')) == int(h.counts.size()) + 1);
        QVERIFY(!plot.recordOf(0).isEmpty());
        QVERIFY(plot.svg({400, 300}, lightPalette()).contains(QStringLiteral("<svg")));
    }
    plot.setHistogram(tensorview::Histogram{0, 0, {}, 0, 0, 9});
    QVERIFY(plot.isEmpty());
}

void TestTensorPicture::valuesInWords() {
    QCOMPARE(elementText(std::nan("")), QStringLiteral("NaN"));
    QCOMPARE(elementText(-INFINITY), QStringLiteral("−∞"));
    QCOMPARE(elementText(0.1f), QStringLiteral("0.1"));
    QCOMPARE(elementText(1234567), QStringLiteral("1.23457e+06"));
    QCOMPARE(elementText(-1234567, tensor::DType::Int32), QStringLiteral("-1234567"));
    QCOMPARE(elementText(0.5, tensor::DType::Int32), QStringLiteral("0.5")); // a mean
    QCOMPARE(elementText(1e300, tensor::DType::Int64), QStringLiteral("1e+300"));
    QCOMPARE(indexText({}), QStringLiteral("[]"));
    tensorview::Story story;
    story.index = {1, 2};
    story.value = 3;
    QVERIFY(storyText(story).contains(QStringLiteral("Nobody ever wrote it")));
    story.writer.kind = verify::WriterInfo::Kind::call;
    story.writer.call = "argument";
    QVERIFY(storyText(story).contains(QStringLiteral("as it came in")));
}

KERNELARIUM_TEST(TestTensorPicture);

} // namespace kernelarium::ui

#include "TestTensorPicture.moc"
