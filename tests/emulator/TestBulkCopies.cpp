// SPDX-License-Identifier: GPL-3.0-or-later
//
// Bulk copies, plain and through tensor maps.
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>
#include <numeric>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestBulkCopies : public QObject {
    Q_OBJECT
private slots:
    void thereAndBack();
    void sumsInMemory();
    void boxesAndWhatLiesOutside();
    void swizzledBoxes_data();
    void swizzledBoxes();
    void mapsThatCannotBe();
};

void TestBulkCopies::thereAndBack() {
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void k(const int* a, int* b) {
    __shared__ __align__(128) int s[256];
    __shared__ u64 bar;
    int t = threadIdx.x;
    if (t == 0) { make(&bar, 1); made(); }
    __syncthreads();
    if (t == 0) { expect(&bar, 1024); bring(s, a + blockIdx.x * 256, 512, &bar); bring(s + 128, a + blockIdx.x * 256 + 128, 512, &bar); }
    wait(&bar, 0);
    for (int i = t; i < 256; i += 64) s[i] = s[i] * 2;
    proxyFence();
    __syncthreads();
    if (t == 0) { take(b + blockIdx.x * 256, s, 1024); commit(); waitTaken(); }
})"),
                                        why);
    if (!p) QSKIP(qPrintable(why));
    std::vector<int> a(1024);
    std::iota(a.begin(), a.end(), 5);
    const auto out = p->uninitialised(4096);
    p->run("k", {4, 1, 1}, {64, 1, 1}, p->buffer(a), out);
    for (int& x : a)
        x *= 2;
    QCOMPARE(p->read<int>(out, 1024), a);
}

void TestBulkCopies::sumsInMemory() {
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void k(float* sums) {
    __shared__ __align__(128) float s[64];
    s[threadIdx.x] = threadIdx.x + blockIdx.x;
    proxyFence();
    __syncthreads();
    if (threadIdx.x == 0) {
        asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f32 [%0], [%1], %2;" :: "l"(sums), "r"(at(s)), "r"(256) : "memory");
        commit();
        waitTaken();
    }
})"),
                                        why);
    if (!p) QSKIP(qPrintable(why));
    const auto sums = p->buffer(std::vector<float>(64, 1.0f));
    p->run("k", {8, 1, 1}, {64, 1, 1}, sums);
    const auto values = p->read<float>(sums, 64);
    for (int t = 0; t < 64; ++t)
        QCOMPARE(values[std::size_t(t)], float(1 + 8 * t + 28));
}

namespace {
// One box of 8 rows of 32 floats (or of 16-bit words twice as many) is brought and written out as it lies there.
std::string boxKernel() {
    return hopperSource(
        R"(extern "C" __global__ void k(const __grid_constant__ Map map, u32* out, int x, int y, u32 words) {
    extern __shared__ __align__(1024) u32 s[];
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 1); made(); }
    __syncthreads();
    if (threadIdx.x == 0) { expect(&bar, words * 4); bringBox(s, &map, x, y, &bar); }
    wait(&bar, 0);
    for (u32 i = threadIdx.x; i < words; i += blockDim.x) out[i] = s[i];
})");
}
} // namespace

void TestBulkCopies::boxesAndWhatLiesOutside() {
    QString why;
    const auto p = PtxProgram::compiled(boxKernel(), why);
    if (!p) QSKIP(qPrintable(why));
    p->config.dynamicSharedBytes = 1024;
    constexpr int rows = 20, columns = 48;
    std::vector<std::uint32_t> matrix(rows * columns);
    std::iota(matrix.begin(), matrix.end(), 1u);
    const auto map = matrixMap(2, p->buffer(matrix), rows, columns, 8, 32, 0);
    for (const auto& [x, y] : {std::pair{8, 4}, {-4, -2}, {40, 16}, {100, 0}}) {
        const auto out = p->uninitialised(1024);
        p->run("k", {1, 1, 1}, {64, 1, 1}, map, out, x, y, 256u);
        const auto got = p->read<std::uint32_t>(out, 256);
        for (int r = 0; r < 8; ++r)
            for (int c = 0; c < 32; ++c) {
                const int row = y + r, column = x + c;
                const bool inside = row >= 0 && row < rows && column >= 0 && column < columns;
                QCOMPARE(got[std::size_t(r * 32 + c)], inside ? matrix[std::size_t(row * columns + column)] : 0u);
            }
    }
}

void TestBulkCopies::swizzledBoxes_data() {
    QTest::addColumn<std::uint32_t>("mode");
    QTest::newRow("32 bytes") << 1u;
    QTest::newRow("64 bytes") << 2u;
    QTest::newRow("128 bytes") << 3u;
}

void TestBulkCopies::swizzledBoxes() {
    QFETCH(std::uint32_t, mode);
    QString why;
    const auto p = PtxProgram::compiled(boxKernel(), why);
    if (!p) QSKIP(qPrintable(why));
    p->config.dynamicSharedBytes = 4096;
    const std::uint32_t rowWords = 4u << mode, rows = 16;
    std::vector<std::uint32_t> matrix(rows * 64);
    std::iota(matrix.begin(), matrix.end(), 1u);
    const auto map = matrixMap(2, p->buffer(matrix), rows, 64, rows, rowWords, mode);
    const auto out = p->uninitialised(rows * rowWords * 4);
    p->run("k", {1, 1, 1}, {64, 1, 1}, map, out, 8, 0, rows * rowWords);
    const auto got = p->read<std::uint32_t>(out, rows * rowWords);
    // PTX ISA, figures of the swizzling modes: in the 128-byte mode, 16-byte unit u of row r stands at u xor r mod 8;
    // in the 64-byte mode two rows, in the 32-byte mode four share what is exchanged alike.
    for (std::uint32_t r = 0; r < rows; ++r)
        for (std::uint32_t c = 0; c < rowWords; ++c) {
            const std::uint32_t pattern = (r * rowWords * 4 / 128) % (rowWords / 4);
            const std::uint32_t place = r * rowWords + ((c / 4) ^ pattern) * 4 + c % 4;
            QCOMPARE(got[place], matrix[r * 64 + 8 + c]);
        }
}

void TestBulkCopies::mapsThatCannotBe() {
    TensorMap m;
    m.type = 6;
    m.rank = 2;
    m.address = 0x7000'0000'0000;
    m.extent = {64, 64};
    m.stride = {0, 128};
    m.box = {64, 64};
    m.elementStride = {1, 1};
    m.swizzle = 3;
    QVERIFY(encodeTensorMap(m).ok());
    const auto code = [](const TensorMap& bad) { return QString::fromStdString(encodeTensorMap(bad).error().code); };
    const auto bad = [&](auto change) {
        TensorMap other = m;
        change(other);
        return code(other);
    };
    QCOMPARE(bad([](TensorMap& x) { x.box[1] = 257; }), QString("invalid_value"));
    QCOMPARE(bad([](TensorMap& x) { x.stride[1] = 136; }), QString("invalid_value"));
    QCOMPARE(bad([](TensorMap& x) { x.address += 8; }), QString("invalid_value"));
    QCOMPARE(bad([](TensorMap& x) { x.swizzle = 2; }), QString("invalid_value"));
    QCOMPARE(bad([](TensorMap& x) { x.elementStride[1] = 9; }), QString("invalid_value"));
    QCOMPARE(bad([](TensorMap& x) { x.interleave = 1; }), QString("unsupported"));
}

namespace {
KERNELARIUM_TEST(TestBulkCopies);
}
#include "TestBulkCopies.moc"
