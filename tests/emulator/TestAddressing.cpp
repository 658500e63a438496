// SPDX-License-Identifier: GPL-3.0-or-later
//
// Loads and stores of every width, generic addresses, variables and struct parameters.
#include "tests/TestRegistry.h"
#include "tests/emulator/PtxProgram.h"

#include <QTest>

using namespace kernelarium::emulator;
using namespace kernelarium::test;

class TestAddressing : public QObject {
    Q_OBJECT
private slots:
    void narrowLoadsAreExtended();
    void vectorsMoveElementwise();
    void genericAddressesReachEveryWindow();
    void variablesHoldTheirInitialValues();
    void structParametersAreReadByBytes();
    void dynamicSharedStartsAfterStatic();
    void localMemoryIsPrivate();
};

void TestAddressing::narrowLoadsAreExtended() {
    PtxProgram p(R"(
.visible .entry k(.param .u64 in, .param .u64 out)
{ .reg .b32 %r<8>; .reg .b16 %h<3>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  ld.global.u8 %r1, [%rd1]; ld.global.s8 %r2, [%rd1]; ld.global.u16 %r3, [%rd1+2]; ld.global.s16 %r4, [%rd1+2];
  ld.global.s8 %h1, [%rd1]; cvt.u32.u16 %r5, %h1; ld.global.s32 %rd3, [%rd1+4];
  st.global.u32 [%rd2], %r1; st.global.u32 [%rd2+4], %r2; st.global.u32 [%rd2+8], %r3; st.global.u32 [%rd2+12], %r4;
  st.global.u32 [%rd2+16], %r5; st.global.u8 [%rd2+20], %r3; st.global.u16 [%rd2+22], %r5; st.global.u64 [%rd2+24], %rd3;
  ret; })");
    const auto in = p.buffer(std::vector<std::uint8_t>{0x80, 0, 0xfe, 0xff, 0, 0, 0, 0x80});
    const auto out = p.uninitialised(32);
    QVERIFY(p.memory().fill(out, 32, 0x11).ok());
    p.run("k", {1, 1, 1}, {32, 1, 1}, in, out);
    QVERIFY((p.read<std::uint32_t>(out, 8) == std::vector<std::uint32_t>{0x80, 0xffffff80, 0xfffe, 0xfffffffe, 0xff80,
                                                                         0xff8011fe, 0x80000000, 0xffffffff}));
}

void TestAddressing::vectorsMoveElementwise() {
    PtxProgram p(R"(
.visible .entry k(.param .u64 in, .param .u64 out)
{ .reg .b32 %r<8>; .reg .b16 %h<5>; .reg .b64 %rd<8>;
  ld.param.u64 %rd1, [in]; ld.param.u64 %rd2, [out];
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd3, %r1, 16; add.s64 %rd1, %rd1, %rd3; add.s64 %rd2, %rd2, %rd3;
  ld.global.v4.u32 {%r1, %r2, %r3, %r4}, [%rd1];
  st.global.v2.u32 [%rd2], {%r4, %r3};
  ld.global.v4.u16 {%h1, %h2, %h3, %h4}, [%rd1];
  st.global.v4.u16 [%rd2+8], {%h3, %h4, %h1, %h2};
  ld.global.v2.u64 {%rd4, %rd5}, [%rd1];
  st.global.v2.u64 [%rd1], {%rd5, %rd4};
  ret; })");
    std::vector<std::uint32_t> values(33 * 4);
    for (std::size_t k = 0; k < values.size(); ++k)
        values[k] = std::uint32_t(k * 0x01010101u + 7);
    const auto in = p.buffer(values);
    const auto out = p.uninitialised(values.size() * 4);
    p.run("k", {1, 1, 1}, {33, 1, 1}, in, out);
    const auto got = p.read<std::uint32_t>(out, values.size());
    const auto swapped = p.read<std::uint32_t>(in, values.size());
    for (std::size_t k = 0; k < values.size(); k += 4) {
        QVERIFY(got[k] == values[k + 3] && got[k + 1] == values[k + 2] && got[k + 2] == values[k + 1] &&
                got[k + 3] == values[k]);
        QVERIFY(swapped[k] == values[k + 2] && swapped[k + 3] == values[k + 1]);
    }
}

