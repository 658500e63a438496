// SPDX-License-Identifier: GPL-3.0-or-later
//
// One instruction at a time: 32 lanes read two 64-bit words each, run a line of PTX, and write one 64-bit word, which
// is compared with the same operation in C++.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>

namespace kernelarium::test {

namespace {

using u64 = std::uint64_t;
using u32 = std::uint32_t;
using i64 = std::int64_t;
using i32 = std::int32_t;

struct Probe {
    const char* name;
    /// Uses %ra, %rb (b32 of the inputs), %da, %db (b64), %fa, %fb (f32), %ga, %gb (f64), %p, %q; result in %do (b64),
    /// or in %ro, %fo, %go, %po, which `result` names.
    const char* code;
    const char* result;
    std::function<u64(u64, u64, u32 lane)> expected;
};

float f(u64 bits) {
    return std::bit_cast<float>(u32(bits));
}
double g(u64 bits) {
    return std::bit_cast<double>(bits);
}
u64 bits(float x) {
    return std::bit_cast<u32>(x);
}
u64 bits(double x) {
    return std::bit_cast<u64>(x);
}
u64 word(i64 x) {
    return u32(x);
}

u32 permuted(u32 a, u32 b, u32 s) {
    const u64 both = u64(b) << 32 | a;
    u32 r = 0;
    for (u32 k = 0; k < 4; ++k)
        r |= u32(both >> (8 * (s >> (4 * k) & 7)) & 0xff) << (8 * k);
    return r;
}

const std::vector<Probe>& probes() {
    static const std::vector<Probe> list = {
        {"add.s32", "add.s32 %ro, %ra, %rb;", "ro", [](u64 a, u64 b, u32) { return u64(u32(a) + u32(b)); }},
        {"sub.u64", "sub.u64 %do, %da, %db;", "do", [](u64 a, u64 b, u32) { return a - b; }},
        {"add.sat.s32", "add.sat.s32 %ro, %ra, %rb;", "ro",
         [](u64 a, u64 b, u32) {
             return word(std::clamp<i64>(i64(i32(a)) + i32(b), std::numeric_limits<i32>::min(),
                                         std::numeric_limits<i32>::max()));
         }},
        {"mul.lo.u32", "mul.lo.u32 %ro, %ra, %rb;", "ro", [](u64 a, u64 b, u32) { return u64(u32(a) * u32(b)); }},
        {"mul.hi.s32", "mul.hi.s32 %ro, %ra, %rb;", "ro",
         [](u64 a, u64 b, u32) { return word((i64(i32(a)) * i32(b)) >> 32); }},
        {"mul.hi.u64", "mul.hi.u64 %do, %da, %db;", "do",
         [](u64 a, u64 b, u32) {
             const u64 al = u32(a), ah = a >> 32, bl = u32(b), bh = b >> 32;
             const u64 middle = ah * bl + (al * bl >> 32), low = al * bh + u32(middle);
             return ah * bh + (middle >> 32) + (low >> 32);
         }},
        {"mul.wide.s32", "mul.wide.s32 %do, %ra, %rb;", "do",
         [](u64 a, u64 b, u32) { return u64(i64(i32(a)) * i32(b)); }},
        {"mad.lo.s32", "mad.lo.s32 %ro, %ra, %rb, 77;", "ro",
         [](u64 a, u64 b, u32) { return u64(u32(a) * u32(b) + 77); }},
        {"mad.wide.u32", "mad.wide.u32 %do, %ra, %rb, %db;", "do",
         [](u64 a, u64 b, u32) { return u64(u32(a)) * u32(b) + b; }},
        {"div.s32", "div.s32 %ro, %ra, %rb;", "ro",
         [](u64 a, u64 b, u32) { return i32(b) == 0 ? u64(0xffffffff) : word(i64(i32(a)) / i32(b)); }},
        {"rem.u32", "rem.u32 %ro, %ra, %rb;", "ro",
         [](u64 a, u64 b, u32) { return u32(b) ? u64(u32(a) % u32(b)) : u64(0xffffffffu); }},
        {"min.s64", "min.s64 %do, %da, %db;", "do", [](u64 a, u64 b, u32) { return u64(std::min(i64(a), i64(b))); }},
        {"abs.s32", "abs.s32 %ro, %ra;", "ro", [](u64 a, u64, u32) { return word(std::abs(i64(i32(a)))); }},
        {"sad.u32", "sad.u32 %ro, %ra, %rb, 5;", "ro",
         [](u64 a, u64 b, u32) { return u64(u32(5 + (u32(a) > u32(b) ? u32(a) - u32(b) : u32(b) - u32(a)))); }},
        {"addc", "add.cc.u32 %ro, %ra, %rb; addc.u32 %ro, 0, 0;", "ro",
         [](u64 a, u64 b, u32) { return (u64(u32(a)) + u32(b)) >> 32; }},
        {"and or xor", "and.b32 %ro, %ra, %rb; or.b32 %ro, %ro, 3; xor.b32 %ro, %ro, %rb; not.b32 %ro, %ro;", "ro",
         [](u64 a, u64 b, u32) { return u64(~(((u32(a) & u32(b)) | 3) ^ u32(b))); }},
        {"lop3", "lop3.b32 %ro, %ra, %rb, 0x0f0f00ff, 0x6a;", "ro",
         [](u64 a, u64 b, u32) {
             u32 r = 0;
             for (u32 k = 0; k < 32; ++k) {
                 const u32 index = (u32(a) >> k & 1) << 2 | (u32(b) >> k & 1) << 1 | (0x0f0f00ffu >> k & 1);
                 r |= (0x6au >> index & 1) << k;
             }
             return u64(r);
         }},
        {"shl clamps", "shl.b32 %ro, %ra, %rb;", "ro",
         [](u64 a, u64 b, u32) { return u32(b) > 31 ? 0 : u64(u32(a) << u32(b)); }},
        {"shr.s32 clamps", "shr.s32 %ro, %ra, %rb;", "ro",
         [](u64 a, u64 b, u32) { return word(i32(a) >> std::min(u32(b), 31u)); }},
        {"shf.l.wrap", "shf.l.wrap.b32 %ro, %ra, %rb, 12;", "ro",
         [](u64 a, u64 b, u32) { return u64(u32(b) << 12 | u32(a) >> 20); }},
        {"bfe.u32", "bfe.u32 %ro, %ra, 5, 9;", "ro", [](u64 a, u64, u32) { return u64(u32(a) >> 5 & 0x1ff); }},
        {"bfe.s32", "bfe.s32 %ro, %ra, 20, 9;", "ro", [](u64 a, u64, u32) { return word(i32(u32(a) << 3) >> 23); }},
        {"bfe.s32 past the end", "bfe.s32 %ro, %ra, 28, 12;", "ro", [](u64 a, u64, u32) { return word(i32(a) >> 28); }},
        {"bfi.b32", "bfi.b32 %ro, %ra, %rb, 7, 6;", "ro",
         [](u64 a, u64 b, u32) { return u64((u32(b) & ~(0x3fu << 7)) | (u32(a) & 0x3f) << 7); }},
        {"popc.b64", "popc.b64 %ro, %da;", "ro", [](u64 a, u64, u32) { return u64(std::popcount(a)); }},
        {"clz.b32", "clz.b32 %ro, %ra;", "ro", [](u64 a, u64, u32) { return u64(std::countl_zero(u32(a))); }},
        {"bfind.s32", "bfind.s32 %ro, %ra;", "ro",
         [](u64 a, u64, u32) {
             const u32 v = i32(a) < 0 ? ~u32(a) : u32(a);
             return v ? u64(31 - std::countl_zero(v)) : u64(0xffffffff);
         }},
        {"brev.b32", "brev.b32 %ro, %ra;", "ro",
         [](u64 a, u64, u32) {
             u32 r = 0;
             for (u32 k = 0; k < 32; ++k)
                 r |= (u32(a) >> k & 1) << (31 - k);
             return u64(r);
         }},
        {"prmt.b32", "prmt.b32 %ro, %ra, %rb, 0x5140;", "ro",
         [](u64 a, u64 b, u32) { return u64(permuted(u32(a), u32(b), 0x5140)); }},
        {"dp4a.s32.s32", "dp4a.s32.s32 %ro, %ra, %rb, 9;", "ro",
         [](u64 a, u64 b, u32) {
             i32 r = 9;
             for (u32 k = 0; k < 4; ++k)
                 r += i32(std::int8_t(a >> (8 * k))) * std::int8_t(b >> (8 * k));
             return word(r);
         }},
        {"setp and selp", "setp.lt.s32 %p, %ra, %rb; selp.b32 %ro, 11, 22, %p;", "ro",
         [](u64 a, u64 b, u32) { return u64(i32(a) < i32(b) ? 11 : 22); }},
        {"setp pair with and",
         "setp.gt.u32 %q, %ra, 5; setp.eq.and.s32 %p|%q, %ra, %rb, %q; selp.b32 %ro, 1, 0, %p; @%q add.s32 %ro, %ro, 2;",
         "ro",
         [](u64 a, u64 b, u32) {
             const bool c = u32(a) > 5, eq = i32(a) == i32(b);
             return u64((eq && c ? 1 : 0) + (!eq && c ? 2 : 0));
         }},
        {"setp unordered", "setp.ltu.f32 %p, %fa, %fb; selp.b32 %ro, 1, 0, %p;", "ro",
         [](u64 a, u64 b, u32) { return u64(!(f(a) >= f(b))); }},
        {"setp ordered ne", "setp.ne.f32 %p, %fa, %fb; selp.b32 %ro, 1, 0, %p;", "ro",
         [](u64 a, u64 b, u32) { return u64(f(a) < f(b) || f(a) > f(b)); }},
        {"predicated lanes keep the old value", "mov.u32 %ro, 7; setp.ne.u32 %p, %ra, %rb; @%p mov.u32 %ro, 8;", "ro",
         [](u64 a, u64 b, u32) { return u64(u32(a) != u32(b) ? 8 : 7); }},
        {"slct", "slct.b32.s32 %ro, 3, 4, %ra;", "ro", [](u64 a, u64, u32) { return u64(i32(a) >= 0 ? 3 : 4); }},
        {"add.f32", "add.f32 %fo, %fa, %fb;", "fo", [](u64 a, u64 b, u32) { return bits(f(a) + f(b)); }},
        {"fma.rn.f32", "fma.rn.f32 %fo, %fa, %fb, 0f3F800000;", "fo",
         [](u64 a, u64 b, u32) { return bits(std::fma(f(a), f(b), 1.0f)); }},
        {"mul.ftz.f32", "mul.ftz.f32 %fo, %fa, 0f00800000; mul.ftz.f32 %fo, %fo, 0f3F000000;", "fo",
         [](u64 a, u64, u32) {
             const auto flush = [](float x) { return std::fpclassify(x) == FP_SUBNORMAL ? std::copysign(0.0f, x) : x; };
             return bits(flush(flush(flush(f(a)) * std::numeric_limits<float>::min()) * 0.5f));
         }},
        {"add.sat.f32", "add.sat.f32 %fo, %fa, %fb;", "fo",
         [](u64 a, u64 b, u32) {
             const float s = f(a) + f(b);
             return bits(s > 0 ? std::min(s, 1.0f) : 0.0f);
         }},
        {"add.rz.f32", "add.rz.f32 %fo, %fa, %fb;", "fo",
         [](u64 a, u64 b, u32) {
             float r = f(a) + f(b);
             if (std::isinf(r) && std::isfinite(f(a)) && std::isfinite(f(b)))
                 return bits(std::copysign(std::numeric_limits<float>::max(), r));
             // Knuth's two-sum gives the rounding error exactly.
             const float other = r - f(a), error = (f(a) - (r - other)) + (f(b) - other);
             if (std::isfinite(r) && error != 0 && std::signbit(error) != std::signbit(r)) r = std::nextafter(r, 0.0f);
             return bits(r);
         }},
        {"div.rn.f32", "div.rn.f32 %fo, %fa, %fb;", "fo", [](u64 a, u64 b, u32) { return bits(f(a) / f(b)); }},
        {"sqrt.rn.f64", "abs.f64 %go, %ga; sqrt.rn.f64 %go, %go;", "go",
         [](u64 a, u64, u32) { return bits(std::sqrt(std::fabs(g(a)))); }},
        {"min.f32 takes the number", "min.f32 %fo, %fa, %fb;", "fo",
         [](u64 a, u64 b, u32) {
             const float x = f(a), y = f(b);
             if (std::isnan(x)) return bits(y);
             if (std::isnan(y)) return bits(x);
             if (x == y) return bits(std::signbit(x) ? x : y);
             return bits(std::min(x, y));
         }},
        {"neg.f64", "neg.f64 %go, %ga;", "go", [](u64 a, u64, u32) { return a ^ (u64(1) << 63); }},
        {"copysign.f32", "copysign.f32 %fo, %fa, %fb;", "fo",
         [](u64 a, u64 b, u32) { return bits(std::copysign(f(b), f(a))); }},
        {"cvt.s64.s32", "cvt.s64.s32 %do, %ra;", "do", [](u64 a, u64, u32) { return u64(i64(i32(a))); }},
        {"cvt.u32.u64", "cvt.u32.u64 %ro, %da;", "ro", [](u64 a, u64, u32) { return u64(u32(a)); }},
        {"cvt.s32.s8", "cvt.s32.s8 %ro, %ra;", "ro", [](u64 a, u64, u32) { return word(std::int8_t(a)); }},
        {"cvt.u32.u8", "cvt.u32.u8 %ro, %ra;", "ro", [](u64 a, u64, u32) { return u64(std::uint8_t(a)); }},
        {"cvt.sat.s16.s32", "cvt.sat.s16.s32 %ro, %ra;", "ro",
         [](u64 a, u64, u32) { return word(std::clamp<i64>(i32(a), -32768, 32767)); }},
        {"cvt.rn.f32.s32", "cvt.rn.f32.s32 %fo, %ra;", "fo", [](u64 a, u64, u32) { return bits(float(i32(a))); }},
        {"cvt.rn.f32.u64", "cvt.rn.f32.u64 %fo, %da;", "fo", [](u64 a, u64, u32) { return bits(float(a)); }},
        {"cvt.rzi.s32.f32", "cvt.rzi.s32.f32 %ro, %fa;", "ro",
         [](u64 a, u64, u32) {
             const double x = std::trunc(double(f(a)));
             if (std::isnan(x)) return u64(0);
             return word(i64(std::clamp(x, -2147483648.0, 2147483647.0)));
         }},
        {"cvt.rni.f32.f32", "cvt.rni.f32.f32 %fo, %fa;", "fo",
         [](u64 a, u64, u32) { return bits(std::nearbyint(f(a))); }},
        {"cvt.rmi.s64.f64", "cvt.rmi.s64.f64 %do, %ga;", "do",
         [](u64 a, u64, u32) {
             const double x = std::floor(g(a));
             if (std::isnan(x)) return u64(1) << 63;
             if (x >= 9223372036854775808.0) return u64(std::numeric_limits<i64>::max());
             if (x < -9223372036854775808.0) return u64(std::numeric_limits<i64>::min());
             return u64(i64(x));
         }},
        {"cvt f32 f16 and back", "{ .reg .b16 %h; cvt.rn.f16.f32 %h, %fa; cvt.f32.f16 %fo, %h; }", "fo",
         [](u64 a, u64, u32) {
             const float x = f(a);
             return bits(std::isnan(x) ? std::bit_cast<float>(0x7fffe000u) : float(_Float16(x)));
         }},
        {"cvt.rn.bf16.f32", "{ .reg .b16 %h; cvt.rn.bf16.f32 %h, %fa; cvt.u32.u16 %ro, %h; }", "ro",
         [](u64 a, u64, u32) {
             const u32 b = u32(a);
             if (std::isnan(f(a))) return u64(0x7fff);
             return u64((b + 0x7fff + (b >> 16 & 1)) >> 16 & 0xffff);
         }},
        {"add.f16x2", "{ .reg .b32 %x, %y; mov.b32 %x, 0x3c004000; mov.b32 %y, 0x3800c000; add.f16x2 %ro, %x, %y; }",
         "ro", [](u64, u64, u32) { return u64(0x3e000000); }},
        {"mov pack and unpack",
         "mov.b64 %do, {%ra, %rb}; { .reg .b32 %x, %y; mov.b64 {%x, %y}, %do; sub.u32 %ro, %y, %x; }", "ro",
         [](u64 a, u64 b, u32) { return u64(u32(b) - u32(a)); }},
        {"shfl.down", "shfl.sync.down.b32 %ro, %ra, 3, 31, -1;", "lane",
         [](u64, u64, u32 lane) { return u64(lane + 3 < 32 ? lane + 3 : lane); }},
        {"shfl.up in segments of 8", "shfl.sync.up.b32 %ro|%p, %ra, 2, 0x1800, -1; @!%p add.u32 %ro, %ro, 100;", "lane",
         [](u64, u64, u32 lane) { return u64(lane % 8 >= 2 ? lane - 2 : lane + 100); }},
        {"shfl.bfly", "shfl.sync.bfly.b32 %ro, %ra, 5, 31, -1;", "lane",
         [](u64, u64, u32 lane) { return u64(lane ^ 5); }},
        {"shfl.idx", "shfl.sync.idx.b32 %ro, %ra, 9, 31, -1;", "lane", [](u64, u64, u32) { return u64(9); }},
        {"vote.ballot", "setp.lt.u32 %p, %ra, 12; vote.sync.ballot.b32 %ro, %p, -1;", "lane",
         [](u64, u64, u32) { return u64(0xfff); }},
        {"vote.all", "setp.lt.u32 %p, %ra, 32; vote.sync.all.pred %q, %p, -1; selp.b32 %ro, 1, 0, %q;", "lane",
         [](u64, u64, u32) { return u64(1); }},
        {"match.any", "and.b32 %ro, %ra, 3; match.any.sync.b32 %ro, %ro, -1;", "lane",
         [](u64, u64, u32 lane) { return u64(0x11111111u << (lane % 4)); }},
        {"redux.add", "redux.sync.add.s32 %ro, %ra, -1;", "lane", [](u64, u64, u32) { return u64(496); }},
        {"activemask in a branch",
         "setp.lt.u32 %p, %ra, 4; mov.u32 %ro, 0; @!%p bra DONE; activemask.b32 %ro; DONE: add.u32 %ro, %ro, 0;",
         "lane", [](u64, u64, u32 lane) { return u64(lane < 4 ? 0xf : 0); }},
    };
    return list;
}

std::string programFor(const Probe& p) {
    const std::string_view result = p.result;
    std::string code = p.code;
    // "lane": the input is the lane's number.
    const bool lane = result == "lane";
    const std::string store = result == "do"   ? "st.global.u64 [%out], %do;"
                              : result == "go" ? "st.global.f64 [%out], %go;"
                              : result == "fo" ? "st.global.f32 [%out], %fo;"
                                               : "st.global.u32 [%out], %ro;";
    return std::string(R"(
.visible .entry probe(.param .u64 a, .param .u64 b, .param .u64 c) {
    .reg .b32 %ra, %rb, %ro, %t;
    .reg .b64 %da, %db, %do, %out, %pa, %pb, %o;
    .reg .f32 %fa, %fb, %fo;
    .reg .f64 %ga, %gb, %go;
    .reg .pred %p, %q;
    ld.param.u64 %pa, [a]; ld.param.u64 %pb, [b]; ld.param.u64 %out, [c];
    mov.u32 %t, %tid.x; mul.wide.u32 %o, %t, 8;
    add.u64 %pa, %pa, %o; add.u64 %pb, %pb, %o; add.u64 %out, %out, %o;
    ld.global.u64 %da, [%pa]; ld.global.u64 %db, [%pb];
    ld.global.u32 %ra, [%pa]; ld.global.u32 %rb, [%pb];
    ld.global.f32 %fa, [%pa]; ld.global.f32 %fb, [%pb];
    ld.global.f64 %ga, [%pa]; ld.global.f64 %gb, [%pb];
)") + (lane ? "    mov.u32 %ra, %laneid;\n    " : "    ") +
           code + "\n    " + store + "\n    ret;\n}\n";
}

/// Values at the edges of every format, then plain ones.
std::vector<u64> inputs(bool second) {
    std::vector<u64> v = {0,
                          1,
                          0xffffffff,
                          0x80000000,
                          0x7fffffff,
                          31,
                          32,
                          33,
                          0x3f800000,
                          0xbf800000,
                          0x7f800000,
                          0xff800000,
                          0x7fc00000,
                          0x00000001,
                          0x80000001,
                          0x007fffff,
                          0x33333333,
                          0x4b000001,
                          0xcf000000,
                          0x3f000000,
                          0xc0200000,
                          0x0000000000000005,
                          0x8000000000000000,
                          0x7fffffffffffffff,
                          0x3ff0000000000000,
                          0xc3e0000000000000,
                          0x7ff8000000000000,
                          0x4009e3779b97f4a7,
                          0x9e3779b97f4a7c15,
                          0x0123456789abcdef,
                          0x00ff00ff,
                          0x41200000};
    if (second) {
        std::rotate(v.begin(), v.begin() + 7, v.end());
        v[3] = 0x80000000;
    }
    return v;
}

} // namespace

class TestProbes : public QObject {
    Q_OBJECT
private slots:
    void matchesTheSameOperationInCpp_data() {
        QTest::addColumn<int>("index");
        for (int k = 0; k < int(probes().size()); ++k)
            QTest::newRow(probes()[std::size_t(k)].name) << k;
    }
    void matchesTheSameOperationInCpp() {
        QFETCH(int, index);
        const Probe& p = probes()[std::size_t(index)];
        PtxProgram program(programFor(p));
        if (!program.isLoaded()) return;
        const std::vector<u64> a = inputs(false), b = inputs(true);
        const u64 pa = program.buffer(a), pb = program.buffer(b), out = program.buffer(std::vector<u64>(32, 0));
        program.run("probe", {1, 1, 1}, {32, 1, 1}, pa, pb, out);
        const std::vector<u64> got = program.read<u64>(out, 32);
        for (u32 lane = 0; lane < 32; ++lane) {
            const u64 want = p.expected(a[lane], b[lane], lane);
            const bool single = std::string_view(p.result) == "fo", pair = std::string_view(p.result) == "go";
            // Which NaN comes out is not specified for arithmetic.
            if (single && std::isnan(f(want)) && std::isnan(f(got[lane]))) continue;
            if (pair && std::isnan(g(want)) && std::isnan(g(got[lane]))) continue;
            QVERIFY2(got[lane] == want, qPrintable(QString("lane %1: of 0x%2 and 0x%3 got 0x%4, expected 0x%5")
                                                       .arg(lane)
                                                       .arg(a[lane], 0, 16)
                                                       .arg(b[lane], 0, 16)
                                                       .arg(got[lane], 0, 16)
                                                       .arg(want, 0, 16)));
        }
    }

