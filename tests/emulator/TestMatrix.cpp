// SPDX-License-Identifier: GPL-3.0-or-later
//
// Tensor cores and ldmatrix through the real compiler.
#include "gpu/emulator/code/MatrixOp.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QList>
#include <QPair>
#include <QTest>
#include <bit>
#include <cmath>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

namespace {

using u32 = std::uint32_t;

/// C (m by n) = C + A (m by k) B (k by n), row by row.
template <class T>
std::vector<T> product(const std::vector<T>& a, const std::vector<T>& b, std::vector<T> c, int m, int n, int k) {
    for (int i = 0; i < m; ++i)
        for (int j = 0; j < n; ++j)
            for (int l = 0; l < k; ++l)
                c[std::size_t(i * n + j)] += a[std::size_t(i * k + l)] * b[std::size_t(l * n + j)];
    return c;
}

/// Small integers, which every format holds exactly and whose sums are exact.
template <class T> std::vector<T> numbers(std::size_t count, int seed) {
    std::vector<T> v(count);
    for (std::size_t i = 0; i < count; ++i)
        v[i] = T(int((i * 7 + std::size_t(seed) * 5) % 7) - (std::is_signed_v<T> ? 3 : 0));
    return v;
}

template <class T> std::vector<T> transposed(const std::vector<T>& a, int rows, int columns) {
    std::vector<T> t(a.size());
    for (int r = 0; r < rows; ++r)
        for (int c = 0; c < columns; ++c)
            t[std::size_t(c * rows + r)] = a[std::size_t(r * columns + c)];
    return t;
}

std::vector<std::uint16_t> halves(const std::vector<float>& v) {
    std::vector<std::uint16_t> h;
    for (const float x : v)
        h.push_back(std::bit_cast<std::uint16_t>(_Float16(x)));
    return h;
}
std::vector<std::uint16_t> bfloats(const std::vector<float>& v) {
    std::vector<std::uint16_t> h;
    for (const float x : v)
        h.push_back(std::uint16_t(std::bit_cast<u32>(x) >> 16));
    return h;
}

} // namespace

class TestMatrix : public QObject {
    Q_OBJECT
private slots:
    void wmmaHalf_data();
    void wmmaHalf();
    void wmmaOtherTypes();
    void fragmentsLieAsOnAnH200_data();
    void fragmentsLieAsOnAnH200();
    void mmaHalf();
    void mmaOfBytesSaturates();
    void mmaOfDoubles();
    void mmaOfVolta();
    void roundsOnce();
    void refusedByName();
};

void TestMatrix::wmmaHalf_data() {
    QTest::addColumn<int>("m");
    QTest::addColumn<int>("n");
    QTest::addColumn<bool>("aRows");
    QTest::addColumn<bool>("bRows");
    QTest::addColumn<bool>("cRows");
    for (const auto& [m, n] : {std::pair{16, 16}, {32, 8}, {8, 32}})
        for (int layouts = 0; layouts < 8; ++layouts)
            QTest::addRow("%dx%d, layouts %d", m, n, layouts)
                << m << n << bool(layouts & 1) << bool(layouts & 2) << bool(layouts & 4);
}

