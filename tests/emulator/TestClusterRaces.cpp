// SPDX-License-Identifier: GPL-3.0-or-later
//
// Races between the blocks of a cluster in their shared memory, and accesses of memory whose block may have ended. Each
// mistake stands beside a twin that differs by one line and passes, whichever block goes first.
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>
#include <numeric>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestClusterRaces : public QObject {
    Q_OBJECT
private slots:
    void planted_data();
    void planted();
    void honest_data();
    void honest();
    void anotherClusterPassesOn();
};

namespace {

const QByteArray clusterBarrier = "clusterArrive(); clusterWait();";
const QByteArray blockBarrier = "__syncthreads();";
const QByteArray relaxedBarrier = "clusterArriveRelaxed(); clusterWait();";

/// Blocks in rising, falling and shuffled order.
constexpr std::uint64_t schedules[] = {0, 1, 2};

LaunchResult launchFour(PtxProgram& p, std::uint64_t schedule, std::uint32_t threads = 32) {
    p.options.schedule = schedule;
    return p.launch("k", {4, 1, 1}, {threads, 1, 1}, p.buffer(std::vector<int>(256, 3)), p.uninitialised(1024));
}

} // namespace

void TestClusterRaces::planted_data() {
    plantedColumns();
    const std::string sum =
        R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ int parts[32];
    int t = threadIdx.x, sum = a[t];
    if (rank() == 0) parts[t] = sum;
LINE
    if (rank() == 1) sum += readAt(&parts[t], 0);
    clusterArrive(); clusterWait();
    b[blockIdx.x * 32 + t] = sum;
})";
    QTest::newRow("a sum over a cluster without its first barrier")
        << sum << clusterBarrier << blockBarrier << QByteArray("race") << 6 << 4;
    QTest::newRow("a barrier of the cluster that releases nothing")
        << sum << clusterBarrier << relaxedBarrier << QByteArray("race") << 6 << 4;
    const std::string again =
        R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ int parts[32];
    int t = threadIdx.x, sum = 0;
    for (int i = 0; i < 2; ++i) {
        if (rank() == 1) parts[t] = a[i * 32 + t];
        clusterArrive(); clusterWait();
        if (rank() == 0) sum += readAt(&parts[t], 1);
LINE
    }
    clusterArrive(); clusterWait();
    b[blockIdx.x * 32 + t] = sum;
})";
    QTest::newRow("a sum over a cluster without its second barrier")
        << again << clusterBarrier << blockBarrier << QByteArray("race") << 7 << 5;
    QTest::newRow("a second barrier that releases nothing")
        << again << clusterBarrier << relaxedBarrier << QByteArray("race") << 5 << 7;
    QTest::newRow("a store to a neighbour that has yet to clear its memory")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = 0;
LINE
    writeAt(&s[31 - t], rank() ^ 1, a[t]);
    clusterArrive(); clusterWait();
    b[blockIdx.x * 32 + t] = s[t];
})") << clusterBarrier
        << blockBarrier << QByteArray("race") << 4 << 6;
    QTest::newRow("a neighbour's memory that is read while that one may end")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = a[t];
    clusterArrive(); clusterWait();
    if (rank() == 1) b[blockIdx.x * 32 + t] = readAt(&s[t], 0);
LINE
})") << clusterBarrier
        << QByteArray() << QByteArray("out_of_bounds") << 6 << 8;
    QTest::newRow("an arrival at a neighbour that may end")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 32); made(); }
    clusterArriveRelaxed(); clusterWait();
    if (rank() == 1) arriveAt(&bar, 0);
LINE
})") << QByteArray("if (rank() == 0) wait(&bar, 0);")
        << QByteArray() << QByteArray("out_of_bounds") << 5 << 7;
    QTest::newRow("an arrival at a neighbour's mbarrier before its making is known")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 32); made(); }
