// SPDX-License-Identifier: GPL-3.0-or-later
//
// Products of warpgroups (wgmma), against sums in whole numbers.
#include "tests/TestRegistry.h"
#include "tests/emulator/HopperKernels.h"

#include <QTest>
#include <bit>
#include <cstring>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestWarpgroups : public QObject {
    Q_OBJECT
private slots:
    void oneTile_data();
    void oneTile();
    void factorsInRegisters();
    void wholeNumbers();
    void fractionsInOrderOfK_data();
    void fractionsInOrderOfK();
    void pipelineOfTwoStages_data();
    void pipelineOfTwoStages();
    void oneLaneWaitsBetweenProducts();
    void lanesThatNeverMeet_data();
    void lanesThatNeverMeet();
};

namespace {

/// A [m, k] times the transpose of B [n, k].
std::vector<float> productOf(const std::vector<std::uint16_t>& a, const std::vector<std::uint16_t>& b, std::size_t m,
                             std::size_t n, std::size_t k) {
    std::vector<float> c(m * n);
    for (std::size_t i = 0; i < m; ++i)
        for (std::size_t j = 0; j < n; ++j)
            for (std::size_t l = 0; l < k; ++l)
                c[i * n + j] += halfValue(a[i * k + l]) * halfValue(b[j * k + l]);
    return c;
}

} // namespace

void TestWarpgroups::oneTile_data() {
    QTest::addColumn<bool>("transposed");
    QTest::newRow("k along the lines of memory") << false;
    QTest::newRow("rows along the lines of memory") << true;
}

void TestWarpgroups::oneTile() {
    QFETCH(bool, transposed);
    // 64 x 64 x 64 of float16, one copy for each matrix.
    QString why;
    const auto p = PtxProgram::compiled(hopperSource(std::string("\n#define T ") + (transposed ? "1" : "0") + R"(
extern "C" __global__ void k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 bar;
    if (threadIdx.x == 0) { make(&bar, 1); made(); }
    __syncthreads();
    if (threadIdx.x == 0) { expect(&bar, 16384); bringBox(s, &a, 0, 0, &bar); bringBox(s + 8192, &b, 0, 0, &bar); }
    wait(&bar, 0);
    float d[32];
    productFence();
    for (int k = 0; k < 4; ++k) {
        u64 x = descriptor(s) + k * (T ? 2048 / 16 : 2), y = descriptor(s + 8192) + k * (T ? 2048 / 16 : 2);
        asm volatile("{.reg .pred p; setp.ne.b32 p, %34, 0;\nwgmma.mma_async.sync.aligned.m64n64k16.f32.f16.f16 " D32 ", %32, %33, p, 1, 1, %35, %35;}" : ALL32(d) : "l"(x), "l"(y), "r"(k), "n"(T));
    }
    productCommit();
    productWait<0>();
    result64(c, 64, d);
})"),
                                        why);
    if (!p) QSKIP(qPrintable(why));
    p->config.dynamicSharedBytes = 16384;
    auto a = smallHalves(64 * 64, 1), b = smallHalves(64 * 64, 2);
    const auto expected = productOf(a, b, 64, 64, 64);
    const auto turned = [](const std::vector<std::uint16_t>& m) {
        std::vector<std::uint16_t> t(m.size());
        for (std::size_t i = 0; i < 64; ++i)
            for (std::size_t j = 0; j < 64; ++j)
                t[j * 64 + i] = m[i * 64 + j];
        return t;
    };
    if (transposed) {
        a = turned(a);
        b = turned(b);
    }
    const auto c = p->uninitialised(64 * 64 * 4);
    p->run("k", {1, 1, 1}, {128, 1, 1}, matrixMap(6, p->buffer(a), 64, 64, 64, 64, 3),
           matrixMap(6, p->buffer(b), 64, 64, 64, 64, 3), c);
    QCOMPARE(p->read<float>(c, 64 * 64), expected);
}

