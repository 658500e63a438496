// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ptx/TestVariables.h"

#include "gpu/ptx/ParserBase.h"
#include "tests/TestRegistry.h"
#include "tests/ptx/ParsedText.h"

#include <bit>
#include <cstring>

using namespace kernelarium::ptx;
using namespace kernelarium::test;

namespace {

template <class T> T valueAt(const Variable& v, std::size_t index) {
    T value{};
    if ((index + 1) * sizeof(T) <= v.initial.size())
        std::memcpy(&value, v.initial.data() + index * sizeof(T), sizeof(T));
    return value;
}

} // namespace

void TestVariables::bytesAndWordsAreLittleEndian() {
    const auto m =
        parsed(".global .align 1 .b8 text[6] = {72, 105, 0x21, 0};\n.const .align 8 .u32 words[2] = {0x01020304, 5};");
    const std::vector<std::uint8_t> hi{72, 105, 33, 0, 0, 0};
    QVERIFY(m->variables[0].initial == hi);
    QCOMPARE(m->variables[1].space, Space::constant);
    QCOMPARE(m->variables[1].alignment, 8u);
    QCOMPARE(m->variables[1].initial[0], std::uint8_t(4));
    QCOMPARE(valueAt<std::uint32_t>(m->variables[1], 1), 5u);
}

void TestVariables::floatsKeepTheirBits() {
    const auto m =
        parsed(".global .f32 a[3] = {0f3F800000, 0.5, -2.0};\n.global .f64 b[2] = {0d4000000000000000, 1.25};");
    QCOMPARE(valueAt<float>(m->variables[0], 0), 1.0f);
    QCOMPARE(valueAt<float>(m->variables[0], 1), 0.5f);
    QCOMPARE(valueAt<float>(m->variables[0], 2), -2.0f);
    QCOMPARE(valueAt<double>(m->variables[1], 0), 2.0);
    QCOMPARE(valueAt<double>(m->variables[1], 1), 1.25);
}

void TestVariables::negativeValues() {
    const auto m = parsed(
        ".global .s32 a = -5;\n.global .s64 b = -1;\n.global .s16 c[2] = {-32768, 3};\n.global .f32 d = -0f3F800000;");
    QCOMPARE(valueAt<std::int32_t>(m->variables[0], 0), -5);
    QCOMPARE(valueAt<std::int64_t>(m->variables[1], 0), std::int64_t(-1));
    QCOMPARE(valueAt<std::int16_t>(m->variables[2], 0), std::int16_t(-32768));
    QCOMPARE(valueAt<float>(m->variables[3], 0), -1.0f);
}

void TestVariables::addressesBecomeRelocations() {
    const auto m = parsed(R"(.global .b32 x;
.global .u64 p[4] = {x, generic(x)+4, x+8, 7};
.global .b8 q[2] = {0xFF(x), 0xFF00(x)};)");
    const auto& p = m->variables[1].relocations;
    QCOMPARE(p.size(), std::size_t(3));
    QVERIFY(p[0].symbol == "x" && p[0].offset == 0 && p[0].addend == 0 && p[0].bytes == 8);
    QVERIFY(p[1].symbol == "x" && p[1].offset == 8 && p[1].addend == 4);
    QVERIFY(p[2].offset == 16 && p[2].addend == 8);
    QCOMPARE(valueAt<std::uint64_t>(m->variables[1], 3), std::uint64_t(7));
    const auto& q = m->variables[2].relocations;
    QCOMPARE(q.size(), std::size_t(2));
    QCOMPARE(q[0].bytes, 0x100u);
    QVERIFY(q[1].bytes == 0x101u && q[1].offset == 1);
}

void TestVariables::nestedArraysFillInOrder() {
    const auto m = parsed(".global .u16 a[2][3] = {{1, 2, 3}, {4, 5, 6}};");
    QCOMPARE(m->variables[0].bytes, std::uint64_t(12));
    for (std::size_t k = 0; k < 6; ++k)
        QCOMPARE(valueAt<std::uint16_t>(m->variables[0], k), std::uint16_t(k + 1));
}

void TestVariables::externSharedIsUnsized() {
    const auto m = parsed(".extern .shared .align 16 .b8 dynamic[];\n" +
                          kernel(" .shared .align 4 .f32 own[8]; .local .align 16 .b8 depot[64]; ret;"));
    QVERIFY(m->variables[0].isUnsized && m->variables[0].isExtern);
    QCOMPARE(m->variables[0].alignment, 16u);
    QCOMPARE(m->functions[0].variables[0].bytes, std::uint64_t(32));
    QCOMPARE(m->functions[0].variables[1].space, Space::local);
}

void TestVariables::declarationsMayNameSeveral() {
    const auto m = parsed(".visible .global .v4 .f32 a, b[2];\n.global .attribute(.managed) .b32 c;");
    QCOMPARE(m->variables.size(), std::size_t(3));
    QCOMPARE(m->variables[0].bytes, std::uint64_t(16));
    QCOMPARE(m->variables[0].alignment, 16u);
    QCOMPARE(m->variables[1].bytes, std::uint64_t(32));
    QVERIFY(m->variables[2].name == "c");
}

void TestVariables::tooManyValuesAreRefused() {
    const std::string error = complaint("\n.global .b8 a[2] = {1, 2, 3};");
    QVERIFY2(error.find("line 5") != std::string::npos, error.c_str());
}

void TestVariables::numbers_data() {
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<quint64>("bits");
    QTest::addColumn<int>("form"); // 0 integer, 1 float, 2 double
    const auto row = [](const char* text, std::uint64_t bits, int form) {
        QTest::newRow(text) << QByteArray(text) << quint64(bits) << form;
    };
    row("0", 0, 0);
    row("42", 42, 0);
    row("42U", 42, 0);
    row("0x1F", 31, 0);
    row("0xffffffffffffffff", ~0ull, 0);
    row("0XfU", 15, 0);
    row("017", 15, 0);
    row("0b101", 5, 0);
    row("18446744073709551615", ~0ull, 0);
    row("0f3F800000", 0x3f800000, 1);
    row("0Fff7fffff", 0xff7fffff, 1);
    row("0d3FF0000000000000", 0x3ff0000000000000, 2);
    row("1.5", std::bit_cast<std::uint64_t>(1.5), 2);
    row("2.5e-3", std::bit_cast<std::uint64_t>(2.5e-3), 2);
    row("1E10", std::bit_cast<std::uint64_t>(1e10), 2);
}

void TestVariables::numbers() {
    QFETCH(QByteArray, text);
    QFETCH(quint64, bits);
    QFETCH(int, form);
    const auto literal = parseLiteral(text.toStdString());
    QVERIFY(literal.has_value());
    QCOMPARE(quint64(literal->bits), bits);
    QCOMPARE(literal->isFloat32, form == 1);
    QCOMPARE(literal->isFloat64, form == 2);
}

void TestVariables::notNumbers_data() {
    QTest::addColumn<QByteArray>("text");
    for (const char* text :
         {"", "U", "0x", "0xg", "0f3F8", "0d3FF0", "0f3F8000000", "08", "0b2", "1.5.2", "12ab", "18446744073709551616"})
        QTest::newRow(*text ? text : "nothing") << QByteArray(text);
}

void TestVariables::notNumbers() {
    QFETCH(QByteArray, text);
    QVERIFY(!parseLiteral(text.toStdString()).has_value());
}

KERNELARIUM_TEST(TestVariables);
