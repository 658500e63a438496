// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_tuning/TuningRoom.h"
#include "ui/tuning/FilterHeader.h"
#include "ui/tuning/ParallelView.h"
#include "ui/tuning/PointFilter.h"
#include "ui/tuning/PointModel.h"
#include "ui/tuning/PointTable.h"
#include "ui/tuning/ScatterPlot.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QLineEdit>
#include <QSignalSpy>
#include <QtTest>

namespace kernelarium::ui {

namespace {

/// The views of a made-up sweep, each in a window of its own.
struct Views {
    explicit Views(std::size_t points)
        : model(theme)
        , filter(model)
        , table(model, filter, theme)
        , parallel(model, theme)
        , scatter(model, filter, theme) {
        model.begin(space, QStringLiteral("modelled on paper"));
        model.add(paperPoints(space, points), 0);
        parallel.refresh();
        scatter.refresh();
        QObject::connect(&parallel, &ParallelView::brushed, &parallel, [this] {
            if (parallel.isBrushed())
                filter.setBrush([this](const PointRow& row) { return parallel.takes(row); });
            else
                filter.setBrush(nullptr);
        });
    }
    static bool show(QWidget& widget, QSize size) {
        widget.resize(size);
        widget.show();
        widget.activateWindow();
        return QTest::qWaitForWindowActive(&widget, longWait);
    }
    /// Those of the model for which something holds.
    template <class Holds> [[nodiscard]] int count(Holds holds) const {
        return int(std::count_if(model.rows().begin(), model.rows().end(), holds));
    }

    Theme theme;
    tuning::Space space = paperSpace();
    PointModel model;
    PointFilter filter;
    PointTable table;
    ParallelView parallel;
    ScatterPlot scatter;
};

class TestTuneViews : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void aMouseBrushes() {
        Views v(600);
        QVERIFY(Views::show(v.parallel, {900, 360}));
        const auto at = [&](int axis, double share) {
            return QPoint(int(v.parallel.axisRect(axis).center().x()), int(v.parallel.positionOf(axis, share)));
        };
        QSignalSpy brushed(&v.parallel, &ParallelView::brushed);
        // BLOCK from 128 to 512: the third to the fifth of six.
        QTest::mousePress(&v.parallel, Qt::LeftButton, {}, at(1, 0.4));
        QTest::mouseMove(&v.parallel, at(1, 0.6));
        QTest::mouseMove(&v.parallel, at(1, 0.8));
        QTest::mouseRelease(&v.parallel, Qt::LeftButton, {}, at(1, 0.8));
        QVERIFY(!brushed.isEmpty());
        QVERIFY(v.parallel.isBrushed());
        QCOMPARE(v.filter.rowCount(),
                 v.count([](const PointRow& row) { return row.point.at[1] >= 2 && row.point.at[1] <= 4; }));
        QVERIFY2(v.parallel.accessibleDescription().contains(QStringLiteral("BLOCK from 128 to 512")),
                 qPrintable(v.parallel.accessibleDescription()));
        // The time's axis as well: what has none is out.
        QTest::mousePress(&v.parallel, Qt::LeftButton, {}, at(4, 0));
        QTest::mouseMove(&v.parallel, at(4, 0.5));
        QTest::mouseRelease(&v.parallel, Qt::LeftButton, {}, at(4, 0.5));
        for (int i = 0; i < v.filter.rowCount(); ++i)
            QVERIFY(v.filter.index(i, v.model.columnOf(PointModel::time)).data(PointModel::numberRole).isValid());
        test::keepPicture(v.parallel, QStringLiteral("tune-parallel"));
        QTest::mouseClick(&v.parallel, Qt::LeftButton, {}, at(4, 0.2));
        QCOMPARE(v.filter.rowCount(),
                 v.count([](const PointRow& row) { return row.point.at[1] >= 2 && row.point.at[1] <= 4; }));
        QTest::mouseDClick(&v.parallel, Qt::LeftButton, {}, at(0, 0.5));
        QVERIFY(!v.parallel.isBrushed());
        QCOMPARE(v.filter.rowCount(), v.model.rowCount());
    }

    void aKeyboardBrushes() {
        Views v(600);
        QVERIFY(Views::show(v.parallel, {900, 360}));
        v.parallel.setFocus();
        QTest::keyClick(&v.parallel, Qt::Key_Up);
        QCOMPARE(v.filter.rowCount(), v.count([](const PointRow& row) { return row.point.at[0] == 0; }));
        QTest::keyClick(&v.parallel, Qt::Key_Up);
        QCOMPARE(v.filter.rowCount(), v.count([](const PointRow& row) { return row.point.at[0] == 1; }));
        QTest::keyClick(&v.parallel, Qt::Key_Up, Qt::ShiftModifier);
        QCOMPARE(v.filter.rowCount(), v.count([](const PointRow& row) { return row.point.at[0] >= 1; }));
        QTest::keyClick(&v.parallel, Qt::Key_Right);
        QTest::keyClick(&v.parallel, Qt::Key_Right);
        QCOMPARE(v.parallel.currentAxis(), 2);
        QTest::keyClick(&v.parallel, Qt::Key_Down); // from above: float4
        QCOMPARE(v.filter.rowCount(),
                 v.count([](const PointRow& row) { return row.point.at[0] >= 1 && row.point.at[2] == 2; }));
        QTest::keyClick(&v.parallel, Qt::Key_Delete);
        QCOMPARE(v.filter.rowCount(), v.count([](const PointRow& row) { return row.point.at[0] >= 1; }));
        QTest::keyClick(&v.parallel, Qt::Key_Escape);
        QCOMPARE(v.filter.rowCount(), v.model.rowCount());
    }

