// SPDX-License-Identifier: GPL-3.0-or-later
//
// Mistakes with what goes on asynchronously, each beside a twin that differs by one line and passes. Whoever reports
// one names both parties.
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestAsyncFaults : public QObject {
    Q_OBJECT
private slots:
    void plain_data();
    void plain();
    void products_data();
    void products();
    void clusters_data();
    void clusters();
};

void TestAsyncFaults::plain_data() {
    plantedColumns();
    const std::string copied = R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ __align__(128) int s[64];
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 1); made(); }
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&bar, 256);
        bring(s, a, 256, &bar);
    }
LINE
    b[threadIdx.x] = s[63 - threadIdx.x];
})";
    QTest::newRow("nobody waits for a copy")
        << copied << QByteArray("wait(&bar, 0);") << QByteArray() << QByteArray("async_read") << 11 << 8;
    QTest::newRow("a wait for the phase before") << copied << QByteArray("wait(&bar, 0);")
                                                 << QByteArray("wait(&bar, 1);") << QByteArray("async_read") << 11 << 8;
    QTest::newRow("two copies into one place")
        << std::string(R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ __align__(128) int s[64];
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 1); made(); }
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&bar, 256);
        bring(s, a, 128, &bar);
LINE
    }
    wait(&bar, 0);
    b[threadIdx.x] = s[threadIdx.x];
})") << QByteArray("bring(s + 32, a + 32, 128, &bar);")
        << QByteArray("bring(s, a + 32, 128, &bar);") << QByteArray("async_overwrite") << 9 << 8;
    const std::string stored = R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ __align__(128) int s[64];
    s[threadIdx.x] = a[threadIdx.x];
LINE
    __syncthreads();
    if (threadIdx.x == 0) { take(b, s, 256); commit(); waitTaken(); }
})";
    QTest::newRow("no fence between a store and a copy")
        << stored << QByteArray("proxyFence();") << QByteArray("__threadfence_block();") << QByteArray("proxy_fence")
        << 6 << 3;
    QTest::newRow("a place used again before it was read")
        << std::string(R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ __align__(128) int s[64];
    s[threadIdx.x] = a[threadIdx.x];
    proxyFence();
    __syncthreads();
    if (threadIdx.x == 0) { take(b, s, 256); commit(); }
LINE
    __syncthreads();
    s[threadIdx.x] = 7;
    __syncthreads();
    waitTaken();
})") << QByteArray("asm volatile(\"cp.async.bulk.wait_group.read 0;\" ::: \"memory\");")
        << QByteArray() << QByteArray("async_overwrite") << 9 << 6;
    QTest::newRow("a phase that more arrive in than it was made for")
        << std::string(R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ __align__(128) int s[64];
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 2); made(); }
    __syncthreads();
LINE
        expect(&bar, 128);
    if (threadIdx.x == 0) { bring(s, a, 128, &bar); bring(s + 32, a + 32, 128, &bar); }
    wait(&bar, 0);
    b[threadIdx.x] = s[threadIdx.x];
})") << QByteArray("if (threadIdx.x < 2)")
        << QByteArray("if (threadIdx.x < 3)") << QByteArray("mbarrier") << 7 << 4;
}

void TestAsyncFaults::plain() {
    verifyPlanted([](PtxProgram& p, const std::string&) {
        return p.launch("k", {1, 1, 1}, {64, 1, 1}, p.buffer(std::vector<int>(64, 3)), p.uninitialised(256));
    });
}

