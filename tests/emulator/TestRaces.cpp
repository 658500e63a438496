// SPDX-License-Identifier: GPL-3.0-or-later
//
// Races: each kernel that has one beside its twin that has none, through the real compiler.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"
#include "tests/emulator/RaceKernels.h"

#include <QTest>
#include <algorithm>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestRaces : public QObject {
    Q_OBJECT
private slots:
    void kernels_data();
    void kernels();
    void equalStoresAreTold();
    void lostUpdatesDependOnTheSchedule();
    void theSecondLaunchStartsAfresh();
    void bytesOfOneWordAreApart();
    void halvesOfOneWordAreReadApart();
    void volatilesDoNotRace();
    void repeatsAreCounted();
    void switchedOff();
    void whatIsNotLookedAtIsSaid();
    void differentBarriersThatMeet();
    void barriersThatExpectDifferentCounts();
    void deadlocksNameBothSides();
};

void TestRaces::kernels_data() {
    QTest::addColumn<int>("index");
    for (std::size_t k = 0; k < raceKernels().size(); ++k)
        QTest::newRow(raceKernels()[k].name) << int(k);
}

void TestRaces::kernels() {
    QFETCH(int, index);
    const RaceKernel& kernel = raceKernels()[std::size_t(index)];
    QString why;
    for (const std::uint64_t schedule : {0, 1, 5}) {
        const auto honest = runKernel(kernel, true, schedule, why);
        if (!honest) QSKIP(qPrintable(why));
        QVERIFY2(honest->result.end == LaunchEnd::finished, honest->result.reason.c_str());
        QVERIFY2(honest->result.faults.empty(), PtxProgram::describe(honest->result).c_str());
    }
    const auto racy = runKernel(kernel, false, 0, why);
    QVERIFY(racy);
    QVERIFY2(racy->result.end == LaunchEnd::finished, racy->result.reason.c_str());
    // Lanes of one warp may race as well; the lines are those of two warps.
    const auto race = std::find_if(racy->result.faults.begin(), racy->result.faults.end(), [](const Fault& f) {
        return f.kind == "race" && f.effect != kernelarium::verify::RaceEffect::lanes;
    });
    QVERIFY(race != racy->result.faults.end());
    QVERIFY2(!race->sameValue, race->message.c_str());
    QCOMPARE(race->line, markedLine(kernel.source, "now"));
    QVERIFY(race->other);
    QVERIFY(race->block != race->other->block || race->thread != race->other->thread);
    if (const int line = markedLine(kernel.source, "earlier")) QCOMPARE(race->other->line, line);
}

void TestRaces::equalStoresAreTold() {
    static const RaceKernel kernel{"", {2, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    if (a[threadIdx.x] > 3) b[0] = 1;
})"};
    QString why;
    const auto ran = runKernel(kernel, true, 0, why);
    if (!ran) QSKIP(qPrintable(why));
    const Fault* race = faultOf(ran->result, "race");
    QVERIFY(race);
    for (const Fault& f : ran->result.faults)
        QVERIFY2(f.sameValue, f.message.c_str());
}

void TestRaces::lostUpdatesDependOnTheSchedule() {
    static const RaceKernel kernel{"", {4, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) { b[threadIdx.x] = blockIdx.x; })"};
    QString why;
    const auto rising = runKernel(kernel, true, 0, why), falling = runKernel(kernel, true, 1, why);
    if (!rising || !falling) QSKIP(qPrintable(why));
    QCOMPARE(rising->b[0], 3);
    QCOMPARE(falling->b[0], 0);
    QVERIFY(faultOf(falling->result, "race"));
}

void TestRaces::theSecondLaunchStartsAfresh() {
    QString why;
    const auto program =
        PtxProgram::compiled("extern \"C\" __global__ void k(int* b) { b[threadIdx.x] += blockIdx.x; }", why);
    if (!program) QSKIP(qPrintable(why));
    const std::uint64_t b = program->buffer(std::vector<int>(64));
    for (int launch = 0; launch < 3; ++launch)
        program->run("k", {1, 1, 1}, {64, 1, 1}, b);
    QVERIFY(faultOf(program->launch("k", {2, 1, 1}, {64, 1, 1}, b), "race"));
}

void TestRaces::bytesOfOneWordAreApart() {
    QString why;
    const auto program = PtxProgram::compiled("extern \"C\" __global__ void k(signed char* b, int step) { "
                                              "b[threadIdx.x * step + blockIdx.x] = 1 + threadIdx.x; }",
                                              why);
    if (!program) QSKIP(qPrintable(why));
    program->run("k", {2, 1, 1}, {32, 1, 1}, program->buffer(std::vector<int>(64)), 2);
    QVERIFY(faultOf(program->launch("k", {2, 1, 1}, {32, 1, 1}, program->buffer(std::vector<int>(64)), 1), "race"));
}

