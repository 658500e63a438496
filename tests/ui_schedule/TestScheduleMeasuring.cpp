// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/schedule/Annealing.h"
#include "core/schedule/ScheduleStore.h"
#include "gpu/protocol/schedules/MeasuredKernel.h"
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_window/Room.h"
#include "ui/desks/CompileDesk.h"
#include "ui/desks/DeviceDesk.h"
#include "ui/schedule/AcceptedModel.h"
#include "ui/schedule/CountersView.h"
#include "ui/schedule/EnergyPlot.h"
#include "ui/schedule/MeasureChoice.h"
#include "ui/schedule/SchedulePage.h"

#include <QComboBox>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QTabWidget>
#include <QTableView>
#include <QtTest>

namespace kernelarium::ui {

/// The page Schedule where kernels run on a GPU: one as far as the messages go (tests/ui_workspace/GpuChild.cpp), whose
/// times follow from the code.
class TestScheduleMeasuring : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void init() { qputenv("KERNELARIUM_TEST_GPU", m_data.filePath(QStringLiteral("gone")).toUtf8()); }
    void cleanup() {
        QFile::remove(m_data.filePath(QStringLiteral("gone")));
        qunsetenv("KERNELARIUM_TEST_GPU");
    }

    /// Steps, controls and final figures come from the run child, and the page says so at each place.
    void measuresOnAGpu() {
        Room room;
        if (!ready(room)) return;
        SchedulePage& page = *room.window->findChild<SchedulePage*>();
        QVERIFY2(page.mode().startsWith(QStringLiteral("● measured")) &&
                     page.mode().contains(QStringLiteral("NVIDIA H200")),
                 qPrintable(page.mode()));
        QCOMPARE(page.startButton().text(), QStringLiteral("Start measuring"));
        QVERIFY(page.measuring().isVisible());
        // The sizes are the card's; what is chosen is another search.
        QCOMPARE(page.measuring().timing(), QStringLiteral("cold"));
        QCOMPARE(page.measuring().size(), QStringLiteral("full"));
        const std::filesystem::path cold = page.desk().subject()->store;
        page.measuring().timings().setCurrentIndex(1);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QVERIFY(page.desk().subject()->store != cold);
        page.steps().setValue(60);
        page.worsen().setValue(30);
        page.measuring().sizes().setCurrentText(QStringLiteral("small"));
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QTest::mouseClick(&page.startButton(), Qt::LeftButton);
        QVERIFY(page.desk().isRunning() && !page.measuring().isEnabled());
        WAIT_VERIFY(!page.desk().isRunning() && page.isSettled());
        QVERIFY2(page.desk().state().stage == Stage::finished, qPrintable(page.said()));
        QVERIFY(page.desk().state().expectation && page.desk().state().expectation->warps);
        const ScheduleResultPointer result = page.desk().result();
        QVERIFY(result && result->best);
        const schedule::ScheduleHistory& history = result->history;
        QCOMPARE(history.settings.mode, schedule::Mode::measured);
        QCOMPARE(history.subject.call.at("timing"), std::string("hot"));
        QCOMPARE(history.subject.call.at("size"), std::string("small"));
        QCOMPARE(history.subject.call.at("device"), std::string("NVIDIA H200"));
        QVERIFY(history.steps.front().pairs > 0 && history.noiseFloor);
        QCOMPARE(history.looked(), std::uint64_t(60));
        // The start was worse than the original, and the best is still another schedule: cold and hot, with intervals.
        QCOMPARE(history.finals.size(), std::size_t(2));
        QVERIFY(page.headline().contains(QString::fromStdString(schedule::resultWords(history))));
        QVERIFY2(!page.headline().contains(QStringLiteral("modelled")), qPrintable(page.headline()));
        for (const schedule::FinalFigure& figure : history.finals) {
            QCOMPARE(figure.pairs, schedule::FinalFigure::wantedPairs);
            QVERIFY(page.stamp().toPlainText().contains(QString::fromStdString(finalWords(figure))));
        }
        QVERIFY(page.stamp().toPlainText().contains(QStringLiteral("of the original's time, measured")));
        QCOMPARE(page.startButton().text(), QStringLiteral("Searched"));
        room.keepPicture(QStringLiteral("schedule-page-measured"));
        undoing(page);
        counting(room, page);
        faulting(room, page);
        remembering(page);
    }

