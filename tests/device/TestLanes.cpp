// SPDX-License-Identifier: GPL-3.0-or-later
// What of forward's streams overlaps when its work is queued again: the same rules tell StreamOrder and the replay.
#include "tests/device/TestLanes.h"

#include "gpu/device/timing/TimingLanes.h"
#include "gpu/host/backend/StreamOrder.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium;
using device::TimedAction;

namespace {

/// Notes down actions as a run does.
struct Recorded {
    host::StreamOrder order;
    std::vector<TimedAction> actions;

    void launch(std::uint64_t stream) {
        TimedAction action;
        action.launch.stream = stream;
        action.launch.item = order.nextItem(stream);
        action.launch.after = order.ahead(stream);
        order.work(stream, "kernel");
        actions.push_back(std::move(action));
    }
    void copy() {
        order.work(0, "copy");
        TimedAction action;
        action.kind = TimedAction::Kind::copy;
        actions.push_back(std::move(action));
    }
    [[nodiscard]] device::TimedLanes lanes() const { return device::lanesOf(actions); }
};

using Indices = std::vector<std::size_t>;

} // namespace

void TestLanes::oneStreamIsOneLane() {
    Recorded run;
    run.launch(0);
    run.launch(1); // another name of the default stream
    run.copy();
    run.launch(0);
    const device::TimedLanes lanes = run.lanes();
    QVERIFY(!lanes.overlaps());
    QCOMPARE(lanes.commands(), std::size_t(0));
    for (const auto& place : lanes.actions)
        QVERIFY(place.lane == 0 && place.after.empty() && !place.awaited);
}

void TestLanes::independentStreamsOverlap() {
    Recorded run;
    for (const std::uint64_t stream : {7, 8})
        run.order.create(stream, true);
    run.launch(7);
    run.launch(8);
    run.launch(7);
    run.order.hostWaitsForAll();
    const device::TimedLanes lanes = run.lanes();
    QCOMPARE(lanes.lanes, std::size_t(3));
    for (const auto& place : lanes.actions)
        QVERIFY(place.after.empty());
    QCOMPARE(lanes.actions[0].lane, lanes.actions[2].lane);
    QVERIFY(lanes.actions[0].lane != lanes.actions[1].lane);
    QCOMPARE(lanes.lasts, (Indices{2, 1}));
    QVERIFY(!lanes.actions[0].awaited && lanes.actions[1].awaited && lanes.actions[2].awaited);
}

void TestLanes::eventsAndHostWaitsOrder() {
    Recorded run;
    for (const std::uint64_t stream : {7, 8, 9})
        run.order.create(stream, false);
    run.launch(7);
    run.order.record(100, 7);
    run.launch(7);
    run.order.waitForEvent(8, 100);
    run.launch(8); // after the first only
    run.order.hostWaitsFor(7);
    run.launch(9); // after both on 7
    const device::TimedLanes lanes = run.lanes();
    QCOMPARE(lanes.actions[2].after, (Indices{0}));
    QCOMPARE(lanes.actions[3].after, (Indices{1}));
}

void TestLanes::theDefaultStreamOrdersBlockingOnes() {
    Recorded run;
    run.order.create(7, true);
    run.order.create(8, false);
    run.launch(7);
    run.launch(8);
    run.launch(0); // after what 7 has, not 8
    run.launch(7); // after that
    run.launch(8);
    const device::TimedLanes lanes = run.lanes();
    QCOMPARE(lanes.actions[2].lane, std::size_t(0));
    QCOMPARE(lanes.actions[2].after, (Indices{0}));
    QCOMPARE(lanes.actions[3].after, (Indices{2}));
    QVERIFY(lanes.actions[4].after.empty());
}

void TestLanes::copiesComeBetween() {
    Recorded run;
    run.order.create(8, false);
    run.launch(8);
    run.copy();
    run.launch(8);
    const device::TimedLanes lanes = run.lanes();
    QCOMPARE(lanes.actions[1].lane, std::size_t(0));
    QCOMPARE(lanes.actions[1].after, (Indices{0}));
    QCOMPARE(lanes.actions[2].after, (Indices{1}));
}

void TestLanes::whatIsKnownIsNotAwaitedTwice() {
    Recorded run;
    for (const std::uint64_t stream : {7, 8, 9})
        run.order.create(stream, false);
    run.launch(7);
    run.order.record(100, 7);
    run.order.waitForEvent(8, 100);
    run.launch(8);
    run.order.record(101, 8);
    run.order.waitForEvent(9, 100);
    run.order.waitForEvent(9, 101);
    run.launch(9); // what it waits for has waited for the first
    run.launch(9);
    const device::TimedLanes lanes = run.lanes();
    QCOMPARE(lanes.actions[2].after, (Indices{1}));
    QVERIFY(lanes.actions[3].after.empty());
}

KERNELARIUM_TEST(TestLanes);
