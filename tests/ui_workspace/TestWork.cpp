// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestWork.h"

#include "tests/TestRegistry.h"
#include "ui/threads/Work.h"

#include <QTest>

namespace kernelarium::ui {

namespace {

const Error broken{"broken", "It broke.", "Mend it.", {}};
const Error stopped{"cancelled", "Cancelled.", {}, {}};

} // namespace

void TestWork::finishesOnce() {
    Work<int> work;
    QCOMPARE(work.state().stage, Stage::idle);
    const auto ticket = work.begin(7);
    QCOMPARE(work.state().stage, Stage::running);
    QVERIFY(work.isBusy() && work.isOpen(ticket));
    QVERIFY(work.progress(ticket, QStringLiteral("half")));
    QCOMPARE(work.state().step, QStringLiteral("half"));
    QVERIFY(work.end(ticket, 42));
    QCOMPARE(work.state().stage, Stage::finished);
    QCOMPARE(work.state().answer, 42);
    QCOMPARE(work.state().answered, quint64(7));
    QVERIFY(work.state().step.isEmpty() && !work.isBusy());
    // Whatever comes after the end is not heard.
    QVERIFY(!work.end(ticket, broken));
    QVERIFY(!work.end(ticket, 43));
    QVERIFY(!work.progress(ticket, QStringLiteral("more")));
    QVERIFY(!work.cancel());
    QCOMPARE(work.state().stage, Stage::finished);
    QCOMPARE(work.state().answer, 42);
    QVERIFY(work.state().step.isEmpty());
}

void TestWork::failsWithItsReason() {
    Work<int> work;
    const auto ticket = work.begin();
    QVERIFY(work.end(ticket, broken));
    QCOMPARE(work.state().stage, Stage::failed);
    QCOMPARE(work.state().error.code, std::string("broken"));
    work.begin();
    QVERIFY2(work.state().error.code.empty(), "new work has not failed");
}

void TestWork::isCancelledWithoutAReason() {
    Work<int> work;
    QVERIFY(work.end(work.begin(), stopped));
    QCOMPARE(work.state().stage, Stage::cancelled);
    QVERIFY(work.state().error.code.empty());
}

void TestWork::hearsOnlyTheNewest() {
    Work<int> work;
    const auto older = work.begin(1);
    const auto newer = work.begin(2);
    QVERIFY(!work.progress(older, QStringLiteral("of the older")));
    QVERIFY(!work.end(older, stopped));
    QCOMPARE(work.state().stage, Stage::running);
    QVERIFY(work.state().step.isEmpty());
    QVERIFY(work.end(newer, 2));
    QVERIFY(!work.end(older, 1));
    QCOMPARE(work.state().answer, 2);
    QCOMPARE(work.state().answered, quint64(2));
}

void TestWork::keepsOrForgetsTheFormerAnswer() {
    Work<int> work;
    work.end(work.begin(1), 10);
    const auto kept = work.wait(2, Former::kept);
    QCOMPARE(work.state().stage, Stage::waiting);
    QCOMPARE(work.state().answer, 10);
    QCOMPARE(work.state().answered, quint64(1)); // and not 2
    QCOMPARE(work.state().generation, quint64(2));
    QVERIFY(work.end(kept, broken));
    QCOMPARE(work.state().answer, 10);
    work.begin(3);
    QCOMPARE(work.state().answer, 0);
    QCOMPARE(work.state().answered, quint64(0));
}

void TestWork::canBeCancelledByWhoOwnsIt() {
    Work<int> work;
    QVERIFY2(!work.cancel(), "there is nothing to cancel");
    QCOMPARE(work.state().stage, Stage::idle);
    const auto ticket = work.wait();
    QVERIFY(work.cancel());
    QCOMPARE(work.state().stage, Stage::cancelled);
    QVERIFY2(!work.end(ticket, 1), "it has ended");
    QCOMPARE(work.state().stage, Stage::cancelled);
}

void TestWork::showsAnAnswerOfElsewhere() {
    Work<int> work;
    const auto running = work.begin(1);
    work.show(5, 50);
    QCOMPARE(work.state().stage, Stage::finished);
    QCOMPARE(work.state().generation, quint64(5));
    QCOMPARE(work.state().answered, quint64(5));
    QVERIFY(!work.end(running, 1));
    QCOMPARE(work.state().answer, 50);
}

void TestWork::forgetsEverything() {
    struct Detailed : WorkState<int> {
        int detail = 0;
    };
    Work<int, Detailed> work;
    const auto ticket = work.begin(1);
    work.details().detail = 3;
    work.clear();
    QCOMPARE(work.state().stage, Stage::idle);
    QCOMPARE(work.state().detail, 0);
    QVERIFY(!work.end(ticket, 1));
    QVERIFY2(work.begin() != ticket, "a ticket is never given twice");
}

void TestWork::restsWithItsAnswer() {
    Work<int> work;
    work.end(work.begin(1), 10);
    const auto ticket = work.begin(2, Former::kept);
    work.rest();
    QCOMPARE(work.state().stage, Stage::idle);
    QCOMPARE(work.state().answer, 10);
    QVERIFY(!work.end(ticket, 11));
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestWork);