LINE
    if (rank() == 1) arriveAt(&bar, 0);
    if (rank() == 0) wait(&bar, 0);
})") << relaxedBarrier
        << blockBarrier << QByteArray("mbarrier") << 5 << 3;
    // The consumer runs in block 0, so that the producer's next store comes after it has read.
    const std::string handed = R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ __align__(16) int s[32];
    __shared__ u64 full, empty;
    int t = threadIdx.x, sum = 0;
    if (t == 0) { make(&full, FULL); make(&empty, 32); made(); }
    clusterArriveRelaxed(); clusterWait();
    for (int i = 0; i < 3; ++i) {
        if (rank() == 1) {
            if (i) wait(&empty, (i & 1) ^ 1);
            SEND
        } else {
            EXPECT
            wait(&full, i & 1);
LINE
        }
    }
    if (rank() == 1) wait(&empty, 0);
    else b[blockIdx.x * 32 + t] = sum;
})";
    const auto by = [&](const char* count, const char* send, const char* expected) {
        std::string text = handed;
        const auto put = [&](const char* name, const char* with) { text.replace(text.find(name), strlen(name), with); };
        put("FULL", count);
        put("SEND", send);
        put("EXPECT", expected);
        return text;
    };
    const QByteArray readFirst = "sum += s[t]; arriveAt(&empty, 1);", readLast = "arriveAt(&empty, 1); sum += s[t];";
    QTest::newRow("a stage given free before it is read, filled by stores")
        << by("32", "writeAt(&s[t], 0, a[i * 32 + t]); arriveAt(&full, 0);", "") << readFirst << readLast
        << QByteArray("race") << 10 << 14;
    QTest::newRow("a stage given free before it is read, filled by asynchronous stores")
        << by("1", "sendTo(&s[t], &full, 0, a[i * 32 + t]);", "if (t == 0) expect(&full, 128);") << readFirst
        << readLast << QByteArray("race") << 10 << 14;
    QTest::newRow("a stage given free before it is read, filled by a copy of global memory")
        << by("1",
              "if (t == 0) asm volatile(\"cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], "
              "[%1], 128, [%2];\" :: \"r\"(mapped(s, 0)), \"l\"(a + i * 32), \"r\"(mapped(&full, 0)) : \"memory\");",
              "if (t == 0) expect(&full, 128);")
        << readFirst << readLast << QByteArray("race") << 10 << 14;
    QTest::newRow("a copy of what is stored to before the neighbour has it")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ __align__(128) int s[32], got[32];
    __shared__ u64 full;
    int t = threadIdx.x;
    s[t] = a[t];
    if (t == 0) { make(&full, 1); expect(&full, 128); made(); }
    proxyFence();
    clusterArrive(); clusterWait();
    if (rank() == 0 && t == 0) asm volatile("cp.async.bulk.shared::cluster.shared::cta.mbarrier::complete_tx::bytes [%0], [%1], 128, [%2];" :: "r"(mapped(got, 1)), "r"(at(s)), "r"(mapped(&full, 1)) : "memory");
LINE
    s[t] = 7;
    if (rank() == 1) b[blockIdx.x * 32 + t] = got[t];
})") << QByteArray("if (rank() == 1) wait(&full, 0); clusterArrive(); clusterWait();")
        << QByteArray("clusterArrive(); clusterWait(); if (rank() == 1) wait(&full, 0);")
        << QByteArray("async_overwrite") << 11 << 9;
    QTest::newRow("a stage refilled for both before the neighbour's readers have given it free")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ __align__(128) int s[32];
    __shared__ u64 full, empty;
    int t = threadIdx.x, sum = 0;
    if (t == 0) { make(&full, 1); make(&empty, 64); made(); }
    clusterArriveRelaxed(); clusterWait();
    for (int i = 0; i < 3; ++i) {
        if (t == 0) expect(&full, 128);
        if (rank() == 0 && i) wait(&empty, (i & 1) ^ 1);
        if (rank() == 0 && t == 0)
            asm volatile("cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes.multicast::cluster [%0], [%1], 128, [%2], %3;" :: "r"(at(s)), "l"(a + i * 32), "r"(at(&full)), "h"((short)3) : "memory");
        wait(&full, i & 1);
        if (rank() == 0) { sum += s[t]; arrive(&empty); }
LINE
    }
    b[blockIdx.x * 32 + t] = sum;
    clusterArrive(); clusterWait();
})") << QByteArray("else { sum += s[t]; arriveAt(&empty, 0); }")
        << QByteArray("else { arriveAt(&empty, 0); sum += s[t]; }") << QByteArray("race") << 11 << 14;
    QTest::newRow("a flag in a neighbour's memory without a fence")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ int s, flag;
    if (threadIdx.x == 0) flag = 0;
    clusterArrive(); clusterWait();
    if (rank() == 0 && threadIdx.x == 0) {
        writeAt(&s, 1, a[0]);
LINE
        asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], 1;" :: "r"(mapped(&flag, 1)) : "memory");
    } else if (rank() == 1 && threadIdx.x == 0) {
        while (atomicAdd(&flag, 0) == 0) {}
        b[blockIdx.x] = s;
    }
    clusterArrive(); clusterWait();
})") << QByteArray("asm volatile(\"fence.acq_rel.cluster;\" ::: \"memory\");")
        << QByteArray() << QByteArray("race") << 11 << 6;
    QTest::newRow("a copy out of what a neighbour stored with no proxy fence")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ __align__(128) int s[32];
    int t = threadIdx.x;
    clusterArriveRelaxed(); clusterWait();
    writeAt(&s[t], rank() ^ 1, a[t]);