void TestAddressing::genericAddressesReachEveryWindow() {
    PtxProgram p(R"(
.global .align 4 .u32 g = 40;
.const .align 4 .u32 c = 50;
.visible .entry k(.param .u64 out)
{ .shared .align 4 .b8 s[256]; .local .align 8 .b8 l[16]; .reg .b32 %r<8>; .reg .b64 %rd<12>; .reg .pred %p<5>;
  ld.param.u64 %rd1, [out]; cvta.to.global.u64 %rd1, %rd1;
  mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4;
  mov.u64 %rd3, s; cvta.shared.u64 %rd4, %rd3; add.s64 %rd4, %rd4, %rd2;
  mov.u64 %rd5, l; cvta.local.u64 %rd6, %rd5;
  mov.u64 %rd7, g; cvta.global.u64 %rd8, %rd7;
  mov.u64 %rd9, c; cvta.const.u64 %rd10, %rd9;
  st.u32 [%rd4], %r1;
  add.u32 %r2, %r1, 1000; st.u32 [%rd6+4], %r2;
  setp.lt.u32 %p1, %r1, 8; selp.b64 %rd11, %rd4, %rd6, %p1;
  setp.ge.u32 %p2, %r1, 16; selp.b64 %rd11, %rd8, %rd11, %p2; @!%p2 bra near;
  bra there;
near: setp.lt.u32 %p3, %r1, 8; @%p3 bra there; add.s64 %rd11, %rd11, 4;
there: setp.ge.u32 %p3, %r1, 24; selp.b64 %rd11, %rd10, %rd11, %p3;
  ld.u32 %r3, [%rd11];
  add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r3;
  isspacep.shared %p4, %rd4; @!%p4 trap;
  cvta.to.shared.u64 %rd11, %rd4; cvt.u32.u64 %r4, %rd11; ld.shared.u32 %r5, [%r4];
  setp.ne.u32 %p4, %r5, %r1; @%p4 trap;
  ret; })");
    const auto out = p.uninitialised(32 * 4);
    p.run("k", {1, 1, 1}, {32, 1, 1}, out);
    const auto got = p.read<std::uint32_t>(out, 32);
    for (std::uint32_t k = 0; k < 32; ++k)
        QCOMPARE(got[k], k < 8 ? k : k < 16 ? k + 1000 : k < 24 ? 40u : 50u);
}

void TestAddressing::variablesHoldTheirInitialValues() {
    PtxProgram p(R"(
.const .align 4 .f32 table[3] = {0f3F800000, 0.5, -2.0};
.global .align 4 .u32 zero[2];
.global .align 8 .u64 pointer = generic(table)+8;
.visible .entry k(.param .u64 out)
{ .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  ld.const.b32 %r1, [table+4]; ld.global.b32 %r2, [zero+4]; ld.global.u64 %rd2, [pointer]; ld.b32 %r3, [%rd2];
  st.global.b32 [%rd1], %r1; st.global.b32 [%rd1+4], %r2; st.global.b32 [%rd1+8], %r3;
  mov.b32 %r4, 9; st.global.b32 [zero], %r4;
  ret; })");
    const auto out = p.uninitialised(12);
    p.run("k", {1, 1, 1}, {1, 1, 1}, out);
    QVERIFY((p.read<float>(out, 3) == std::vector<float>{0.5f, 0.0f, -2.0f}));
    const auto& symbols = p.program().symbols();
    QCOMPARE(symbols.size(), std::size_t(3));
    QVERIFY(symbols[0].name == "table" && symbols[0].isConstant && symbols[0].bytes == 12);
    QVERIFY(symbols[1].name == "zero" && !symbols[1].isConstant);
    QCOMPARE(p.read<std::uint32_t>(symbols[1].address, 1)[0], 9u);
}

