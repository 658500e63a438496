// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ptx/TestParser.h"

#include "tests/TestRegistry.h"
#include "tests/ptx/ParsedText.h"

using namespace kernelarium::ptx;
using namespace kernelarium::test;

namespace {

const Instruction& at(const Module& m, std::size_t instruction) {
    return m.functions.at(0).instructions.at(instruction);
}

/// Type of the register that operand `operand` of instruction `instruction` names.
Type typeOf(const Module& m, std::size_t instruction, std::size_t operand = 0) {
    const int reg = at(m, instruction).operands.at(operand).reg;
    return reg < 0 ? Type::none : m.functions.at(0).registers.at(std::size_t(reg)).type;
}

} // namespace

void TestParser::innerScopesHideOuterRegisters() {
    // Inline assembly with its own registers looks like this in NVRTC's text.
    const auto m = parsed(kernel(R"(
  .reg .b32 %r<3>; .reg .f32 p;
  mov.b32 %r1, 7;
  {
    .reg .pred p;
    setp.eq.s32 p, %r1, 7;
    { .reg .b64 p; mov.b64 p, 1; }
    @p mov.b32 %r2, 8;
  }
  mov.f32 p, 0f00000000;)"));
    QCOMPARE(typeOf(*m, 0), Type::b32);
    QCOMPARE(typeOf(*m, 1), Type::pred);
    QCOMPARE(typeOf(*m, 2), Type::b64);
    QCOMPARE(at(*m, 3).predicate, at(*m, 1).operands[0].reg);
    QCOMPARE(typeOf(*m, 4), Type::f32);
}

void TestParser::typesMayFollowTheirDirectiveAtOnce() {
    // cuda_fp16.h's hexp: no blank between the two.
    const auto m =
        parsed(kernel("{.reg.b32         f, C;\n .reg.b16         h,r;\n mov.b32 C, 0x3fb8aa3bU; mov.b32 f, C;}"));
    QCOMPARE(typeOf(*m, 0), Type::b32);
    QCOMPARE(typeOf(*m, 1), Type::b32);
    QCOMPARE(m->functions[0].registers.size(), std::size_t(4));
    QCOMPARE(m->functions[0].registers.at(2).type, Type::b16);
}

void TestParser::registersOfClosedScopesAreGone() {
    const std::string error = complaint(kernel("\n { .reg .pred q; }\n @q ret;"));
    QVERIFY2(error.find("line 7") != std::string::npos && error.find("predicate") != std::string::npos, error.c_str());
}

void TestParser::rangesKnowTheirCount() {
    const auto m =
        parsed(kernel(" .reg .b32 %r<12>, x; .reg .b64 %r1x; mov.b32 %r11, %r12; mov.b32 x, %r0; mov.b64 %r1x, 0;"));
    QCOMPARE(m->functions[0].registers.size(), std::size_t(14));
    QCOMPARE(at(*m, 0).operands[0].kind, OperandKind::reg);
    // %r12 is one past the range: no register.
    QCOMPARE(at(*m, 0).operands[1].kind, OperandKind::special);
    QCOMPARE(at(*m, 1).operands[1].reg, 0);
    QCOMPARE(typeOf(*m, 2), Type::b64);
}

void TestParser::vectorsAndPairsHoldOperands() {
    const auto m = parsed(kernel(R"( .reg .b32 %r<5>; .reg .b64 %rd<2>; .reg .pred %p<3>;
  ld.global.v4.u32 {%r1, %r2, _, %r4}, [%rd1];
  setp.lt.s32 %p1|%p2, %r1, %r2;
  mov.b64 %rd1, {%r1, 5};)"));
    const Operand& vector = at(*m, 0).operands[0];
    QCOMPARE(vector.kind, OperandKind::vector);
    QCOMPARE(vector.items.size(), std::size_t(4));
    QCOMPARE(vector.items[2].kind, OperandKind::wildcard);
    QCOMPARE(vector.items[3].reg, 4);
    QCOMPARE(at(*m, 1).operands[0].kind, OperandKind::pair);
    QCOMPARE(at(*m, 1).operands[0].items.size(), std::size_t(2));
    QCOMPARE(at(*m, 2).operands[1].items[1].bits, std::uint64_t(5));
}

void TestParser::predicatesMayBeNegated() {
    const auto m =
        parsed(kernel(" .reg .pred %p<3>; .reg .b32 %r<2>;\n@%p1 ret; @!%p2 ret; selp.b32 %r0, 1, 2, !%p1; ret;"));
    QCOMPARE(at(*m, 0).predicate, 1);
    QVERIFY(!at(*m, 0).predicateNegated);
    QCOMPARE(at(*m, 1).predicate, 2);
    QVERIFY(at(*m, 1).predicateNegated);
    QVERIFY(at(*m, 2).operands[3].negated);
    QCOMPARE(at(*m, 2).predicate, -1);
    QCOMPARE(at(*m, 3).predicate, -1);
}

void TestParser::addressesHaveOffsets() {
    const auto m = parsed(kernel(R"( .reg .b64 %rd<2>; .reg .b32 %r<2>; .shared .b8 buffer[16];
  ld.b32 %r1, [%rd1+24]; ld.b32 %r1, [%rd1+-8]; ld.b32 %r1, [%rd1-8]; ld.shared.b32 %r1, [buffer+4];
  ld.global.b32 %r1, [4096]; ld.param.u64 %rd1, [a];)"));
    const std::int64_t offsets[] = {24, -8, -8, 4, 4096, 0};
    for (std::size_t k = 0; k < 6; ++k) {
        QCOMPARE(at(*m, k).operands[1].kind, OperandKind::address);
        QCOMPARE(at(*m, k).operands[1].offset, offsets[k]);
    }
    QCOMPARE(at(*m, 0).operands[1].reg, 1);
    QCOMPARE(at(*m, 3).operands[1].variable, 0);
    QCOMPARE(at(*m, 4).operands[1].reg, -1);
    QVERIFY(at(*m, 5).operands[1].name == "a");
}

void TestParser::labelsAndTablesNameInstructions() {
    const auto m = parsed(kernel(R"( .reg .b32 %r<2>;
$L__A:
  mov.b32 %r1, 0;
table: .branchtargets $L__A, $L__B, $L__A;
  brx.idx %r1, table;
$L__B: $L__C:
  ret;)"));
    const Function& f = m->functions[0];
    QCOMPARE(f.labels.size(), std::size_t(3));
    QCOMPARE(f.labels[0].instruction, 0u);
    QCOMPARE(f.labels[1].instruction, 2u);
    QVERIFY(f.labels[2].name == "$L__C" && f.labels[2].instruction == 2);
    QCOMPARE(f.branchTables.size(), std::size_t(1));
    QCOMPARE(f.branchTables[0].targets.size(), std::size_t(3));
    QVERIFY(f.branchTables[0].targets[1] == "$L__B");
}

void TestParser::prototypesAndCallsKeepTheirShapes() {
    const auto m = parsed(kernel(R"( .reg .b64 %rd<2>;
  { .param .b32 one; .param .align 8 .b8 two[24]; .param .b32 back;
    shape: .callprototype (.param .b32 _) _ (.param .b32 _, .param .align 8 .b8 _[24]);
    call (back), %rd1, (one, two), shape; }
  call.uni quiet; ret;)"));
    const Function& f = m->functions[0];
    QCOMPARE(f.prototypes.size(), std::size_t(1));
    QCOMPARE(f.prototypes[0].results.size(), std::size_t(1));
    QCOMPARE(f.prototypes[0].parameters.size(), std::size_t(2));
    QCOMPARE(f.prototypes[0].parameters[1].bytes, std::uint64_t(24));
    QCOMPARE(at(*m, 0).operands.size(), std::size_t(4));
    QCOMPARE(at(*m, 0).operands[2].kind, OperandKind::list);
    QCOMPARE(at(*m, 0).operands[2].items[1].variable, 1);
    QVERIFY(at(*m, 1).has("uni"));
}

void TestParser::parametersMayBeArrays() {
    const auto m = parsed(R"(.func (.param .align 16 .b8 back[32]) f(.param .align 4 .b8 s[12], .param .u16 h,
   .param .u64 .ptr .global .align 16 pointer) { ret; })");
    const Function& f = m->functions[0];
    QCOMPARE(f.results[0].bytes, std::uint64_t(32));
    QCOMPARE(f.results[0].alignment, 16u);
    QCOMPARE(f.parameters[0].bytes, std::uint64_t(12));
    QCOMPARE(f.parameters[0].alignment, 4u);
    QCOMPARE(f.parameters[1].alignment, 2u);
    // The alignment after .ptr is that of the memory pointed at.
    QCOMPARE(f.parameters[2].bytes, std::uint64_t(8));
    QCOMPARE(f.parameters[2].alignment, 8u);
}

void TestParser::declarationsAndDefinitionsDiffer() {
    const auto m = parsed(R"(.extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);
.weak .func helper() .noreturn { trap; }
.visible .entry k() .maxntid 32, 4, 1 .minnctapersm 2 { ret; })");
    QCOMPARE(m->functions.size(), std::size_t(3));
    QVERIFY(!m->functions[0].isDefined && m->functions[1].isDefined && m->functions[2].isDefined);
    QVERIFY(m->functions[2].isKernel && !m->functions[1].isKernel);
    QCOMPARE(m->functions[2].maxThreads[0], 32u);
    QCOMPARE(m->functions[2].maxThreads[1], 4u);
}

void TestParser::modifiersAreSplit() {
    const auto m =
        parsed(kernel(" .reg .b64 %rd<2>; .reg .b32 %r<2>; ld.volatile.shared::cta.v2.u32 {%r0, %r1}, [%rd1];"));
    QVERIFY(at(*m, 0).opcode == "ld");
    QCOMPARE(at(*m, 0).modifiers.size(), std::size_t(4));
    QVERIFY(at(*m, 0).has("shared::cta") && at(*m, 0).has("v2") && !at(*m, 0).has("shared"));
}

void TestParser::inlinedLinesResolveToTheUser() {
    const auto m = parsed(".file 1 \"/build/kernel.cu\"\n.file 2 \"/usr/include/header.h\"\n" + kernel(R"(
  .loc 1 10 3
  .loc 2 77 9, function_name $L__info, inlined_at 1 12 5
  ret;
  .loc 2 78 9
  ret;
  .loc 1 20 1
  ret;)"));
    QCOMPARE(m->userLine(at(*m, 0).location), 12);
    QCOMPARE(m->userLine(at(*m, 1).location), 0);
    QCOMPARE(m->userLine(at(*m, 2).location), 20);
    QCOMPARE(m->userLine(-1), 0);
    QCOMPARE(m->userLine(at(*m, 1).location, "header.h"), 78);
}

void TestParser::inlinedChainsResolveToTheUser() {
    const auto m = parsed(".file 1 \"kernel.cu\"\n.file 2 \"a.h\"\n.file 3 \"b.h\"\n" + kernel(R"(
  .loc 2 5 1, function_name $L__info+4, inlined_at 1 33 2
  .loc 3 8 1, function_name $L__info+9, inlined_at 2 5 1
  ret;)"));
    QCOMPARE(m->userLine(at(*m, 0).location), 33);
}

void TestParser::sectionsAndCommentsAreSkipped() {
    const auto m = parsed("// one } line\n/* several\n lines { \n */\n.section .debug_str { .b8 1, 2 $L: .b8 3 }\n" +
                          kernel(" /* in */ ret /* between */ ; // after") + ".section .debug_loc { }\n");
    QCOMPARE(m->functions.size(), std::size_t(1));
    QCOMPARE(at(*m, 0).textLine, 10);
}

void TestParser::errorsNameTheLine_data() {
    QTest::addColumn<QString>("body");
    QTest::addColumn<int>("line");
    const auto row = [](const char* name, const std::string& body, int line) {
        QTest::newRow(name) << QString::fromStdString(body) << line;
    };
    row("missing semicolon", kernel("\n\n ret\n"), 9);
    row("missing operand", kernel("\n add.s32 1,;"), 6);
    row("unknown directive", kernel("\n .wibble x;"), 6);
    row("unknown register type", kernel("\n\n .reg .q32 %r<2>;"), 7);
    row("no closing brace", ".visible .entry k() {\n ret;\n", 6);
    row("stray module word", "\n\nret;", 6);
    row("malformed float", kernel(" mov.f32 x, 0f12;"), 5);
    row("32-bit addresses", ".address_size 32", 4);
    row("character", kernel("\n mov.b32 `x, 1;"), 6);
}

void TestParser::errorsNameTheLine() {
    QFETCH(QString, body);
    QFETCH(int, line);
    const std::string error = complaint(body.toStdString());
    QVERIFY2(error.find("PTX line " + std::to_string(line) + ":") != std::string::npos, error.c_str());
}

KERNELARIUM_TEST(TestParser);