void TestAsyncFaults::products_data() {
    plantedColumns();
    QTest::newRow("a stage given free too early")
        << std::string(
               R"(extern "C" __global__ void __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full, empty;
    if (threadIdx.x == 0) { make(&full, 1); make(&empty, 128); made(); }
    __syncthreads();
    if (threadIdx.x == 128) {
        for (int i = 0; i < 3; ++i) {
            wait(&empty, (i & 1) ^ 1);
            expect(&full, 16384);
            bringBox(s, &a, i * 64, 0, &full);
            bringBox(s + 8192, &b, i * 64, 0, &full);
        }
    } else if (threadIdx.x < 128) {
        float d[32];
        for (int i = 0; i < 3; ++i) {
            wait(&full, i & 1);
            productFence();
            product64(d, descriptor(s), descriptor(s + 8192), i);
            productCommit();
LINE
            arrive(&empty);
        }
        productWait<0>();
        result64(c, 64, d);
    }
})") << QByteArray("productWait<0>();")
        << QByteArray("productWait<1>();") << QByteArray("async_overwrite") << 10 << 18;
    QTest::newRow("a stage that its own warpgroup refills too early")
        << std::string(
               R"(extern "C" __global__ void __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full, empty;
    if (threadIdx.x == 0) { make(&full, 1); make(&empty, 128); made(); }
    __syncthreads();
    if (threadIdx.x == 0) { expect(&full, 16384); bringBox(s, &a, 0, 0, &full); bringBox(s + 8192, &b, 0, 0, &full); }
    if (threadIdx.x < 128) {
        float d[32];
        for (int i = 0; i < 3; ++i) {
            wait(&full, i & 1);
            productFence();
            product64(d, descriptor(s), descriptor(s + 8192), i);
            productCommit();
LINE
            arrive(&empty);
            if (threadIdx.x == 0 && i < 2) {
                wait(&empty, i & 1);
                expect(&full, 16384);
                bringBox(s, &a, (i + 1) * 64, 0, &full);
                bringBox(s + 8192, &b, (i + 1) * 64, 0, &full);
            }
            productWait<0>();
        }
        result64(c, 64, d);
    }
})") << QByteArray("productWait<0>();")
        << QByteArray() << QByteArray("async_overwrite") << 19 << 12;
    // Two warpgroups read each stage: both have to give it free before it is filled again, and with an arrival at
    // `other` alone nobody has.
    const std::string shared =
        R"(extern "C" __global__ void __launch_bounds__(384) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full, empty, other;
    if (threadIdx.x == 0) { make(&full, 1); make(&empty, EXPECTED); make(&other, 256); made(); }
    __syncthreads();
    if (threadIdx.x == 256) {
        for (int i = 0; i < 3; ++i) {
            wait(&empty, (i & 1) ^ 1);
            expect(&full, 16384);
            bringBox(s, &a, i * 64, 0, &full);
            bringBox(s + 8192, &b, i * 64, 0, &full);
        }
    } else if (threadIdx.x < 256) {
        float d[32];
        for (int i = 0; i < 3; ++i) {
            wait(&full, i & 1);
            productFence();
            product64(d, descriptor(s), descriptor(s + 8192), i);
            productCommit();
            productWait<0>();
LINE
        }
        if (threadIdx.x < 128) result64(c, 64, d);
    }
})";
    const auto expecting = [](std::string kernel, const char* arrivals) {
        return kernel.replace(kernel.find("EXPECTED"), 8, arrivals);
    };
    QTest::newRow("a stage that one of its two warpgroups gives free")
        << expecting(shared, "128")
        << QByteArray("asm volatile(\"bar.sync 1, 256;\"); if (threadIdx.x < 128) arrive(&empty);")
        << QByteArray("if (threadIdx.x < 128) arrive(&empty);") << QByteArray("async_overwrite") << 10 << 18;
    QTest::newRow("a stage that the other of its two warpgroups gives free")
        << expecting(shared, "128")
        << QByteArray("asm volatile(\"bar.sync 1, 256;\"); if (threadIdx.x >= 128) arrive(&empty);")
        << QByteArray("if (threadIdx.x >= 128) arrive(&empty);") << QByteArray("async_overwrite") << 10 << 18;
    QTest::newRow("a stage whose readers tell a barrier that nobody waits for")
        << expecting(shared, "256") << QByteArray("arrive(&other); arrive(&empty);")
        << QByteArray("if (threadIdx.x < 128) { arrive(&empty); arrive(&empty); } else arrive(&other);")
        << QByteArray("async_overwrite") << 10 << 18;
    const std::string read =
        R"(extern "C" __global__ void __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full;
    if (threadIdx.x == 0) { make(&full, 1); made(); }
    __syncthreads();
    if (threadIdx.x == 0) {
        expect(&full, 16384);
        bringBox(s, &a, 0, 0, &full);
        bringBox(s + 8192, &b, 0, 0, &full);
    }
    if (threadIdx.x < 128) {
LINE
        float d[32];
        productFence();
        product64(d, descriptor(s), descriptor(s + 8192), 0);
        productCommit();
        productWait<0>();
        result64(c, 64, d);
    }
})";
    QTest::newRow("a product of what is not there yet")
        << read << QByteArray("wait(&full, 0);") << QByteArray("wait(&full, 1);") << QByteArray("async_read") << 15
        << 8;
    QTest::newRow("factors stored without a fence")
        << std::string(
               R"(extern "C" __global__ void __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) u32 s[];
    for (int i = threadIdx.x; i < 4096; i += 256) s[i] = 0x3c003c00;
LINE
    __syncthreads();
    if (threadIdx.x < 128) {
        float d[32];
        productFence();
        product64(d, descriptor(s), descriptor(s + 2048), 0);
        productCommit();
        productWait<0>();
        result64(c, 64, d);
    }
})") << QByteArray("proxyFence();")
        << QByteArray("__threadfence_block();") << QByteArray("proxy_fence") << 9 << 3;
    QTest::newRow("factors stored to while a product reads them")
        << std::string(
               R"(extern "C" __global__ void __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) u32 s[];
    for (int i = threadIdx.x; i < 4096; i += 256) s[i] = 0x3c003c00;
    proxyFence();
    __syncthreads();
    float d[32];
    if (threadIdx.x < 128) {
        productFence();
        product64(d, descriptor(s), descriptor(s + 2048), 0);
        productCommit();
    }
LINE
    __syncthreads();
    if (threadIdx.x < 128) {
        productWait<0>();
        result64(c, 64, d);
    }
})") << QByteArray("if (threadIdx.x >= 128) s[threadIdx.x + 4096] = 7;")
        << QByteArray("if (threadIdx.x >= 128) s[threadIdx.x] = 7;") << QByteArray("race") << 9 << 12;
    QTest::newRow("rows of a factor that another warp stored")
        << std::string(
               R"(extern "C" __global__ void __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) u32 s[];
    for (int i = threadIdx.x; i < 2048; i += 256) s[2048 + i] = 0x3c003c00;
    proxyFence();
    __syncthreads();
    if (threadIdx.x < 128) {
LINE
        proxyFence();
        __syncwarp();
        float d[32];
        productFence();
        product64(d, descriptor(s), descriptor(s + 2048), 0);
        productCommit();
        productWait<0>();
        result64(c, 64, d);
    }
})") << QByteArray("for (int i = threadIdx.x % 32; i < 512; i += 32) s[threadIdx.x / 32 * 512 + i] = 0x3c003c00;")
        << QByteArray(
               "for (int i = threadIdx.x % 32; i < 512; i += 32) s[(threadIdx.x / 32 ^ 1) * 512 + i] = 0x3c003c00;")
        << QByteArray("race") << 12 << 7;
}