void TestMatrix::wmmaHalf() {
    QFETCH(int, m);
    QFETCH(int, n);
    QFETCH(bool, aRows);
    QFETCH(bool, bRows);
    QFETCH(bool, cRows);
    const QString source = QStringLiteral(R"(
#include <mma.h>
using namespace nvcuda::wmma;
extern "C" __global__ void k(const half* a, const half* b, const float* c, float* d, half* h) {
    fragment<matrix_a, M, N, 16, half, A> fa;
    fragment<matrix_b, M, N, 16, half, B> fb;
    fragment<accumulator, M, N, 16, float> fc;
    fragment<accumulator, M, N, 16, half> fh;
    load_matrix_sync(fa, a, LA);
    load_matrix_sync(fb, b, LB);
    load_matrix_sync(fc, c, LC, C);
    mma_sync(fc, fa, fb, fc);
    fill_fragment(fh, __float2half(1.0f));
    mma_sync(fh, fa, fb, fh);
    for (int i = 0; i < fc.num_elements; ++i) fc.x[i] *= 2.0f;
    store_matrix_sync(d, fc, LC, C);
    store_matrix_sync(h, fh, LC, C);
})");
    const auto layout = [](bool rows) { return rows ? "row_major" : "col_major"; };
    const QString defines = QStringLiteral("#define M %1\n#define N %2\n#define A %3\n#define B %4\n#define "
                                           "C mem_%5\n#define LA %6\n#define LB %7\n#define LC %8\n")
                                .arg(m)
                                .arg(n)
                                .arg(layout(aRows), layout(bRows), layout(cRows))
                                .arg(aRows ? 16 : m)
                                .arg(bRows ? n : 16)
                                .arg(cRows ? n : m);
    QString why;
    const auto program = PtxProgram::compiled((defines + source).toStdString(), why);
    if (!program) QSKIP(qPrintable(why));
    const auto a = numbers<float>(std::size_t(m * 16), 1), b = numbers<float>(std::size_t(16 * n), 2),
               c = numbers<float>(std::size_t(m * n), 3);
    const auto d = program->uninitialised(u32(m * n * 4)), h = program->uninitialised(u32(m * n * 2));
    program->run("k", {1, 1, 1}, {32, 1, 1}, program->buffer(halves(aRows ? a : transposed(a, m, 16))),
                 program->buffer(halves(bRows ? b : transposed(b, 16, n))),
                 program->buffer(cRows ? c : transposed(c, m, n)), d, h);
    std::vector<float> expected = product(a, b, c, m, n, 16),
                       one = product(a, b, std::vector<float>(c.size(), 1), m, n, 16);
    for (float& x : expected)
        x *= 2;
    QCOMPARE(program->read<float>(d, c.size()), cRows ? expected : transposed(expected, m, n));
    QCOMPARE(program->read<std::uint16_t>(h, c.size()), halves(cRows ? one : transposed(one, m, n)));
}

using Places = QList<QPair<int, int>>; ///< row, column