void TestWarpgroups::factorsInRegisters() {
    // A of 64 x 16 from registers, B of 8 x 16 in shared memory without swizzling; a float16 result.
    QString why;
    const auto p = PtxProgram::compiled(
        hopperSource(R"(extern "C" __global__ void k(const unsigned short* a, const unsigned short* b, u32* c) {
    __shared__ __align__(128) unsigned short s[128];
    int t = threadIdx.x;
    s[t % 8 + (t / 8 % 2) * 64 + t / 16 * 8] = b[t / 16 * 16 + t % 16]; // blocks of 8 rows by 16 bytes, two along k
    proxyFence();
    __syncthreads();
    u32 f[4], d[2] = {0x3c003c00, 0x3c003c00};
    for (int r = 0; r < 4; ++r) {
        int row = t / 32 * 16 + t % 32 / 4 + r % 2 * 8, column = t % 4 * 2 + r / 2 * 8;
        f[r] = a[row * 16 + column] | (u32)a[row * 16 + column + 1] << 16;
    }
    u64 y = (u64)(at(s) >> 4) | (u64)(128 >> 4) << 16 | (u64)(256 >> 4) << 32;
    productFence();
    asm volatile("{.reg .pred p; setp.ne.b32 p, 1, 0;\nwgmma.mma_async.sync.aligned.m64n8k16.f16.f16.f16 {%0, %1}, {%2, %3, %4, %5}, %6, p, 1, -1, 0;}" : "+r"(d[0]), "+r"(d[1]) : "r"(f[0]), "r"(f[1]), "r"(f[2]), "r"(f[3]), "l"(y));
    productCommit();
    productWait<0>();
    for (int r = 0; r < 2; ++r) c[(t / 32 * 16 + t % 32 / 4 + r * 8) * 4 + t % 4] = d[r];
})"),
        why);
    if (!p) QSKIP(qPrintable(why));
    const auto a = smallHalves(64 * 16, 3), b = smallHalves(8 * 16, 4);
    const auto c = p->uninitialised(64 * 8 * 2);
    p->run("k", {1, 1, 1}, {128, 1, 1}, p->buffer(a), p->buffer(b), c);
    const auto got = p->read<std::uint16_t>(c, 64 * 8);
    const auto expected = productOf(a, b, 64, 8, 16);
    for (std::size_t i = 0; i < got.size(); ++i)
        QCOMPARE(halfValue(got[i]), 1 - expected[i]);
}

void TestWarpgroups::wholeNumbers() {
    // 8-bit integers, 64 x 16 x 32, both without swizzling, twice: the second time on top of the first.
    QString why;
    const auto p =
        PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void k(const char* a, const char* b, int* c) {
    __shared__ __align__(128) char s[2048], z[512];
    int t = threadIdx.x;
    for (int i = t; i < 2048; i += 128) s[i % 16 + i / 16 % 2 * 1024 + i / 32 * 16] = a[i];
    for (int i = t; i < 512; i += 128) z[i % 16 + i / 16 % 2 * 256 + i / 32 * 16] = b[i];
    proxyFence();
    __syncthreads();
    int d[8];
    u64 x = (u64)(at(s) >> 4) | (u64)(1024 >> 4) << 16 | (u64)(128 >> 4) << 32, y = (u64)(at(z) >> 4) | (u64)(256 >> 4) << 16 | (u64)(128 >> 4) << 32;
    productFence();
    for (int n = 0; n < 2; ++n)
        asm volatile("{.reg .pred p; setp.ne.b32 p, %10, 0;\nwgmma.mma_async.sync.aligned.m64n16k32.s32.s8.s8 {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, p;}" : "+r"(d[0]), "+r"(d[1]), "+r"(d[2]), "+r"(d[3]), "+r"(d[4]), "+r"(d[5]), "+r"(d[6]), "+r"(d[7]) : "l"(x), "l"(y), "r"(n));
    productCommit();
    productWait<0>();
    for (int i = 0; i < 8; ++i) c[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * 16 + t % 4 * 2 + i / 4 * 8 + i % 2] = d[i];
})"),
                             why);
    if (!p) QSKIP(qPrintable(why));
    std::vector<std::int8_t> a(64 * 32), b(16 * 32);
    for (std::size_t i = 0; i < a.size(); ++i)
        a[i] = std::int8_t(i * 37 + 11);
    for (std::size_t i = 0; i < b.size(); ++i)
        b[i] = std::int8_t(i * 91 + 5);
    const auto c = p->uninitialised(64 * 16 * 4);
    p->run("k", {1, 1, 1}, {128, 1, 1}, p->buffer(a), p->buffer(b), c);
    const auto got = p->read<int>(c, 64 * 16);
    for (std::size_t i = 0; i < 64; ++i)
        for (std::size_t j = 0; j < 16; ++j) {
            int sum = 0;
            for (std::size_t k = 0; k < 32; ++k)
                sum += 2 * a[i * 32 + k] * b[j * 32 + k];
            QCOMPARE(got[i * 16 + j], sum);
        }
}