/// Warps and blocks that meet in the middle of a word: each reads and stores its own half.
void TestRaces::halvesOfOneWordAreReadApart() {
    QString why;
    const auto program = PtxProgram::compiled(R"(
extern "C" __global__ void k(unsigned short* b, int other) {
    int i = blockIdx.x * blockDim.x + threadIdx.x + 1;
    unsigned short v = b[i];
    b[i + other] = v + 1;
})",
                                              why);
    if (!program) QSKIP(qPrintable(why));
    for (const std::uint64_t schedule : {0u, 1u, 7u}) {
        program->options.schedule = schedule;
        program->run("k", {2, 1, 1}, {64, 1, 1}, program->buffer(std::vector<int>(128)), 0);
    }
    program->options.schedule = 0;
    QVERIFY(faultOf(program->launch("k", {2, 1, 1}, {64, 1, 1}, program->buffer(std::vector<int>(128)), 2), "race"));
}

void TestRaces::volatilesDoNotRace() {
    static const RaceKernel kernel{"", {2, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    volatile int* v = b;
    v[0] = blockIdx.x;
    v[1 + threadIdx.x] = v[0];
    atomicAdd(b, 1);
})"};
    QString why;
    const auto ran = runKernel(kernel, true, 0, why);
    if (!ran) QSKIP(qPrintable(why));
    for (const Fault& f : ran->result.faults)
        QVERIFY2(f.kind != "race" || f.line != 5, f.message.c_str());
}

void TestRaces::repeatsAreCounted() {
    static const RaceKernel kernel{"", {8, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) { b[threadIdx.x] = blockIdx.x; })"};
    QString why;
    const auto ran = runKernel(kernel, true, 0, why);
    if (!ran) QSKIP(qPrintable(why));
    QCOMPARE(ran->result.faults.size(), std::size_t(1));
    QCOMPARE(ran->result.faults[0].count, std::uint64_t(7 * 64));
}

void TestRaces::switchedOff() {
    QString why;
    const auto program =
        PtxProgram::compiled("extern \"C\" __global__ void k(int* b) { b[threadIdx.x] = blockIdx.x; }", why);
    if (!program) QSKIP(qPrintable(why));
    program->options.races = false;
    program->run("k", {2, 1, 1}, {64, 1, 1}, program->buffer(std::vector<int>(64)));
}

void TestRaces::whatIsNotLookedAtIsSaid() {
    QString why;
    for (const int barriers : {100, 10'000}) {
        const RaceKernel kernel{"many barriers", {1, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    for (int i = 0; i < a[n] + COUNT; ++i) __syncthreads();
    b[threadIdx.x] = 1;
})"};
        RaceKernel counted = kernel;
        std::string text = "\n#define COUNT ";
        text.append(std::to_string(barriers)).append(kernel.source);
        counted.source = text.c_str();
        const auto ran = runKernel(counted, true, 0, why);
        QVERIFY2(ran, qPrintable(why));
        QCOMPARE(ran->result.end, LaunchEnd::finished);
        QCOMPARE(ran->result.remarks.size(), std::size_t(barriers > 8191 ? 1 : 0));
        if (barriers > 8191) QVERIFY(ran->result.remarks[0].find("8191") != std::string::npos);
    }
}

void TestRaces::differentBarriersThatMeet() {
    static const RaceKernel kernel{"", {1, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    if (threadIdx.x < 32) {
        b[0] = a[0];
        __syncthreads(); // first
    } else {
        b[1] = a[1];
        __syncthreads(); // second
    }
    b[2 + threadIdx.x] = n;
})"};
    QString why;
    const auto ran = runKernel(kernel, true, 0, why);
    if (!ran) QSKIP(qPrintable(why));
    QCOMPARE(ran->result.end, LaunchEnd::finished);
    const Fault* fault = faultOf(ran->result, "barrier");
    QVERIFY(fault && fault->other);
    QCOMPARE(fault->line, markedLine(kernel.source, "second"));
    QCOMPARE(fault->other->line, markedLine(kernel.source, "first"));
}

void TestRaces::barriersThatExpectDifferentCounts() {
    static const RaceKernel kernel{"", {1, 1, 1}, {96, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory");
    else asm volatile("bar.sync 1, 96;" ::: "memory");
})"};
    QString why;
    const auto ran = runKernel(kernel, true, 0, why);
    if (!ran) QSKIP(qPrintable(why));
    QVERIFY(faultOf(ran->result, "barrier"));
}

void TestRaces::deadlocksNameBothSides() {
    static const RaceKernel kernel{"", {1, 1, 1}, {64, 1, 1}, R"(
extern "C" __global__ void k(int* a, int* b, int n) {
    if (threadIdx.x < 32) asm volatile("bar.sync 1, 64;" ::: "memory"); // one
    else asm volatile("bar.sync 2, 64;" ::: "memory"); // two
})"};
    QString why;
    const auto ran = runKernel(kernel, true, 0, why);
    if (!ran) QSKIP(qPrintable(why));
    QCOMPARE(ran->result.end, LaunchEnd::deadlock);
    const Fault* fault = faultOf(ran->result, "deadlock");
    QVERIFY(fault && fault->other);
    QCOMPARE(fault->line, markedLine(kernel.source, "one"));
    QCOMPARE(fault->other->line, markedLine(kernel.source, "two"));
}

namespace {
KERNELARIUM_TEST(TestRaces);
}
#include "TestRaces.moc"
