// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/Waiting.h"
#include "tests/ui_tuning/FakeSlurm.h"
#include "tests/ui_tuning/TuningRoom.h"
#include "ui/frame/Actions.h"
#include "ui/frame/StatusLine.h"
#include "ui/tuning/ClusterBar.h"
#include "ui/tuning/PointModel.h"
#include "ui/tuning/StopQuestion.h"
#include "ui/tuning/TuneBar.h"
#include "ui/tuning/TunePage.h"

#include <QComboBox>
#include <QDir>
#include <QLineEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QToolButton>
#include <QtTest>

namespace kernelarium::ui {

namespace {

constexpr ArrayPace quickPace{std::chrono::milliseconds(50), std::chrono::milliseconds(150)};

/// The page of a marked kernel whose sweep is to be an array of two tasks.
bool openForArray(TuningRoom& room) {
    if (!room.start()) return false;
    room.page().desk().setArrayPace(quickPace);
    if (!room.open(markedRelu())) return false;
    TuneBar& bar = room.page().bar();
    if (!QTest::qWaitFor([&] { return bar.cluster().isVisible(); }, longWait)) return false;
    bar.strategyBox().setCurrentIndex(bar.strategyBox().findData(QStringLiteral("exhaustive")));
    bar.budgetUnit().setCurrentIndex(2); // no limit
    bar.cluster().whereBox().setFocus();
    QTest::keyClick(&bar.cluster().whereBox(), Qt::Key_Down);
    bar.cluster().tasksBox().setValue(2);
    return QTest::qWaitFor([&] { return bar.startButton().isEnabled(); }, longWait);
}

QString progressOf(const TuningRoom& room) {
    return room.page().bar().progressText();
}

bool waitForWords(const TuningRoom& room, const char* words) {
    const bool there = QTest::qWaitFor([&] { return progressOf(room).contains(QLatin1String(words)); }, longWait);
    if (!there) qWarning("%s", qPrintable(progressOf(room)));
    return there;
}

QStringList arrayFolders(const TuningRoom& room) {
    return QDir(room.file(QStringLiteral("sweeps"))).entryList({QStringLiteral("*.cluster")}, QDir::Dirs);
}

void click(QPushButton& button) {
    QTest::mouseClick(&button, Qt::LeftButton);
}

class TestTuneCluster : public QObject {
    Q_OBJECT

private Q_SLOTS:

    void notOfferedWithoutSlurm() {
        TuningRoom room;
        const FakeSlurm slurm(room.file(QStringLiteral("slurm")), false);
        QVERIFY(room.start());
        bool told = false;
        connect(&room.page().desk(), &TuneDesk::clustersFound, this, [&](bool found) { told = !found; });
        QVERIFY(room.open(markedRelu()));
        WAIT_VERIFY(told);
        QVERIFY(!room.page().bar().cluster().isVisible());
        QVERIFY(!room.page().bar().order().array);
    }