void TestWarpgroups::fractionsInOrderOfK_data() {
    QTest::addColumn<std::string>("type");
    QTest::addColumn<int>("bytes");
    QTest::newRow("float16") << std::string("f16") << 2;
    QTest::newRow("bfloat16") << std::string("bf16") << 2;
    QTest::newRow("TF32") << std::string("tf32") << 4;
}

/// Fast sums, bit for bit: product after product, each rounded to float32 and so its sum. 64 x 16 by 32 bytes of k, the
/// second time on top of the first.
void TestWarpgroups::fractionsInOrderOfK() {
    QFETCH(std::string, type);
    QFETCH(int, bytes);
    const std::size_t k = 32 / std::size_t(bytes);
    const std::string instruction = "m64n16k" + std::to_string(k) + ".f32." + type + "." + type;
    const std::string operands = bytes == 2 ? "p, 1, 1, 0, 0" : "p, 1, 1";
    QString why;
    const auto p =
        PtxProgram::compiled(hopperSource(R"(extern "C" __global__ void k(const char* a, const char* b, float* c) {
    __shared__ __align__(128) char s[2048], z[512];
    int t = threadIdx.x;
    for (int i = t; i < 2048; i += 128) s[i % 16 + i / 16 % 2 * 1024 + i / 32 * 16] = a[i];
    for (int i = t; i < 512; i += 128) z[i % 16 + i / 16 % 2 * 256 + i / 32 * 16] = b[i];
    proxyFence();
    __syncthreads();
    float d[8];
    u64 x = (u64)(at(s) >> 4) | (u64)(1024 >> 4) << 16 | (u64)(128 >> 4) << 32, y = (u64)(at(z) >> 4) | (u64)(256 >> 4) << 16 | (u64)(128 >> 4) << 32;
    productFence();
    for (int n = 0; n < 2; ++n)
        asm volatile("{.reg .pred p; setp.ne.b32 p, %10, 0;\nwgmma.mma_async.sync.aligned.)" +
                                          instruction + R"( {%0, %1, %2, %3, %4, %5, %6, %7}, %8, %9, )" + operands +
                                          R"(;}" : EIGHT(d, 0) : "l"(x), "l"(y), "r"(n));
    productCommit();
    productWait<0>();
    for (int i = 0; i < 8; ++i) c[(t / 32 * 16 + t % 32 / 4 + i / 2 % 2 * 8) * 16 + t % 4 * 2 + i / 4 * 8 + i % 2] = d[i];
})"),
                             why);
    if (!p) QSKIP(qPrintable(why));
    unsigned seed = 7;
    std::vector<std::uint32_t> words(80 * 8); // of A, then of B
    std::vector<float> values;                // of their elements
    for (std::uint32_t& word : words) {
        seed = seed * 1664525u + 1013904223u;
        if (type == "tf32") {
            word = (0x3e000000u + (seed >> 7) % 0x01c00000u) | seed << 31; // 1/8 to 1, of either sign
            values.push_back(std::bit_cast<float>(word & 0xffffe000u));
            continue;
        }
        const bool half = type == "f16";
        const std::uint16_t least = half ? 0x3000 : 0x3e00, range = half ? 0x0c00 : 0x0180;
        word = 0;
        for (unsigned i = 0; i < 2; ++i) {
            const auto bits = std::uint16_t((least + (seed >> (4 + 8 * i)) % range) | (seed >> (i + 1) & 1) << 15);
            word |= std::uint32_t(bits) << 16 * i;
            values.push_back(half ? halfValue(bits) : std::bit_cast<float>(std::uint32_t(bits) << 16));
        }
    }
    const std::vector<std::uint32_t> a(words.begin(), words.begin() + 64 * 8), b(words.begin() + 64 * 8, words.end());
    const auto c = p->uninitialised(64 * 16 * 4);
    p->run("k", {1, 1, 1}, {128, 1, 1}, p->buffer(a), p->buffer(b), c);
    const auto got = p->read<float>(c, 64 * 16);
    for (std::size_t i = 0; i < 64; ++i)
        for (std::size_t j = 0; j < 16; ++j) {
            volatile float sum = 0, product = 0; // no product is fused with its sum
            for (std::size_t l = 0; l < 2 * k; ++l) {
                product = values[i * k + l % k] * values[(64 + j) * k + l % k];
                sum = sum + product;
            }
            QCOMPARE(std::bit_cast<std::uint32_t>(got[i * 16 + j]), std::bit_cast<std::uint32_t>(float(sum)));
        }
}

