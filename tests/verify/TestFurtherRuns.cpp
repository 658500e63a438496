// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestFurtherRuns.h"

#include "tests/TestRegistry.h"
#include "tests/verify/RowKernel.h"

#include <QtTest>

using namespace kernelarium;
using namespace kernelarium::verify;
using namespace kernelarium::verify::row;

void TestFurtherRuns::uninitialisedReadCountsWhenItShows() {
    const Verdict v = judge(honestBut([](const RunRequest& request, auto&, RunResult& result) {
        Fault fault;
        fault.kind = "uninitialised_read";
        result.faults = {fault};
        outputOf(result)[0] += request.poison == firstPoison ? 0.0f : 4e-3f; // within the legacy tolerance
    }));
    QCOMPARE(v.kind, VerdictKind::fault);
    QCOMPARE(v.reasons, std::vector<std::string>{"uninitialised_read"});
}

void TestFurtherRuns::harmlessUninitialisedReadIsARemark() {
    const Verdict v = judge(honestBut([](auto&, auto&, RunResult& result) {
        Fault fault;
        fault.kind = "uninitialised_read";
        fault.message = "A read of shared memory that nothing wrote.";
        result.faults = {fault};
    }));
    QCOMPARE(v.kind, VerdictKind::verified);
    QCOMPARE(v.remarks, std::vector<std::string>{"benign_uninitialised_read"});
}

void TestFurtherRuns::hardCodedSeedIsWrong() {
    std::optional<std::vector<float>> first;
    const Verdict v = judge(honestBut([&](auto&, auto&, RunResult& result) {
        if (!first) first = std::vector<float>(outputOf(result), outputOf(result) + width);
        std::copy(first->begin(), first->end(), outputOf(result));
    }));
    QCOMPARE(v.kind, VerdictKind::wrong);
    QCOMPARE(stateOf(v, "second_seed"), CheckState::failed);
}

void TestFurtherRuns::cachedResultIsSuspicious() {
    std::optional<std::vector<float>> cache;
    const Verdict v = judge(honestBut([&](const RunRequest& request, auto&, RunResult& result) {
        if (request.earlierCalls.empty()) return; // fresh process state
        if (!cache) cache = std::vector<float>(outputOf(result), outputOf(result) + width);
        std::copy(cache->begin(), cache->end(), outputOf(result));
    }));
    QCOMPARE(v.kind, VerdictKind::suspicious);
    QCOMPARE(v.reasons, std::vector<std::string>{"cached_result"});
}

void TestFurtherRuns::callsAreAsManyAsMemoryHolds_data() {
    QTest::addColumn<int>("sets"); // of tensors that the device's memory holds
    QTest::addColumn<bool>("cheats");
    QTest::addColumn<int>("end"); // of a run that needs more
    QTest::addColumn<int>("state");
    const int memory = int(RunEnd::out_of_memory);
    QTest::newRow("two") << 2 << false << memory << int(CheckState::passed);
    QTest::newRow("two, and a result is kept") << 2 << true << memory << int(CheckState::failed);
    QTest::newRow("one") << 1 << false << memory << int(CheckState::passed);
    QTest::newRow("one, and a result is kept") << 1 << true << memory << int(CheckState::failed);
    QTest::newRow("hardly one") << 0 << false << memory << int(CheckState::skipped);
    // What a second call does that the first did not is no matter of memory, and hides nothing.
    QTest::newRow("another reason") << 0 << false << int(RunEnd::unsupported) << int(CheckState::failed);
}

/// What does not fit is tried with less, and said.
void TestFurtherRuns::callsAreAsManyAsMemoryHolds() {
    QFETCH(int, sets);
    QFETCH(bool, cheats);
    QFETCH(int, end);
    QFETCH(int, state);
    std::optional<std::vector<float>> cache;
    const Verdict v = judge(honestBut([&](const RunRequest& request, auto&, RunResult& result) {
        if (request.earlierCalls.empty()) return;
        const int needed = request.sameAddresses ? 1 : int(request.earlierCalls.size()) + 1;
        if (needed > sets) {
            result.end = RunEnd(end);
            result.reason = "more device memory";
            return;
        }
        if (!cache) cache = std::vector<float>(outputOf(result), outputOf(result) + width);
        if (cheats) std::copy(cache->begin(), cache->end(), outputOf(result));
    }));
    QCOMPARE(int(stateOf(v, "cached_result")), state);
    const VerdictKind otherwise = RunEnd(end) == RunEnd::unsupported ? VerdictKind::unsupported : VerdictKind::verified;
    QCOMPARE(v.kind, cheats ? VerdictKind::suspicious : otherwise);
}

void TestFurtherRuns::idleKernelsAreSuspicious() {
    const Verdict v = judge([](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
        RunRequest other = request;
        other.skipLaunches = false;
        honest(other, in, result);
    });
    QCOMPARE(v.kind, VerdictKind::suspicious);
    QCOMPARE(v.reasons, std::vector<std::string>{"idle_kernels"});
}

void TestFurtherRuns::anotherShapeIsTried() {
    // `honest` writes 64 elements whatever it is given: at another width it does not fit.
    OtherShape odd{"odd", rowPlan(), std::make_unique<RowReference>()};
    for (TensorPlan& t : odd.plan.tensors)
        t.shape = {width + 3};
    VerifyOptions options;
    options.otherShape = &odd;
    RowReference reference;
    FakeRunner fixed(honest);
    const Verdict v = verify::verify(fixed, &reference, rowPlan(), options).value();
    QCOMPARE(v.kind, VerdictKind::verified);
    QCOMPARE(v.remarks, std::vector<std::string>{"shape_specific"});
    FakeRunner refusing([](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
        honest(request, in, result);
        if (in[0].count() == width) return;
        result.end = RunEnd::host_exception;
        result.reason = "only 64 elements";
    });
    const Verdict polite = verify::verify(refusing, &reference, rowPlan(), options).value();
    QVERIFY(polite.remarks.empty());
    QCOMPARE(stateOf(polite, "other_shape"), CheckState::passed);
}