    /// The GPU goes away under way: what was measured stays, and the search goes on when it is back.
    void goesOnWithTheFinalFigures() {
        Room room;
        if (!ready(room)) return;
        SchedulePage& page = *room.window->findChild<SchedulePage*>();
        page.steps().setValue(100000);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QTest::mouseClick(&page.startButton(), Qt::LeftButton);
        WAIT_VERIFY(page.desk().steps().size() > 3);
        QFile gone(m_data.filePath(QStringLiteral("gone")));
        QVERIFY(gone.open(QIODevice::WriteOnly));
        gone.close();
        WAIT_VERIFY(!page.desk().isRunning() && page.isSettled());
        QCOMPARE(page.desk().state().stage, Stage::failed);
        QVERIFY2(page.said().contains(QStringLiteral("No NVIDIA driver answers")), qPrintable(page.said()));
        const std::size_t kept = page.desk().steps().size();
        QVERIFY(kept > 3);
        QCOMPARE(page.startButton().text(), QStringLiteral("Resume measuring"));
        QVERIFY(gone.remove());
        QTest::mouseClick(&page.startButton(), Qt::LeftButton);
        WAIT_VERIFY(page.desk().steps().size() > kept);
        QTest::mouseClick(&page.cancelButton(), Qt::LeftButton);
        WAIT_VERIFY(!page.desk().isRunning() && page.isSettled());
        QCOMPARE(page.desk().state().stage, Stage::cancelled);
    }

    /// A text that compiles no longer: there is nothing of the old one left to be asked for.
    void brokenTextIsNotSearched() {
        Room room;
        if (!ready(room)) return;
        SchedulePage& page = *room.window->findChild<SchedulePage*>();
        room.workspace->bench().setSource(QStringLiteral("this is no CUDA"), 0);
        QVERIFY(room.waitUntilCompiled());
        WAIT_COMPARE(page.headline(), QStringLiteral("The text does not compile"));
        QVERIFY(!page.steps().isEnabled() && !page.kernels().isEnabled());
        page.steps().setValue(77);
        page.measuring().timings().setCurrentIndex(1);
        WAIT_VERIFY(page.isSettled());
        QVERIFY(!page.desk().subject());
        QCOMPARE(page.headline(), QStringLiteral("The text does not compile"));
    }

    /// Undoing takes the GPU: nothing else has it meanwhile, and it can be ended.
    void undoingHasTheGpuAlone() {
        Room room;
        if (!ready(room)) return;
        SchedulePage& page = *room.window->findChild<SchedulePage*>();
        page.steps().setValue(100000);
        page.worsen().setValue(30);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QTest::mouseClick(&page.startButton(), Qt::LeftButton);
        QVERIFY(!page.undoButton().isEnabled());
        WAIT_VERIFY(page.desk().steps().size() > 40);
        QTest::mouseClick(&page.cancelButton(), Qt::LeftButton);
        WAIT_VERIFY(!page.desk().isRunning() && page.isSettled());
        QVERIFY(page.startButton().isEnabled() && !page.cancelButton().isVisible());
        QVERIFY(page.accepted().rowCount() > 0);
        const ScheduleSubjectPointer subject = page.desk().subject();
        page.views().setCurrentIndex(2);
        page.acceptedTable().setCurrentIndex(page.accepted().index(page.accepted().rowCount() - 1, 0));
        QVERIFY(page.undoButton().isEnabled());
        QTest::mouseClick(&page.undoButton(), Qt::LeftButton);
        // Nothing is heard of it before the events are handled.
        QVERIFY(isBusy(page.desk().undoState().stage));
        QVERIFY(page.cancelButton().isVisible() && !page.startButton().isEnabled() && !page.undoButton().isEnabled());
        QVERIFY(!page.steps().isEnabled() && !page.measuring().isEnabled());
        QVERIFY2(page.undoSaid().contains(QStringLiteral("timing the rest")), qPrintable(page.undoSaid()));
        QVERIFY(page.desk().countObstacle().contains(QStringLiteral("undone")));
        page.desk().start();
        QVERIFY(!page.desk().isRunning());
        page.desk().count();
        QVERIFY(!isBusy(page.desk().countState().stage));
        // What is chosen meanwhile is looked at afterwards, and ends nothing.
        page.steps().setValue(50);
        QVERIFY(isBusy(page.desk().undoState().stage) && page.desk().subject() == subject);
        QTest::mouseClick(&page.cancelButton(), Qt::LeftButton);
        QCOMPARE(page.desk().undoState().stage, Stage::cancelled);
        WAIT_VERIFY(page.isSettled() && page.desk().subject() && page.desk().subject() != subject);
        QCOMPARE(page.desk().subject()->question.settings.steps, std::uint64_t(50));
        QVERIFY(!page.cancelButton().isVisible() && page.startButton().isEnabled() && page.steps().isEnabled());
    }

