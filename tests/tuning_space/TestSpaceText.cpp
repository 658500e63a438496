// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "tests/tuning_space/SpaceFixture.h"

#include <QtTest>

namespace kernelarium::test {

using tuning::SpaceReading;
using tuning::TunableText;

namespace {

/// "TILE=16 of 8, 16; ..." of a text's space, or the error.
QString summary(const std::string& text) {
    const Result<TunableText> read = tuning::spaceOfText(text);
    if (!read) return QString::fromStdString(read.error().text());
    QStringList parts;
    for (const tuning::Parameter& p : read->space.parameters())
        parts << QString::fromStdString(p.name + "=" + tuning::textOf(p.values[p.start]) + " of " +
                                        tuning::listed(p.values));
    for (const tuning::Space::Restriction& r : read->space.restrictions())
        parts << "where " + QString::fromStdString(r.text);
    return parts.join("; ");
}

} // namespace

class TestSpaceText : public QObject {
    Q_OBJECT

private slots:
    void readsMarks_data();
    void readsMarks();
    void refusesExactly_data();
    void refusesExactly();
    void readsKernels();
    void tellsAllProblems();
    void readsTextsOfTenMegabytes();
    void limitsAreNamed();
    void hostileSizesAreBounded_data();
    void hostileSizesAreBounded();
};

void TestSpaceText::readsMarks_data() {
    QTest::addColumn<QString>("expected");
    const auto row = [](const char* text, const char* expected) { QTest::newRow(text) << expected; };
    row("constexpr int TILE = 16; // tune: 8, 16, 32", "TILE=16 of 8, 16, 32");
    row("static constexpr unsigned long long T = 0x10ull; // tune: 8, 16", "T=16 of 8, 16");
    row("const int T{16}; // tune: 8, 16", "T=16 of 8, 16");
    row("int const T = 1'000; // tune: 500, 1'000", "T=1000 of 500, 1000");
    row("const std::array<int, 4>::size_type T = 4; // tune: 2, 4", "T=4 of 2, 4");
    row("enum { A = 1, B = 2 }; // tune B: 2, 4", "B=2 of 2, 4");
    row("enum class E : int { A = 1 }; // tune: 1, 4", "A=1 of 1, 4");
    row("#define BLOCK 256 // tune: 128..512 step 128", "BLOCK=256 of 128, 256, 384, 512");
    row("#define BLOCK (256) /* tune: 128, 256 */", "BLOCK=256 of 128, 256");
    row("  #  define N -1 // tune: -1, 1", "N=-1 of -1, 1");
    row("#define TYPE unsigned int // tune: int, unsigned int", "TYPE=unsigned int of int, unsigned int");
    row("#define TYPE vec<4> // tune: \"vec<2>\", vec<4>", "TYPE=vec<4> of vec<2>, vec<4>");
    row("using T = std::size_t; // tune: std::size_t, int", "T=std::size_t of std::size_t, int");
    row("// tune: pow2 30..1030\nconstexpr int T = 64;", "T=64 of 32, 64, 128, 256, 512, 1024");
    row("// tune: 1, 2\n// a remark between\n\nconst int T = 2;", "T=2 of 1, 2");
    row("// tune: 1..3\nconstexpr int T =\n    2;", "T=2 of 1, 2, 3");
    row("constexpr int T =\n    2; // tune: 1..3", "T=2 of 1, 2, 3");
    row("constexpr float F = 0.5f; // tune: 0.1..0.5 step 0.1", "F=0.5 of 0.1, 0.2, 0.3, 0.4, 0.5");
    row("constexpr float F = 2.f; // tune: 1, 2, 4", "F=2.0 of 1.0, 2.0, 4.0");
    row("constexpr double F = -1e-5; // tune: -1e-5, 1E+3,", "F=-1e-05 of -1e-05, 1000.0");
    row("constexpr bool B = true; // tune: false, true", "B=true of false, true");
    row("constexpr int M = 4, N = 8; // tune M: 4, 8; N: 8, 16", "M=4 of 4, 8; N=8 of 8, 16");
    row("  #pragma unroll 4 // tune: 1, 2, 4", "unroll=4 of 1, 2, 4");
    row("#pragma GCC unroll(4) // tune U: 1, 4", "U=4 of 1, 4");
    row("__global__ void __launch_bounds__(256, 2) k() {} // tune: 128, 256", "max_threads=256 of 128, 256");
    row("__global__ void __launch_bounds__(256, 2) k() {} // tune: 128, 256; min_blocks: 1, 2",
        "max_threads=256 of 128, 256; min_blocks=2 of 1, 2");
    row("void __launch_bounds__(256) /* tune: 128, 256 */ k() {}", "max_threads=256 of 128, 256");
    row("// tune threads: 128, 256; blocks: 2, 4\n__launch_bounds__(256, 2)",
        "threads=256 of 128, 256; blocks=2 of 2, 4");
    row("__launch_bounds__(MAX(1, 2), 2) // tune: 1, 2", "min_blocks=2 of 1, 2");
    row("__launch_bounds__(/* tune: 128, 256 */ 256, /* tune B: 1, 2 */ 2)",
        "max_threads=256 of 128, 256; B=2 of 1, 2");
    row("f<<<grid, /* tune BLOCK: 128, 256 */ 256>>>(x);", "BLOCK=256 of 128, 256");
    row("template <typename T = /* tune TYPE: float, half */ float> void f();", "TYPE=float of float, half");
    row("float acc[8]; // tune ACC: 4, 8", "ACC=8 of 4, 8");
    row("int tile = 16; // tune: 8, 16", "tile=16 of 8, 16");
    row("x = a-16; // tune T: 8, 16", "T=16 of 8, 16");
    row("x = f(-16); // tune T: -16, 16", "T=-16 of -16, 16");
    row("/* tune: 8, 16 */ constexpr int T = 16;", "T=16 of 8, 16");
    row("constexpr int T = 16; // tune: 8, 16\n// tune where: T * 2 <= 16 + T, T > 0",
        "T=16 of 8, 16; where T * 2 <= 16 + T; where T > 0");
    row("constexpr int T = 16; // tune: 8, 16; where: T <= 16", "T=16 of 8, 16; where T <= 16");
    row("/* tune\n * T: 8,\n *    16   # the rest\n * where: T <= LIMIT and\n *        T > 1\n * tune registers: 0, 32\n */\n"
        "constexpr int T = 16;\nconstexpr int LIMIT = 64;",
        "T=16 of 8, 16; registers=0 of 0, 32; where T <= LIMIT; where T > 1");
    row("// tune registers = 64: 0, 32, 64", "registers=64 of 0, 32, 64");
    row("// tune fast_math: false, true", "fast_math=false of false, true");
    row("/** tune registers: 0, 32 */", "registers=0 of 0, 32");
    row("/// tune registers: 0, 32", "registers=0 of 0, 32");
    row("constexpr int T = 16; // tune: 8, 16 # 8 spills; more", "T=16 of 8, 16");
    row("constexpr int T = 16; // tune: 8, \\\n  16", "T=16 of 8, 16");
    row("#define T \\\n  16 // tune: 8, 16", "T=16 of 8, 16");
    row("constexpr int T = 16; // tune: 8, 16\r\nconst int U = 1; // tune: 1, 2\r\n", "T=16 of 8, 16; U=1 of 1, 2");
    row("/* tune\r\n  T: 8, 16\r\n  where: T > 1\r\n*/\r\nconst int T = 16;\r\n", "T=16 of 8, 16; where T > 1");
    row("using T = float; // tune: float, int\n// tune where: T == float or T == int",
        "T=float of float, int; where T == float or T == int");
    row("const int T = 2; // tune: 2, 3\n// tune where: T > 1 and T < 9 or T == 7, (T > 0 and T < 8) && !(T == 5)",
        "T=2 of 2, 3; where T > 1 and T < 9 or T == 7; where (T > 0 and T < 8); where !(T == 5)");
    // Places that hold no mark: strings, raw strings, characters, comments within strings, prose.
    row("const char* s = \"// tune: 8\"; const int T = 1; // tune: 1, 2", "T=1 of 1, 2");
    row("auto s = R\"x(\nconstexpr int T = 3; // tune: 9\n)x\"; constexpr int T = 1; // tune: 1, 2", "T=1 of 1, 2");
    row("char c = '\"'; const int T = 1; // tune: 1, 2 \"",
        "Line 1, column 46: A quotation begins here and does not end "
        "in its line. Close it.");
    row("/* constexpr int T = 3; // tune: 9 */ const int T = 1; // tune: 1, 2", "T=1 of 1, 2");
    row("// see: tune: 9\n// tune this later\n/* tune it */\n// tuned: 8\nconst int T = 1; // tune: 1, 2",
        "T=1 of 1, 2");
    row("#ifndef T\n#define T 16 // tune: 8, 16\n#endif", "T=16 of 8, 16");
    row("void f(const int a = 4, int b = 3);\nconstexpr int T = 16; // tune: 8, 16", "T=16 of 8, 16");
}

void TestSpaceText::readsMarks() {
    QFETCH(QString, expected);
    QCOMPARE(summary(QTest::currentDataTag()), expected);
}

void TestSpaceText::refusesExactly_data() {
    QTest::addColumn<QString>("message");
    const auto row = [](const char* text, const char* message) { QTest::newRow(text) << message; };
    row("", "Nothing in the text is marked");
    row("int x; // tunes: 3", "Nothing in the text is marked");
    row("constexpr int T = 16; // tune: 8, 32",
        "Line 1, column 30: `T` is 16 in the text, which is not among its values 8, 32. "
        "Add it to the list, or make the text one of them.");
    row("\n\n  constexpr int T = 16; // tune: 8 16",
        "Line 3, column 36: After a value comes a comma, and here is `16`.");
    row("const int T = 16; // tune: ", "No values are listed");
    row("const int T = 16; // tune 8, 16", "Line 1, column 27: Here a name should stand, or a colon, not `8`.");
    row("const int T = 16; // tune pow2 8..16", "After `pow2` comes a colon");
    row("const int T = 16; // tune: 8, 16, 8", "`8` is listed twice");
    row("const int T = 16; // tune: 8..32 step 8, 16", "`16` is listed twice");
    row("const float T = 1.f; // tune: 1, 1.0", "`1.0` is listed twice");
    row("const int T = 16; // tune: 32..8", "The range 32..8 is empty. The smaller number comes first.");
    row("const int T = 16; // tune: pow2 33..63", "There is no power of two in the range 33..63");
    row("const int T = 16; // tune: pow2 0.5..64", "`pow2` goes over integers");
    row("const int T = 16; // tune: pow2 16", "After `pow2` comes a range");
    row("const int T = 16; // tune: 8..16 step 0", "The step 0 leads nowhere");
    row("const int T = 16; // tune: 8..16 step -4", "The step -4 leads nowhere");
    row("const int T = 16; // tune: 1..9223372036854775807", "more than 65536 values");
    row("const int T = 16; // tune: -9223372036854775807..9223372036854775807 step 9223372036854775807",
        "`T` is 16 in the text, which is not among its values -9223372036854775807, 0, 9223372036854775807");
    row("const float T = 1.f; // tune: 0.0..1.0 step 1e-9", "more than 65536 values");
    row("const float T = 1.f; // tune: 1e999", "`1e999` is out of a double's range");
    row("const int T = 16; // tune: 99999999999999999999", "is larger than 9223372036854775807");
    row("const int T = 16; // tune: 8...16", "The range 8..0.16 is empty");
    row("const int T = 16; // tune: float..8", "is no value");
    row("const int T = 16; // tune: 8, float", "`8` and `float` are not of one kind");
    row("const int T = 16; // tune: 8, true", "`8` and `true` are not of one kind");
    row("const int T = 16; // tune: 0.5, 16", "The text has the integer `16` there, and `0.5` cannot stand");
    row("const int T = 16; // tune: int, float", "The text has the integer `16` there, and `int` cannot stand");
    row("const bool T = true; // tune: 0, 1", "The text has the boolean `true` there");
    row("const int T = 16; // tune: [8, 16]", "Here a value should stand, not `[`");
    row("const int T = 16; // tune: \"a; b()\"", "cannot stand in the text");
    row("const int T = 16; // tune: \"a // b\"", "cannot stand in the text");
    row("const int T = 16; // tune: x\xc3\xa4", "is no value");
    row("const int T = 16; // tune U: 8, 16", "The line sets `T`, and nothing in the text is named `U`");
    row("const int T = 16; // tune T = 8: 8, 16", "The text itself says what `T` is");
    row("int f(int x); // tune: 8, 16", "Line 1, column 22: No literal stands where this mark points");
    row("int f(int x); // tune N: 8, 16", "No constant of the text is named `N`");
    row("// tune: 8, 16", "No literal stands where this mark points");
    row("const int T = 2 * N; // tune: 8, 16", "`T` is `2 * N` in the text, which is no literal");
    row("#define T (2 * N) // tune: 8, 16", "`T` is `(2 * N)` in the text, which is no literal");
    row("#define T \"abc\" // tune: 8, 16", "which is no literal");
    row("#define F(x) 3 // tune: 3, 4", "The number that this marks has no name");
    row("x = 18446744073709551615u; // tune T: 1, 2", "No constant of the text is named `T`");
    row("float a[8]; // tune: 4, 8", "The number that this marks has no name. Give it one: `tune NAME: ...`.");
    row("dim3 b(16, 16); // tune T: 8, 16", "The line has 2 numbers. Mark the one that is meant: /* tune T: ... */");
    row("const int M = 4, N = 8; // tune: 4, 8", "The line names `M` and `N`. Say which is meant: `tune M: ...`.");
    row("const int T = 16; // tune: 8, 16\n#pragma unroll 4 // tune T: 2, 4",
        "Line 2, column 26: `T` is defined on line 1, not here");
    row("#ifdef A\n#define T 8\n#else\n#define T 16\n#endif\n// tune T: 8, 16\n",
        "Line 6, column 9: `T` is defined on lines 2 and 4");
    row("const int T = 16; // tune: 8, 16; T: 8, 16", "is marked on line 1 already");
    row("#pragma unroll 4 // tune: 2, 4\n\n#pragma unroll 4 // tune: 2, 4",
        "Line 3, column 25: `unroll` is the name of a parameter on line 1 already. Give this one a name of its own");
    row("const int registers = 16; // tune: 16, 32", "is a word of the marks");
    row("// tune registers: 0, 8", "registers is 0 for no cap or a number from 16 to 255, not `8`");
    row("// tune registers: 0, 300", "not `300`");
    row("// tune registers = 16: 0, 32", "`registers` is 16 in the text, which is not among its values");
    row("// tune registers 0, 32", "After `registers` comes a colon, and here is `0`");
    row("// tune fast_math: 0, 1", "fast_math is false or true, not `0`");
    row("// tune registers: 0, 32\n// tune registers: 0, 64", "is the name of a parameter on line 1 already");
    row("const int T = 1; // tune: 1, 2\n// tune where: U < 3",
        "Line 2, column 16: `U` is no parameter. Parameters are: T.");
    row("const int T = 1; // tune: 1, 2\n// tune where: ", "No condition follows");
    row("const int T = 1; // tune: 1, 2\n// tune where: T = 3",
        "Line 2, column 18: The condition does not go on with `=`. Equality is `==`.");
    row("const int T = 1; // tune: 1, 2\n// tune where: T & 1", "does not go on with `&`");
    row("const int T = 1; // tune: 1, 2\n// tune where: T > 1",
        "Line 2, column 9: The text as it stands is forbidden by `T > 1`");
    row("const int T = 0; // tune: 0, 1\n// tune where: 4 / T > 1", "is forbidden by `4 / T > 1`");
    row("/* tune\n T: 8, 16\n oops\n*/ const int T = 16;",
        "Line 3, column 6: After `oops` comes a colon, and here is the line's end");
    row("/* tune T: 8, 16", "No constant of the text is named `T`");
    row("const int where = 1; // tune: 1, 2", "is a word of the marks");
}

void TestSpaceText::refusesExactly() {
    QFETCH(QString, message);
    const QString answer = firstProblem(QTest::currentDataTag());
    QVERIFY2(answer.contains(message), qPrintable(answer));
}

void TestSpaceText::readsKernels() {
    QCOMPARE(summary(tunableKernel("matmul_tiles")),
             "registers=0 of 0, 32, 64, 128; TILE=16 of 8, 16, 32, 64; ROWS=2 of 1, 2, 4, 8, 16; PAD=1 of 0, 1; "
             "min_blocks=1 of 1, 2; UNROLL=4 of 1, 2, 4, 8; where TILE % ROWS == 0; "
             "where TILE * TILE / ROWS <= MAX_THREADS; where TILE * TILE / ROWS >= 32");
    QCOMPARE(summary(tunableKernel("softmax_rows")),
             "THREADS=256 of 128, 256, 384, 512, 640, 768, 896, 1024; Vector=float4 of float, float2, float4; "
             "EXACT=true of false, true; FLOOR=-1e+30 of -1e+30, -3e+38; fast_math=false of false, true; "
             "where THREADS <= 512 or Vector != float");
    QCOMPARE(summary(tunableKernel("relu_marked")),
             "threads=256 of 128, 256, 512; blocks=2 of 1, 2, 4; unroll=2 of 1, 2, 4; ITEMS=2 of 1, 2, 4; "
             "GRID=264 of 132, 264, 1056");
    for (const char* name : {"matmul_tiles", "softmax_rows", "relu_marked"}) {
        const Result<TunableText> read = tuning::spaceOfText(tunableKernel(name));
        QVERIFY(read.ok());
        const std::uint64_t allowed = countedOneByOne(read->space);
        QVERIFY(allowed > 0);
        QCOMPARE(read->space.countAllowed(100'000), std::optional(allowed));
    }
    // 16 of the 20 pairs of TILE and ROWS are integral; 8: 64, 32, .. threads; 16: 256 .. 16; 32: 1024 .. 64; 64: 1024
    // .. 256
    QCOMPARE(tuning::spaceOfText(tunableKernel("matmul_tiles"))->space.countAllowed(100'000),
             std::optional(std::uint64_t((2 + 4 + 5 + 3) * 4 * 2 * 2 * 4)));
}

void TestSpaceText::tellsAllProblems() {
    const std::string text = "const int A = 1; // tune: 2\n"
                             "const int B = 1; // tune: 1, 2\n"
                             "const int C = 1; // tune: 1,, 2\n"
                             "// tune where: A < 3, Q < 3\n"
                             "/* tune B: 1\n where: B > 0 */\n";
    const SpaceReading reading = tuning::readSpaceText(text);
    QVERIFY(!reading.tunable);
    QCOMPARE(reading.problems.size(), 3u); // of A, C and the second B; A in the condition is a consequence
    QCOMPARE(reading.parameters.size(), 1u);
    QCOMPARE(reading.marks.size(), 5u);
    QCOMPARE(reading.marks[4].firstLine, 5u);
    QCOMPARE(reading.marks[4].lastLine, 6u);
    QCOMPARE(text.substr(reading.marks[0].begin, reading.marks[0].end - reading.marks[0].begin), "// tune: 2");
    QCOMPARE(reading.spots.size(), 1u);
    QCOMPARE(text.substr(reading.spots[0].begin - 4, 5), "B = 1");
    for (const tuning::TextProblem& problem : reading.problems)
        QVERIFY(problem.begin <= problem.end && problem.end <= text.size());
}

void TestSpaceText::readsTextsOfTenMegabytes() {
    std::string text = tunableKernel("matmul_tiles");
    const std::string filling = "constexpr int other = 3; /* a remark */ float values[] = {1.0f, 2.0f}; // and one\n";
    while (text.size() < 10'000'000)
        text += filling;
    QCOMPARE(summary(text), summary(tunableKernel("matmul_tiles")));
    text.resize(17 << 20, ' ');
    QVERIFY(firstProblem(text).contains("more than 16 MiB"));
}

void TestSpaceText::limitsAreNamed() {
    const auto marked = [](int count, const char* values) {
        std::string text;
        for (int i = 0; i < count; ++i)
            text += "const int P" + std::to_string(i) + " = 1; // tune: " + values + "\n";
        return text;
    };
    QCOMPARE(firstProblem(marked(256, "1")), "");
    QVERIFY(firstProblem(marked(257, "1")).contains("Line 257, column 28: The text has more than 256 parameters"));
    QCOMPARE(firstProblem(marked(63, "1, 2")), "");
    QVERIFY(firstProblem(marked(64, "1, 2")).contains("2^64 points or more"));
    QVERIFY(firstProblem(marked(17, "1..65536")).contains("more than 1,048,576 values in all"));
    std::string conditions = marked(1, "1");
    for (int i = 0; i < 1001; ++i)
        conditions += "// tune where: P0 > 0\n";
    QVERIFY(firstProblem(conditions).contains("more than 1000 restrictions"));
    QVERIFY(firstProblem(marked(1, "1") + "// tune where: P0 >" + std::string(2 << 20, ' ') + "0\n")
                .contains("more than 1 MiB of text"));
    QVERIFY(tuning::readSpaceText(marked(500, "2")).problems.size() <= 101);
}

void TestSpaceText::hostileSizesAreBounded_data() {
    QTest::addColumn<QByteArray>("part");
    QTest::addColumn<QByteArray>("head");
    const auto row = [](const char* part, const char* head = "const int T = 1; // tune: 1, 2\n") {
        QTest::newRow(part) << QByteArray(part) << QByteArray(head);
    };
    row("const a=1,");
    row("const ");
    row("enum{");
    row("enum{A=1,");
    row("using a=");
    row("#define A 1\n");
    row("((((((((", "");
    row("// tune: 1..65536\n");
    row("/* tune A: 1..65536; B: 1..65536 */");
    row("/* tune: 1, 2 */ 1 ");
    row("// tune where: T > 0\n");
    row("1, ", "/* tune T: ");
    row("A: 1..60000; ", "/* tune ");
    row("(", "const int T = 1; // tune: 1, 2; where: ");
    row("T+", "const int T = 1; // tune: 1, 2; where: 1 < ");
    row("/", "");
    row("/*", "");
    row("\\\n", "// tune: ");
    row("R\"(", "");
    row("__launch_bounds__(1,", "// tune: 1\n");
    row("-", "// tune: 1\nx = ");
}

void TestSpaceText::hostileSizesAreBounded() {
    QFETCH(QByteArray, part);
    QFETCH(QByteArray, head);
    const std::string text = (head + part.repeated(6'000'000 / part.size())).toStdString();
    const SpaceReading reading = tuning::readSpaceText(text); // ends, within bounds
    QVERIFY(reading.problems.size() <= 200);
    for (const tuning::TextProblem& problem : reading.problems)
        QVERIFY(problem.begin <= problem.end && problem.end <= text.size() && problem.message.size() < 2000);
}

} // namespace kernelarium::test

KERNELARIUM_TEST(kernelarium::test::TestSpaceText);
#include "TestSpaceText.moc"