void TestAsyncFaults::products() {
    const auto launch = [](PtxProgram& p, const std::string& kernel) {
        p.config.dynamicSharedBytes = 17408;
        const auto a = matrixMap(6, p.buffer(smallHalves(64 * 192, 1)), 64, 192, 64, 64, 3);
        const auto b = matrixMap(6, p.buffer(smallHalves(64 * 192, 2)), 64, 192, 64, 64, 3);
        const std::uint32_t threads = kernel.find("__launch_bounds__(384)") != std::string::npos ? 384 : 256;
        return p.launch("k", {1, 1, 1}, {threads, 1, 1}, a, b, p.uninitialised(64 * 64 * 4));
    };
    verifyPlanted(launch);
}

void TestAsyncFaults::clusters_data() {
    plantedColumns();
    QTest::newRow("a stage refilled for both while the neighbour multiplies")
        << std::string(
               R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full, empty;
    if (threadIdx.x == 0) { make(&full, 1); make(&empty, 256); made(); }
    clusterArrive(); clusterWait();
    if (threadIdx.x == 128) {
        for (int i = 0; i < 3; ++i) {
            if (rank() == 0) wait(&empty, (i & 1) ^ 1);
            expect(&full, 16384);
            if (rank() == 0) {
                bringBoxToBoth(s, &a, i * 64, 0, &full);
                bringBoxToBoth(s + 8192, &b, i * 64, 0, &full);
            } else wait(&full, i & 1);
        }
    } else if (threadIdx.x < 128) {
        float d[32];
        for (int i = 0; i < 3; ++i) {
            wait(&full, i & 1);
            productFence();
            product64(d, descriptor(s), descriptor(s + 8192), i);
            productCommit();
            if (rank() == 0) productWait<0>();
LINE
            arriveAt(&empty, 0);
        }
        productWait<0>();
        result64(c + blockIdx.x * 64 * 64, 64, d);
    }
    clusterArrive(); clusterWait();
})") << QByteArray("else productWait<0>();")
        << QByteArray("else productWait<1>();") << QByteArray("async_overwrite") << 11 << 20;
    QTest::newRow("a copy for both that one does not wait for")
        << std::string(
               R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full;
    if (threadIdx.x == 0) { make(&full, 1); made(); }
    clusterArrive(); clusterWait();
    if (threadIdx.x == 0) {
        expect(&full, 8192);
        if (rank() == 0) bringBoxToBoth(s, &a, 0, 0, &full);
    }
LINE
    c[blockIdx.x * 256 + threadIdx.x] = ((float*)s)[threadIdx.x];
    wait(&full, 0);
    clusterArrive(); clusterWait();
})") << QByteArray("wait(&full, 0);")
        << QByteArray() << QByteArray("async_read") << 11 << 8;
}

void TestAsyncFaults::clusters() {
    const auto launch = [](PtxProgram& p, const std::string&) {
        p.config.dynamicSharedBytes = 16384;
        const auto a = matrixMap(6, p.buffer(smallHalves(64 * 192, 1)), 64, 192, 64, 64, 3);
        const auto b = matrixMap(6, p.buffer(smallHalves(64 * 192, 2)), 64, 192, 64, 64, 3);
        return p.launch("k", {2, 1, 1}, {256, 1, 1}, a, b, p.uninitialised(2 * 64 * 64 * 4));
    };
    verifyPlanted(launch);
}

namespace {
KERNELARIUM_TEST(TestAsyncFaults);
}
#include "TestAsyncFaults.moc"
