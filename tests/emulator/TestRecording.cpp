// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/recording/Cursor.h"
#include "core/recording/Words.h"
#include "gpu/emulator/record/Recorder.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>
#include <bit>

using namespace kernelarium;
using namespace kernelarium::emulator;
using namespace kernelarium::test;
using recording::Cursor;
using recording::Recording;
using recording::Step;

namespace {

/// Two warps. Each thread puts 2 * tid into shared memory at tid, and reads its mirror image in the block: line 5
/// stores, 6 waits, 7 loads, 8 stores to global memory.
constexpr const char* mirror = R"(
.visible .entry mirror(.param .u64 out)
{
  .reg .b32 %r<10>; .reg .b64 %rd<6>;
  .shared .align 4 .b8 tile[256];
  .loc 1 4 0
  ld.param.u64 %rd1, [out];
  mov.u32 %r1, %tid.x;
  shl.b32 %r2, %r1, 1;
  mov.u32 %r3, tile;
  shl.b32 %r4, %r1, 2;
  add.s32 %r5, %r3, %r4;
  .loc 1 5 0
  st.shared.u32 [%r5], %r2;
  .loc 1 6 0
  bar.sync 0;
  .loc 1 7 0
  sub.s32 %r6, 252, %r4;
  ld.shared.u32 %r7, [%r6];
  .loc 1 8 0
  mul.wide.u32 %rd2, %r1, 4;
  add.s64 %rd3, %rd1, %rd2;
  st.global.u32 [%rd3], %r7;
  ret;
})";

/// Lanes below 8 take line 5, all take line 6; line 7 is predicated on tid < 4.
constexpr const char* forked = R"(
.visible .entry forked(.param .u64 out)
{
  .reg .b32 %r<6>; .reg .f32 %f<4>; .reg .pred %p<3>;
  .loc 1 3 0
  mov.u32 %r1, %tid.x; mov.b32 %r3, 0f3F800000;
  setp.ge.u32 %p1, %r1, 8;
  setp.lt.u32 %p2, %r1, 4;
  .loc 1 4 0
  @%p1 bra $done;
  .loc 1 5 0
  add.s32 %r2, %r1, 100;
$done:
  .loc 1 6 0
  add.f32 %r3, %r3, %r3;
  .loc 1 7 0
  @%p2 mov.u32 %r4, 7;
  ret;
})";

/// A loop of `count` turns over lines 4 to 6.
constexpr const char* loop = R"(
.visible .entry loop(.param .u32 count)
{
  .reg .b32 %r<4>; .reg .pred %p<2>;
  .loc 1 3 0
  ld.param.u32 %r1, [count];
  mov.u32 %r2, 0;
$next:
  .loc 1 4 0
  add.s32 %r2, %r2, 1;
  .loc 1 5 0
  setp.lt.u32 %p1, %r2, %r1;
  .loc 1 6 0
  @%p1 bra $next;
  .loc 1 9 0
  mov.u32 %r3, %r2;
  ret;
})";

/// Thread 3 reads past the end of the array at line 4.
constexpr const char* stray = R"(
.visible .entry stray(.param .u64 in)
{
  .reg .b32 %r<4>; .reg .b64 %rd<5>;
  .loc 1 3 0
  ld.param.u64 %rd1, [in]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd3, %rd1, %rd2;
  .loc 1 4 0
  ld.global.f32 %r2, [%rd3];
  ret;
})";

struct Recorded {
    std::unique_ptr<PtxProgram> program;
    std::shared_ptr<const Recording> recording;
    LaunchResult result;

    /// The steps of a warp.
    [[nodiscard]] std::vector<std::size_t> of(std::uint32_t warp) const {
        std::vector<std::size_t> found;
        for (std::size_t k = 0; k < recording->steps.size(); ++k)
            if (recording->steps[k].warp == warp) found.push_back(k);
        return found;
    }
    [[nodiscard]] std::string text(std::size_t step) const {
        return recording->instructions[recording->steps[step].instruction].text;
    }
    [[nodiscard]] int line(std::size_t step) const {
        return recording->instructions[recording->steps[step].instruction].line;
    }
    [[nodiscard]] std::uint32_t registerNamed(const std::string& name) const {
        for (std::size_t k = 0; k < recording->registers.size(); ++k)
            if (recording->registers[k].name == name) return std::uint32_t(k);
        qWarning("there is no register %s", name.c_str());
        return 0;
    }
};

