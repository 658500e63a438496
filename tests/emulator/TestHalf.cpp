// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/tensor/DType.h"
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QtTest>
#include <bit>
#include <cmath>

namespace kernelarium::test {

using namespace emulator;

namespace {

using u16 = std::uint16_t;
using u32 = std::uint32_t;

/// binary16 to float by the format's definition.
float widened(u16 bits) {
    const int exponent = bits >> 10 & 31, mantissa = bits & 1023;
    const float sign = bits & 0x8000 ? -1.0f : 1.0f;
    return sign *
           (exponent == 0 ? std::ldexp(float(mantissa), -24) : std::ldexp(float(1024 + mantissa), exponent - 25));
}

/// The nearest binary16 of a finite number, the even one of two: found among all of them.
u16 nearest(float x) {
    const double magnitude = std::fabs(double(x));
    u32 low = 0, high = 0x7c00; // magnitudes; the first one that is too large counts as 65536
    while (high - low > 1) {
        const u32 middle = (low + high) / 2;
        (double(widened(u16(middle))) <= magnitude ? low : high) = middle;
    }
    const double below = widened(u16(low)), above = high == 0x7c00 ? 65536.0 : double(widened(u16(high)));
    const double half = (below + above) / 2;
    const u32 chosen = magnitude < half || (magnitude == half && low % 2 == 0) ? low : high;
    return u16((std::signbit(x) ? 0x8000u : 0u) | chosen);
}

bool isHalfNan(u16 bits) {
    return (bits & 0x7fff) > 0x7c00;
}

/// Every binary16, what lies half way to its neighbour, and what lies beside these; numbers beyond binary16.
std::vector<float> roundingCases() {
    std::vector<float> cases;
    for (u32 h = 0; h < 0x7c00; ++h) {
        const float here = widened(u16(h)), next = h + 1 == 0x7c00 ? 65536.0f : widened(u16(h + 1));
        const float middle = here + (next - here) / 2;
        for (const float x : {here, std::nextafter(here, 1e9f), std::nextafter(middle, 0.0f), middle,
                              std::nextafter(middle, 1e9f), std::nextafter(next, 0.0f)}) {
            cases.push_back(x);
            cases.push_back(-x);
        }
    }
    for (const float x : {65536.0f, 1e9f, 3.4e38f, 1e-20f, 1e-40f}) {
        cases.push_back(x);
        cases.push_back(-x);
    }
    return cases;
}

constexpr const char* conversions = R"(
.visible .entry widen(.param .u64 from, .param .u64 to)
{ .reg .b16 %h<2>; .reg .f32 %f<2>; .reg .b32 %r<5>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [to];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd3, %r4, 2; add.s64 %rd3, %rd1, %rd3; mul.wide.u32 %rd4, %r4, 4; add.s64 %rd4, %rd2, %rd4;
  ld.global.b16 %h1, [%rd3]; cvt.f32.f16 %f1, %h1; st.global.f32 [%rd4], %f1; ret; }
.visible .entry narrow(.param .u64 from, .param .u64 halves, .param .u64 bfloats)
{ .reg .b16 %h<3>; .reg .f32 %f<2>; .reg .b32 %r<5>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [from]; ld.param.u64 %rd2, [halves]; ld.param.u64 %rd3, [bfloats];
  mov.u32 %r1, %ctaid.x; mov.u32 %r2, %ntid.x; mov.u32 %r3, %tid.x; mad.lo.u32 %r4, %r1, %r2, %r3;
  mul.wide.u32 %rd4, %r4, 4; add.s64 %rd4, %rd1, %rd4; ld.global.f32 %f1, [%rd4];
  mul.wide.u32 %rd5, %r4, 2; add.s64 %rd6, %rd2, %rd5; add.s64 %rd7, %rd3, %rd5;
  cvt.rn.f16.f32 %h1, %f1; st.global.b16 [%rd6], %h1; cvt.rn.bf16.f32 %h2, %f1; st.global.b16 [%rd7], %h2; ret; }
)";

} // namespace

