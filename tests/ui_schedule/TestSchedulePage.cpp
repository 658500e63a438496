// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/proof/ProofText.h"
#include "tests/Pictures.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/desks/CompileDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/frame/Actions.h"
#include "ui/schedule/AcceptedModel.h"
#include "ui/schedule/BothSides.h"
#include "ui/schedule/CountersView.h"
#include "ui/schedule/EnergyPlot.h"
#include "ui/schedule/FateModel.h"
#include "ui/schedule/LinkStrip.h"
#include "ui/schedule/ScheduleModel.h"
#include "ui/schedule/SchedulePage.h"
#include "ui/tour/Keys.h"
#include "ui/widgets/EmptyState.h"

#include <QAbstractItemModelTester>
#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSignalSpy>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

namespace kernelarium::ui {

namespace {

QByteArray contentOf(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? file.readAll() : QByteArray();
}

std::vector<std::byte> bytesIn(const QByteArray& content) {
    const auto* first = reinterpret_cast<const std::byte*>(content.constData());
    return {first, first + content.size()};
}

} // namespace

class TestSchedulePage : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void saysWhatToDoWhereThereIsNothing() {
        Room room;
        QVERIFY(room.start());
        room.press(Qt::Key_D, Qt::AltModifier);
        auto& page = *room.window->findChild<SchedulePage*>();
        QVERIFY(page.isVisible());
        QVERIFY(page.emptyState().isVisible());
        QCOMPARE(page.headline(), QStringLiteral("No kernel on the bench"));
        QVERIFY(page.emptyState().button()->isVisible() && page.emptyState().button()->hasFocus());
        QVERIFY(!page.startButton().isEnabled() && !page.cancelButton().isVisible() && !page.keepButton().isEnabled());
        Kernel kernel;
        kernel.key = QStringLiteral("new:broken");
        kernel.title = QStringLiteral("broken");
        kernel.origin = Kernel::Origin::fresh;
        kernel.original = QStringLiteral("__global__ void f( {}\n");
        room.workspace->bench().openText(kernel);
        QVERIFY(room.waitUntilCompiled());
        room.press(Qt::Key_D, Qt::AltModifier);
        WAIT_COMPARE(page.headline(), QStringLiteral("The text does not compile"));
        QVERIFY(page.subline().isEmpty());
    }