    void approximationsStayInsideTheDocumentedBounds_data() {
        QTest::addColumn<QString>("code");
        QTest::addColumn<double>("from");
        QTest::addColumn<double>("to");
        QTest::addColumn<double>("absolute");
        QTest::addColumn<double>("relative");
        // PTX ISA: rcp 1 ulp, rsqrt 2^-22.9, sqrt 2^-23, ex2 2 ulp, lg2 2^-22 absolute inside (0.5, 2),
        // sin and cos 2^-20.5 absolute inside [-pi, pi], tanh 2^-11 relative.
        QTest::newRow("rcp") << "rcp.approx.f32" << 0.01 << 1000.0 << 0.0 << 1.2e-7;
        QTest::newRow("rsqrt") << "rsqrt.approx.f32" << 0.01 << 1000.0 << 0.0 << 1.3e-7;
        QTest::newRow("sqrt") << "sqrt.approx.f32" << 0.0 << 1000.0 << 0.0 << 1.2e-7;
        QTest::newRow("ex2") << "ex2.approx.f32" << -20.0 << 20.0 << 0.0 << 2.4e-7;
        QTest::newRow("lg2") << "lg2.approx.f32" << 0.5 << 2.0 << 2.4e-7 << 0.0;
        QTest::newRow("sin") << "sin.approx.f32" << -3.14 << 3.14 << 6.8e-7 << 0.0;
        QTest::newRow("cos") << "cos.approx.f32" << -3.14 << 3.14 << 6.8e-7 << 0.0;
        QTest::newRow("tanh") << "tanh.approx.f32" << -5.0 << 5.0 << 0.0 << 4.9e-4;
    }
    void approximationsStayInsideTheDocumentedBounds() {
        QFETCH(QString, code);
        QFETCH(double, from);
        QFETCH(double, to);
        QFETCH(double, absolute);
        QFETCH(double, relative);
        const std::string line = code.toStdString() + " %fo, %fa;";
        const Probe p{"", line.c_str(), "fo", {}};
        PtxProgram program(programFor(p));
        if (!program.isLoaded()) return;
        std::vector<u64> a(32);
        for (u32 k = 0; k < 32; ++k)
            a[k] = bits(float(from + (to - from) * k / 31.0));
        const u64 pa = program.buffer(a), out = program.buffer(std::vector<u64>(32, 0));
        program.run("probe", {1, 1, 1}, {32, 1, 1}, pa, pa, out);
        const std::vector<u64> got = program.read<u64>(out, 32);
        const std::string name = code.toStdString();
        for (u32 k = 0; k < 32; ++k) {
            const double x = f(a[k]), y = f(got[k]);
            const double want = name.starts_with("rcp")     ? 1 / x
                                : name.starts_with("rsqrt") ? 1 / std::sqrt(x)
                                : name.starts_with("sqrt")  ? std::sqrt(x)
                                : name.starts_with("ex2")   ? std::exp2(x)
                                : name.starts_with("lg2")   ? std::log2(x)
                                : name.starts_with("sin")   ? std::sin(x)
                                : name.starts_with("cos")   ? std::cos(x)
                                                            : std::tanh(x);
            QVERIFY2(
                std::fabs(y - want) <= absolute + relative * std::fabs(want),
                qPrintable(
                    QString("%1(%2) gave %3, exactly %4").arg(code).arg(x).arg(y, 0, 'g', 10).arg(want, 0, 'g', 10)));
        }
    }