template <class... A>
Recorded record(const char* ptx, const char* kernel, Dim3 grid, Dim3 block, recording::Request request,
                const A&... arguments) {
    Recorded r;
    r.program = std::make_unique<PtxProgram>(ptx);
    std::uint64_t out = 0;
    Recorder recorder(r.program->program(), request);
    r.program->options.recorder = &recorder;
    if constexpr (sizeof...(A) > 0) {
        r.result = r.program->launch(kernel, grid, block, arguments...);
    } else {
        out = r.program->buffer(std::vector<std::uint32_t>(64, 9u), "argument 1");
        r.result = r.program->launch(kernel, grid, block, out);
    }
    r.recording = std::make_shared<Recording>(recorder.take());
    return r;
}

} // namespace

class TestRecording : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void hasExactlyTheStepsOfTheBlock();
    void showsRegistersOfEveryStep();
    void showsSharedMemoryAndItsAccesses();
    void goingBackEqualsTheEarlierState();
    void showsDivergenceInMasks();
    void givesRegistersTheTypesThatInstructionsName();
    void keepsToItsBound();
    void findsALineFarIntoTheBlock();
    void recordsOneWarpAlone();
    void showsFaultsAtTheirStep();
    void recordsOnlyItsBlock();
    void goesBackThroughAnythingThatIsRead();
    void saysValuesInWords();
};

void TestRecording::hasExactlyTheStepsOfTheBlock() {
    const Recorded r = record(mirror, "mirror", {1, 1, 1}, {64, 1, 1}, {});
    QCOMPARE(r.result.end, LaunchEnd::cancelled); // by the recorder
    const char* const expected[] = {"ld.param.u64 %rd1, [out];",  "mov.u32 %r1, %tid.x;",
                                    "shl.b32 %r2, %r1, 1;",       "mov.u32 %r3, tile;",
                                    "shl.b32 %r4, %r1, 2;",       "add.s32 %r5, %r3, %r4;",
                                    "st.shared.u32 [%r5], %r2;",  "bar.sync 0;",
                                    "sub.s32 %r6, 252, %r4;",     "ld.shared.u32 %r7, [%r6];",
                                    "mul.wide.u32 %rd2, %r1, 4;", "add.s64 %rd3, %rd1, %rd2;",
                                    "st.global.u32 [%rd3], %r7;", "ret;"};
    for (std::uint32_t warp = 0; warp < 2; ++warp) {
        const std::vector<std::size_t> steps = r.of(warp);
        QCOMPARE(steps.size(), std::size(expected));
        for (std::size_t k = 0; k < steps.size(); ++k) {
            QCOMPARE(r.text(steps[k]), std::string(expected[k]));
            QCOMPARE(r.recording->steps[steps[k]].active, ~0u);
        }
    }
    QCOMPARE(r.recording->steps.size(), 2 * std::size(expected));
    QCOMPARE(r.recording->warps, 2u);
    QVERIFY(!r.recording->isCut);
    // Warp 0 comes to the barrier before warp 1 begins.
    QCOMPARE(r.recording->steps[7].warp, 0u);
    QCOMPARE(r.recording->steps[8].warp, 1u);
    QVERIFY(r.recording->instructions[r.recording->steps[7].instruction].isBarrier);
    QCOMPARE(recording::nextBarrier(*r.recording, std::nullopt, 1u), recording::Found(15));
    QCOMPARE(recording::nextLine(*r.recording, recording::Found(0), 0u), recording::Found(6));
    QCOMPARE(recording::previousLine(*r.recording, recording::Found(7), 0u), recording::Found(6));
    QCOMPARE(recording::previousLine(*r.recording, recording::Found(6), 0u), recording::Found(0));
}

void TestRecording::showsRegistersOfEveryStep() {
    const Recorded r = record(mirror, "mirror", {1, 1, 1}, {64, 1, 1}, {});
    Cursor cursor(r.recording);
    const std::vector<std::size_t> steps = r.of(1);
    const std::uint64_t frame = r.recording->steps[steps[0]].frame;
    const std::uint32_t doubled = r.registerNamed("%r2"), loaded = r.registerNamed("%r7");
    cursor.goTo(steps[2]); // not yet taken
    QVERIFY(!cursor.valuesOf(1, frame, doubled));
    cursor.goTo(steps[2] + 1);
    const Cursor::Values* values = cursor.valuesOf(1, frame, doubled);
    QVERIFY(values);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        QCOMPARE(values->values[lane], std::uint64_t(2 * (32 + lane)));
    cursor.goTo(r.recording->steps.size());
    values = cursor.valuesOf(1, frame, loaded);
    QVERIFY(values);
    for (std::uint32_t lane = 0; lane < 32; ++lane)
        QCOMPARE(values->values[lane], std::uint64_t(2 * (31 - lane)));
    QCOMPARE(cursor.registersOf(1, frame).size(), std::size_t(10));
}