/// What x[0], x[1], ... of lane 0 hold, and x[0] of lanes 1 and 4, as an H200 answered.
void TestMatrix::fragmentsLieAsOnAnH200_data() {
    QTest::addColumn<int>("part");
    QTest::addColumn<int>("element");
    QTest::addColumn<QList<int>>("shape");
    QTest::addColumn<Places>("first");
    QTest::addColumn<Places>("others");
    const auto row = [](const char* name, MatrixPart part, Element e, QList<int> shape, Places first, Places others) {
        QTest::newRow(name) << int(part) << int(e) << shape << first << others;
    };
    const Places tall = {{0, 0}, {0, 1}, {8, 0}, {8, 1}, {0, 8}, {0, 9}, {8, 8}, {8, 9}};
    row("a of f16", MatrixPart::a, Element::f16, {16, 16, 16}, tall + tall, {{0, 2}, {1, 0}});
    row("a of bf16", MatrixPart::a, Element::bf16, {16, 16, 16}, tall, {{0, 2}, {1, 0}});
    row("a of 32x8", MatrixPart::a, Element::f16, {32, 8, 16},
        tall + Places{{16, 0}, {16, 1}, {24, 0}, {24, 1}, {16, 8}, {16, 9}, {24, 8}, {24, 9}}, {{0, 2}, {1, 0}});
    row("a of 8x32", MatrixPart::a, Element::bf16, {8, 32, 16}, {{0, 0}, {0, 1}, {0, 8}, {0, 9}}, {{0, 2}, {1, 0}});
    row("b of f16", MatrixPart::b, Element::bf16, {16, 16, 16},
        {{0, 0}, {1, 0}, {8, 0}, {9, 0}, {0, 8}, {1, 8}, {8, 8}, {9, 8}}, {{2, 0}, {0, 1}});
    row("b of 8x32", MatrixPart::b, Element::f16, {8, 32, 16},
        {{0, 0},
         {1, 0},
         {0, 8},
         {1, 8},
         {8, 0},
         {9, 0},
         {8, 8},
         {9, 8},
         {0, 16},
         {1, 16},
         {0, 24},
         {1, 24},
         {8, 16},
         {9, 16},
         {8, 24},
         {9, 24}},
        {{2, 0}, {0, 1}});
    row("a of s8", MatrixPart::a, Element::s8, {16, 16, 16},
        {{0, 0}, {0, 1}, {0, 2}, {0, 3}, {8, 0}, {8, 1}, {8, 2}, {8, 3}}, {{0, 4}, {1, 0}});
    row("b of s8 32x8", MatrixPart::b, Element::s8, {32, 8, 16}, {{0, 0}, {1, 0}, {2, 0}, {3, 0}}, {{4, 0}, {0, 1}});
    row("a of tf32", MatrixPart::a, Element::tf32, {16, 16, 8}, {{0, 0}, {8, 0}, {0, 4}, {8, 4}}, {{0, 1}, {1, 0}});
    row("b of tf32", MatrixPart::b, Element::tf32, {16, 16, 8}, {{0, 0}, {4, 0}, {0, 8}, {4, 8}}, {{1, 0}, {0, 1}});
    row("accumulator", MatrixPart::c, Element::f32, {16, 16, 16}, tall, {{0, 2}, {1, 0}});
    row("accumulator of f16", MatrixPart::c, Element::f16, {16, 16, 16}, tall, {{0, 2}, {1, 0}});
    row("accumulator of 32x8", MatrixPart::c, Element::s32, {32, 8, 16},
        {{0, 0}, {0, 1}, {8, 0}, {8, 1}, {16, 0}, {16, 1}, {24, 0}, {24, 1}}, {{0, 2}, {1, 0}});
    row("accumulator of 8x32", MatrixPart::c, Element::f32, {8, 32, 16},
        {{0, 0}, {1, 0}, {0, 8}, {1, 8}, {0, 16}, {1, 16}, {0, 24}, {1, 24}}, {{2, 0}, {0, 1}});
}

void TestMatrix::fragmentsLieAsOnAnH200() {
    QFETCH(int, part);
    QFETCH(int, element);
    QFETCH(QList<int>, shape);
    QFETCH(Places, first);
    QFETCH(Places, others);
    const auto p = MatrixPart(part);
    const MatrixShape s{std::uint32_t(shape[0]), std::uint32_t(shape[1]), std::uint32_t(shape[2])};
    const int columns = int(p == MatrixPart::a ? s.k : s.n);
    for (const bool byRows : {true, false}) {
        const FragmentMap map = fragmentMap(FragmentOrder::wmma, p, Element(element), s, byRows);
        const auto place = [&](std::uint32_t lane, std::uint32_t x) {
            const int at = map.at[(x / map.perRegister * 32 + lane) * map.perRegister + x % map.perRegister];
            return QPair<int, int>(at / columns, at % columns);
        };
        QCOMPARE(map.registers * map.perRegister, std::uint32_t(first.size()));
        for (std::uint32_t x = 0; x < std::uint32_t(first.size()); ++x)
            QCOMPARE(place(0, x), first[x]);
        QCOMPARE(place(1, 0), others[0]);
        QCOMPARE(place(4, 0), others[1]);
    }
}