    void runsAsAnArrayToItsEnd() {
        TuningRoom room;
        const FakeSlurm slurm(room.file(QStringLiteral("slurm")));
        slurm.set(QStringLiteral("hold"));
        QVERIFY(openForArray(room));
        TunePage& page = room.page();
        TuneBar& bar = page.bar();
        QVERIFY(!bar.jobsBox().isEnabled());
        QTest::keyClicks(&bar.cluster().optionsField(), QStringLiteral("--partition=long '--comment=a b'"));
        room.keepPicture(QStringLiteral("tune-array-light-offered"));
        click(bar.startButton());
        WAIT_VERIFY(page.desk().isRunning());
        QVERIFY(waitForWords(room, "0 of 7 done; tasks: 2 pending"));
        QCOMPARE(slurm.jobs(), 1);
        QVERIFY2(slurm.submitted().contains(QStringLiteral("\n--partition=long\n--comment=a b\n")),
                 qPrintable(slurm.submitted()));
        QVERIFY(!bar.startButton().isEnabled()); // no pause
        WAIT_VERIFY(bar.stopButton().hasFocus());
        QVERIFY2(bar.startButton().toolTip().contains(QStringLiteral("cannot be paused")),
                 qPrintable(bar.startButton().toolTip()));
        QVERIFY(!room.window->actions().action(QStringLiteral("tune.pause"))->isEnabled());
        QVERIFY(!bar.cluster().tasksBox().isEnabled());
        WAIT_VERIFY(room.window->status().workText().contains(QStringLiteral("array of jobs")));
        room.window->actions().run(QStringLiteral("kernel.cancel")); // Escape stops no array
        QTest::qWait(0);
        QVERIFY(page.desk().isRunning());
        slurm.set(QStringLiteral("hold-2"));
        slurm.set(QStringLiteral("hold"), false);
        // A part's points come before the others have theirs.
        WAIT_VERIFY(!page.desk().points().empty());
        QVERIFY(waitForWords(room, "1 pending"));
        QVERIFY(page.desk().points().size() < 7);
        QVERIFY(page.desk().isRunning());
        room.keepPicture(QStringLiteral("tune-array-light"));
        slurm.set(QStringLiteral("hold-2"), false);
        QVERIFY(room.waitUntilEnded());
        QVERIFY2(page.desk().state().stage == Stage::finished, page.desk().state().error.text().c_str());
        QVERIFY(page.desk().state().array->end == cluster::ArrayEnd::done);
        QVERIFY2(progressOf(room).startsWith(QStringLiteral("Finished: 7 of 7 done; tasks: 2 done")) &&
                     !progressOf(room).contains(QStringLiteral("time left")),
                 qPrintable(progressOf(room)));
        QCOMPARE(page.model().rowCount(), 7);
        QVERIFY(page.model().best() >= 0);
        QVERIFY(room.window->status().workText().isEmpty());
        WAIT_VERIFY(!bar.startButton().isEnabled()); // there is nothing left
        QVERIFY2(progressOf(room).contains(QStringLiteral("every point has been looked at")),
                 qPrintable(progressOf(room)));
    }

    void refusedBySbatch() {
        TuningRoom room(Theme::Choice::dark);
        const FakeSlurm slurm(room.file(QStringLiteral("slurm")));
        slurm.set(QStringLiteral("refuse"));
        QVERIFY(openForArray(room));
        click(room.page().bar().startButton());
        WAIT_COMPARE(room.page().desk().state().stage, Stage::failed);
        QVERIFY2(progressOf(room).contains(QStringLiteral("Invalid partition name")), qPrintable(progressOf(room)));
        QVERIFY2(room.notice().contains(QStringLiteral("Invalid partition name specified. Change the options of")),
                 qPrintable(room.notice()));
        QVERIFY(arrayFolders(room).isEmpty());
        room.keepPicture(QStringLiteral("tune-array-dark-refused"));
        // As if the options had been mended.
        slurm.set(QStringLiteral("refuse"), false);
        slurm.set(QStringLiteral("hold"));
        WAIT_VERIFY(room.page().bar().startButton().isEnabled());
        click(room.page().bar().startButton());
        QVERIFY(waitForWords(room, "2 pending"));
        room.page().desk().cancelArray();
        QVERIFY(room.waitUntilEnded());
    }

