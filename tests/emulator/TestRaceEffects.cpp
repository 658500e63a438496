// SPDX-License-Identifier: GPL-3.0-or-later
//
// What races come to: updates that get lost, harmless ones, and lanes of a warp that rely on their turn.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"
#include "tests/emulator/RaceKernels.h"

#include <QTest>
#include <algorithm>

using namespace kernelarium::emulator;
using namespace kernelarium::test;
using kernelarium::verify::RaceEffect;

class TestRaceEffects : public QObject {
    Q_OBJECT
private slots:
    void volatileUpdatesDo();
    void volatileHandOversDoNot_data();
    void volatileHandOversDoNot();
    void effects_data();
    void effects();
    void contraryLanesTurnBranchesRound();
    void contraryLanesTurnAtomicsRound();
    void lanesThatTakeNoTurnsAreKnown();
};

void TestRaceEffects::volatileUpdatesDo() {
    static const RaceKernel kernel{"", {1, 1, 1}, {128, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    __shared__ volatile int total;
    if (threadIdx.x == 0) total = 0;
    __syncthreads();
    if (threadIdx.x % 32 == 0) {
        int before = total;
        total = before + a[threadIdx.x]; // now earlier
    }
    if (HONEST) __syncthreads();
    if (threadIdx.x == 127) b[0] = total;
})"};
    QString why;
    const auto ran = runKernel(kernel, true, 0, why);
    if (!ran) QSKIP(qPrintable(why));
    const Fault* race = faultOf(ran->result, "race");
    QVERIFY(race && race->other);
    QCOMPARE(race->effect, RaceEffect::lost_update);
    QCOMPARE(race->line, markedLine(kernel.source, "now"));
    QCOMPARE(race->other->line, race->line);
}

/// Volatile variables through which threads wait for one another, and a lock that has no fences.
void TestRaceEffects::volatileHandOversDoNot_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<RaceEffect>("effect"); ///< the only one there may be; order: none
    QTest::newRow("turns with a fence") << QByteArray(R"(
    if (threadIdx.x != 0) return;
    volatile int* turn = a + 256;
    while (*turn != int(blockIdx.x)) {}
    __threadfence();
    b[0] += 1;
    __threadfence();
    *turn = *turn + 1;)") << RaceEffect::order;
    QTest::newRow("a flag that is taken back") << QByteArray(R"(
    if (threadIdx.x != 0) return;
    volatile int* flag = a + 256;
    if (blockIdx.x == 0) *flag = 7;
    if (blockIdx.x == 1) {
        while (*flag != 7) {}
        *flag = 9;
    })") << RaceEffect::order;
    QTest::newRow("a lock without fences") << QByteArray(R"(
    if (threadIdx.x != 0) return;
    volatile int* sum = b;
    while (atomicCAS(a + 256, 0, 1) != 0) {}
    *sum += int(blockIdx.x);
    atomicExch(a + 256, 0);)") << RaceEffect::unfenced;
    QTest::newRow("the last steps of a reduction") << QByteArray(R"(
    __shared__ volatile int s[64];
    int t = threadIdx.x;
    s[t] = a[t];
    __syncthreads();
    if (t < 32)
        for (int half = 32; half > 0; half /= 2) s[t] += s[t + half];
    if (t == 0) b[blockIdx.x] = s[0];)") << RaceEffect::lanes;
}

void TestRaceEffects::volatileHandOversDoNot() {
    QFETCH(QByteArray, body);
    QFETCH(RaceEffect, effect);
    const std::string text = "\nextern \"C\" __global__ void k(int* a, int* b, int n) {" + body.toStdString() + "\n}";
    const RaceKernel kernel{"", {4, 1, 1}, {64, 1, 1}, text.c_str()};
    QString why;
    for (const std::uint64_t schedule : {0u, 1u, 3u}) {
        const auto ran = runKernel(kernel, true, schedule, why);
        if (!ran) QSKIP(qPrintable(why));
        QCOMPARE(ran->result.end, LaunchEnd::finished);
        QCOMPARE(ran->result.faults.empty(), effect == RaceEffect::order);
        for (const Fault& f : ran->result.faults)
            QVERIFY2(f.kind == "race" && f.effect == effect, PtxProgram::describe(ran->result).c_str());
    }
}

