// SPDX-License-Identifier: GPL-3.0-or-later
//
// Clusters: blocks that see one another's shared memory, wait for one another and share copies.
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>
#include <numeric>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestClusters : public QObject {
    Q_OBJECT
private slots:
    void placesInTheCluster();
    void neighboursMemory();
    void copiesToSeveralBlocks();
    void neighboursThatHaveEnded();
    void halfAClusterWaits();
    void portableSizes_data();
    void portableSizes();
};

void TestClusters::placesInTheCluster() {
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void k(u32* out) {
    u32 v[6];
    asm volatile("mov.u32 %0, %%cluster_ctaid.x;" : "=r"(v[0])); asm volatile("mov.u32 %0, %%cluster_ctaid.y;" : "=r"(v[1]));
    asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(v[2])); asm volatile("mov.u32 %0, %%nclusterid.y;" : "=r"(v[3]));
    asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(v[4])); v[5] = rank();
    u32* to = out + (blockIdx.y * gridDim.x + blockIdx.x) * 6;
    for (int i = 0; i < 6; ++i) to[i] = v[i];
})"),
                                        why);
    if (!p) QSKIP(qPrintable(why));
    p->config.cluster = {2, 2, 1};
    const auto out = p->uninitialised(4 * 4 * 6 * 4);
    p->run("k", {4, 4, 1}, {1, 1, 1}, out);
    const auto v = p->read<std::uint32_t>(out, 96);
    for (std::uint32_t y = 0; y < 4; ++y)
        for (std::uint32_t x = 0; x < 4; ++x) {
            const std::uint32_t* of = v.data() + (y * 4 + x) * 6;
            const std::vector<std::uint32_t> expected{x % 2, y % 2, x / 2, 2, 4, y % 2 * 2 + x % 2};
            QCOMPARE(std::vector<std::uint32_t>(of, of + 6), expected);
        }
}

void TestClusters::neighboursMemory() {
    // Each block adds to a sum in every block's memory, and reads its right neighbour's by a generic address.
    QString why;
    const auto p =
        PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void __cluster_dims__(4, 1, 1) k(int* out) {
    __shared__ int sum, mine[32];
    int t = threadIdx.x;
    if (t == 0) sum = 0;
    mine[t] = blockIdx.x * 100 + t;
    clusterArrive(); clusterWait();
    if (t < 4) asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], %1;" :: "r"(mapped(&sum, t)), "r"((int)blockIdx.x + 1) : "memory");
    u64 address;
    asm volatile("mapa.u64 %0, %1, %2;" : "=l"(address) : "l"(&mine[31 - t]), "r"((rank() + 1) % 4));
    int a = *(volatile int*)address, b;
    asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(b) : "r"(mapped(&mine[t], 3 - rank())) : "memory");
    clusterArrive(); clusterWait();
    out[blockIdx.x * 96 + t] = a;
    out[blockIdx.x * 96 + 32 + t] = b;
    out[blockIdx.x * 96 + 64 + t] = sum;
})"),
                             why);
    if (!p) QSKIP(qPrintable(why));
    const auto out = p->uninitialised(8 * 96 * 4);
    p->run("k", {8, 1, 1}, {32, 1, 1}, out);
    const auto v = p->read<int>(out, 8 * 96);
    for (int b = 0; b < 8; ++b)
        for (int t = 0; t < 32; ++t) {
            const int first = b / 4 * 4, r = b % 4;
            const int* of = v.data() + b * 96 + t;
            QCOMPARE(of[0], (first + (r + 1) % 4) * 100 + 31 - t);
            QCOMPARE(of[32], (first + 3 - r) * 100 + t);
            QCOMPARE(of[64], 4 * first + 10);
        }
}

void TestClusters::copiesToSeveralBlocks() {
    // Each block brings half of a row for both, which tells the barrier at the same place in each.
    QString why;
    const auto p = PtxProgram::compiled(
        hopperSource(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* out) {
    __shared__ __align__(128) int s[64];
    __shared__ u64 bar;
    int t = threadIdx.x;
    if (t == 0) { make(&bar, 1); made(); }
    clusterArrive(); clusterWait();
    if (t == 0) {
        expect(&bar, 256);
        asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], %2, [%3], %4;" :: "r"(at(s + rank() * 32)), "l"(a + rank() * 32), "r"(128), "r"(at(&bar)), "h"((short)3) : "memory");
    }
    wait(&bar, 0);
    out[blockIdx.x * 64 + t] = s[t];
    clusterArrive(); clusterWait();
})"),
        why);
    if (!p) QSKIP(qPrintable(why));
    std::vector<int> a(64);
    std::iota(a.begin(), a.end(), 3);
    const auto out = p->uninitialised(512);
    p->run("k", {2, 1, 1}, {64, 1, 1}, p->buffer(a), out);
    const auto v = p->read<int>(out, 128);
    for (std::size_t i = 0; i < 128; ++i)
        QCOMPARE(v[i], a[i % 64]);
}