    /// From the expectation to the attempt in the history, by mouse and keyboard.
    void searchesFromTheBench() {
        Room room;
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 1, "register_tile"));
        QVERIFY(room.waitUntilCompiled());
        if (!room.workspace->compiler().state().answer->ok) QSKIP("nothing compiles here: is the CUDA Toolkit there?");
        room.press(Qt::Key_D, Qt::AltModifier);
        auto& page = *room.window->findChild<SchedulePage*>();
        const QAbstractItemModelTester fates(&page.fates(), QAbstractItemModelTester::FailureReportingMode::QtTest);
        const QAbstractItemModelTester accepted(&page.accepted(),
                                                QAbstractItemModelTester::FailureReportingMode::QtTest);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        // What to expect, before anything runs.
        QVERIFY(!page.desk().isRunning());
        QCOMPARE(page.subline().toStdString(), page.desk().subject()->expectation.words);
        QCOMPARE(page.startButton().text(), QStringLiteral("Start modelling"));
        QVERIFY2(page.mode().startsWith(QStringLiteral("◌ modelled")), qPrintable(page.mode()));
        QCOMPARE(page.fates().rowCount(), 0);
        QVERIFY(page.energies().isEmpty());
        room.keepPicture(QStringLiteral("schedule-page-before"));
        // A start that is worse than the original: there is something to win back.
        page.steps().setValue(150);
        page.worsen().setValue(60);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QVERIFY(page.startButton().isEnabled());
        page.startButton().setFocus();
        pressKey(page.startButton(), Qt::Key_Space);
        QVERIFY(page.desk().isRunning());
        QCOMPARE(page.startButton().text(), QStringLiteral("Pause"));
        QVERIFY(page.cancelButton().isVisible() && !page.steps().isEnabled());
        WAIT_VERIFY(page.desk().steps().size() > 5 || !page.desk().isRunning());
        if (page.desk().isRunning()) {
            QTest::mouseClick(&page.startButton(), Qt::LeftButton);
            QVERIFY(page.desk().state().paused);
            QCOMPARE(page.startButton().text(), QStringLiteral("Go on"));
            QVERIFY(page.said().contains(QStringLiteral("paused")));
            QTest::mouseClick(&page.startButton(), Qt::LeftButton);
        }
        WAIT_VERIFY(!page.desk().isRunning() && page.isSettled());
        QVERIFY2(page.desk().state().stage == Stage::finished, qPrintable(page.said()));
        const ScheduleResultPointer result = page.desk().result();
        QVERIFY(result && result->best);
        QCOMPARE(page.startButton().text(), QStringLiteral("Searched"));
        QCOMPARE(page.desk().steps().size(), result->history.steps.size());
        QVERIFY2(page.headline().contains(QString::fromStdString(schedule::resultWords(result->history))),
                 qPrintable(page.headline()));
        QVERIFY(page.headline().contains(QStringLiteral("modelled")));
        QVERIFY2(page.subline().startsWith(QStringLiteral("PROVED: ")), qPrintable(page.subline()));
        // The plot has every step with a time.
        int timed = 0;
        for (const schedule::Step& step : result->history.steps)
            timed += step.energy.has_value();
        QCOMPARE(int(page.energies().data().marks.size()), timed);
        QCOMPARE(page.energies().numbers().count(QLatin1Char('\n')), int(result->history.steps.size()) + 1);
        QVERIFY(page.energies().svg(QSize(600, 300), lightPalette()).startsWith(QStringLiteral("<?xml")));
        room.keepPicture(QStringLiteral("schedule-page-energy"));
        // Moves by fate add up to the steps.
        page.views().setCurrentIndex(1);
        int counted = 0;
        for (int row = 0; row < page.fates().rowCount(); ++row)
            if (!page.fates().index(row, FateModel::what).data().toString().startsWith(QStringLiteral("not tried")))
                counted += page.fates().index(row, FateModel::count).data().toString().toInt();
        QCOMPARE(counted, int(result->history.steps.size()));
        room.keepPicture(QStringLiteral("schedule-page-moves"));
        // Both sides: what was moved is linked.
        QVERIFY(page.accepted().rowCount() > 0);
        page.views().setCurrentIndex(3);
        int moved = 0;
        const std::vector<int>& from = result->best->cameFrom;
        for (std::size_t i = 0; i < from.size(); ++i)
            moved += from[i] != int(i);
        QVERIFY(moved > 0);
        QCOMPARE(page.sides().links().links(), moved);
        QVERIFY(page.sides().said().startsWith(QStringLiteral("%1 of").arg(moved)));
        int row = 0;
        while (from[std::size_t(row)] == row)
            ++row;
        page.sides().after().setFocus();
        page.sides().after().setCurrentIndex(page.sides().afterModel().index(row, ScheduleModel::instruction));
        QCOMPARE(page.sides().before().currentIndex().row(), from[std::size_t(row)]);
        QCOMPARE(page.sides().beforeModel().index(from[std::size_t(row)], ScheduleModel::instruction).data(),
                 page.sides().afterModel().index(row, ScheduleModel::instruction).data());
        QCOMPARE(page.sides().beforeModel().index(from[std::size_t(row)], ScheduleModel::line).data(),
                 page.sides().afterModel().index(row, ScheduleModel::line).data());
        room.keepPicture(QStringLiteral("schedule-page-sides"));
        counting(room, page, *result);
        undoing(room, page, result);
        keeping(room, page);
    }

    void cancelsAndGoesOn() {
        Room room(Theme::Choice::dark);
        QVERIFY(room.start());
        QVERIFY(room.openKernel(1, 1, "register_tile"));
        QVERIFY(room.waitUntilCompiled());
        if (!room.workspace->compiler().state().answer->ok) QSKIP("nothing compiles here: is the CUDA Toolkit there?");
        room.press(Qt::Key_D, Qt::AltModifier);
        auto& page = *room.window->findChild<SchedulePage*>();
        page.steps().setValue(100000);
        page.worsen().setValue(40);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QTest::mouseClick(&page.startButton(), Qt::LeftButton);
        WAIT_VERIFY(page.desk().steps().size() > 20);
        QTest::mouseClick(&page.cancelButton(), Qt::LeftButton);
        WAIT_VERIFY(!page.desk().isRunning() && page.isSettled());
        QCOMPARE(page.desk().state().stage, Stage::cancelled);
        QVERIFY2(page.said().contains(QStringLiteral("Resume goes on")), qPrintable(page.said()));
        QCOMPARE(page.startButton().text(), QStringLiteral("Resume modelling"));
        const std::size_t kept = page.desk().steps().size();
        QVERIFY(kept > 20);
        room.keepPicture(QStringLiteral("schedule-page-dark"));
        page.views().setCurrentIndex(3);
        room.keepPicture(QStringLiteral("schedule-page-sides-dark"));
        // The same steps first, then others.
        const std::string third = page.desk().steps()[3].hash;
        QTest::mouseClick(&page.startButton(), Qt::LeftButton);
        WAIT_VERIFY(page.desk().steps().size() > kept);
        QCOMPARE(page.desk().steps()[3].hash, third);
        page.desk().stop();
        WAIT_VERIFY(!page.desk().isRunning());
        // The choices are there again after a restart.
        const QByteArray state = page.saveState();
        page.steps().setValue(10);
        page.restoreState(state);
        QCOMPARE(page.steps().value(), 100000);
        QCOMPARE(page.views().currentIndex(), 3);
    }