    /// How a kernel is timed elsewhere is no part of what is searched; another kernel's card is not this one's.
    void looksAnewOnlyForWhatItIsAskedFor() {
        Room room;
        if (!ready(room)) return;
        SchedulePage& page = *room.window->findChild<SchedulePage*>();
        const ScheduleSubjectPointer before = page.desk().subject();
        QVERIFY(before);
        Target other = room.workspace->place().target();
        other.timeMode = QStringLiteral("server");
        other.rate += 1;
        other.baselines = !other.baselines;
        room.workspace->place().setTarget(other);
        WAIT_VERIFY(page.isSettled());
        QVERIFY(page.desk().subject() == before);
        // The bench has the next kernel, and its code is not there yet.
        QVERIFY(room.openKernel(1, 3, "shared_tiles"));
        const bool isOld = page.desk().subject() == before;
        page.steps().setValue(78);
        QVERIFY(!isOld || page.desk().subject() == before);
        QVERIFY(room.waitUntilCompiled());
        if (!page.isVisible()) room.press(Qt::Key_D, Qt::AltModifier);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QCOMPARE(page.desk().subject()->question.from.key, room.workspace->bench().kernel().key);
        QCOMPARE(page.desk().subject()->question.settings.steps, std::uint64_t(78));
    }

    /// A card of the user's own that has other sizes now makes another search of the same kernel.
    void anotherCardIsAnotherSearch() {
        Room room;
        if (!ready(room)) return;
        SchedulePage& page = *room.window->findChild<SchedulePage*>();
        const ScheduleQuestion& question = page.desk().subject()->question;
        QVERIFY(question.gpu && question.gpu->run.card);
        QCOMPARE(question.call.at("card"), protocol::cardDigest(question.gpu->run.card.get()));
        task::Card other = *question.gpu->run.card;
        other.sizes.erase(other.sizes.begin());
        QVERIFY(protocol::cardDigest(&other) != question.call.at("card"));
        QVERIFY(protocol::cardDigest(nullptr).empty());
    }

    /// Nothing says what the kernel is called with: modelled, and the page says why.
    void saysWhyItCannotMeasure() {
        Room room;
        if (!ready(room)) return;
        SchedulePage& page = *room.window->findChild<SchedulePage*>();
        Kernel kernel;
        kernel.key = QStringLiteral("new:alone");
        kernel.title = QStringLiteral("alone");
        kernel.origin = Kernel::Origin::fresh;
        kernel.original = QStringLiteral("__global__ void alone(float* x) { x[threadIdx.x] += 1; }\n");
        room.workspace->bench().openText(kernel);
        QVERIFY(room.waitUntilCompiled());
        if (!page.isVisible()) room.press(Qt::Key_D, Qt::AltModifier);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        QVERIFY2(page.mode().startsWith(QStringLiteral("◌ modelled")) &&
                     page.mode().contains(QStringLiteral("nothing says what the kernel is called with")),
                 qPrintable(page.mode()));
        QCOMPARE(page.startButton().text(), QStringLiteral("Start modelling"));
        QVERIFY(!page.measuring().isVisible() && !page.desk().subject()->question.gpu);
        // With arguments it can be measured; without a card there are no sizes.
        room.workspace->assignment().setArguments({QStringLiteral("float32[32]")});
        WAIT_VERIFY(page.mode().startsWith(QStringLiteral("● measured")) && page.isSettled());
        QVERIFY(page.measuring().isVisible() && !page.measuring().sizes().isVisible());
        QCOMPARE(page.desk().subject()->question.gpu->run.arguments.size(), std::size_t(1));
        // In the emulator there is nothing to measure with.
        room.workspace->place().choose({}, nullptr, 0);
        QVERIFY(room.waitUntilCompiled());
        WAIT_VERIFY(page.mode().contains(QStringLiteral("no GPU is asked")) && page.isSettled());
        QCOMPARE(page.startButton().text(), QStringLiteral("Start modelling"));
    }

private:
    /// A product on the bench, the fake GPU as the target, and the page in front. False: skipped or failed.
    static bool ready(Room& room) {
        room.paths.program = QStringLiteral(KERNELARIUM_BIN_DIR "/gpu_child");
        const bool isThere =
            room.start() &&
            QTest::qWaitFor([&] { return room.workspace->devices().at({}).stage == Stage::finished; }, longWait);
        if (isThere) room.workspace->place().choose({}, room.workspace->devices().at({}).answer.gpu(), 0);
        const bool isOpen = isThere && room.openKernel(1, 1, "register_tile") && room.waitUntilCompiled();
        if (!isOpen) {
            [] { QFAIL("the window was not there in time"); }();
            return false;
        }
        if (!room.workspace->compiler().state().answer->ok) {
            [] { QSKIP("nothing compiles here: is the CUDA Toolkit there?"); }();
            return false;
        }
        room.press(Qt::Key_D, Qt::AltModifier);
        auto& page = *room.window->findChild<SchedulePage*>();
        const bool isSettled =
            QTest::qWaitFor([&] { return page.isSettled() && page.desk().subject() != nullptr; }, longWait);
        if (!isSettled) [] { QFAIL("the page did not settle"); }();
        return isSettled;
    }

