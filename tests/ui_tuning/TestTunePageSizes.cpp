// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_tuning/TuningRoom.h"
#include "ui/editor/CodeEditor.h"
#include "ui/frame/Actions.h"
#include "ui/source/EditorArea.h"
#include "ui/statistics/FigureView.h"
#include "ui/tuning/PointModel.h"
#include "ui/tuning/SizesBar.h"
#include "ui/tuning/SizesView.h"
#include "ui/tuning/TuneBar.h"
#include "ui/tuning/TunePage.h"

#include <QCheckBox>
#include <QComboBox>
#include <QFile>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QtTest>

namespace kernelarium::ui {

namespace {

/// A ReLU of which one version suits few elements and the other many.
QByteArray sizedRelu() {
    QFile file(QStringLiteral(KERNELARIUM_SOURCE_DIR "/tests/cli/kernels/tunable_sizes.cu"));
    return file.open(QIODevice::ReadOnly) ? "// kernelarium: task 1/19\n" + file.readAll() : QByteArray();
}

QCheckBox* sizeBox(TuningRoom& room, const char* name) {
    for (QCheckBox* box : room.page().bar().sizes().boxes())
        if (box->text() == QLatin1String(name)) return box;
    return nullptr;
}

void toggle(TuningRoom& room, const char* name) {
    QTest::mouseClick(sizeBox(room, name), Qt::LeftButton, {}, QPoint(8, sizeBox(room, name)->height() / 2));
}

void typeShapes(TuningRoom& room, const char* text) {
    QLineEdit& field = room.page().bar().sizes().shapesField();
    field.setFocus();
    QTest::keyClick(&field, Qt::Key_A, Qt::ControlModifier);
    QTest::keyClick(&field, Qt::Key_Delete);
    QTest::keyClicks(&field, QLatin1String(text));
}

bool waitForSubline(const TuningRoom& room, const char* words) {
    const bool there = QTest::qWaitFor([&] { return room.page().subline().contains(QLatin1String(words)); }, longWait);
    if (!there) qWarning("%s", qPrintable(room.page().subline()));
    return there;
}

QString cellOf(const FigureView& view, int row, int column) {
    return view.model()->index(row, column).data().toString();
}

class TestTunePageSizes : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void theBestForEachSizeComesInOneFile_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void theBestForEachSizeComesInOneFile() {
        QFETCH(const bool, dark);
        TuningRoom room(dark ? Theme::Choice::dark : Theme::Choice::light);
        const QString theme = dark ? QStringLiteral("dark") : QStringLiteral("light");
        QVERIFY(room.start());
        QVERIFY(room.open(sizedRelu()));
        TunePage& page = room.page();
        TuneBar& bar = page.bar();
        QVERIFY(bar.sizes().isVisible());
        QCOMPARE(bar.sizes().boxes().size(), std::size_t(3));
        QVERIFY(sizeBox(room, "full")->isChecked() && !sizeBox(room, "small")->isChecked());
        const int tab = page.views().indexOf(&page.sizes());
        QVERIFY(!page.views().isTabVisible(tab));
        QVERIFY2(page.subline().contains(QStringLiteral("size full")), qPrintable(page.subline()));
        toggle(room, "full");
        typeShapes(room, "B=1, N=4096 N=8192,B=2");
        QVERIFY(waitForSubline(room, "geometric mean over B=1,N=4096, B=2,N=8192"));
        QVERIFY(page.views().isTabVisible(tab));
        bar.strategyBox().setCurrentIndex(bar.strategyBox().findData(QStringLiteral("exhaustive")));
        bar.budgetUnit().setCurrentIndex(2); // no limit
        bar.jobsBox().setValue(1);
        page.views().setCurrentIndex(tab);
        QVERIFY(!page.sizes().fileButton().isEnabled());
        WAIT_VERIFY(bar.startButton().isEnabled());
        QTest::mouseClick(&bar.startButton(), Qt::LeftButton);
        WAIT_VERIFY(page.desk().isRunning());
        QVERIFY(!bar.sizes().shapesField().isEnabled());
        QVERIFY(room.waitUntilEnded());
        QVERIFY2(page.desk().state().stage == Stage::finished, page.desk().state().error.text().c_str());
        QCOMPARE(page.model().rowCount(), 4);
        const FigureView& table = page.sizes().table();
        WAIT_COMPARE(table.model()->rowCount(), 2);
        WAIT_VERIFY(page.sizes().fileButton().isEnabled());
        QCOMPARE(cellOf(table, 0, 0), QStringLiteral("B=1,N=4096"));
        QCOMPARE(cellOf(table, 1, 0), QStringLiteral("B=2,N=8192"));
        // The table is made on another thread: its two lines may still be those of the first points.
        WAIT_VERIFY(cellOf(table, 0, 5).contains(QStringLiteral("SUITS=1")));
        WAIT_VERIFY(cellOf(table, 1, 5).contains(QStringLiteral("SUITS=2")));
        QCOMPARE(cellOf(table, 1, 4), QStringLiteral("B=2,N=8192")); // verified there
        room.keepPicture(QStringLiteral("tune-sizes-%1").arg(theme));
        // Return on a line puts its point on the bench.
        const QString before = room.workspace->bench().source();
        page.sizes().table().setFocus();
        page.sizes().table().setCurrentIndex(table.model()->index(1, 0));
        QTest::keyClick(&page.sizes().table(), Qt::Key_Return);
        WAIT_VERIFY(!room.window->isShowingPage());
        QVERIFY(room.workspace->bench().source().contains(QStringLiteral("SUITS = 2; // tune")));
        room.window->editorArea().editor().undo();
        QCOMPARE(room.workspace->bench().source(), before);
        // All of them in one file, which is right as it stands.
        room.window->actions().run(QStringLiteral("go.tune"));
        QVERIFY(room.waitUntilLooked());
        WAIT_VERIFY(page.sizes().fileButton().isEnabled());
        QTest::mouseClick(&page.sizes().fileButton(), Qt::LeftButton);
        WAIT_VERIFY(!room.window->isShowingPage());
        const QString file = room.workspace->bench().source();
        QVERIFY2(file.contains(QStringLiteral("namespace tuned_2")) && !file.contains(QStringLiteral("// tune:")),
                 qPrintable(file));
        QVERIFY2(room.notice().contains(QStringLiteral("2 versions for 2 sizes")), qPrintable(room.notice()));
        room.keepPicture(QStringLiteral("tune-sizes-file-%1").arg(theme));
        if (!dark) {
            room.window->actions().run(QStringLiteral("kernel.verify"));
            WAIT_VERIFY(room.workspace->runner().verifyState().stage == Stage::finished);
            QCOMPARE(room.workspace->runner().verifyState().answer->kind, verify::VerdictKind::verified);
        }
        room.window->editorArea().editor().undo();
        QCOMPARE(room.workspace->bench().source(), before);
    }

