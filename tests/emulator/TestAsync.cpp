// SPDX-License-Identifier: GPL-3.0-or-later
//
// cp.async and mbarrier through the real compiler.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>
#include <numeric>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestAsync : public QObject {
    Q_OBJECT
private slots:
    void copiesNeedAWait();
    void barriersInSharedMemory();
};

void TestAsync::copiesNeedAWait() {
    const auto kernel = [](bool waits) {
        return std::string("#define WAIT ") + (waits ? "1" : "0") + R"(
extern "C" __global__ void k(const float* a, float* b) {
    __shared__ __align__(16) float s[2][128];
    int t = threadIdx.x;
    for (int i = 0; i < 2; ++i) {
        unsigned to = __cvta_generic_to_shared(&s[i][4 * t]);
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" :: "r"(to), "l"(a + i * 128 + 4 * t), "r"(i ? 8 : 16) : "memory");
        asm volatile("cp.async.commit_group;" ::: "memory");
    }
    asm volatile("cp.async.wait_group 1;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < 4; ++i) b[i * 32 + t] = s[0][i * 32 + t];
    if (WAIT) asm volatile("cp.async.wait_all;" ::: "memory");
    __syncthreads();
    for (int i = 0; i < 4; ++i) b[128 + i * 32 + t] = s[1][i * 32 + t];
})";
    };
    QString why;
    const auto right = PtxProgram::compiled(kernel(true), why);
    if (!right) QSKIP(qPrintable(why));
    std::vector<float> a(256);
    std::iota(a.begin(), a.end(), 1.0f);
    auto b = right->uninitialised(1024);
    right->run("k", {1, 1, 1}, {32, 1, 1}, right->buffer(a), b);
    auto expected = a;
    for (std::size_t i = 128; i < 256; ++i)
        if (i % 4 >= 2) expected[i] = 0;
    QCOMPARE(right->read<float>(b, 256), expected);

    const auto wrong = PtxProgram::compiled(kernel(false), why);
    b = wrong->uninitialised(1024);
    const LaunchResult result = wrong->launch("k", {1, 1, 1}, {32, 1, 1}, wrong->buffer(a), b);
    QVERIFY(faultOf(result, "uninitialised_read"));
    QCOMPARE(faultOf(result, "uninitialised_read")->line, 15);
}

void TestAsync::barriersInSharedMemory() {
    const auto kernel = [](bool waits) {
        return std::string("#define WAIT ") + (waits ? "1" : "0") + R"(
extern "C" __global__ void k(int* b) {
    __shared__ unsigned long long bar;
    __shared__ int s[128];
    int t = threadIdx.x;
    unsigned at = __cvta_generic_to_shared(&bar);
    if (t == 0) asm volatile("mbarrier.init.shared.b64 [%0], 128;" :: "r"(at) : "memory");
    __syncthreads();
    for (int i = 0; i < 2; ++i) {
        s[t] = t + i;
        unsigned long long state;
        asm volatile("mbarrier.arrive.shared.b64 %0, [%1];" : "=l"(state) : "r"(at) : "memory");
        unsigned over = !WAIT;
        while (!over)
            asm volatile("{ .reg .pred p; mbarrier.test_wait.shared.b64 p, [%1], %2; selp.u32 %0, 1, 0, p; }" : "=r"(over) : "r"(at), "l"(state) : "memory");
        b[i * 128 + t] = s[127 - t];
        __syncthreads();
    }
})";
    };
    QString why;
    const auto right = PtxProgram::compiled(kernel(true), why);
    if (!right) QSKIP(qPrintable(why));
    const auto b = right->uninitialised(1024);
    right->run("k", {1, 1, 1}, {128, 1, 1}, b);
    const auto out = right->read<int>(b, 256);
    for (int i = 0; i < 256; ++i)
        QCOMPARE(out[std::size_t(i)], 127 - i % 128 + i / 128);
    const auto wrong = PtxProgram::compiled(kernel(false), why);
    QVERIFY(faultOf(wrong->launch("k", {1, 1, 1}, {128, 1, 1}, wrong->uninitialised(1024)), "race"));
}

namespace {
KERNELARIUM_TEST(TestAsync);
}
#include "TestAsync.moc"