void TestRecording::showsSharedMemoryAndItsAccesses() {
    const Recorded r = record(mirror, "mirror", {1, 1, 1}, {64, 1, 1}, {});
    const Step& store = r.recording->steps[6];
    QCOMPARE(store.shared.size(), std::size_t(32));
    for (std::uint32_t k = 0; k < 32; ++k) {
        QCOMPARE(store.shared[k].word, k);
        QCOMPARE(store.shared[k].after, 2 * k);
        QVERIFY(store.shared[k].fresh);
    }
    QCOMPARE(store.accesses.size(), std::size_t(1));
    const recording::Access& a = store.accesses[0];
    QCOMPARE(a.space, recording::Space::shared);
    QVERIFY(a.writes && !a.reads);
    QCOMPARE(a.addresses[5], std::uint64_t(20));
    QCOMPARE(a.values[5 * 4], std::uint8_t(10));
    QCOMPARE(a.wavefronts, 1u);
    Cursor cursor(r.recording);
    cursor.goTo(7);
    QCOMPARE(cursor.shared()[31], 62u);
    QCOMPARE(cursor.sharedWritten()[31], std::uint8_t(1));
    QCOMPARE(cursor.sharedWritten()[32], std::uint8_t(0)); // warp 1 has not come yet
    cursor.goTo(r.recording->steps.size());
    for (std::uint32_t k = 0; k < 64; ++k)
        QCOMPARE(cursor.shared()[k], 2 * k);

    const Step& out = r.recording->steps[r.of(0)[12]];
    QCOMPARE(out.accesses.size(), std::size_t(1));
    QCOMPARE(out.accesses[0].space, recording::Space::global);
    QCOMPARE(out.accesses[0].values[0], std::uint8_t(126)); // lane 0: its mirror image is thread 63
    QCOMPARE(recording::addressText(*r.recording, recording::Space::global, out.accesses[0].addresses[3]),
             std::string("argument 1 + 12"));
}

void TestRecording::goingBackEqualsTheEarlierState() {
    const Recorded r = record(mirror, "mirror", {1, 1, 1}, {64, 1, 1}, {});
    Cursor walker(r.recording);
    const std::size_t count = r.recording->steps.size();
    for (std::size_t target :
         {std::size_t(20), std::size_t(5), count, std::size_t(13), std::size_t(0), std::size_t(9)}) {
        walker.goTo(target);
        Cursor fresh(r.recording);
        fresh.goTo(target);
        QCOMPARE(walker.shared(), fresh.shared());
        QCOMPARE(walker.sharedWritten(), fresh.sharedWritten());
        for (std::uint32_t warp = 0; warp < 2; ++warp) {
            const std::uint64_t frame = r.recording->steps[r.of(warp)[0]].frame;
            QCOMPARE(walker.registersOf(warp, frame), fresh.registersOf(warp, frame));
            for (const std::uint32_t reg : fresh.registersOf(warp, frame)) {
                QCOMPARE(walker.valuesOf(warp, frame, reg)->values, fresh.valuesOf(warp, frame, reg)->values);
                QCOMPARE(walker.valuesOf(warp, frame, reg)->written, fresh.valuesOf(warp, frame, reg)->written);
            }
        }
    }
}

