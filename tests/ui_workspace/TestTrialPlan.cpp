// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestTrialPlan.h"

#include "tests/TestRegistry.h"
#include "ui/workspace/TrialPlan.h"

#include <QTest>

namespace kernelarium::ui {

using Next = TrialPlan::Next;
using Ground = TrialPlan::Ground;

namespace {

/// A text that compiles, on the emulator, without a verdict.
Ground compiled(quint64 generation = 5) {
    Ground ground;
    ground.generation = generation;
    ground.settled = ground.hasUnit = ground.compiles = true;
    return ground;
}

Ground onGpu(quint64 generation = 5) {
    Ground ground = compiled(generation);
    ground.onGpu = true;
    return ground;
}

Ground judged(bool canBeTimed, quint64 generation = 5) {
    Ground ground = onGpu(generation);
    ground.canBeTimed = canBeTimed;
    return ground;
}

} // namespace

void TestTrialPlan::nothingWantedIsNothingToDo() {
    TrialPlan plan;
    QVERIFY(!plan.isPending());
    QCOMPARE(plan.advance(compiled()), Next::nothing);
    QCOMPARE(plan.verdictFound(judged(true)), Next::nothing);
}

void TestTrialPlan::waitsForTheCompilation() {
    TrialPlan plan;
    plan.want(Wanted::verify);
    QCOMPARE(plan.advance(Ground()), Next::nothing);
    QCOMPARE(plan.wanted(), Wanted::verify);
    QVERIFY(plan.isPending());
    QCOMPARE(plan.advance(compiled()), Next::verify);
    QVERIFY(!plan.isPending());
}

void TestTrialPlan::givesUpWithoutAUnit() {
    TrialPlan plan;
    plan.want(Wanted::run);
    Ground failed;
    failed.settled = true;
    QCOMPARE(plan.advance(failed), Next::giveUp);
    QCOMPARE(plan.wanted(), Wanted::nothing);
}

void TestTrialPlan::startsWhatIsWanted_data() {
    QTest::addColumn<Wanted>("wanted");
    QTest::addColumn<Next>("next");
    QTest::newRow("verify") << Wanted::verify << Next::verify;
    QTest::newRow("run") << Wanted::run << Next::run;
    QTest::newRow("model") << Wanted::model << Next::model;
    QTest::newRow("step") << Wanted::step << Next::record;
    QTest::newRow("tensors") << Wanted::tensors << Next::look;
    QTest::newRow("time on the emulator") << Wanted::time << Next::verify;
}

void TestTrialPlan::startsWhatIsWanted() {
    QFETCH(Wanted, wanted);
    QFETCH(Next, next);
    TrialPlan plan;
    plan.want(Wanted::verify);
    plan.want(wanted); // the newest counts
    QCOMPARE(plan.advance(compiled()), next);
    QCOMPARE(plan.wanted(), Wanted::nothing);
    QCOMPARE(plan.advance(compiled()), Next::nothing);
}

void TestTrialPlan::aBrokenTextIsOnlyVerified() {
    Ground broken = onGpu();
    broken.compiles = false;
    broken.needsReference = true; // which is not compiled for it
    for (const Wanted wanted : {Wanted::run, Wanted::model, Wanted::time, Wanted::step, Wanted::tensors}) {
        TrialPlan plan;
        plan.want(wanted);
        QCOMPARE(plan.advance(broken), Next::sayBroken);
        QVERIFY(!plan.isPending());
    }
    TrialPlan plan;
    plan.want(Wanted::verify);
    QCOMPARE(plan.advance(broken), Next::verify);
}

void TestTrialPlan::theReferenceComesFirst() {
    Ground without = onGpu();
    without.needsReference = true;
    for (const Wanted wanted : {Wanted::verify, Wanted::time}) {
        TrialPlan plan;
        plan.want(wanted);
        QCOMPARE(plan.advance(without), Next::compileReference);
        QCOMPARE(plan.wanted(), wanted);
        QCOMPARE(plan.advance(onGpu()), Next::verify); // it is there now
    }
    TrialPlan tensors; // whose differences are looked at
    tensors.wantTensors(true);
    QCOMPARE(tensors.advance(without), Next::compileReference);
    QCOMPARE(tensors.advance(onGpu()), Next::look);
    QVERIFY(tensors.tensorsInEmulator());
    // What is not compared needs none.
    TrialPlan plan;
    plan.want(Wanted::run);
    QCOMPARE(plan.advance(without), Next::run);
    without.canBeTimed = true;
    plan.wantTime({});
    QCOMPARE(plan.advance(without), Next::time);
    without.onGpu = false;
    without.canBeTimed.reset();
    plan.wantTime({});
    QCOMPARE(plan.advance(without), Next::compileReference);
    plan.want(Wanted::model); // which says nothing of right or wrong
    QCOMPARE(plan.advance(without), Next::model);
}

void TestTrialPlan::aTimeNeedsAVerdict() {
    TrialPlan plan;
    plan.wantTime({});
    QVERIFY(!plan.awaitsVerdict());
    QCOMPARE(plan.advance(onGpu()), Next::verify);
    QVERIFY(plan.awaitsVerdict() && plan.isPending());
    QCOMPARE(plan.verdictFound(judged(true)), Next::time);
    QVERIFY(!plan.isPending());
    QCOMPARE(plan.verdictFound(judged(true)), Next::nothing); // once
    plan.wantTime({});
    QCOMPARE(plan.advance(judged(true)), Next::time); // there is one already
    // A modelled time, too.
    plan.wantTime({});
    QCOMPARE(plan.advance(compiled()), Next::verify);
    Ground emulated = judged(true);
    emulated.onGpu = false;
    QCOMPARE(plan.verdictFound(emulated), Next::model);
    plan.wantTime({});
    QCOMPARE(plan.advance(emulated), Next::model);
}

void TestTrialPlan::aTimeOfAnotherTextIsDropped() {
    TrialPlan plan;
    plan.wantTime({});
    QCOMPARE(plan.advance(onGpu(5)), Next::verify);
    QCOMPARE(plan.verdictFound(judged(true, 6)), Next::nothing);
    QVERIFY(!plan.isPending());
    plan.wantTime({});
    QCOMPARE(plan.advance(onGpu(5)), Next::verify);
    Ground broken = judged(true, 5);
    broken.compiles = false;
    QCOMPARE(plan.verdictFound(broken), Next::nothing);
    QVERIFY(!plan.isPending());
}

void TestTrialPlan::aVerdictThatCannotBeTimedEndsIt() {
    TrialPlan plan;
    plan.wantTime({});
    QCOMPARE(plan.advance(onGpu()), Next::verify);
    QCOMPARE(plan.verdictFound(judged(false)), Next::refuseTime);
    QVERIFY(!plan.isPending());
    plan.wantTime({});
    QCOMPARE(plan.advance(judged(false)), Next::refuseTime);
}

void TestTrialPlan::aRivalIsTakenOnce() {
    TrialPlan plan;
    plan.wantTime({std::make_shared<const compile::CompiledUnit>(), QStringLiteral("other")});
    QCOMPARE(plan.advance(judged(true)), Next::time);
    QCOMPARE(plan.takeRival().name, QStringLiteral("other"));
    QVERIFY(!plan.takeRival().unit);
    plan.wantTime({std::make_shared<const compile::CompiledUnit>(), QStringLiteral("other")});
    plan.wantTime({}); // alone
    QVERIFY(!plan.takeRival().unit);
}

void TestTrialPlan::aRaceIsDroppedWithTheTime() {
    TrialPlan plan;
    plan.race(3);
    QVERIFY(plan.isPending() && plan.isRacing(3) && !plan.isRacing(4));
    plan.race(4);
    QVERIFY(!plan.isRacing(3)); // the newest counts
    plan.want(Wanted::run);
    plan.dropTime();
    QVERIFY(!plan.isRacing(4));
    QCOMPARE(plan.wanted(), Wanted::run);
}

void TestTrialPlan::droppingEndsAllThatIsPending() {
    TrialPlan plan;
    plan.wantTime({});
    QCOMPARE(plan.advance(onGpu()), Next::verify);
    plan.race(3);
    plan.want(Wanted::step);
    plan.drop();
    QVERIFY(!plan.isPending() && !plan.awaitsVerdict() && !plan.isRacing(3));
    QCOMPARE(plan.advance(compiled()), Next::nothing);
    QCOMPARE(plan.verdictFound(judged(true)), Next::nothing);
}

void TestTrialPlan::theNewestTrialIsKept() {
    TrialPlan plan;
    QVERIFY(!plan.tried(0) && !plan.tried(5));
    Trial first;
    first.generation = 5;
    first.attempt.kernelKey = "first";
    plan.begin(first);
    QVERIFY(plan.tried(5) && plan.tried(5)->attempt.kernelKey == "first");
    plan.drop(); // edited meanwhile: what was begun is kept all the same
    QVERIFY(plan.tried(5));
    Trial second;
    second.generation = 6;
    plan.begin(second);
    QVERIFY(plan.tried(6) && !plan.tried(5));
}

void TestTrialPlan::whatIsToBeShownWaitsForItsKernel() {
    TrialPlan plan;
    QVERIFY(plan.takeShown(1).attempt == 0 && !plan.takeShown(1).judged);
    plan.showAttempt(8);
    QCOMPARE(plan.takeShown(2).attempt, qint64(8));
    QCOMPARE(plan.takeShown(2).attempt, qint64(0)); // once
    plan.showJudged(3);
    QVERIFY(plan.takeShown(3).judged);
    QVERIFY(!plan.takeShown(3).judged);
    plan.showJudged(4);
    QVERIFY2(!plan.takeShown(5).judged, "another kernel was opened since");
    QVERIFY2(!plan.takeShown(4).judged, "and came first");
}

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestTrialPlan);
