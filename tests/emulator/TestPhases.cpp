// SPDX-License-Identifier: GPL-3.0-or-later
//
// mbarrier objects: phases, counts of bytes, and what goes wrong with them. Each mistake has a twin that differs by a
// line.
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestPhases : public QObject {
    Q_OBJECT
private slots:
    void handingOverByPhases();
    void waitsThatNeverEnd();
    void deadlocksNameBothWaits();
    void arrivalsBeyondTheCount();
    void oneLaneIsElected();
};

void TestPhases::handingOverByPhases() {
    // Warp 0 hands numbers to warp 1 through two places, and waits for them to be free again.
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void k(int* out) {
    __shared__ u64 full[2], empty[2];
    __shared__ int place[2][32];
    int t = threadIdx.x;
    if (t == 0) { for (int i = 0; i < 2; ++i) { make(&full[i], 32); make(&empty[i], 32); } made(); }
    __syncthreads();
    for (int n = 0; n < 9; ++n) {
        int s = n % 2, round = n / 2;
        if (t < 32) {
            wait(&empty[s], (round & 1) ^ 1);
            place[s][t] = n * 100 + t;
            arrive(&full[s]);
        } else {
            wait(&full[s], round & 1);
            out[n * 32 + t - 32] = place[s][63 - t];
            arrive(&empty[s]);
        }
    }
})"),
                                        why);
    if (!p) QSKIP(qPrintable(why));
    for (const std::uint64_t schedule : {0u, 1u, 7u}) {
        p->options.schedule = schedule;
        const auto out = p->uninitialised(9 * 128);
        p->run("k", {1, 1, 1}, {64, 1, 1}, out);
        const auto values = p->read<int>(out, 9 * 32);
        for (int n = 0; n < 9; ++n)
            for (int t = 0; t < 32; ++t)
                QCOMPARE(values[std::size_t(n * 32 + t)], n * 100 + 31 - t);
    }
}

void TestPhases::waitsThatNeverEnd() {
    const auto kernel = [](const char* count) {
        return hopperSource(std::string("extern \"C\" __global__ void k(int* out) {\n"
                                        "    __shared__ u64 bar;\n"
                                        "    if (threadIdx.x == 0) make(&bar, ") +
                            count + R"();
    __syncthreads();
    arrive(&bar);
    wait(&bar, 0);
    out[threadIdx.x] = 1;
})");
    };
    QString why;
    const auto right = PtxProgram::compiled(kernel("64"), why);
    if (!right) QSKIP(qPrintable(why));
    right->run("k", {1, 1, 1}, {64, 1, 1}, right->uninitialised(256));
    const auto wrong = PtxProgram::compiled(kernel("65"), why);
    const LaunchResult r = wrong->launch("k", {1, 1, 1}, {64, 1, 1}, wrong->uninitialised(256));
    QCOMPARE(r.end, LaunchEnd::deadlock);
    const Fault* f = faultOf(r, "deadlock");
    QVERIFY(f);
    for (const char* part : {"phase 0", "mbarrier at offset", "1 of 65 arrivals", "thread (0, 0, 0)"})
        QVERIFY2(f->message.find(part) != std::string::npos, f->message.c_str());
}

/// A producer waits for a place to be free, and a consumer for it to be full, both by the one function `wait`.
void TestPhases::deadlocksNameBothWaits() {
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void k(int* out) {
    __shared__ u64 full, empty;
    if (threadIdx.x == 0) { make(&full, 1); make(&empty, 1); made(); }
    __syncthreads();
    if (threadIdx.x < 32) {
        wait(&empty, 0);
        if (threadIdx.x == 0) arrive(&full);
    } else {
        wait(&full, 0);
        if (threadIdx.x == 32) arrive(&empty);
    }
    out[threadIdx.x] = 1;
})"),
                                        why);
    if (!p) QSKIP(qPrintable(why));
    const LaunchResult r = p->launch("k", {1, 1, 1}, {64, 1, 1}, p->uninitialised(256));
    QCOMPARE(r.end, LaunchEnd::deadlock);
    const Fault* f = faultOf(r, "deadlock");
    QVERIFY(f && f->other);
    QCOMPARE(f->thread[0], 0u);
    QCOMPARE(f->other->thread[0], 32u);
    for (const char* part : {"thread (0, 0, 0)", "thread (32, 0, 0)"})
        QVERIFY2(f->message.find(part) != std::string::npos, f->message.c_str());
    QVERIFY2(r.reason.find("at mbarriers") != std::string::npos, r.reason.c_str());
}

void TestPhases::arrivalsBeyondTheCount() {
    const auto kernel = [](const char* count) {
        return hopperSource(std::string("extern \"C\" __global__ void k(int* out) {\n"
                                        "    __shared__ u64 bar;\n"
                                        "    if (threadIdx.x == 0) make(&bar, ") +
                            count + R"();
    __syncthreads();
    if (threadIdx.x < 2) expect(&bar, 16);
    if (threadIdx.x == 0) asm volatile("mbarrier.complete_tx.relaxed.cluster.shared::cta.b64 [%0], %1;" :: "r"(at(&bar)), "r"(32) : "memory");
    wait(&bar, 0);
    out[threadIdx.x] = 1;
})");
    };
    QString why;
    const auto right = PtxProgram::compiled(kernel("2"), why);
    if (!right) QSKIP(qPrintable(why));
    right->run("k", {1, 1, 1}, {32, 1, 1}, right->uninitialised(256));
    const auto wrong = PtxProgram::compiled(kernel("1"), why);
    const LaunchResult r = wrong->launch("k", {1, 1, 1}, {32, 1, 1}, wrong->uninitialised(256));
    const Fault* f = faultOf(r, "mbarrier");
    QVERIFY2(f, PtxProgram::describe(r).c_str());
    QVERIFY2(f->message.find("which 0 more are expected in") != std::string::npos, f->message.c_str());
    QVERIFY(f->other);
    QCOMPARE(f->other->thread[0], 0u);
    // What the others wait for then: a count below zero is no number of missing arrivals.
    if (const Fault* d = faultOf(r, "deadlock"))
        QVERIFY2(d->message.find("count of 1 arrivals is exceeded by 1") != std::string::npos, d->message.c_str());
}

void TestPhases::oneLaneIsElected() {
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void k(int* out) {
    out[threadIdx.x] = elected();
})"),
                                        why);
    if (!p) QSKIP(qPrintable(why));
    const auto out = p->uninitialised(256);
    p->run("k", {1, 1, 1}, {64, 1, 1}, out);
    const auto values = p->read<int>(out, 64);
    for (int t = 0; t < 64; ++t)
        QCOMPARE(values[std::size_t(t)], t % 32 == 0 ? 1 : 0);
}

namespace {
KERNELARIUM_TEST(TestPhases);
}
#include "TestPhases.moc"