    void wrongChoicesAreSaidAndRightOnesRemembered() {
        TuningRoom room;
        QVERIFY(room.start());
        QVERIFY(room.open(markedRelu()));
        TunePage* page = &room.page();
        WAIT_VERIFY(page->bar().startButton().isEnabled());
        toggle(room, "full"); // none is left
        QVERIFY2(page->obstacle().contains(QStringLiteral("No size")), qPrintable(page->obstacle()));
        QVERIFY(!page->bar().startButton().isEnabled());
        for (const char* wrong : {"M=12", "N=0", "N=512 N=512", "N"}) {
            typeShapes(room, wrong);
            QVERIFY2(!page->bar().sizes().obstacle().isEmpty() && !page->bar().startButton().isEnabled(), wrong);
        }
        room.keepPicture(QStringLiteral("tune-sizes-wrong"));
        typeShapes(room, "N=512");
        QVERIFY2(page->bar().sizes().obstacle().isEmpty(), qPrintable(page->bar().sizes().obstacle()));
        sizeBox(room, "small")->setFocus();
        room.press(Qt::Key_Space);
        QVERIFY(sizeBox(room, "small")->isChecked());
        QVERIFY(waitForSubline(room, "geometric mean over small, N=512"));
        WAIT_VERIFY(page->bar().startButton().isEnabled());
        // One size alone is no mean, and has no table.
        toggle(room, "small");
        QVERIFY(waitForSubline(room, "size N=512"));
        QVERIFY(!page->views().isTabVisible(page->views().indexOf(&page->sizes())));
        toggle(room, "small");
        QVERIFY(waitForSubline(room, "geometric mean over small, N=512"));
        // Of each task; and what has no task has no sizes.
        QByteArray other = markedRelu();
        other.replace("task 1/19", "task 1/20");
        QVERIFY(room.open(other, QStringLiteral("leaky.cu")));
        QVERIFY(sizeBox(room, "full")->isChecked());
        QVERIFY(page->bar().sizes().shapesField().text().isEmpty());
        other.replace("// kernelarium: task 1/20\n", "");
        QVERIFY(room.open(other, QStringLiteral("none.cu")));
        QVERIFY(!page->bar().sizes().isVisible());
        QVERIFY(room.window->close()); // or it would be kept a moment later
        QVERIFY(room.start());
        QVERIFY(room.open(markedRelu()));
        page = &room.page();
        QVERIFY(waitForSubline(room, "geometric mean over small, N=512"));
        QVERIFY(!sizeBox(room, "full")->isChecked() && sizeBox(room, "small")->isChecked());
    }
};

} // namespace

KERNELARIUM_TEST(TestTunePageSizes);

} // namespace kernelarium::ui

#include "TestTunePageSizes.moc"