void TestClusters::neighboursThatHaveEnded() {
    const auto kernel = [](bool stays) {
        return hopperSource(std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {
    __shared__ int mine[32];
    mine[threadIdx.x] = threadIdx.x;
    clusterArrive(); clusterWait();
    int v = 0;
    if (rank() == 0) asm volatile("ld.shared::cluster.s32 %0, [%1];" : "=r"(v) : "r"(mapped(mine + threadIdx.x, 1)) : "memory");
    out[blockIdx.x * 32 + threadIdx.x] = v;
)") + (stays ? "    clusterArrive(); clusterWait();\n}" : "}"));
    };
    QString why;
    const auto right = PtxProgram::compiled(kernel(true), why);
    if (!right) QSKIP(qPrintable(why));
    right->run("k", {2, 1, 1}, {32, 1, 1}, right->uninitialised(256));
    const auto wrong = PtxProgram::compiled(kernel(false), why);
    const LaunchResult r = wrong->launch("k", {2, 1, 1}, {32, 1, 1}, wrong->uninitialised(256));
    const Fault* f = faultOf(r, "out_of_bounds");
    QVERIFY2(f && f->message.find("rank 1") != std::string::npos, PtxProgram::describe(r).c_str());
}

void TestClusters::halfAClusterWaits() {
    const auto kernel = [](const char* condition) {
        return hopperSource(
            std::string("extern \"C\" __global__ void __cluster_dims__(2, 1, 1) k(int* out) {\n    if (") + condition +
            R"() clusterArrive();
    else { __shared__ u64 bar; if (threadIdx.x == 0) make(&bar, 1); __syncthreads(); wait(&bar, 0); }
    clusterWait();
    out[blockIdx.x * 32 + threadIdx.x] = 1;
})");
    };
    QString why;
    const auto right = PtxProgram::compiled(kernel("rank() < 2"), why);
    if (!right) QSKIP(qPrintable(why));
    right->run("k", {2, 1, 1}, {32, 1, 1}, right->uninitialised(256));
    const auto wrong = PtxProgram::compiled(kernel("rank() < 1"), why);
    const LaunchResult r = wrong->launch("k", {2, 1, 1}, {32, 1, 1}, wrong->uninitialised(256));
    QCOMPARE(r.end, LaunchEnd::deadlock);
    const Fault* f = faultOf(r, "deadlock");
    QVERIFY2(f && f->message.find("cluster's barrier") != std::string::npos, PtxProgram::describe(r).c_str());
}

void TestClusters::portableSizes_data() {
    QTest::addColumn<int>("blocks");
    QTest::addColumn<bool>("allowed");
    QTest::addColumn<bool>("runs");
    QTest::newRow("8") << 8 << false << true;
    QTest::newRow("9") << 9 << false << false;
    QTest::newRow("16") << 16 << false << false;
    QTest::newRow("16, which the kernel is allowed") << 16 << true << true;
    QTest::newRow("17") << 17 << true << false;
}

void TestClusters::portableSizes() {
    QFETCH(int, blocks);
    QFETCH(bool, allowed);
    QFETCH(bool, runs);
    const std::string count = std::to_string(blocks);
    const std::string body = "{ .reg .b64 %d; ld.param.u64 %d, [o]; red.global.add.u32 [%d], 1; ret; }\n";
    PtxProgram p(".visible .entry launched(.param .u64 o) " + body +
                 ".visible .entry fixed(.param .u64 o) .explicitcluster .reqnctapercluster " + count + ", 1, 1 " +
                 body);
    p.config.nonPortableCluster = allowed;
    for (const char* kernel : {"launched", "fixed"}) {
        p.config.cluster = {};
        if (kernel[0] == 'l') p.config.cluster = {std::uint32_t(blocks), 1, 1};
        const auto out = p.buffer(std::vector<std::uint32_t>{0});
        const LaunchResult r = p.launch(kernel, {std::uint32_t(blocks), 1, 1}, {1, 1, 1}, out);
        QCOMPARE(r.end, runs ? LaunchEnd::finished : LaunchEnd::refused);
        if (!runs) QVERIFY2(r.reason.find("cluster misconfiguration") != std::string::npos, r.reason.c_str());
        QCOMPARE(p.read<std::uint32_t>(out, 1)[0], runs ? std::uint32_t(blocks) : 0u);
    }
}

namespace {
KERNELARIUM_TEST(TestClusters);
}
#include "TestClusters.moc"