    void optionsAreCheckedAsTypedAndRemembered() {
        TuningRoom room;
        const FakeSlurm slurm(room.file(QStringLiteral("slurm")));
        QVERIFY(openForArray(room));
        TuneBar* bar = &room.page().bar();
        QLineEdit* field = &bar->cluster().optionsField();
        for (const char* wrong : {"--array=1-9", "long", "--comment='a"}) {
            field->clear();
            QTest::keyClicks(field, QLatin1String(wrong));
            QVERIFY2(!bar->cluster().obstacle().isEmpty(), wrong);
            QVERIFY2(!bar->startButton().isEnabled() && !room.page().obstacle().isEmpty(), wrong);
        }
        room.keepPicture(QStringLiteral("tune-array-light-options"));
        field->clear();
        QTest::keyClicks(field, QStringLiteral("--time=10"));
        QVERIFY2(bar->cluster().obstacle().isEmpty(), qPrintable(bar->cluster().obstacle()));
        QVERIFY(bar->startButton().isEnabled());
        QVERIFY(bar->order().array.has_value());
        QCOMPARE(bar->order().array->options, std::vector<std::string>{"--time=10"});
        bar->cluster().tasksBox().setValue(9);
        QVERIFY(room.window->close()); // or it would be kept a moment later
        QVERIFY(room.start());
        QVERIFY(room.open(markedRelu()));
        bar = &room.page().bar();
        WAIT_VERIFY(bar->cluster().isVisible());
        QVERIFY(bar->cluster().wantsArray());
        QCOMPARE(bar->cluster().tasksBox().value(), 9);
        QCOMPARE(bar->cluster().optionsField().text(), QStringLiteral("--time=10"));
    }

    void aLostTaskIsSubmittedAgain() {
        TuningRoom room;
        const FakeSlurm slurm(room.file(QStringLiteral("slurm")));
        slurm.set(QStringLiteral("fail-once"));
        QVERIFY(openForArray(room));
        click(room.page().bar().startButton());
        WAIT_VERIFY(room.page().desk().isRunning());
        QVERIFY(waitForWords(room, "was lost (NODE_FAIL) and is submitted again"));
        QVERIFY(room.waitUntilEnded());
        QCOMPARE(room.page().desk().state().stage, Stage::finished);
        QVERIFY(room.page().desk().state().array->end == cluster::ArrayEnd::done);
        QCOMPARE(slurm.jobs(), 2);
        QCOMPARE(room.page().model().rowCount(), 7);
    }

    void aTaskIsGivenUp() {
        TuningRoom room(Theme::Choice::dark);
        const FakeSlurm slurm(room.file(QStringLiteral("slurm")));
        slurm.set(QStringLiteral("fail"));
        QVERIFY(openForArray(room));
        click(room.page().bar().startButton());
        WAIT_VERIFY(room.page().desk().isRunning());
        QVERIFY(room.waitUntilEnded());
        QCOMPARE(room.page().desk().state().stage, Stage::finished);
        QVERIFY(room.page().desk().state().array->end == cluster::ArrayEnd::incomplete);
        QVERIFY2(progressOf(room).contains(QStringLiteral("2 given up")) &&
                     progressOf(room).contains(QStringLiteral("lost 3 times")),
                 qPrintable(progressOf(room)));
        room.keepPicture(QStringLiteral("tune-array-dark-given-up"));
        // Another array does what is left.
        slurm.set(QStringLiteral("fail"), false);
        WAIT_VERIFY(room.page().bar().startButton().isEnabled());
        click(room.page().bar().startButton());
        WAIT_VERIFY(room.page().desk().isRunning());
        QVERIFY(room.waitUntilEnded());
        QVERIFY(room.page().desk().state().array->end == cluster::ArrayEnd::done);
        QCOMPARE(room.page().model().rowCount(), 7);
    }