void TestWarpgroups::pipelineOfTwoStages_data() {
    // A product is its whole warpgroup's: any one thread that has waited may give the stage free.
    QTest::addColumn<int>("arrivals");
    QTest::addColumn<QByteArray>("release");
    QTest::addColumn<bool>("right");
    const QByteArray wait = "productWait<0>();";
    QTest::newRow("every thread") << 128 << wait + "arrive(&empty[i % 2]);" << true;
    for (const int thread : {0, 64, 127}) {
        const QByteArray arrive = "if (threadIdx.x == " + QByteArray::number(thread) + ") arrive(&empty[i % 2]);";
        QTest::addRow("thread %d alone", thread) << 1 << wait + arrive << true;
        QTest::addRow("thread %d alone, before it has waited", thread) << 1 << arrive + wait << false;
    }
}

void TestWarpgroups::pipelineOfTwoStages() {
    QFETCH(int, arrivals);
    QFETCH(QByteArray, release);
    QFETCH(bool, right);
    // One warp brings, one warpgroup multiplies; 128 x 128 x 256 in blocks of 64 x 64.
    QString why;
    QByteArray text =
        R"(extern "C" __global__ void __launch_bounds__(256) k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c, int n, int steps) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full[2], empty[2];
    if (threadIdx.x == 0) { for (int i = 0; i < 2; ++i) { make(&full[i], 1); make(&empty[i], ARRIVALS); } made(); }
    __syncthreads();
    if (threadIdx.x >= 128) {
        asm volatile("setmaxnreg.dec.sync.aligned.u32 40;");
        if (threadIdx.x / 32 == 4 && elected())
            for (int i = 0; i < steps; ++i) {
                char* stage = s + i % 2 * 16384;
                wait(&empty[i % 2], (i / 2 & 1) ^ 1);
                expect(&full[i % 2], 16384);
                bringBox(stage, &a, i * 64, blockIdx.y * 64, &full[i % 2]);
                bringBox(stage + 8192, &b, i * 64, blockIdx.x * 64, &full[i % 2]);
            }
    } else {
        asm volatile("setmaxnreg.inc.sync.aligned.u32 232;");
        float d[32];
        for (int i = 0; i < steps; ++i) {
            char* stage = s + i % 2 * 16384;
            wait(&full[i % 2], i / 2 & 1);
            productFence();
            for (int k = 0; k < 4; ++k) product64(d, descriptor(stage) + k * 2, descriptor(stage + 8192) + k * 2, i + k);
            productCommit();
            RELEASE
        }
        result64(c + blockIdx.y * 64 * n + blockIdx.x * 64, n, d);
    }
})";
    text.replace("ARRIVALS", QByteArray::number(arrivals)).replace("RELEASE", release);
    const auto p = PtxProgram::compiled(hopperSource(text.toStdString()), why);
    if (!p) QSKIP(qPrintable(why));
    p->config.dynamicSharedBytes = 32768;
    constexpr std::uint32_t m = 128, n = 128, k = 256;
    const auto a = smallHalves(m * k, 5), b = smallHalves(n * k, 6);
    const auto c = p->uninitialised(m * n * 4);
    const auto mapA = matrixMap(6, p->buffer(a), m, k, 64, 64, 3), mapB = matrixMap(6, p->buffer(b), n, k, 64, 64, 3);
    if (!right) { // what the copy overwrites is still read, or was just now
        const LaunchResult found = p->launch("k", {n / 64, m / 64, 1}, {256, 1, 1}, mapA, mapB, c, int(n), int(k / 64));
        QVERIFY(!found.faults.empty());
        for (const Fault& f : found.faults) {
            QCOMPARE(f.kind, std::string("async_overwrite"));
            QVERIFY(f.other.has_value());
        }
        return;
    }
    p->run("k", {n / 64, m / 64, 1}, {256, 1, 1}, mapA, mapB, c, int(n), int(k / 64));
    QCOMPARE(p->read<float>(c, m * n), productOf(a, b, m, n, k));
}

