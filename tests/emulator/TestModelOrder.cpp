// SPDX-License-Identifier: GPL-3.0-or-later
//
// Variants of three kernels as a sweep makes them: the model has to see what sets them apart. Each order is known by
// argument, not by measurement.
#include "core/perf/ModelledTime.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>

using namespace kernelarium;
using namespace kernelarium::test;
using emulator::Dim3;

namespace {

/// A product of n by n by n; each of 256 threads computes SIDE by SIDE results from tiles in shared memory.
constexpr const char* productText = R"(
constexpr int tile = 16 * SIDE, depth = 16;
extern "C" __global__ void __launch_bounds__(256) k(const float* a, const float* b, float* c, int n) {
    __shared__ float tileA[depth][tile + 4];
    __shared__ float tileB[depth][tile + 4];
    const int row = threadIdx.x / 16 * SIDE, column = threadIdx.x % 16 * SIDE;
    float sum[SIDE][SIDE] = {};
    for (int start = 0; start < n; start += depth) {
        for (int i = threadIdx.x; i < tile * depth; i += 256) {
            tileA[i % depth][i / depth] = a[(blockIdx.y * tile + i / depth) * n + start + i % depth];
            tileB[i / tile][i % tile] = b[(start + i / tile) * n + blockIdx.x * tile + i % tile];
        }
        __syncthreads();
#pragma unroll
        for (int k = 0; k < depth; ++k)
#pragma unroll
            for (int r = 0; r < SIDE; ++r)
#pragma unroll
                for (int s = 0; s < SIDE; ++s)
                    sum[r][s] += tileA[k][row + r] * tileB[k][column + s];
        __syncthreads();
    }
    for (int r = 0; r < SIDE; ++r)
        for (int s = 0; s < SIDE; ++s)
            c[(blockIdx.y * tile + row + r) * n + blockIdx.x * tile + column + s] = sum[r][s];
})";

/// A transposition of n by n. WAY 0: each thread copies one element, stores lie n apart. 1: by way of a tile in shared
/// memory, whose columns are in one bank. 2: with a column of padding. 3: the same, four rows to a thread.
constexpr const char* transpositionText = R"(
constexpr int rows = WAY == 3 ? 8 : 32;
extern "C" __global__ void k(const float* in, float* out, int n) {
    const int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
#if WAY == 0
    out[x * n + y] = in[y * n + x];
#else
    __shared__ float tile[32][WAY == 1 ? 32 : 33];
#pragma unroll
    for (int r = 0; r < 32; r += rows)
        tile[threadIdx.y + r][threadIdx.x] = in[(y + r) * n + x];
    __syncthreads();
    const int to = blockIdx.y * 32 + threadIdx.x, row = blockIdx.x * 32 + threadIdx.y;
#pragma unroll
    for (int r = 0; r < 32; r += rows)
        out[(row + r) * n + to] = tile[threadIdx.x][threadIdx.y + r];
#endif
})";

/// Sums of rows, one warp to a row and one block to a multiprocessor: UNROLL loads of a thread under way at a time.
constexpr const char* sumsText = R"(
extern "C" __global__ void k(const float* in, float* out, int n) {
    float sum = 0;
#pragma unroll UNROLL
    for (int i = threadIdx.x; i < n; i += 32)
        sum += in[size_t(blockIdx.x) * n + i];
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(~0u, sum, step);
    if (threadIdx.x == 0) out[blockIdx.x] = sum;
})";

constexpr int edge = 1024;

/// Modelled seconds on an H200, some blocks of the grid executed; 0 where there is no compiler.
double modelled(const char* source, const char* macro, int value, Dim3 grid, Dim3 block, int matrices,
                unsigned registers, QString& why) {
    const auto p =
        PtxProgram::compiled("#define " + std::string(macro) + " " + std::to_string(value) + "\n" + source, why);
    if (!p) return 0;
    p->options.count.enabled = true;
    p->options.checks = false;
    p->options.sample.leastBlocks = 2;
    p->options.sample.mostBlocks = 8;
    p->options.sample.instructionBudget = 1'000'000;
    std::uint64_t at[3];
    for (std::uint64_t& a : at)
        a = p->uninitialised(std::uint64_t(edge) * edge * sizeof(float));
    emulator::LaunchResult result;
    if (matrices == 3)
        result = p->launch("k", grid, block, at[0], at[1], at[2], edge);
    else
        result = p->launch("k", grid, block, at[0], at[1], edge);
    if (!result.counted) return 0;
    perf::LaunchCounters counted = *result.counted;
    counted.registers = registers;
    return perf::modelLaunch(counted, *perf::findDeviceSpec("h200")).seconds;
}

} // namespace

