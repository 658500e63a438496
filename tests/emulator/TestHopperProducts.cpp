// SPDX-License-Identifier: GPL-3.0-or-later
//
// Whole products as Hopper kernels do them: a producer's tensor copies, consumers' warpgroup products, stages handed
// over by mbarriers. With two consumers, in clusters that share their copies, and with k split over a cluster.
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestHopperProducts : public QObject {
    Q_OBJECT
private slots:
    void wholeProducts_data();
    void wholeProducts();
};

namespace {

using Grid = std::array<std::uint32_t, 3>;

constexpr std::uint32_t m = 128, n = 128, k = 256;

// 128 x 64 of C for each block, two warpgroups of consumers behind one of producers.
const char* const twoConsumers =
    R"(extern "C" __global__ void __launch_bounds__(384) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c, int n, int steps) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full[2], empty[2];
    if (threadIdx.x == 0) { for (int i = 0; i < 2; ++i) { make(&full[i], 1); make(&empty[i], 256); } made(); }
    __syncthreads();
    if (threadIdx.x >= 256) {
        if (threadIdx.x == 256)
            for (int i = 0; i < steps; ++i) {
                char* stage = s + i % 2 * 24576;
                wait(&empty[i % 2], (i / 2 & 1) ^ 1);
                expect(&full[i % 2], 24576);
                for (int half = 0; half < 2; ++half) bringBox(stage + half * 8192, &a, i * 64, blockIdx.y * 128 + half * 64, &full[i % 2]);
                bringBox(stage + 16384, &b, i * 64, blockIdx.x * 64, &full[i % 2]);
            }
        return;
    }
    int group = threadIdx.x / 128;
    float d[32];
    for (int i = 0; i < steps; ++i) {
        char* stage = s + i % 2 * 24576;
        wait(&full[i % 2], i / 2 & 1);
        productFence();
        for (int q = 0; q < 4; ++q) product64(d, descriptor(stage + group * 8192) + q * 2, descriptor(stage + 16384) + q * 2, i + q);
        productCommit();
        productWait<0>();
        arrive(&empty[i % 2]);
    }
    result64(c + (blockIdx.y * 128 + group * 64) * n + blockIdx.x * 64, n, d);
})";

// Two blocks above one another share the rows of B: each brings half of them for both.
const char* const sharedCopies =
    R"(extern "C" __global__ void __cluster_dims__(1, 2, 1) __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c, int n, int steps) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full[2], empty[2];
    if (threadIdx.x == 0) { for (int i = 0; i < 2; ++i) { make(&full[i], 1); make(&empty[i], 256); } made(); }
    clusterArrive(); clusterWait();
    if (threadIdx.x >= 128) {
        if (threadIdx.x == 128)
            for (int i = 0; i < steps; ++i) {
                char* stage = s + i % 2 * 16384;
                wait(&empty[i % 2], (i / 2 & 1) ^ 1);
                expect(&full[i % 2], 16384);
                bringBox(stage, &a, i * 64, blockIdx.y * 64, &full[i % 2]);
                bringBox(stage + 4096, &a, i * 64, blockIdx.y * 64 + 32, &full[i % 2]);
                bringBoxToBoth(stage + 8192 + rank() * 4096, &b, i * 64, blockIdx.x * 64 + rank() * 32, &full[i % 2]);
            }
    } else {
        float d[32];
        for (int i = 0; i < steps; ++i) {
            char* stage = s + i % 2 * 16384;
            wait(&full[i % 2], i / 2 & 1);
            productFence();
            for (int q = 0; q < 4; ++q) product64(d, descriptor(stage) + q * 2, descriptor(stage + 8192) + q * 2, i + q);
            productCommit();
            productWait<0>();
            for (u32 r = 0; r < 2; ++r) arriveAt(&empty[i % 2], r);
        }
        result64(c + blockIdx.y * 64 * n + blockIdx.x * 64, n, d);
    }
    clusterArrive(); clusterWait();
})";

// The blocks of a cluster have every second step of k; the first one adds what its neighbour leaves in shared memory.
const char* const splitSums =
    R"(extern "C" __global__ void __cluster_dims__(2, 1, 1) __launch_bounds__(128) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c, int n, int steps) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full;
    if (threadIdx.x == 0) { make(&full, 1); made(); }
    __syncthreads();
    float d[32];
    for (int i = rank(), turn = 0; i < steps; i += 2, ++turn) {
        if (threadIdx.x == 0) {
            expect(&full, 16384);
            bringBox(s, &a, i * 64, blockIdx.y * 64, &full);
            bringBox(s + 8192, &b, i * 64, blockIdx.x / 2 * 64, &full);
        }
        wait(&full, turn & 1);
        productFence();
        for (int q = 0; q < 4; ++q) product64(d, descriptor(s) + q * 2, descriptor(s + 8192) + q * 2, turn + q);
        productCommit();
        productWait<0>();
        __syncthreads();
    }
    float* parts = (float*)s;
    if (rank() == 1) for (int i = 0; i < 32; ++i) parts[i * 128 + threadIdx.x] = d[i];
    clusterArrive(); clusterWait();
    if (rank() == 0) {
        for (int i = 0; i < 32; ++i) {
            float other;
            asm volatile("ld.shared::cluster.f32 %0, [%1];" : "=f"(other) : "r"(mapped(parts + i * 128 + threadIdx.x, 1)) : "memory");
            d[i] += other;
        }
        result64(c + blockIdx.y * 64 * n + blockIdx.x / 2 * 64, n, d);
    }
    clusterArrive(); clusterWait();
})";

} // namespace

void TestHopperProducts::wholeProducts_data() {
    QTest::addColumn<std::string>("kernel");
    QTest::addColumn<Grid>("grid");
    QTest::addColumn<std::uint32_t>("threads");
    QTest::addColumn<std::uint32_t>("boxRows");
    QTest::newRow("two consumers") << std::string(twoConsumers) << Grid{n / 64, m / 128, 1} << 384u << 64u;
    QTest::newRow("copies for two blocks") << std::string(sharedCopies) << Grid{n / 64, m / 64, 1} << 256u << 32u;
    QTest::newRow("k split over a cluster") << std::string(splitSums) << Grid{2 * n / 64, m / 64, 1} << 128u << 64u;
}

void TestHopperProducts::wholeProducts() {
    QFETCH(std::string, kernel);
    QFETCH(Grid, grid);
    QFETCH(std::uint32_t, threads);
    QFETCH(std::uint32_t, boxRows);
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(kernel), why);
    if (!p) QSKIP(qPrintable(why));
    p->config.dynamicSharedBytes = 49152;
    p->config.sharedOptInBytes = 49152;
    const auto a = smallHalves(m * k, 5), b = smallHalves(n * k, 6);
    std::vector<float> expected(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t l = 0; l < k; ++l)
                expected[i * n + j] += halfValue(a[i * k + l]) * halfValue(b[j * k + l]);
    for (const bool exact : {false, true}) {
        p->options.exactSums = exact;
        const auto c = p->uninitialised(m * n * 4);
        p->run("k", grid, {threads, 1, 1}, matrixMap(6, p->buffer(a), m, k, boxRows, 64, 3),
               matrixMap(6, p->buffer(b), n, k, boxRows, 64, 3), c, int(n), int(k / 64));
        QCOMPARE(p->read<float>(c, m * n), expected);
    }
}

namespace {
KERNELARIUM_TEST(TestHopperProducts);
}
#include "TestHopperProducts.moc"