private:
    /// What the model's cycles go to, of both: the rows add up to the costs that the search went by.
    static void counting(Room& room, SchedulePage& page, const ScheduleResult& result) {
        page.views().setCurrentWidget(&page.counters());
        const QAbstractItemModelTester tester(&page.counters().model(),
                                              QAbstractItemModelTester::FailureReportingMode::QtTest);
        const schedule::CountersBeside& beside = page.counters().model().beside();
        QVERIFY(!beside.isMeasured && page.counters().model().rowCount() > 3);
        double original = 0, best = 0;
        for (std::size_t i = 1; i < beside.rows.size(); ++i) {
            original += beside.rows[i].original.value();
            best += beside.rows[i].best.value();
        }
        QCOMPARE(original, result.history.originalCost);
        QCOMPARE(best, result.history.bestStep()->staticCost);
        QVERIFY2(page.counters().said().startsWith(QStringLiteral("◌ modelled")), qPrintable(page.counters().said()));
        QVERIFY(!page.counters().button().isEnabled());
        QVERIFY(page.counters().button().toolTip().contains(QStringLiteral("no GPU")));
        room.keepPicture(QStringLiteral("schedule-page-counters"));
    }

    static void undoing(Room& room, SchedulePage& page, const ScheduleResultPointer& result) {
        page.views().setCurrentIndex(2);
        QTableView& table = page.acceptedTable();
        table.setFocus();
        table.setCurrentIndex(page.accepted().index(page.accepted().rowCount() - 1, 0));
        const schedule::Step& last = *page.accepted().stepOf(page.accepted().rowCount() - 1);
        room.keepPicture(QStringLiteral("schedule-page-accepted"));
        // The last move is needed by no other.
        QTest::mouseClick(&page.undoButton(), Qt::LeftButton);
        WAIT_VERIFY(page.isSettled());
        QVERIFY2(page.desk().variant()->undone == last.number, page.desk().undoState().error.text().c_str());
        QVERIFY(page.desk().variant()->proof.isProved());
        QVERIFY(page.desk().variant()->words != result->best->words);
        QVERIFY(page.accepted().isUndone(page.accepted().rowCount() - 1));
        QVERIFY(page.stamp().toPlainText().contains(QStringLiteral("PROVED: ")));
        page.desk().showBest();
        QVERIFY(page.desk().variant()->words == result->best->words);
        QVERIFY(!page.accepted().isUndone(page.accepted().rowCount() - 1));
    }

    static void keeping(Room& room, SchedulePage& page) {
        // What is exported is proved from its bytes alone.
        const QString cubin = room.file(QStringLiteral("best.cubin")), list = room.file(QStringLiteral("best.txt"));
        page.exportCubin(cubin);
        WAIT_VERIFY(QFileInfo::exists(cubin));
        page.exportPatches(list);
        WAIT_VERIFY(QFileInfo::exists(list));
        const Result<sass::Cubin> written = sass::Cubin::read(bytesIn(contentOf(cubin)));
        QVERIFY(written);
        const schedule::Subject& subject = page.desk().subject()->subject;
        QVERIFY(sass::proveSchedule(subject.original, *written, sass::minedDistances()).isProved());
        QVERIFY(written->bytes() != subject.original.bytes());
        QVERIFY(contentOf(list).count('\n') >= int(page.desk().variant()->patches.size()));
        page.views().setCurrentWidget(&page.stamp());
        for (const std::string& one : sass::proofAssumptions())
            QVERIFY(page.stamp().toPlainText().contains(QString::fromStdString(one)));
        room.keepPicture(QStringLiteral("schedule-page-proof"));
        // A folder that is not there: a notice says so.
        page.exportCubin(room.file(QStringLiteral("nowhere/best.cubin")));
        WAIT_VERIFY(room.notice().contains(QStringLiteral("could not be written")));
        const std::size_t before = room.workspace->session().attempts()->size();
        QSignalSpy added(&page, &SchedulePage::attemptAdded);
        QTest::mouseClick(&page.keepButton(), Qt::LeftButton);
        WAIT_COMPARE(added.count(), 1);
        WAIT_COMPARE(room.workspace->session().attempts()->size(), before + 1);
        const session::AttemptSummary& attempt = room.workspace->session().attempts()->back();
        QCOMPARE(attempt.name, std::string("native schedule of matmulRegisterTile"));
        QVERIFY(attempt.notes.find("PROVED: ") != std::string::npos);
        // Another kernel is on the bench by now: the schedule is still the other one's.
        Kernel next;
        next.key = QStringLiteral("new:next");
        next.title = QStringLiteral("next");
        next.origin = Kernel::Origin::fresh;
        next.original = QStringLiteral("__global__ void next(float* x) { x[threadIdx.x] = 1; }\n");
        room.workspace->bench().openText(next);
        QVERIFY(page.desk().variant());
        page.keep();
        WAIT_COMPARE(added.count(), 2);
        QCOMPARE(added.at(1), added.at(0)); // the same kernel, text and schedule are the same attempt
        QCOMPARE(room.workspace->session().attempts()->size(), before + 1);
        // With the new text what was found of the old one is gone, and cannot be written.
        QVERIFY(room.waitUntilCompiled());
        if (!page.isVisible()) room.press(Qt::Key_D, Qt::AltModifier); // which closes one that is shown
        WAIT_VERIFY(page.isSettled() && !page.desk().variant());
        QVERIFY(!page.keepButton().isEnabled());
        bool told = false;
        page.desk().writeCubin(room.file(QStringLiteral("none.cubin")), [&](const Result<void>& written) {
            told = !written && written.error().code == "no_schedule";
        });
        QVERIFY(told);
    }
};

KERNELARIUM_TEST(TestSchedulePage);

} // namespace kernelarium::ui

#include "TestSchedulePage.moc"