void TestRaceEffects::effects_data() {
    QTest::addColumn<QByteArray>("body");
    QTest::addColumn<RaceEffect>("effect");
    QTest::newRow("sum") << QByteArray("b[0] += a[t];") << RaceEffect::lost_update;
    QTest::newRow("sum in several lines")
        << QByteArray("int v = b[0];\n v += a[t];\n b[0] = v;") << RaceEffect::lost_update;
    QTest::newRow("maximum") << QByteArray("if (b[0] < a[t]) b[0] = a[t];") << RaceEffect::lost_update;
    QTest::newRow("flag") << QByteArray("if (b[0] == 0) b[0] = 5;") << RaceEffect::order;
    QTest::newRow("last one") << QByteArray("b[0] = a[t];") << RaceEffect::order;
    QTest::newRow("lanes of one warp") << QByteArray("b[threadIdx.x % 16 + blockIdx.x * 16] = t;")
                                       << RaceEffect::undefined_winner;
    QTest::newRow("guarded maximum") << QByteArray("if (b[0] < a[t]) atomicMax(b, a[t]);") << RaceEffect::guarded;
    QTest::newRow("guarded exchange") << QByteArray("if (b[0] == 0) atomicExch(b, 1);") << RaceEffect::guarded;
    QTest::newRow("swap loop") << QByteArray("int seen = b[0], was; do { was = seen; seen = atomicCAS(b, "
                                             "was, was * 3 + a[t]); } while (seen != was);")
                               << RaceEffect::guarded;
    QTest::newRow("sum read too early") << QByteArray("atomicAdd(b, a[t]); b[1 + t] = *b;") << RaceEffect::order;
}

/// One thread of each of four blocks, but for the row about lanes.
void TestRaceEffects::effects() {
    QFETCH(QByteArray, body);
    QFETCH(RaceEffect, effect);
    const bool wholeWarp = effect == RaceEffect::undefined_winner;
    const std::string text = std::string("\nextern \"C\" __global__ void k(int* a, int* b, int n) {\n int t "
                                         "= blockIdx.x * 32 + threadIdx.x;\n ") +
                             (wholeWarp ? "" : "if (threadIdx.x) return;\n ") + body.toStdString() + "\n}";
    const RaceKernel kernel{"", {4, 1, 1}, {32, 1, 1}, text.c_str()};
    QString why;
    const auto ran = runKernel(kernel, true, 0, why);
    if (!ran) QSKIP(qPrintable(why));
    const auto& faults = ran->result.faults;
    const bool has = std::any_of(faults.begin(), faults.end(), [&](const Fault& f) { return f.effect == effect; });
    QVERIFY2(has, PtxProgram::describe(ran->result).c_str());
    for (const Fault& f : faults)
        if (effect == RaceEffect::order || effect == RaceEffect::guarded)
            QVERIFY2(f.effect == effect, f.message.c_str());
}

namespace {

/// What one warp of the kernel leaves in b, and whether its lanes took turns.
std::optional<std::pair<std::vector<int>, bool>> runWarp(const char* source, bool contrary, QString& why) {
    const auto program = PtxProgram::compiled(source, why);
    if (!program) return {};
    const std::uint64_t b = program->buffer(std::vector<int>(32), "b");
    program->options.contraryLanes = contrary;
    const LaunchResult result = program->launch("k", {1, 1, 1}, {32, 1, 1}, b);
    return std::pair(program->read<int>(b, 32), result.lanesTookTurns);
}

} // namespace

void TestRaceEffects::contraryLanesTurnBranchesRound() {
    static constexpr const char* source = R"(
extern "C" __global__ void k(int* b) {
    __shared__ volatile int last;
    if (threadIdx.x < 16) last = 1;
    else last = 2;
    int seen = last;
    switch (threadIdx.x % 4) {
    case 0: last = 10; break;
    case 1: last = 20 + seen; break;
    case 2: last = 30 * seen; break;
    default: last = seen - 5;
    }
    b[threadIdx.x] = threadIdx.x == 0 ? seen : last;
})";
    QString why;
    const auto plain = runWarp(source, false, why), contrary = runWarp(source, true, why);
    if (!plain || !contrary) QSKIP(qPrintable(why));
    QVERIFY(plain->second && contrary->second);
    QCOMPARE(plain->first[0] + contrary->first[0], 3);
    QVERIFY(plain->first[1] != contrary->first[1]);
}

void TestRaceEffects::contraryLanesTurnAtomicsRound() {
    static constexpr const char* source = R"(
extern "C" __global__ void k(int* b) {
    __shared__ int tickets;
    if (threadIdx.x == 0) tickets = 0;
    __syncthreads();
    b[threadIdx.x] = atomicAdd(&tickets, 1);
})";
    QString why;
    const auto plain = runWarp(source, false, why), contrary = runWarp(source, true, why);
    if (!plain || !contrary) QSKIP(qPrintable(why));
    QVERIFY(plain->second);
    for (int lane = 0; lane < 32; ++lane) {
        QCOMPARE(plain->first[std::size_t(lane)], lane);
        QCOMPARE(contrary->first[std::size_t(lane)], 31 - lane);
    }
}

void TestRaceEffects::lanesThatTakeNoTurnsAreKnown() {
    static constexpr const char* source = R"(
extern "C" __global__ void k(int* b) {
    int sum = 0;
#pragma unroll 1
    for (int i = 0; i < int(threadIdx.x); ++i) sum += i;
    if (threadIdx.x < 20) b[threadIdx.x] = sum;
    asm volatile("red.global.add.s32 [%0], 1;" :: "l"(b + 31) : "memory");
})";
    QString why;
    const auto plain = runWarp(source, false, why);
    if (!plain) QSKIP(qPrintable(why));
    QVERIFY(!plain->second);
}

namespace {
KERNELARIUM_TEST(TestRaceEffects);
}
#include "TestRaceEffects.moc"