    void atomicsReturnTheOldValueLaneByLane() {
        PtxProgram program(R"(
.visible .entry probe(.param .u64 sum, .param .u64 old, .param .u64 most, .param .u64 floats) {
    .reg .b32 %t, %r; .reg .b64 %a, %o, %w; .reg .f32 %f;
    ld.param.u64 %a, [sum]; ld.param.u64 %o, [old];
    mov.u32 %t, %tid.x; mul.wide.u32 %w, %t, 4; add.u64 %o, %o, %w;
    atom.global.add.u32 %r, [%a], %t; st.global.u32 [%o], %r;
    ld.param.u64 %a, [most]; red.global.max.s32 [%a], %t;
    atom.global.cas.b32 %r, [%a+4], 7, %t;
    atom.global.inc.u32 %r, [%a+8], 4;
    atom.global.exch.b32 %r, [%a+12], %t;
    ld.param.u64 %a, [floats]; mov.f32 %f, 0f3F000000; red.global.add.f32 [%a], %f;
    ret;
})");
        if (!program.isLoaded()) return;
        const u64 sum = program.buffer(std::vector<u32>{1000}), old = program.buffer(std::vector<u32>(64, 0));
        const u64 most = program.buffer(std::vector<i32>{-5, 7, 0, 0}),
                  floats = program.buffer(std::vector<float>{1.0f});
        program.run("probe", {1, 1, 1}, {64, 1, 1}, sum, old, most, floats);
        u32 running = 1000;
        const std::vector<u32> got = program.read<u32>(old, 64);
        for (u32 k = 0; k < 64; ++k) {
            QCOMPARE(got[k], running);
            running += k;
        }
        QCOMPARE(program.read<u32>(sum, 1)[0], running);
        const std::vector<i32> m = program.read<i32>(most, 4);
        QCOMPARE(m[0], 63);
        QCOMPARE(m[1], 0);      // lane 0 met the 7, the others its own number
        QCOMPARE(m[2], 64 % 5); // wraps after 4
        QCOMPARE(m[3], 63);
        QCOMPARE(program.read<float>(floats, 1)[0], 33.0f);
    }
};

KERNELARIUM_TEST(TestProbes);

} // namespace kernelarium::test

#include "TestProbes.moc"