void TestRecording::showsDivergenceInMasks() {
    const Recorded r = record(forked, "forked", {1, 1, 1}, {32, 1, 1}, {});
    bool branched = false, added = false, guarded = false, joined = false;
    for (std::size_t k = 0; k < r.recording->steps.size(); ++k) {
        const Step& s = r.recording->steps[k];
        if (r.line(k) == 4) branched = s.active == ~0u;
        if (r.line(k) == 5) {
            added = true;
            QCOMPARE(s.active, 0xffu);
            QCOMPARE(s.registers[0].lanes, 0xffu);
            QCOMPARE(s.registers[0].after[7], std::uint64_t(107));
        }
        if (r.line(k) == 6) joined = s.active == ~0u;
        if (r.line(k) == 7 && !guarded) {
            guarded = true;
            QCOMPARE(s.active, ~0u);
            QCOMPARE(s.on, 0xfu);
            QCOMPARE(r.text(k), std::string("@%p2 mov.u32 %r4, 7;"));
            QCOMPARE(s.registers[0].lanes, 0xfu);
        }
    }
    QVERIFY(branched && added && guarded && joined);
}

void TestRecording::givesRegistersTheTypesThatInstructionsName() {
    const Recorded r = record(forked, "forked", {1, 1, 1}, {32, 1, 1}, {});
    QCOMPARE(r.recording->registers[r.registerNamed("%r3")].type, std::string("f32")); // declared b32
    QCOMPARE(r.recording->registers[r.registerNamed("%r2")].type, std::string("s32"));
    QCOMPARE(r.recording->registers[r.registerNamed("%p1")].type, std::string("pred"));
    Cursor cursor(r.recording);
    cursor.goTo(r.recording->steps.size());
    const Step& first = r.recording->steps[0];
    const auto* two = cursor.valuesOf(0, first.frame, r.registerNamed("%r3"));
    QCOMPARE(recording::summaryText(two->values, 1, two->written, "f32"), std::string("2"));
    const auto* branch = cursor.valuesOf(0, first.frame, r.registerNamed("%p1"));
    QCOMPARE(recording::summaryText(branch->values, 1, branch->written, "pred"), std::string("true in 24 of 32"));
}

void TestRecording::keepsToItsBound() {
    recording::Request request;
    request.maxSteps = 50;
    const Recorded r = record(loop, "loop", {1, 1, 1}, {32, 1, 1}, request, std::uint32_t(1000));
    QCOMPARE(r.recording->steps.size(), std::size_t(50));
    QVERIFY(r.recording->isCut);
    QCOMPARE(r.recording->skipped, std::uint64_t(0));
    QCOMPARE(r.line(0), 3);
}

void TestRecording::findsALineFarIntoTheBlock() {
    recording::Request request;
    request.maxSteps = 50;
    request.line = 9;
    const Recorded r = record(loop, "loop", {1, 1, 1}, {32, 1, 1}, request, std::uint32_t(1000));
    QVERIFY(r.recording->steps.size() <= 50);
    QVERIFY(r.recording->lineStep.has_value());
    QCOMPARE(r.line(*r.recording->lineStep), 9);
    QCOMPARE(r.recording->skipped + *r.recording->lineStep, std::uint64_t(2 + 3 * 1000));
    QVERIFY(!r.recording->isCut);
    // The base is what the forgotten steps left: at the line the counter has come to its end.
    Cursor cursor(r.recording);
    const Step& there = r.recording->steps[*r.recording->lineStep];
    const Cursor::Values* before = cursor.valuesOf(0, there.frame, r.registerNamed("%r2"));
    QVERIFY(before && before->values[0] < 1000 && before->values[0] > 900);
    cursor.goTo(*r.recording->lineStep);
    QCOMPARE(cursor.valuesOf(0, there.frame, r.registerNamed("%r2"))->values[31], std::uint64_t(1000));
    cursor.goTo(0);
    QVERIFY(cursor.valuesOf(0, there.frame, r.registerNamed("%r2"))->values[0] < 1000);
}

void TestRecording::recordsOneWarpAlone() {
    recording::Request request;
    request.warp = 1;
    const Recorded r = record(mirror, "mirror", {1, 1, 1}, {64, 1, 1}, request);
    QCOMPARE(r.recording->steps.size(), std::size_t(14));
    QVERIFY(r.of(0).empty());
    // What the other warp stored shows as soon as this one is looked at.
    Cursor cursor(r.recording);
    cursor.goTo(8);
    for (std::uint32_t k = 0; k < 64; ++k)
        QCOMPARE(cursor.shared()[k], 2 * k);
}

