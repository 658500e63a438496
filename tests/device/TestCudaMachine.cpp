// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/device/TestCudaMachine.h"

#include "core/verify/Comparison.h"
#include "gpu/device/memory/CudaMachine.h"
#include "gpu/operators/DeviceComparison.h"
#include "gpu/operators/DeviceInputs.h"
#include "gpu/operators/DeviceReference.h"
#include "tests/TestRegistry.h"
#include "tests/device/Gpu.h"

#include <QtTest>
#include <cstring>

using namespace kernelarium;
using device::Slab;
using device::SlabArena;
using tensor::DType;
using tensor::Tensor;
using test::Gpu;

namespace {

operators::KernelLibrary& library() {
    static auto made = operators::KernelLibrary::create(compile::Toolkit::find());
    return **made;
}

/// One machine for all tests, as in a run child.
device::CudaMachine& machine() {
    static device::CudaMachine one(Gpu::instance().context(), Gpu::instance().pool());
    return one;
}

struct SlabCount {
    std::uint64_t next = 0x10000100;
    std::size_t taken = 0, returned = 0;
    SlabArena::Source source() {
        return {[this](std::uint64_t bytes) -> Result<Slab> {
                    const Slab slab{next, std::max<std::uint64_t>(bytes, 1 << 20)};
                    next += slab.bytes + 4096;
                    ++taken;
                    return slab;
                },
                [this](Slab) { ++returned; }};
    }
};

struct Question {
    Question(int level, int number, const char* size)
        : card(*task::loadCard(level, number))
        , plan(*verify::planOf(card, size)) {
        inputs.tensors = verify::drawTensors(plan, 5);
        inputs.arguments = verify::argumentsOf(plan, inputs.tensors);
        cpu = *verify::CardReference::create(card, size, 8);
    }
    task::Card card;
    verify::InputPlan plan;
    verify::CallInputs inputs;
    std::unique_ptr<verify::CardReference> cpu;
};

} // namespace