LINE
    clusterArrive(); clusterWait();
    if (t == 0) { take(b + blockIdx.x * 32, s, 128); commit(); waitTaken(); }
})") << QByteArray("proxyFence();")
        << QByteArray() << QByteArray("proxy_fence") << 8 << 5;
}

void TestClusterRaces::planted() {
    verifyPlanted([](PtxProgram& p, const std::string&) { return launchFour(p, 0); });
    QFETCH(std::string, kernel);
    QFETCH(QByteArray, right);
    QString why;
    const auto twin = PtxProgram::compiled(plantedSource(kernel, right.constData()), why);
    if (!twin) QSKIP(qPrintable(why));
    for (const std::uint64_t schedule : schedules)
        PtxProgram::expectClean(launchFour(*twin, schedule));
}

/// What is in order however late one block is: nothing is found.
void TestClusterRaces::honest_data() {
    QTest::addColumn<std::string>("kernel");
    QTest::addColumn<std::uint32_t>("threads");
    QTest::newRow("a histogram by atomics on the memory of all")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(4, 1, 1) k(const int* a, int* b) {
    __shared__ int bins[8];
    int t = threadIdx.x;
    if (t < 8) bins[t] = 0;
    clusterArrive(); clusterWait();
    asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], 1;" :: "r"(mapped(&bins[t % 8], a[t] % 4)) : "memory");
    asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], 1;" :: "r"(mapped(&bins[t % 8], t % 4)) : "memory");
    clusterArrive(); clusterWait();
    b[blockIdx.x * 32 + t] = bins[t % 8];
})") << std::uint32_t(32);
    QTest::newRow("memory handed round a ring")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(4, 1, 1) k(const int* a, int* b) {
    __shared__ int s[2][32];
    int t = threadIdx.x;
    s[0][t] = a[t];
    clusterArrive(); clusterWait();
    for (int i = 0; i < 4; ++i) {
        writeAt(&s[(i + 1) % 2][31 - t], (rank() + 1) % 4, s[i % 2][t] + i);
        clusterArrive();
        clusterWait();
    }
    b[blockIdx.x * 32 + t] = s[0][t];
})") << std::uint32_t(32);
    QTest::newRow("sums by asynchronous reductions of all blocks")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(4, 1, 1) k(const int* a, int* b) {
    __shared__ int sum[32];
    __shared__ u64 bar;
    int t = threadIdx.x;
    sum[t] = 0;
    if (t == 0) { make(&bar, 1); expect(&bar, 512); made(); }
    clusterArrive(); clusterWait();
    for (u32 r = 0; r < 4; ++r)
        asm volatile("red.async.relaxed.cluster.shared::cluster.mbarrier::complete_tx::bytes.add.u32 [%0], %1, [%2];" :: "r"(mapped(&sum[t], r)), "r"(a[t]), "r"(mapped(&bar, r)) : "memory");
    wait(&bar, 0);
    b[blockIdx.x * 32 + t] = sum[t];
})") << std::uint32_t(32);
    QTest::newRow("a flag in global memory between blocks of a cluster")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* a, int* b) {
    __shared__ int s[32];
    int t = threadIdx.x;
    clusterArrive(); clusterWait();
    if (rank() == 0) {
        writeAt(&s[t], 1, t);
        __threadfence();
        __syncwarp();
        if (t == 0) atomicExch(a + 64 + blockIdx.x / 2, 1);
    } else {
        if (t == 0) while (atomicAdd(a + 64 + blockIdx.x / 2, 0) != 1) {}
        __syncwarp();
        __threadfence();
        b[blockIdx.x * 32 + t] = s[31 - t];
    }
})") << std::uint32_t(32);
    QTest::newRow("a flag in a neighbour's memory after which both end")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ int s[32], flag;
    int t = threadIdx.x;
    if (t == 0) flag = 0;
    clusterArrive(); clusterWait();
    if (rank() == 0) {
        writeAt(&s[t], 1, a[t]);
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
        __syncthreads();
        if (t == 0) asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], 1;" :: "r"(mapped(&flag, 1)) : "memory");
    } else {
        if (t == 0) while (atomicAdd(&flag, 0) == 0) {}
        __syncthreads();
        b[blockIdx.x * 32 + t] = s[31 - t];
    }
})") << std::uint32_t(32);
    QTest::newRow("one fence and flags for all neighbours")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(4, 1, 1) k(const int* a, int* b) {
    __shared__ int s[32], flag;
    int t = threadIdx.x;
    if (t == 0) flag = 0;
    clusterArrive(); clusterWait();
    if (rank() == 0) {
        for (int r = 1; r < 4; ++r) writeAt(&s[t], r, a[t]);
        asm volatile("fence.acq_rel.cluster;" ::: "memory");
        __syncwarp();
        for (int r = 1; r < 4; ++r)
            if (t == 0) asm volatile("red.relaxed.cluster.shared::cluster.add.s32 [%0], 1;" :: "r"(mapped(&flag, r)) : "memory");
    } else {
        if (t == 0) while (atomicAdd(&flag, 0) == 0) {}
        __syncthreads();
        b[blockIdx.x * 32 + t] = s[31 - t];
    }
})") << std::uint32_t(32);
    QTest::newRow("a thread that has seen what a neighbour did passes it on")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(4, 1, 1) k(const int* a, int* b) {
    __shared__ int s[32];
    __shared__ u64 bar;
    int t = threadIdx.x;
    if (t == 0) { make(&bar, 32); made(); }
    clusterArriveRelaxed(); clusterWait();
    if (rank() == 0) { writeAt(&s[t], 3, a[t]); arriveAt(&bar, 1); }
    else wait(&bar, 0);
    if (rank() == 1) arriveAt(&bar, 2);
    if (rank() == 2) arriveAt(&bar, 3);
    if (rank() == 3) b[t] = s[31 - t];
})") << std::uint32_t(32);
    QTest::newRow("warps that learn of it at their block's barrier")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ int s[64];
    __shared__ u64 full, empty;
    int t = threadIdx.x, sum = 0;
    if (t == 0) { make(&full, 1); make(&empty, 1); made(); }
    clusterArriveRelaxed(); clusterWait();
    for (int i = 0; i < 4; ++i) {
        if (rank() == 1) {
            if (i && t < 32) wait(&empty, (i & 1) ^ 1);
            __syncthreads();
            writeAt(&s[t], 0, a[i * 64 + t]);
            __syncthreads();
            if (t == 32) arriveAt(&full, 0);
        } else {
            if (t >= 32) wait(&full, i & 1);
            __syncthreads();
            sum += s[63 - t];
            __syncthreads();
            if (t == 0) arriveAt(&empty, 1);
        }
    }
    if (rank() == 1) wait(&empty, 1);
    b[blockIdx.x * 64 + t] = sum;
})") << std::uint32_t(64);
    QTest::newRow("more barriers than are told apart")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ int s[64];
    int t = threadIdx.x, sum = 0;
    s[t] = a[t];
    for (int i = 0; i < 4200; ++i) {
        clusterArrive(); clusterWait();
        if (rank() == 0 || i > 4000) sum += readAt(&s[63 - t], rank() ^ 1);
        clusterArrive(); clusterWait();
        s[t] += i;
    }
    clusterArrive(); clusterWait();
    b[blockIdx.x * 64 + t] = sum;
})") << std::uint32_t(64);
}