void TestWarpgroups::oneLaneWaitsBetweenProducts() {
    // .sync: the other lanes of its warp wait at the next product for the one that waits for an mbarrier.
    QString why;
    const auto p = PtxProgram::compiled(
        hopperSource(
            R"(extern "C" __global__ void k(const __grid_constant__ Map a, const __grid_constant__ Map b, float* c) {
    extern __shared__ __align__(1024) char s[];
    __shared__ u64 full, met;
    if (threadIdx.x == 0) { make(&full, 1); make(&met, 128); made(); }
    __syncthreads();
    if (threadIdx.x == 0) { expect(&full, 16384); bringBox(s, &a, 0, 0, &full); bringBox(s + 8192, &b, 0, 0, &full); }
    wait(&full, 0);
    float d[32];
    for (int k = 0; k < 4; ++k) {
        productFence();
        product64(d, descriptor(s) + k * 2, descriptor(s + 8192) + k * 2, k);
        productCommit();
        productWait<0>();
        arrive(&met);
        if (threadIdx.x == 0) wait(&met, k & 1);
    }
    result64(c, 64, d);
})"),
        why);
    if (!p) QSKIP(qPrintable(why));
    p->config.dynamicSharedBytes = 16384;
    const auto a = smallHalves(64 * 64, 1), b = smallHalves(64 * 64, 2);
    const auto c = p->uninitialised(64 * 64 * 4);
    p->run("k", {1, 1, 1}, {128, 1, 1}, matrixMap(6, p->buffer(a), 64, 64, 64, 64, 3),
           matrixMap(6, p->buffer(b), 64, 64, 64, 64, 3), c);
    QCOMPARE(p->read<float>(c, 64 * 64), productOf(a, b, 64, 64, 64));
}

void TestWarpgroups::lanesThatNeverMeet_data() {
    QTest::addColumn<QByteArray>("line");
    QTest::addColumn<bool>("ends");
    const QByteArray product =
        "product64(d, descriptor(s), descriptor(s + 8192), 1); productCommit(); productWait<0>();";
    QTest::newRow("at two products") << "if (half) { d[0] = 1; " + product + " } else { d[1] = 2; " + product + " }"
                                     << true;
    QTest::newRow("at an mbarrier") << "if (half) { " + product + " } else wait(&never, 0);" << false;
    QTest::newRow("at a barrier of theirs")
        << "if (half) { " + product + " } else asm volatile(\"barrier.sync 1, 64;\");" << true;
    QTest::newRow("at their end") << "if (!half) return; " + product << true;
}

/// What .sync forbids is named, and comes to an end.
void TestWarpgroups::lanesThatNeverMeet() {
    QFETCH(QByteArray, line);
    QFETCH(bool, ends);
    QString why;
    std::string text = R"(extern "C" __global__ void k(float* c) {
    __shared__ __align__(1024) char s[16384];
    __shared__ u64 never;
    for (int i = threadIdx.x; i < 4096; i += 128) ((int*)s)[i] = 0;
    if (threadIdx.x == 0) { make(&never, 1); made(); }
    proxyFence();
    __syncthreads();
    const bool half = threadIdx.x % 32 < 16;
    float d[32] = {};
    productFence();
    LINE
    result64(c, 64, d);
})";
    text.replace(text.find("LINE"), 4, line.toStdString());
    const auto p = PtxProgram::compiled(hopperSource(text), why);
    if (!p) QSKIP(qPrintable(why));
    const LaunchResult found = p->launch("k", {1, 1, 1}, {128, 1, 1}, p->uninitialised(64 * 64 * 4));
    const Fault* fault = faultOf(found, "barrier");
    QVERIFY2(fault && fault->message.find("without the others") != std::string::npos,
             PtxProgram::describe(found).c_str());
    QVERIFY2((faultOf(found, "deadlock") == nullptr) == ends, PtxProgram::describe(found).c_str());
}

namespace {
KERNELARIUM_TEST(TestWarpgroups);
}
#include "TestWarpgroups.moc"