void TestFurtherRuns::lostUpdatesAreFaultsWhetherLostOrNot() {
    for (const bool lost : {false, true}) {
        const Verdict v = judge(honestBut([lost](const RunRequest&, std::vector<Tensor>&, RunResult& result) {
            Fault race;
            race.kind = "race";
            race.line = 3;
            race.other = FaultParty{{1, 0, 0}, {0, 0, 0}, 3};
            race.effect = RaceEffect::lost_update;
            result.faults = {race};
            if (lost) outputOf(result)[2] += 1;
        }));
        QCOMPARE(v.kind, VerdictKind::fault);
        QCOMPARE(v.reasons, std::vector<std::string>{"race"});
    }
}

void TestFurtherRuns::otherOrdersAreTriedWhereTheyMatter_data() {
    QTest::addColumn<bool>("turns");
    QTest::addColumn<RaceEffect>("effect"); ///< of a race; undefined_winner: there is none
    QTest::addColumn<int>("orders");
    QTest::newRow("nothing tells") << false << RaceEffect::undefined_winner << 0;
    QTest::newRow("lanes take turns") << true << RaceEffect::undefined_winner << 1;
    QTest::newRow("a race") << false << RaceEffect::order << 2;
    QTest::newRow("a race, and turns") << true << RaceEffect::order << 3;
    QTest::newRow("an atomic decides") << false << RaceEffect::guarded << 2;
}

void TestFurtherRuns::otherOrdersAreTriedWhereTheyMatter() {
    QFETCH(bool, turns);
    QFETCH(RaceEffect, effect);
    QFETCH(int, orders);
    for (const bool depends : {false, true}) {
        int tried = 0;
        FakeRunner runner(honestBut([&](const RunRequest& request, std::vector<Tensor>&, RunResult& result) {
            result.lanesTookTurns = turns;
            if (effect != RaceEffect::undefined_winner) {
                Fault race;
                race.kind = "race";
                race.effect = effect;
                result.faults = {race};
            }
            const bool another = request.schedule != 0 || request.contraryLanes;
            tried += another;
            if (another && depends) outputOf(result)[2] += 1;
        }));
        runner.schedules = true;
        RowReference reference;
        const Verdict v = verify::verify(runner, &reference, rowPlan(), VerifyOptions{}).value();
        QCOMPARE(tried, depends ? std::min(orders, 1) : orders);
        QCOMPARE(v.kind, depends && orders ? VerdictKind::fault : VerdictKind::verified);
        if (depends && orders == 1) QVERIFY2(v.message.find("branch") != std::string::npos, v.message.c_str());
        QCOMPARE(has(v.remarks, "race"), !depends && effect == RaceEffect::order);
    }
}

void TestFurtherRuns::aLessExactLibraryMayChooseAnotherAlgorithm() {
    // Off by more than float32 is, and by something else where memory lies elsewhere; what reads poison gives NaN.
    const auto roughly = [](bool readsPoison) {
        return honestBut([readsPoison](const RunRequest& request, std::vector<Tensor>&, RunResult& result) {
            for (std::int64_t i = 0; i < width; ++i)
                outputOf(result)[i] *= request.addressSalt == 2 ? 1.002f : 0.998f;
            if (readsPoison) std::memcpy(outputOf(result), &request.poison, sizeof request.poison);
        });
    };
    RowReference reference;
    FakeRunner untracked(roughly(false));
    untracked.tracksWrites = false;
    const Verdict v = verify::verify(untracked, &reference, rowPlan(), VerifyOptions{}).value();
    QCOMPARE(v.kind, VerdictKind::verified);
    QVERIFY(has(v.remarks, "not_repeatable"));
    QVERIFY(has(v.remarks, "legacy_tolerance_only"));
    FakeRunner tracked(roughly(false)); // there the difference has another cause
    QCOMPARE(verify::verify(tracked, &reference, rowPlan(), VerifyOptions{}).value().kind, VerdictKind::fault);
    FakeRunner reading(roughly(true));
    reading.tracksWrites = false;
    QVERIFY(verify::verify(reading, &reference, rowPlan(), VerifyOptions{}).value().kind != VerdictKind::verified);
}

void TestFurtherRuns::aCrashAtAnotherShapeSpoilsNoOtherRun() {
    // As on a GPU: after a crash nothing runs any more.
    OtherShape odd{"odd", rowPlan(), std::make_unique<RowReference>()};
    for (TensorPlan& t : odd.plan.tensors)
        t.shape = {width + 3};
    VerifyOptions options;
    options.otherShape = &odd;
    RowReference reference;
    bool lost = false;
    FakeRunner runner([&](const RunRequest& request, std::vector<Tensor>& in, RunResult& result) {
        lost = lost || in[0].count() != width;
        if (lost) {
            result.end = RunEnd::crashed;
            result.reason = "misaligned address";
        } else {
            honest(request, in, result);
        }
    });
    const Verdict v = verify::verify(runner, &reference, rowPlan(), options).value();
    QVERIFY(lost);
    QCOMPARE(v.kind, VerdictKind::verified);
    QCOMPARE(v.remarks, std::vector<std::string>{"shape_specific"});
}

KERNELARIUM_TEST(TestFurtherRuns);