class TestModelOrder : public QObject {
    Q_OBJECT
private slots:
    /// A result needs 2 / SIDE words of shared memory for each multiply-add: the wider the square, the less the one
    /// pipe to shared memory has to carry. Registers as ptxas gives them.
    void widerRegisterTilesAreFaster() {
        constexpr unsigned registers[] = {0, 32, 40, 0, 64};
        double before = 1;
        for (const int side : {1, 2, 4}) {
            QString why;
            const unsigned blocks = edge / 16 / unsigned(side);
            const double now =
                modelled(productText, "SIDE", side, {blocks, blocks, 1}, {256, 1, 1}, 3, registers[side], why);
            if (!why.isEmpty()) QSKIP(qPrintable(why));
            QVERIFY2(now > 0 && now < 0.8 * before, qPrintable(QStringLiteral("%1: %2").arg(side).arg(now)));
            before = now;
        }
        // A square of 8 leaves 64 blocks for 132 multiprocessors: half as wide is faster there.
        QString why;
        const double widest = modelled(productText, "SIDE", 8, {8, 8, 1}, {256, 1, 1}, 3, 128, why);
        QVERIFY2(widest > before, qPrintable(QString::number(widest)));
    }

    /// Registers beyond what lets two blocks stay leave one, whose waits nothing hides.
    void registersCostOccupancy() {
        QString why;
        const double two = modelled(productText, "SIDE", 2, {32, 32, 1}, {256, 1, 1}, 3, 40, why);
        if (!why.isEmpty()) QSKIP(qPrintable(why));
        QVERIFY(modelled(productText, "SIDE", 2, {32, 32, 1}, {256, 1, 1}, 3, 168, why) > 1.1 * two);
    }

    /// 32 sectors for each store, against 32 passes of shared memory, against neither; four elements to a thread save
    /// address arithmetic and keep as many loads under way.
    void transposition_data() {
        QTest::addColumn<int>("slower");
        QTest::addColumn<int>("faster");
        QTest::newRow("strided stores against conflicts") << 0 << 1;
        QTest::newRow("conflicts against padding") << 1 << 2;
        QTest::newRow("one row against four") << 2 << 3;
    }
    void transposition() {
        QFETCH(int, slower);
        QFETCH(int, faster);
        QString why;
        const auto of = [&](int way) {
            return modelled(transpositionText, "WAY", way, {edge / 32, edge / 32, 1}, {32, way == 3 ? 8u : 32u, 1}, 2,
                            16, why);
        };
        const double slow = of(slower), fast = of(faster);
        if (!why.isEmpty()) QSKIP(qPrintable(why));
        QVERIFY2(fast > 0 && fast < slow, qPrintable(QStringLiteral("%1 %2").arg(slow).arg(fast)));
    }

    /// One warp on each multiprocessor hides nothing: as many waits as batches of loads.
    void unrollingHidesLatency() {
        double before = 1;
        for (const int unroll : {1, 2, 4, 8}) {
            QString why;
            const double now = modelled(sumsText, "UNROLL", unroll, {132, 1, 1}, {32, 1, 1}, 2, 32, why);
            if (!why.isEmpty()) QSKIP(qPrintable(why));
            QVERIFY2(now > 0 && now < 0.9 * before, qPrintable(QStringLiteral("%1: %2").arg(unroll).arg(now)));
            before = now;
        }
    }
};

namespace {
KERNELARIUM_TEST(TestModelOrder);
}

#include "TestModelOrder.moc"