    void everyParameterCanBeBrushedToEachValue() {
        Views v(1500);
        QVERIFY(Views::show(v.parallel, {900, 500}));
        v.parallel.setFocus();
        for (int axis = 0; axis < 4; ++axis) {
            const int values = int(v.model.parameters()[std::size_t(axis)].values.size());
            for (int value = 0; value < values; ++value) {
                QTest::keyClick(&v.parallel, Qt::Key_Up);
                QCOMPARE(v.filter.rowCount(),
                         v.count([&](const PointRow& row) { return int(row.point.at[std::size_t(axis)]) == value; }));
            }
            QTest::keyClick(&v.parallel, Qt::Key_Up); // it ends there
            QTest::keyClick(&v.parallel, Qt::Key_Escape);
            QTest::keyClick(&v.parallel, Qt::Key_Right);
        }
    }

    void theTableIsNarrowedAndTakenAlong() {
        Views v(6000);
        QVERIFY(Views::show(v.table, {1000, 400}));
        QLineEdit* tile = v.table.filters().field(0);
        QVERIFY(tile && tile->isVisible() && !tile->accessibleName().isEmpty());
        tile->setFocus();
        QTest::keyClicks(tile, QStringLiteral("16"));
        QCOMPARE(v.filter.rowCount(), v.count([](const PointRow& row) { return row.point.at[0] == 1; }));
        QLineEdit* verdict = v.table.filters().field(v.model.columnOf(PointModel::verdict));
        verdict->setFocus();
        QTest::keyClicks(verdict, QStringLiteral("verified"));
        QVERIFY(v.filter.rowCount() > 0);
        test::keepPicture(v.table, QStringLiteral("tune-table"));
        QTest::keyClick(verdict, Qt::Key_Down);
        QVERIFY(v.table.hasFocus() && v.table.currentIndex().isValid());
        QTest::keyClick(&v.table, Qt::Key_Down);
        QTest::keyClick(&v.table, Qt::Key_C, Qt::ControlModifier);
        const QString key = QApplication::clipboard()->text();
        QVERIFY2(v.space.pointOf(key.toStdString()).has_value(), qPrintable(key));
        QVERIFY(key.contains(QStringLiteral("TILE=16")));
        QSignalSpy opened(&v.table, &PointTable::openRequested);
        QTest::keyClick(&v.table, Qt::Key_Return);
        QCOMPARE(opened.size(), 1);
        QCOMPARE(QString::fromStdString(v.model.rows()[opened[0][0].toUInt()].key), key);
        verdict->setFocus();
        QTest::keyClick(verdict, Qt::Key_Escape);
        tile->clear();
        QCOMPARE(v.filter.rowCount(), 6000);
        // By the time, the best first; by a click the other way round.
        QHeaderView* header = v.table.horizontalHeader();
        QCOMPARE(header->sortIndicatorSection(), v.model.columnOf(PointModel::time));
        const int x = header->sectionViewportPosition(0) + 10;
        QTest::mouseClick(header->viewport(), Qt::LeftButton, {}, QPoint(x, 8));
        QCOMPARE(header->sortIndicatorSection(), 0);
    }

    void aScatterTellsAndChooses() {
        Views v(300);
        QVERIFY(Views::show(v.scatter, {900, 420}));
        QVERIFY(!v.scatter.isEmpty());
        const int timed = v.count([](const PointRow& row) { return !std::isnan(row.milliseconds); });
        QCOMPARE(v.scatter.plot().markCount(), timed); // TILE against the time
        v.scatter.yBox().setCurrentIndex(1);
        QCOMPARE(v.scatter.plot().markCount(), 300);
        QCOMPARE(v.scatter.plot().data().y.words.size(), 6);
        const QPoint place = v.scatter.plot().markPosition(299).toPoint();
        QSignalSpy chosen(&v.scatter, &ScatterPlot::chosen);
        QTest::mouseMove(&v.scatter.plot(), place);
        WAIT_VERIFY(v.scatter.card().isVisible());
        QVERIFY2(v.scatter.card().text().contains(QStringLiteral("BLOCK=")), qPrintable(v.scatter.card().text()));
        QTest::mouseClick(&v.scatter.plot(), Qt::LeftButton, {}, place);
        QCOMPARE(chosen.size(), 1);
        test::keepPicture(v.scatter, QStringLiteral("tune-scatter"));
        v.filter.setColumn(0, QStringLiteral("8"));
        v.scatter.refresh();
        const auto& marks = v.scatter.plot().data().marks;
        QCOMPARE(int(std::count_if(marks.begin(), marks.end(), [](const auto& mark) { return !mark.faded; })),
                 v.filter.rowCount());
        const QString numbers = v.scatter.numbers();
        QCOMPARE(numbers.count(QLatin1Char('\n')), v.filter.rowCount() + 1);
        QVERIFY(v.scatter.svg({400, 300}, lightPalette()).contains(QStringLiteral("BLOCK")));
    }
};

} // namespace

KERNELARIUM_TEST(TestTuneViews);

} // namespace kernelarium::ui

#include "TestTuneViews.moc"