    /// Without a move, the rest is measured anew.
    static void undoing(SchedulePage& page) {
        page.views().setCurrentIndex(2);
        QVERIFY(page.accepted().rowCount() > 0);
        page.acceptedTable().setCurrentIndex(page.accepted().index(page.accepted().rowCount() - 1, 0));
        QTest::mouseClick(&page.undoButton(), Qt::LeftButton);
        WAIT_VERIFY(page.isSettled());
        QVERIFY2(page.desk().variant()->undone, page.desk().undoState().error.text().c_str());
        const ScheduleVariant& rest = *page.desk().variant();
        QVERIFY(!rest.isModelled && rest.low <= rest.energy && rest.energy <= rest.high);
        page.desk().showBest();
    }

    /// What Nsight Compute said of both is in the store: no figure of the model stands beside it.
    static void counting(Room& room, SchedulePage& page) {
        QVERIFY(page.counters().button().isEnabled());
        QVERIFY(!page.counters().model().beside().isMeasured);
        const ScheduleSubject& subject = *page.desk().subject();
        {
            auto store = schedule::openScheduleStore(subject.store, subject.subject, subject.question.settings);
            QVERIFY(store);
            schedule::CounterSet set{{}, "NVIDIA H200", "small", 2, {}, 0};
            for (const std::vector<sass::Word>& words :
                 {subject.subject.words(), page.desk().result()->history.bestWords}) {
                set.hash = schedule::hashOf(words);
                set.figures = {{"lts__t_sector_hit_rate.pct", "%", 40}, {"gpu__time_duration.sum", "ns", 1000}};
                QVERIFY(store->append(*recordOf(set)));
            }
        }
        page.steps().setValue(61); // another search, and back
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        page.steps().setValue(60);
        WAIT_VERIFY(page.isSettled() && page.desk().variant());
        page.views().setCurrentWidget(&page.counters());
        const BesideModel& model = page.counters().model();
        QVERIFY(model.beside().isMeasured);
        QCOMPARE(model.rowCount(), 2);
        QCOMPARE(model.index(1, BesideModel::counter).data().toString(), QStringLiteral("L2 Hit Rate, %"));
        QCOMPARE(model.index(1, BesideModel::change).data().toString(), QStringLiteral("="));
        QVERIFY2(page.counters().said().contains(QStringLiteral("measured by Nsight Compute on NVIDIA H200")),
                 qPrintable(page.counters().said()));
        room.keepPicture(QStringLiteral("schedule-page-counters-measured"));
    }

    /// A best that does other things in a fresh process is neither kept nor written, whatever was proved of it.
    static void faulting(Room& room, SchedulePage& page) {
        QVERIFY(page.keepButton().isEnabled());
        const ScheduleSubject& subject = *page.desk().subject();
        {
            auto store = schedule::openScheduleStore(subject.store, subject.subject, subject.question.settings);
            QVERIFY(store);
            schedule::FinalFigure fault;
            fault.hash = schedule::hashOf(page.desk().result()->history.bestWords);
            fault.mode = "cold";
            fault.isFaulted = true;
            fault.reason = "output 0 differs";
            QVERIFY(store->append(*recordOf(fault)));
        }
        page.steps().setValue(61);
        WAIT_VERIFY(page.isSettled() && page.desk().subject());
        page.steps().setValue(60);
        WAIT_VERIFY(page.isSettled() && page.desk().variant());
        QVERIFY2(page.headline().contains(QStringLiteral("FAULTED")), qPrintable(page.headline()));
        QVERIFY(!page.keepButton().isEnabled());
        page.keep();
        WAIT_VERIFY(room.notice().contains(QStringLiteral("is not written")));
    }

    static void remembering(SchedulePage& page) {
        const QByteArray state = page.saveState();
        page.measuring().timings().setCurrentIndex(0);
        page.measuring().sizes().setCurrentText(QStringLiteral("full"));
        page.restoreState(state);
        QCOMPARE(page.measuring().timing(), QStringLiteral("hot"));
        QCOMPARE(page.measuring().size(), QStringLiteral("small"));
    }

    QTemporaryDir m_data;
};

KERNELARIUM_TEST(TestScheduleMeasuring);

} // namespace kernelarium::ui

#include "TestScheduleMeasuring.moc"