void TestCudaMachine::arenaFillsGapsAndGivesSlabsBack() {
    SlabCount count;
    {
        SlabArena arena(count.source());
        std::vector<std::uint64_t> pieces;
        for (int i = 0; i < 8; ++i)
            pieces.push_back(*arena.allocate(100'000));
        QCOMPARE(count.taken, std::size_t(1));
        for (std::size_t i = 0; i < pieces.size(); ++i) {
            QCOMPARE(pieces[i] % SlabArena::alignment, std::uint64_t(0));
            for (std::size_t k = 0; k < i; ++k)
                QVERIFY(pieces[i] >= pieces[k] + 100'000 || pieces[k] >= pieces[i] + 100'000);
        }
        QVERIFY(arena.release(pieces[3]).ok() && arena.release(pieces[5]).ok());
        QCOMPARE(*arena.allocate(90'000), pieces[3]); // the first of the smallest gaps
        QVERIFY(arena.release(pieces[4]).ok());
        const std::uint64_t joined = *arena.allocate(200'000); // of three neighbouring gaps
        QVERIFY(joined >= pieces[3] + 90'000 && joined + 200'000 <= pieces[6]);
        QCOMPARE(arena.release(pieces[5]).error().code, std::string("bad_free"));
        const std::uint64_t large = *arena.allocate(3 << 20);
        QCOMPARE(count.taken, std::size_t(2));
        QVERIFY(arena.release(large).ok());
        QCOMPARE(count.returned, std::size_t(1));
        for (const std::size_t i : {0, 1, 2, 3, 6, 7})
            QVERIFY(arena.release(pieces[i]).ok());
        QVERIFY(arena.release(joined).ok());
        QCOMPARE(count.returned, std::size_t(2));
        QCOMPARE(arena.used() + arena.unused() + arena.slabs(), std::uint64_t(0));
        QVERIFY(arena.allocate(0).ok());
    }
    QCOMPARE(count.returned, std::size_t(3));
    SlabCount own;
    SlabArena arena(own.source());
    const std::uint64_t large = *arena.allocate(SlabArena::largeBytes), small = *arena.allocate(1000);
    QCOMPARE(own.taken, std::size_t(2));
    QVERIFY(arena.release(large).ok());
    QCOMPARE(own.returned, std::size_t(1)); // nothing small was put beside it
    QVERIFY(arena.release(small).ok());
}

void TestCudaMachine::arenaSaysWhatTheSourceSays() {
    SlabArena arena({[](std::uint64_t) -> Result<Slab> { return Error{"out_of_memory", "No."}; }, [](Slab) {}});
    const auto refused = arena.allocate(1);
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().message, std::string("No."));
}

void TestCudaMachine::memoryIsWhatWasWritten() {
    NEEDS_GPU();
    std::vector<std::byte> bytes(100'001);
    for (std::size_t i = 0; i < bytes.size(); ++i)
        bytes[i] = std::byte(i * 31 + 7);
    const std::uint64_t a = *machine().allocate(bytes.size(), "a"), b = *machine().allocate(bytes.size(), "b");
    QCOMPARE(a % 256, std::uint64_t(0));
    QVERIFY(machine().write(a, bytes).ok() && machine().copy(b, a, bytes.size()).ok());
    std::vector<std::byte> back(bytes.size());
    QVERIFY(machine().read(b, back).ok());
    QVERIFY(back == bytes);
    QVERIFY(machine().release(a).ok() && machine().release(b).ok());
    QCOMPARE(machine().release(a).error().code, std::string("bad_free"));
}

void TestCudaMachine::refusesWhatDoesNotFit() {
    NEEDS_GPU();
    const std::uint64_t free = machine().freeBytes();
    QVERIFY(free > 0 && free < Gpu::instance().context()->info().memoryBytes);
    const auto refused = machine().allocate(Gpu::instance().context()->info().memoryBytes, "too much");
    QVERIFY(!refused.ok());
    QCOMPARE(refused.error().code, std::string("out_of_memory"));
    QVERIFY(!Gpu::instance().context()->isLost());
}

void TestCudaMachine::drawsWhatTheCpuDraws() {
    NEEDS_GPU();
    operators::Device device(machine(), &library());
    for (const auto& [level, number] : {std::pair{1, 1}, {1, 95}, {1, 97}, {2, 12}}) {
        const Question q(level, number, "small");
        const auto drawn = operators::drawTensors(device, q.plan, 5);
        QVERIFY2(drawn.ok(), drawn.ok() ? "" : drawn.error().message.c_str());
        for (std::size_t i = 0; i < drawn->size(); ++i) {
            const Tensor there = device.download((*drawn)[i]);
            QVERIFY2(std::memcmp(there.bytes().data(), q.inputs.tensors[i].bytes().data(), there.byteCount()) == 0,
                     qPrintable(QString("tensor %1 of task %2/%3").arg(i).arg(level).arg(number)));
        }
    }
}

void TestCudaMachine::graphsGiveWhatTheCpuGives_data() {
    QTest::addColumn<int>("level");
    QTest::addColumn<int>("task");
    for (const task::TaskKey& key : task::builtInCards()) {
        if (key.level == 3 && (key.task == 11 || key.task == 12)) continue; // their small size is none
        QTest::addRow("%d/%d", key.level, key.task) << key.level << key.task;
    }
}

/// Float64 to its last digits, and float32 as good as the CPU's own.
void TestCudaMachine::graphsGiveWhatTheCpuGives() {
    NEEDS_GPU();
    QFETCH(int, level);
    QFETCH(int, task);
    const Question q(level, task, "small");
    const auto onGpu = operators::DeviceReference::create(machine(), library(), q.card, "small", {});
    const auto expected = q.cpu->evaluate(q.inputs, {});
    const auto got = (*onGpu)->evaluate(q.inputs, {});
    QVERIFY(expected.ok());
    QVERIFY2(got.ok(), got.ok() ? "" : got.error().text().c_str());
    QVERIFY2((*onGpu)->remark().empty(), (*onGpu)->remark().c_str()); // nothing fell back to the CPU
    const verify::Comparison wide = verify::compare(*got, *expected, {}, {1e-10, 1e-9});
    if (!wide.rightStrictly()) {
        // Some deep networks enlarge the last bit of an input by many orders of magnitude: so does the CPU itself.
        verify::CallInputs moved = q.inputs;
        moved.tensors[0] = moved.tensors[0].to(DType::Float64).clone();
        for (std::int64_t i = 0; i < moved.tensors[0].count(); ++i)
            moved.tensors[0].set(i, moved.tensors[0].at(i) * (1 + double(i % 3 - 1) * 0x1p-52));
        const auto felt = q.cpu->evaluate(moved, {});
        QVERIFY2(felt.ok(), felt ? "" : felt.error().text().c_str());
        const verify::Comparison own = verify::compare(*felt, *expected, {}, {1e-10, 1e-9});
        QVERIFY2(wide.maxAbsoluteError <= 16 * own.maxAbsoluteError,
                 qPrintable(QString("float64 is off by %1, an ulp of the input moves the CPU's answer by %2")
                                .arg(wide.maxAbsoluteError)
                                .arg(own.maxAbsoluteError)));
    }
    const auto plain = q.cpu->evaluateFloat32(q.inputs, {});
    const auto narrow = (*onGpu)->evaluateFloat32(q.inputs, {});
    QVERIFY(plain.ok() && narrow.ok() && *narrow);
    const auto types = q.cpu->outputTypes();
    const verify::Comparison ours = verify::compare(**narrow, *expected, types, {});
    const verify::Comparison theirs = verify::compare(**plain, *expected, types, {});
    QVERIFY2(
        ours.maxAbsoluteError <= 4 * theirs.maxAbsoluteError + 1e-6 * (ours.referenceRms + 1),
        qPrintable(
            QString("float32 is off by %1, the CPU's by %2").arg(ours.maxAbsoluteError).arg(theirs.maxAbsoluteError)));
}

void TestCudaMachine::aSecondReferenceCompilesNothing() {
    NEEDS_GPU();
    const Question q(1, 1, "full");
    for (const bool first : {true, false}) {
        const auto reference = operators::DeviceReference::create(machine(), library(), q.card, "full", {});
        QElapsedTimer clock;
        clock.start();
        QVERIFY((*reference)->evaluate(q.inputs, {}).ok());
        qInfo("task 1/1 at full size, %s: %.3f s, of that %.3f s compiling", first ? "first" : "again",
              double(clock.nsecsElapsed()) / 1e9, (*reference)->preparationSeconds());
        if (!first) QCOMPARE((*reference)->preparationSeconds(), 0.0);
    }
}

void TestCudaMachine::comparesWhatTheCpuCompares() {
    NEEDS_GPU();
    Tensor reference(DType::Float64, {64, 1000}), got(DType::Float32, {64, 1000});
    for (std::int64_t i = 0; i < reference.count(); ++i) {
        reference.set(i, double(i % 977) / 977 - 0.4);
        got.set(i, reference.at(i) * (1 + 1e-7 * double(i % 13)));
    }
    got.set(31'415, 7);
    got.set(50'000, std::nan(""));
    operators::Device device(machine(), &library());
    const std::vector<operators::DeviceTensor> there{device.upload(got)};
    const auto found = operators::compare(device, there, std::vector{reference}, {DType::Float32}, {});
    QVERIFY2(found.ok(), found.ok() ? "" : found.error().message.c_str());
    const verify::Comparison expected = verify::compare(got, reference, {DType::Float32}, {});
    QCOMPARE(found->beyondStrict, expected.beyondStrict);
    QCOMPARE(found->beyondLegacy, expected.beyondLegacy);
    QCOMPARE(found->unexpectedNan, expected.unexpectedNan);
    QCOMPARE(found->maxAbsoluteError, expected.maxAbsoluteError);
    QCOMPARE(found->maxRelativeError, expected.maxRelativeError);
    QVERIFY(found->firstBeyondLegacy && found->firstBeyondLegacy->index == expected.firstBeyondLegacy->index);
}

void TestCudaMachine::memoryGoesBackToThePool() {
    NEEDS_GPU();
    const std::uint64_t lent = Gpu::instance().pool()->lent();
    const std::uint64_t address = *machine().allocate(200 << 20, "large");
    QVERIFY(Gpu::instance().pool()->lent() >= lent + (200 << 20));
    QVERIFY(machine().release(address).ok());
    QCOMPARE(Gpu::instance().pool()->lent(), lent);
}

KERNELARIUM_TEST(TestCudaMachine);