void TestMatrix::wmmaOtherTypes() {
    QString why;
    const auto program = PtxProgram::compiled(R"(
#include <mma.h>
using namespace nvcuda::wmma;
template <class T, class Acc, int M, int N, int K, class P, class Q> __device__ void one(const P* a, const P* b, Q* d) {
    fragment<matrix_a, M, N, K, T, row_major> fa;
    fragment<matrix_b, M, N, K, T, row_major> fb;
    fragment<accumulator, M, N, K, Acc> fc;
    load_matrix_sync(fa, a, K);
    load_matrix_sync(fb, b, N);
    fill_fragment(fc, Acc(1));
    mma_sync(fc, fa, fb, fc);
    store_matrix_sync(d, fc, N, mem_row_major);
}
extern "C" __global__ void bf(const __nv_bfloat16* a, const __nv_bfloat16* b, float* d) { one<__nv_bfloat16, float, 32, 8, 16>(a, b, d); }
extern "C" __global__ void tf(const float* a, const float* b, float* d) { one<precision::tf32, float, 16, 16, 8>(a, b, d); }
extern "C" __global__ void s8(const signed char* a, const signed char* b, int* d) { one<signed char, int, 8, 32, 16>(a, b, d); }
extern "C" __global__ void u8(const unsigned char* a, const unsigned char* b, int* d) { one<unsigned char, int, 16, 16, 16>(a, b, d); }
extern "C" __global__ void f64(const double* a, const double* b, double* d) { one<double, double, 8, 8, 4>(a, b, d); }
)",
                                              why);
    if (!program) QSKIP(qPrintable(why));
    const auto check = [&](const char* name, auto zero, auto convert, auto result, int m, int n, int k) {
        using T = decltype(zero);
        using R = decltype(result);
        const auto a = numbers<T>(std::size_t(m * k), 1), b = numbers<T>(std::size_t(k * n), 2);
        const auto d = program->uninitialised(u32(std::size_t(m * n) * sizeof(R)));
        program->run(name, {1, 1, 1}, {32, 1, 1}, program->buffer(convert(a)), program->buffer(convert(b)), d);
        const std::vector<R> wide = product(std::vector<R>(a.begin(), a.end()), std::vector<R>(b.begin(), b.end()),
                                            std::vector<R>(std::size_t(m * n), R(1)), m, n, k);
        QVERIFY2(program->read<R>(d, wide.size()) == wide, name);
    };
    const auto same = [](const auto& v) { return v; };
    check("bf", 0.0f, bfloats, 0.0f, 32, 8, 16);
    check("tf", 0.0f, same, 0.0f, 16, 16, 8);
    check("s8", std::int8_t(0), same, 0, 8, 32, 16);
    check("u8", std::uint8_t(0), same, 0, 16, 16, 16);
    check("f64", 0.0, same, 0.0, 8, 8, 4);
}

void TestMatrix::mmaHalf() {
    // A by ldmatrix, B by ldmatrix.trans: both from row-major tiles, as kernels do it.
    QString why;
    const auto program = PtxProgram::compiled(R"(
#include <cuda_fp16.h>
extern "C" __global__ void k(const half* a, const half* b, float* d) {
    __shared__ __align__(16) half sa[16 * 16], sb[16 * 8];
    int t = threadIdx.x;
    for (int i = t; i < 256; i += 32) sa[i] = a[i];
    for (int i = t; i < 128; i += 32) sb[i] = b[i];
    __syncwarp();
    unsigned ra[4], rb[2];
    unsigned pa = __cvta_generic_to_shared(sa + (t % 16) * 16 + t / 16 * 8), pb = __cvta_generic_to_shared(sb + (t % 16) * 8);
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];" : "=r"(ra[0]), "=r"(ra[1]), "=r"(ra[2]), "=r"(ra[3]) : "r"(pa));
    asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0,%1}, [%2];" : "=r"(rb[0]), "=r"(rb[1]) : "r"(pb));
    float c[4] = {1, 1, 1, 1};
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]));
    int row = t / 4, column = t % 4 * 2;
    d[row * 8 + column] = c[0];
    d[row * 8 + column + 1] = c[1];
    d[(row + 8) * 8 + column] = c[2];
    d[(row + 8) * 8 + column + 1] = c[3];
})",
                                              why);
    if (!program) QSKIP(qPrintable(why));
    const auto a = numbers<float>(256, 1), b = numbers<float>(128, 4);
    const auto d = program->uninitialised(512);
    program->run("k", {1, 1, 1}, {32, 1, 1}, program->buffer(halves(a)), program->buffer(halves(b)), d);
    QCOMPARE(program->read<float>(d, 128), product(a, b, std::vector<float>(128, 1), 16, 8, 16));
}