/// One conversion serves tensors and lanes; where a value is no NaN, both give what the formats' definitions do.
class TestHalf : public QObject {
    Q_OBJECT

private slots:
    void everyHalfBecomesItsFloat();
    void floatsBecomeTheNearestHalf();
    void nansAreTheGpus();
};

void TestHalf::everyHalfBecomesItsFloat() {
    PtxProgram p(conversions);
    std::vector<u16> all(65536);
    for (u32 h = 0; h < all.size(); ++h)
        all[h] = u16(h);
    const auto from = p.buffer(all, "halves");
    const auto to = p.uninitialised(4 * all.size());
    p.run("widen", {64, 1, 1}, {1024, 1, 1}, from, to);
    const std::vector<u32> lanes = p.read<u32>(to, all.size());
    for (u32 h = 0; h < all.size(); ++h) {
        const u32 tensors = std::bit_cast<u32>(tensor::halfToFloat(u16(h)));
        const u32 payload = (h & 0x8000u) << 16 | 0x7f800000u | (h & 0x3ffu) << 13;
        const u32 expected = (h & 0x7c00u) == 0x7c00u ? payload : std::bit_cast<u32>(widened(u16(h)));
        QCOMPARE(tensors, expected);
        QCOMPARE(lanes[h], isHalfNan(u16(h)) ? expected | 0x400000u : expected); // quiet
        QCOMPARE(std::bit_cast<u32>(tensor::bfloatToFloat(u16(h))), h << 16);
    }
}

void TestHalf::floatsBecomeTheNearestHalf() {
    PtxProgram p(conversions);
    std::vector<float> cases = roundingCases();
    cases.resize((cases.size() + 1023) / 1024 * 1024);
    const auto from = p.buffer(cases, "floats");
    const auto halves = p.uninitialised(2 * cases.size()), bfloats = p.uninitialised(2 * cases.size());
    p.run("narrow", {u32(cases.size() / 1024), 1, 1}, {1024, 1, 1}, from, halves, bfloats);
    const std::vector<u16> lanes = p.read<u16>(halves, cases.size()), wide = p.read<u16>(bfloats, cases.size());
    for (std::size_t k = 0; k < cases.size(); ++k) {
        const u16 expected = nearest(cases[k]);
        QCOMPARE(tensor::floatToHalf(cases[k]), expected);
        QCOMPARE(lanes[k], expected);
        const u32 bits = std::bit_cast<u32>(cases[k]), below = bits >> 16, rest = bits & 0xffff;
        const bool up = rest > 0x8000 || (rest == 0x8000 && below % 2);
        QCOMPARE(tensor::floatToBfloat(cases[k]), u16(below + up));
        QCOMPARE(wide[k], u16(below + up));
    }
    const float infinity = std::numeric_limits<float>::infinity();
    QCOMPARE(tensor::floatToHalf(infinity), u16(0x7c00));
    QCOMPARE(tensor::floatToHalf(-infinity), u16(0xfc00));
}

void TestHalf::nansAreTheGpus() {
    PtxProgram p(conversions);
    std::vector<u32> nans(32, 0x7fc00000u);
    nans[1] = 0xffc00000u;
    nans[2] = 0x7f800001u;
    nans[3] = 0xffffffffu;
    const auto from = p.buffer(nans, "floats");
    const auto halves = p.uninitialised(64), bfloats = p.uninitialised(64);
    p.run("narrow", {1, 1, 1}, {32, 1, 1}, from, halves, bfloats);
    QCOMPARE(p.read<u16>(halves, 32), std::vector<u16>(32, 0x7fff));
    QCOMPARE(p.read<u16>(bfloats, 32), std::vector<u16>(32, 0x7fff));
    QCOMPARE(tensor::floatToHalf(std::bit_cast<float>(0x7fc00000u)), u16(0x7fff));
    QCOMPARE(tensor::floatToHalf(std::bit_cast<float>(0xffc00000u)), u16(0xffff)); // tensors keep the sign
    QCOMPARE(tensor::floatToBfloat(std::bit_cast<float>(0xffc00000u)), u16(0x7fff));
}

namespace {
KERNELARIUM_TEST(TestHalf);
}

} // namespace kernelarium::test

#include "TestHalf.moc"
