// SPDX-License-Identifier: GPL-3.0-or-later
//
// What orders one access after another: only the variable that both went through, only a fence for the kind of memory,
// and an mbarrier only once it was made. Each mistake stands beside a twin that differs by one line and passes.
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestOrdering : public QObject {
    Q_OBJECT
private slots:
    void planted_data();
    void planted();
    void throughAnotherBlock();
};

void TestOrdering::planted_data() {
    plantedColumns();
    QTest::newRow("a wait for another barrier than the data's")
        << std::string(R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ int s[32];
    __shared__ u64 mine, other;
    if (threadIdx.x == 0) { make(&mine, 32); make(&other, 32); made(); }
    __syncthreads();
    if (threadIdx.x < 32) {
        arrive(&other);
        s[threadIdx.x] = a[threadIdx.x];
        arrive(&mine);
    } else {
LINE
        b[threadIdx.x] = s[63 - threadIdx.x];
    }
})") << QByteArray("wait(&mine, 0);")
        << QByteArray("wait(&other, 0);") << QByteArray("race") << 12 << 8;
    QTest::newRow("a flag that another thread than the data's raises")
        << std::string(R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ int s, mine, other;
    if (threadIdx.x == 0) mine = other = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence_block();
        atomicExch(&other, 1);
        s = a[0];
        __threadfence_block();
        atomicExch(&mine, 1);
    } else if (threadIdx.x == 32) {
LINE
        __threadfence_block();
        b[0] = s;
    }
})") << QByteArray("while (atomicAdd(&mine, 0) == 0) {}")
        << QByteArray("while (atomicAdd(&other, 0) == 0) {}") << QByteArray("race") << 14 << 8;
    const std::string stored = R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ __align__(128) int s[64];
    s[threadIdx.x] = a[threadIdx.x];
LINE
    __syncthreads();
    if (threadIdx.x == 0) { take(b, s, 256); commit(); waitTaken(); }
})";
    QTest::newRow("a fence for global memory before a copy out of shared memory")
        << stored << QByteArray("asm volatile(\"fence.proxy.async;\" ::: \"memory\");")
        << QByteArray("asm volatile(\"fence.proxy.async.global;\" ::: \"memory\");") << QByteArray("proxy_fence") << 6
        << 3;
    const std::string brought = R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ __align__(128) int s[64];
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 1); made(); }
    b[threadIdx.x] = a[threadIdx.x];
LINE
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&bar, 256);
        bring(s, b, 256, &bar);
    }
    wait(&bar, 0);
    b[63 - threadIdx.x] = s[threadIdx.x];
})";
    QTest::newRow("no fence between a store to global memory and a copy from there")
        << brought << QByteArray("asm volatile(\"fence.proxy.async.global;\" ::: \"memory\");") << QByteArray()
        << QByteArray("proxy_fence") << 10 << 5;
    QTest::newRow("a fence for shared memory before a copy from global memory")
        << brought << QByteArray("asm volatile(\"fence.proxy.async;\" ::: \"memory\");") << QByteArray("proxyFence();")
        << QByteArray("proxy_fence") << 10 << 5;
    QTest::newRow("an mbarrier that is used before its making is known")
        << std::string(R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ int s[64];
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 64); made(); }
LINE
    s[threadIdx.x] = a[threadIdx.x];
    arrive(&bar);
    wait(&bar, 0);
    b[threadIdx.x] = s[63 - threadIdx.x];
})") << QByteArray("__syncthreads();")
        << QByteArray("__syncwarp();") << QByteArray("mbarrier") << 7 << 4;
    QTest::newRow("a copy that tells an mbarrier before its making is known")
        << std::string(R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ __align__(128) int s[64];
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 1); expect(&bar, 256); made(); }
LINE
    if (threadIdx.x == 32) bring(s, a, 256, &bar);
    __syncthreads();
    wait(&bar, 0);
    b[threadIdx.x] = s[threadIdx.x];
})") << QByteArray("__syncthreads();")
        << QByteArray("__syncwarp();") << QByteArray("mbarrier") << 6 << 4;
    // As CUTLASS makes them: nothing but the fence is released by the relaxed arrival.
    QTest::newRow("a relaxed barrier of the cluster with no fence.mbarrier_init")
        << std::string(R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) k(const int* a, int* b) {
    __shared__ u64 bar;
    if (threadIdx.x == 0) make(&bar, 64);
LINE
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory"); clusterWait();
    arrive(&bar);
    wait(&bar, 0);
    b[blockIdx.x * 64 + threadIdx.x] = a[threadIdx.x];
})") << QByteArray("if (threadIdx.x == 0) made();")
        << QByteArray() << QByteArray("mbarrier") << 6 << 3;
}

void TestOrdering::planted() {
    const auto launch = [](PtxProgram& p, const std::string& kernel) {
        const bool pairs = kernel.find("__cluster_dims__(2") != std::string::npos;
        return p.launch("k", {pairs ? 2u : 1u, 1, 1}, {64, 1, 1}, p.buffer(std::vector<int>(64, 3)),
                        p.uninitialised(512));
    };
    verifyPlanted(launch);
}

/// A warp's store is seen by another warp of its block that waits for what another block hands on.
void TestOrdering::throughAnotherBlock() {
    const char* source = R"(extern "C" __global__ void k(int* data, int* there, int* back, int* out) {
    if (blockIdx.x == 0 && threadIdx.x == 0) {
        *data = 5;
        __threadfence();
        atomicExch(there, 1);
    } else if (blockIdx.x == 0 && threadIdx.x == 32) {
        while (atomicAdd(back, 0) == 0) {}
        __threadfence();
        *out = *data;
    } else if (blockIdx.x == 1 && threadIdx.x == 0) {
        while (atomicAdd(there, 0) == 0) {}
        __threadfence();
        atomicExch(back, 1);
    }
})";
    QString why;
    const auto p = PtxProgram::compiled(source, why);
    if (!p) QSKIP(qPrintable(why));
    const auto zero = [&] { return p->buffer(std::vector<int>(1, 0)); };
    PtxProgram::expectClean(p->launch("k", {2, 1, 1}, {64, 1, 1}, zero(), zero(), zero(), zero()));
}

namespace {
KERNELARIUM_TEST(TestOrdering);
}
#include "TestOrdering.moc"