void TestMatrix::mmaOfBytesSaturates() {
    QString why;
    const auto program = PtxProgram::compiled(R"(
extern "C" __global__ void k(const signed char* a, const signed char* b, int* d, int start, int saturate) {
    int t = threadIdx.x, g = t / 4, p = t % 4 * 4;
    unsigned ra[4], rb[2];
    int c[4] = {start, start, start, start};
    for (int i = 0; i < 4; ++i) ra[i] = *(const unsigned*)(a + (g + i % 2 * 8) * 32 + p + i / 2 * 16);
    for (int i = 0; i < 2; ++i) {
        rb[i] = 0;
        for (int j = 0; j < 4; ++j) rb[i] |= unsigned((unsigned char)b[(p + i * 16 + j) * 8 + g]) << (8 * j);
    }
#define MMA(s) asm volatile("mma.sync.aligned.m16n8k32.row.col" s ".s32.s8.s8.s32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, {%0,%1,%2,%3};" \
                 : "+r"(c[0]), "+r"(c[1]), "+r"(c[2]), "+r"(c[3]) : "r"(ra[0]), "r"(ra[1]), "r"(ra[2]), "r"(ra[3]), "r"(rb[0]), "r"(rb[1]))
    if (saturate) MMA(".satfinite"); else MMA("");
    for (int i = 0; i < 4; ++i) d[(g + i / 2 * 8) * 8 + t % 4 * 2 + i % 2] = c[i];
})",
                                              why);
    if (!program) QSKIP(qPrintable(why));
    const auto a = numbers<std::int8_t>(512, 1), b = numbers<std::int8_t>(256, 2);
    const auto pa = program->buffer(a), pb = program->buffer(b), d = program->uninitialised(512);
    program->run("k", {1, 1, 1}, {32, 1, 1}, pa, pb, d, 5, 0);
    const std::vector<int> wa(a.begin(), a.end()), wb(b.begin(), b.end());
    QCOMPARE(program->read<int>(d, 128), product(wa, wb, std::vector<int>(128, 5), 16, 8, 32));
    const int top = std::numeric_limits<int>::max();
    program->run("k", {1, 1, 1}, {32, 1, 1}, pa, pb, d, top, 1);
    const auto sums = product(wa, wb, std::vector<int>(128, 0), 16, 8, 32);
    const auto clamped = program->read<int>(d, 128);
    for (std::size_t i = 0; i < 128; ++i)
        QCOMPARE(clamped[i], sums[i] > 0 ? top : top + sums[i]);
}

void TestMatrix::mmaOfDoubles() {
    QString why;
    const auto program = PtxProgram::compiled(R"(
extern "C" __global__ void k(const double* a, const double* b, double* d) {
    int t = threadIdx.x, g = t / 4, p = t % 4;
    double c0 = 2, c1 = 2;
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1}, {%2}, {%3}, {%0,%1};" : "+d"(c0), "+d"(c1) : "d"(a[g * 4 + p]), "d"(b[p * 8 + g]));
    d[g * 8 + p * 2] = c0;
    d[g * 8 + p * 2 + 1] = c1;
})",
                                              why);
    if (!program) QSKIP(qPrintable(why));
    const auto a = numbers<double>(32, 1), b = numbers<double>(32, 2);
    const auto d = program->uninitialised(512);
    program->run("k", {1, 1, 1}, {32, 1, 1}, program->buffer(a), program->buffer(b), d);
    QCOMPARE(program->read<double>(d, 64), product(a, b, std::vector<double>(64, 2), 8, 8, 4));
}