void TestAddressing::structParametersAreReadByBytes() {
    PtxProgram p(R"(
.visible .entry k(.param .u8 flag, .param .align 8 .b8 s[24], .param .u16 h, .param .u64 out)
{ .reg .b32 %r<8>; .reg .b16 %h<3>; .reg .b64 %rd<4>; .reg .f64 %fd<2>;
  ld.param.u64 %rd1, [out]; ld.param.u8 %r1, [flag]; ld.param.s8 %r2, [s+4]; ld.param.u32 %r3, [s];
  ld.param.f64 %fd1, [s+8]; ld.param.v2.u32 {%r4, %r5}, [s+16]; ld.param.u16 %h1, [h];
  st.global.u32 [%rd1], %r1; st.global.u32 [%rd1+4], %r2; st.global.u32 [%rd1+8], %r3; st.global.u32 [%rd1+12], %r5;
  st.global.f64 [%rd1+16], %fd1; cvt.u32.u16 %r6, %h1; st.global.u32 [%rd1+24], %r6; st.global.u32 [%rd1+28], %r4;
  mov.b64 %rd2, flag; add.s64 %rd3, %rd2, -64; ld.param.u32 %r7, [%rd3+72]; st.global.u32 [%rd1+32], %r7; // from before the first
  ret; })");
    struct Struct {
        std::uint32_t a = 0xabcdef01;
        std::int8_t b = -3;
        double c = 6.5;
        std::uint32_t d[2] = {11, 12};
    };
    static_assert(sizeof(Struct) == 24);
    const auto out = p.uninitialised(36);
    p.run("k", {1, 1, 1}, {1, 1, 1}, std::uint8_t(200), Struct{}, std::uint16_t(65535), out);
    const auto got = p.read<std::uint32_t>(out, 9);
    QVERIFY(got[8] == 0xabcdef01 && got[0] == 200 && got[1] == 0xfffffffd && got[2] == 0xabcdef01 && got[3] == 12 &&
            got[6] == 65535 && got[7] == 11);
    QCOMPARE(p.read<double>(out + 16, 1)[0], 6.5);
    const auto& parameters = p.program().functions()[p.function("k")].parameters;
    QVERIFY(parameters[1].offset == 8 && parameters[2].offset == 32 && parameters[3].offset == 40);
}

void TestAddressing::dynamicSharedStartsAfterStatic() {
    PtxProgram p(R"(
.extern .shared .align 16 .b8 dynamic[];
.visible .entry k(.param .u64 out)
{ .shared .align 4 .b8 fixed[20]; .reg .b32 %r<8>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; shl.b32 %r2, %r1, 2;
  mov.u32 %r3, dynamic; add.u32 %r3, %r3, %r2; st.shared.u32 [%r3], %r1;
  mov.u32 %r4, 5; st.shared.u32 [fixed+16], %r4;
  bar.sync 0;
  sub.u32 %r5, 124, %r2; mov.u32 %r6, dynamic; add.u32 %r6, %r6, %r5; ld.shared.u32 %r7, [%r6];
  cvt.u64.u32 %rd2, %r2; add.s64 %rd1, %rd1, %rd2; st.global.u32 [%rd1], %r7;
  ret; })");
    p.config.dynamicSharedBytes = 128;
    const auto out = p.uninitialised(128);
    p.run("k", {1, 1, 1}, {32, 1, 1}, out);
    const auto got = p.read<std::uint32_t>(out, 32);
    for (std::uint32_t k = 0; k < 32; ++k)
        QCOMPARE(got[k], 31 - k);
    p.config.dynamicSharedBytes = 124;
    QVERIFY(faultOf(p.launch("k", {1, 1, 1}, {32, 1, 1}, out), "out_of_bounds"));
}

void TestAddressing::localMemoryIsPrivate() {
    PtxProgram p(R"(
.visible .entry k(.param .u64 out)
{ .local .align 8 .b8 l[64]; .reg .b32 %r<8>; .reg .b64 %rd<6>;
  ld.param.u64 %rd1, [out]; mov.u32 %r1, %tid.x; mul.wide.u32 %rd2, %r1, 4; add.s64 %rd1, %rd1, %rd2;
  mov.u64 %rd3, l; and.b32 %r2, %r1, 15; mul.wide.u32 %rd4, %r2, 4; add.s64 %rd3, %rd3, %rd4;
  st.local.u32 [%rd3], %r1; ld.local.u32 %r3, [%rd3]; st.global.u32 [%rd1], %r3;
  ret; })");
    const auto out = p.uninitialised(96 * 4);
    p.run("k", {1, 1, 1}, {96, 1, 1}, out);
    const auto got = p.read<std::uint32_t>(out, 96);
    for (std::uint32_t k = 0; k < 96; ++k)
        QCOMPARE(got[k], k);
}

namespace {
KERNELARIUM_TEST(TestAddressing);
}

#include "TestAddressing.moc"