    void stopAsksAndCancels() {
        TuningRoom room;
        const FakeSlurm slurm(room.file(QStringLiteral("slurm")));
        slurm.set(QStringLiteral("hold"));
        QVERIFY(openForArray(room));
        TuneBar& bar = room.page().bar();
        click(bar.startButton());
        QVERIFY(waitForWords(room, "2 pending"));
        QVERIFY(!bar.stopQuestion().isVisible());
        click(bar.stopButton());
        QVERIFY(bar.stopQuestion().isVisible());
        WAIT_VERIFY(bar.stopQuestion().leaveButton().hasFocus());
        room.keepPicture(QStringLiteral("tune-array-light-stop"));
        QTest::keyClick(&bar.stopQuestion().leaveButton(), Qt::Key_Escape);
        QVERIFY(!bar.stopQuestion().isVisible());
        QVERIFY(room.page().desk().isRunning());
        QToolButton* inStatus = nullptr; // from another page, too
        for (QToolButton* button : room.window->status().findChildren<QToolButton*>())
            if (button->text() == QStringLiteral("Cancel")) inStatus = button;
        room.window->actions().run(QStringLiteral("go.editor"));
        WAIT_VERIFY(!room.window->isShowingPage());
        QVERIFY(inStatus);
        WAIT_VERIFY(inStatus->isVisible() &&
                    room.window->status().workText().contains(QStringLiteral("array of jobs")));
        QTest::mouseClick(inStatus, Qt::LeftButton);
        WAIT_VERIFY(bar.stopQuestion().isVisible());
        QVERIFY(room.page().desk().isRunning());
        click(bar.stopQuestion().backButton());
        QVERIFY(!bar.stopQuestion().isVisible());
        room.window->actions().run(QStringLiteral("tune.stop"));
        QVERIFY(bar.stopQuestion().isVisible());
        click(bar.stopQuestion().cancelButton());
        QVERIFY(!bar.stopQuestion().isVisible());
        QVERIFY(room.waitUntilEnded());
        QCOMPARE(room.page().desk().state().stage, Stage::cancelled);
        QVERIFY(slurm.cancelled() >= 1);
        QVERIFY2(progressOf(room).startsWith(QStringLiteral("Cancelled")), qPrintable(progressOf(room)));
        QVERIFY(!room.page().desk().hasArray());
        QVERIFY(bar.startButton().text() != QStringLiteral("Watch"));
    }

    void leftRunningAndFoundAgain() {
        TuningRoom room(Theme::Choice::dark);
        const FakeSlurm slurm(room.file(QStringLiteral("slurm")));
        slurm.set(QStringLiteral("hold"));
        QVERIFY(openForArray(room));
        TuneBar* bar = &room.page().bar();
        click(bar->startButton());
        QVERIFY(waitForWords(room, "2 pending"));
        click(bar->stopButton());
        WAIT_VERIFY(bar->stopQuestion().leaveButton().hasFocus());
        room.keepPicture(QStringLiteral("tune-array-dark-stop"));
        room.press(Qt::Key_Space);
        QVERIFY(room.waitUntilEnded());
        QVERIFY(room.page().desk().hasArray());
        WAIT_COMPARE(bar->startButton().text(), QStringLiteral("Watch"));
        QCOMPARE(slurm.cancelled(), 0);
        // Nothing watches it unasked while this program runs ...
        QVERIFY(room.open(addSource(), QStringLiteral("add.cu")));
        QVERIFY(room.open(markedRelu()));
        QVERIFY(!room.page().desk().isRunning());
        WAIT_VERIFY(bar->startButton().isEnabled());
        click(bar->startButton());
        QVERIFY(waitForWords(room, "2 pending"));
        QCOMPARE(slurm.jobs(), 1);
        // ... but another start does, and another kernel leaves it only for as long as it is looked at.
        QVERIFY(room.start());
        room.page().desk().setArrayPace(quickPace);
        QVERIFY(room.open(markedRelu()));
        QVERIFY(waitForWords(room, "0 of 7 done; tasks: 2 pending"));
        QVERIFY(room.open(addSource(), QStringLiteral("add.cu")));
        WAIT_VERIFY(!room.page().desk().isRunning());
        QVERIFY(room.open(markedRelu()));
        QVERIFY(waitForWords(room, "0 of 7 done; tasks: 2 pending"));
        slurm.set(QStringLiteral("hold"), false);
        QVERIFY(room.waitUntilEnded());
        QCOMPARE(room.page().desk().state().stage, Stage::finished);
        QCOMPARE(slurm.jobs(), 1);
        QCOMPARE(room.page().model().rowCount(), 7);
        room.keepPicture(QStringLiteral("tune-array-dark"));
    }
};

} // namespace

KERNELARIUM_TEST(TestTuneCluster);

} // namespace kernelarium::ui

#include "TestTuneCluster.moc"