void TestMatrix::mmaOfVolta() {
    // Four products at once: quad pair q is lanes 4 q to 4 q + 3 and 16 more.
    QString why;
    const auto program = PtxProgram::compiled(R"(
extern "C" __global__ void k(const unsigned* a, const unsigned* b, float* d) {
    int t = threadIdx.x, q = t / 4 % 4, row = t % 4 + (t < 16 ? 0 : 4);
    const unsigned* pa = a + q * 16 + row * 2; // A row by row: four halves of the row
    const unsigned* pb = b + q * 16 + row * 2; // B column by column
    float c[8] = {};
    asm volatile("mma.sync.aligned.m8n8k4.row.col.f32.f16.f16.f32 {%0,%1,%2,%3,%4,%5,%6,%7}, {%8,%9}, {%10,%11}, {%0,%1,%2,%3,%4,%5,%6,%7};"
                 : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3]), "+f"(c[4]), "+f"(c[5]), "+f"(c[6]), "+f"(c[7])
                 : "r"(pa[0]), "r"(pa[1]), "r"(pb[0]), "r"(pb[1]));
    for (int i = 0; i < 8; ++i)
        d[q * 64 + ((t & 1) + (i & 2) + (t < 16 ? 0 : 4)) * 8 + (i & 4) + (t & 2) + (i & 1)] = c[i];
})",
                                              why);
    if (!program) QSKIP(qPrintable(why));
    std::vector<float> as, bs, expected;
    for (int q = 0; q < 4; ++q) {
        const auto a = numbers<float>(32, q), b = numbers<float>(32, q + 4);
        const auto c = product(a, transposed(b, 8, 4), std::vector<float>(64), 8, 8, 4);
        as.insert(as.end(), a.begin(), a.end());
        bs.insert(bs.end(), b.begin(), b.end());
        expected.insert(expected.end(), c.begin(), c.end());
    }
    const auto d = program->uninitialised(1024);
    program->run("k", {1, 1, 1}, {32, 1, 1}, program->buffer(halves(as)), program->buffer(halves(bs)), d);
    QCOMPARE(program->read<float>(d, 256), expected);
}

void TestMatrix::roundsOnce() {
    // 1 + 16 times 2^-24: each alone would vanish in float32; together they are 2^-20.
    QString why;
    const auto program = PtxProgram::compiled(R"(
extern "C" __global__ void k(float* d) {
    unsigned a = 0x0c000c00, b = 0x0c000c00; // 2^-12
    float c0 = 1, c1 = 1, c2 = 1, c3 = 1;
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%4,%4,%4}, {%5,%5}, {%0,%1,%2,%3};"
                 : "+f"(c0), "+f"(c1), "+f"(c2), "+f"(c3) : "r"(a), "r"(b));
    d[threadIdx.x] = c0;
})",
                                              why);
    if (!program) QSKIP(qPrintable(why));
    const auto d = program->uninitialised(128);
    program->run("k", {1, 1, 1}, {32, 1, 1}, d);
    QCOMPARE(program->read<float>(d, 1)[0], 1.0f + std::ldexp(1.0f, -20));
}

void TestMatrix::refusedByName() {
    DeviceMemory memory(1 << 20);
    for (const char* line :
         {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%r1,%r1,%r1,%r1}, %d1, %d1, %r1, 0, p, 1, 1, 0, 0;",
          "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r1], "
          "[%d1, {%r1, %r1, %r1}], [%r2], {%s1};",
          "tex.1d.v4.f32.s32 {%r1,%r1,%r1,%r1}, [t, {%r1}];",
          "mma.sp.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%r1,%r1,%r1,%r1}, "
          "{%r1,%r1}, {%r1,%r1}, {%r1,%r1,%r1,%r1}, %r1, 0;"}) {
        const auto loaded = Program::load(
            PtxProgram::withHeader(
                std::string(".visible .entry k() { .reg .b32 %r<4>; .reg .b64 %d<2>; .reg .b16 %s<2>; .reg .pred p; ") +
                line + " ret; }"),
            memory);
        QVERIFY2(!loaded.ok(), line);
        QCOMPARE(loaded.error().code, std::string("unsupported"));
        QVERIFY2(loaded.error().message.find(std::string_view(line).substr(0, 4)) != std::string::npos,
                 loaded.error().message.c_str());
    }
}

namespace {
KERNELARIUM_TEST(TestMatrix);
}
#include "TestMatrix.moc"
