// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/sass/CompiledCubins.h"
#include "tests/ui_window/Room.h"
#include "ui/desks/CompileDesk.h"
#include "ui/editor/CodeEditor.h"
#include "ui/schedule/ScheduleModel.h"
#include "ui/schedule/ScheduleView.h"
#include "ui/source/EditorArea.h"
#include "ui/source/SassPanel.h"
#include "ui/tour/Keys.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QHeaderView>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QtTest>

namespace kernelarium::ui {

class TestScheduleView : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void initTestCase() {
        const Result<sass::Cubin> cubin =
            test::compiledCubin("archive_data/kernels/level_1/001/register_tile.cu", "sm_90");
        if (!cubin && cubin.error().code == "missing_component") QSKIP(cubin.error().text().c_str());
        QVERIFY2(cubin, cubin ? "" : cubin.error().text().c_str());
        m_cubin = cubin->bytes();
    }

    void answersWhereTheCursorIs() {
        ScheduleView view(m_theme);
        const QAbstractItemModelTester tester(&view.model(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        view.resize(900, 700);
        view.show();
        QVERIFY(view.isEmpty());
        QVERIFY(view.emptyText().contains(QStringLiteral("as soon as the source compiles")));
        QSignalSpy lines(&view, &ScheduleView::sourceLineActivated);
        view.read(m_cubin, 1);
        QVERIFY(view.desk().isBusy()); // the GUI thread decodes nothing
        WAIT_VERIFY(!view.isEmpty());
        QCOMPARE(view.desk().state().stage, Stage::finished);
        QCOMPARE(view.desk().state().answered, quint64(1));
        const sass::Explanation& e = *view.model().explanation();
        QCOMPARE(view.table().currentIndex().row(), e.hotLoop()->first);
        QVERIFY2(view.summary().contains(QStringLiteral("every hazard explained")), qPrintable(view.summary()));
        QVERIFY(view.loops().currentText().startsWith(QStringLiteral("Hot: ")));
        QCOMPARE(lines.count(), 0); // nobody chose a line

        // By keyboard to one that waits, from there to its producer, and back.
        int waiting = -1;
        for (int row = e.hotLoop()->first + 1; row <= e.hotLoop()->last && waiting < 0; ++row)
            for (const sass::ScoreboardWait& wait : e.waits[std::size_t(row)].scoreboards)
                if (wait.isNeededHere && !wait.isFree && wait.producer != row - 1) waiting = row;
        QVERIFY(waiting > 0);
        view.table().setFocus();
        while (view.table().currentIndex().row() < waiting)
            pressKey(view.table(), Qt::Key_Down);
        QVERIFY(lines.count() > 0);
        const QString answer = view.answer().toPlainText();
        QVERIFY2(answer.contains(QStringLiteral("waits for scoreboard")) &&
                     answer.contains(QStringLiteral("wanted here")),
                 qPrintable(answer));
        test::keepPicture(view, QStringLiteral("schedule-view"));
        view.table().actions().value(0)->trigger(); // Return
        QCOMPARE(view.table().currentIndex().row(), e.waits[std::size_t(waiting)].scoreboards.front().producer);
        QVERIFY2(view.answer().toPlainText().contains(QStringLiteral("Waited for by:")),
                 qPrintable(view.answer().toPlainText()));
        view.table().actions().value(1)->trigger(); // Backspace
        QCOMPARE(view.table().currentIndex().row(), waiting);
        // A link does what Return does; a line's goes to the source.
        Q_EMIT view.answer().anchorClicked(
            QUrl(QStringLiteral("place:0x%1").arg(e.code[3].place, 4, 16, QLatin1Char('0'))));
        QCOMPARE(view.table().currentIndex().row(), 3);
        lines.clear();
        Q_EMIT view.answer().anchorClicked(QUrl(QStringLiteral("line:37")));
        QCOMPARE(lines.count(), 1);
        QCOMPARE(lines.front().front().toInt(), 37);
    }

    /// Other warps and other loops: the words follow.
    void saysWhatAnotherWarpWouldChange() {
        ScheduleView view(m_theme);
        view.resize(900, 700);
        view.show();
        view.read(m_cubin, 1);
        WAIT_VERIFY(!view.isEmpty());
        view.answers().setCurrentIndex(1);
        const sass::Explanation& e = *view.model().explanation();
        QVERIFY(
            view.loopText().toPlainText().contains(QStringLiteral("With %1 warps a scheduler").arg(e.residentWarps)));
        view.warps().setFocus();
        pressKey(view.warps(), Qt::Key_Up);
        QVERIFY2(view.loopText().toPlainText().contains(QStringLiteral("With 1 warp a scheduler")),
                 qPrintable(view.loopText().toPlainText()));
        QVERIFY(view.loopText().toPlainText().contains(QStringLiteral("faster")));
        test::keepPicture(view, QStringLiteral("schedule-loop"));
        const QString hot = view.loopText().toPlainText();
        view.loops().setFocus();
        pressKey(view.loops(), view.loops().currentIndex() > 0 ? Qt::Key_Up : Qt::Key_Down);
        QVERIFY(view.loopText().toPlainText() != hot);
        QCOMPARE(view.table().currentIndex().row(), view.model().loop()->first);
    }

    void refusalsAndOneEndEach() {
        ScheduleView view(m_theme);
        view.show();
        QSignalSpy changes(&view.desk(), &NativeCodeDesk::changed);
        view.read(m_cubin, 1);
        view.read(m_cubin, 2); // replaces the first, whose end is not heard
        WAIT_COMPARE(view.desk().state().stage, Stage::finished);
        QCOMPARE(view.desk().state().answered, quint64(2));
        QCOMPARE(changes.count(), 3); // two began, one ended
        view.read(std::vector<std::byte>(100), 3);
        WAIT_COMPARE(view.desk().state().stage, Stage::failed);
        QVERIFY(view.isEmpty());
        QVERIFY2(view.emptyText().contains(QStringLiteral("This is no cubin")), qPrintable(view.emptyText()));
        view.read(m_cubin, 4);
        view.desk().cancel();
        QCOMPARE(view.desk().state().stage, Stage::cancelled);
        QVERIFY(view.emptyText().contains(QStringLiteral("cancelled")));
    }

    void keepsItsColumns() {
        QByteArray state;
        {
            ScheduleView view(m_theme);
            QSignalSpy changed(&view, &ScheduleView::stateChanged);
            view.table().horizontalHeader()->resizeSection(ScheduleModel::instruction, 333);
            QVERIFY(changed.count() > 0);
            state = view.saveState();
        }
        ScheduleView again(m_theme);
        again.restoreState(state);
        QCOMPARE(again.table().columnWidth(ScheduleModel::instruction), 333);
        again.restoreState("nonsense");
        QCOMPARE(again.table().columnWidth(ScheduleModel::instruction), 333);
    }

    /// In the window: the schedule stands beside the source without nvdisasm, and both follow each other.
    void besideTheSource() {
        for (const Theme::Choice choice : {Theme::Choice::light, Theme::Choice::dark}) {
            Room room(choice);
            QVERIFY(room.start());
            QVERIFY(room.openKernel(1, 1, "register_tile"));
            QVERIFY(room.waitUntilCompiled());
            EditorArea& area = room.window->editorArea();
            QVERIFY(!area.isShowingSass());
            room.press(Qt::Key_P, Qt::ControlModifier | Qt::ShiftModifier);
            QVERIFY(area.isShowingSass() && !area.sass().isShowingListing());
            ScheduleView& view = area.sass().schedule();
            WAIT_VERIFY(!view.isEmpty());
            const sass::Explanation& e = *view.model().explanation();
            const int line = e.lines[std::size_t(e.hotLoop()->last)];
            area.editor().goToLine(line);
            WAIT_COMPARE(view.table().currentIndex().row(), view.model().firstRowOf(line));
            view.table().setFocus();
            int other = e.hotLoop()->first;
            while (e.lines[std::size_t(other)] == line || e.lines[std::size_t(other)] == 0)
                ++other;
            view.table().setCurrentIndex(view.model().index(other, 0));
            WAIT_COMPARE(area.editor().cursorLine(), e.lines[std::size_t(other)]);
            room.keepPicture(choice == Theme::Choice::light ? QStringLiteral("schedule-light")
                                                            : QStringLiteral("schedule-dark"));
            // It is there again after a restart, and an edit is followed.
            const QByteArray state = area.saveState();
            area.sass().showListing();
            area.restoreState(state);
            QVERIFY(!area.sass().isShowingListing());
        }
    }

private:
    Theme m_theme;
    std::vector<std::byte> m_cubin;
};

KERNELARIUM_TEST(TestScheduleView);

} // namespace kernelarium::ui

#include "TestScheduleView.moc"