void TestRecording::showsFaultsAtTheirStep() {
    Recorded r;
    r.program = std::make_unique<PtxProgram>(stray);
    Recorder recorder(r.program->program(), {});
    r.program->options.recorder = &recorder;
    const std::uint64_t in = r.program->buffer(std::vector<float>{1, 2, 3}, "argument 1");
    r.result = r.program->launch("stray", {1, 1, 1}, {4, 1, 1}, in);
    r.recording = std::make_shared<Recording>(recorder.take());
    QCOMPARE(r.result.faults.size(), std::size_t(1));
    const Step& load = r.recording->steps[4];
    QCOMPARE(r.line(4), 4);
    QCOMPARE(load.active, 0xfu);
    QCOMPARE(load.faults.size(), std::size_t(1));
    QCOMPARE(load.faults[0].kind, std::string("out_of_bounds"));
    QCOMPARE(load.faults[0].lanes, 8u);
    QCOMPARE(load.accesses[0].known, 7u); // what lane 3 read is not memory
    QCOMPARE(recording::addressText(*r.recording, recording::Space::global, load.accesses[0].addresses[3]),
             std::string("argument 1 + 12 (past its 12 bytes)"));
    QCOMPARE(std::bit_cast<float>(std::uint32_t(load.registers[0].after[1])), 2.0f);
}

void TestRecording::recordsOnlyItsBlock() {
    recording::Request request;
    request.block = {2, 0, 0};
    const Recorded r = record(mirror, "mirror", {4, 1, 1}, {64, 1, 1}, request);
    QCOMPARE(r.recording->block, (recording::Place{2, 0, 0}));
    QCOMPARE(r.recording->steps.size(), std::size_t(28));
    request.block = {7, 0, 0};
    Recorded none;
    none.program = std::make_unique<PtxProgram>(mirror);
    Recorder recorder(none.program->program(), request);
    none.program->options.recorder = &recorder;
    const std::uint64_t out = none.program->uninitialised(256);
    const LaunchResult result = none.program->launch("mirror", {4, 1, 1}, {64, 1, 1}, out);
    QCOMPARE(result.end, LaunchEnd::finished);
    QVERIFY(!recorder.hasStarted());
}

/// A recording comes from a child: this one says twice that a register was unwritten before.
void TestRecording::goesBackThroughAnythingThatIsRead() {
    auto made = std::make_shared<Recording>();
    made->registers.resize(1);
    made->registers[0].words = 2;
    made->instructions.resize(1);
    recording::RegisterChange change;
    change.lanes = change.fresh = 0x80000001;
    change.before.assign(4, 0);
    change.after.assign(4, 7);
    Step step;
    step.registers = {change, change};
    made->steps = {step, step};
    Cursor cursor(made);
    cursor.goTo(2);
    QVERIFY(cursor.valuesOf(0, 0, 0) && cursor.valuesOf(0, 0, 0)->values.at(62) == 7);
    cursor.goTo(0);
    QVERIFY(!cursor.valuesOf(0, 0, 0));
}

void TestRecording::saysValuesInWords() {
    using recording::Format;
    using recording::valueText;
    const auto text = [](std::uint64_t bits, const char* type, Format format = Format::byType) {
        return valueText(std::span(&bits, 1), type, format);
    };
    QCOMPARE(text(0xffffffff, "s32"), std::string("-1"));
    QCOMPARE(text(0xffffffff, "u32"), std::string("4294967295"));
    QCOMPARE(text(0x3f800000, "f32"), std::string("1"));
    QCOMPARE(text(0x3f800000, "b32", Format::floating), std::string("1"));
    QCOMPARE(text(0x3f800000, "f32", Format::hex), std::string("0x3f800000"));
    QCOMPARE(text(0x3c00, "f16"), std::string("1"));
    QCOMPARE(text(0x3f80, "bf16"), std::string("1"));
    QCOMPARE(text(0xc0003c00, "f16x2"), std::string("1, -2"));
    QCOMPARE(text(0x4000000000000000, "f64"), std::string("2"));
    QCOMPARE(text(1, "pred"), std::string("true"));
    std::vector<std::uint64_t> ramp;
    for (std::uint64_t k = 0; k < 32; ++k)
        ramp.push_back(10 + 4 * k);
    QCOMPARE(recording::summaryText(ramp, 1, ~0u, "u32"), std::string("10 … 134 (step 4)"));
    QCOMPARE(recording::summaryText(ramp, 1, 1u, "u32"), std::string("10"));
    QCOMPARE(recording::lanesText(0x0002ffff), std::string("0-15, 17"));
}

namespace {
KERNELARIUM_TEST(TestRecording);
}
#include "TestRecording.moc"