void TestClusterRaces::honest() {
    QFETCH(std::string, kernel);
    QFETCH(std::uint32_t, threads);
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(kernel), why);
    if (!p) QSKIP(qPrintable(why));
    for (const std::uint64_t schedule : schedules)
        PtxProgram::expectClean(launchFour(*p, schedule, threads));
}

/// What a block did is seen by another one of its cluster through a block of another cluster.
void TestClusterRaces::anotherClusterPassesOn() {
    QString why;
    const auto p = PtxProgram::compiled(
        hopperSource(
            R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(int* data, int* there, int* back, int* out) {
    __shared__ int s;
    clusterArrive(); clusterWait();
    if (blockIdx.x == 0) {
        *data = 5;
        writeAt(&s, 1, 6);
        __threadfence();
        atomicExch(there, 1);
    } else if (blockIdx.x == 1) {
        while (atomicAdd(back, 0) == 0) {}
        __threadfence();
        *out = *data + s;
    } else if (blockIdx.x == 2) {
        while (atomicAdd(there, 0) == 0) {}
        __threadfence();
        atomicExch(back, 1);
    }
})"),
        why);
    if (!p) QSKIP(qPrintable(why));
    const auto zero = [&] { return p->buffer(std::vector<int>(1, 0)); };
    const auto out = zero();
    PtxProgram::expectClean(p->launch("k", {4, 1, 1}, {1, 1, 1}, zero(), zero(), zero(), out));
    QCOMPARE(p->read<int>(out, 1)[0], 11);
}

namespace {
KERNELARIUM_TEST(TestClusterRaces);
}
#include "TestClusterRaces.moc"
