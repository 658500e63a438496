// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/AssemblerWords.h"
#include "core/text/CompilerSettings.h"
#include "core/text/CppLiterals.h"
#include "core/text/Csv.h"
#include "core/text/Html.h"
#include "core/text/KernelName.h"
#include "core/text/UnrolledCopies.h"
#include "core/text/Utf8.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium::text;

class TestText : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void namesAreDemangled() {
        QCOMPARE(demangled("_Z5scaleIfEvPT_i"), std::string("void scale<float>(float*, int)"));
        QCOMPARE(demangled("_Zoops"), std::string("_Zoops"));
        QCOMPARE(demangled("f"), std::string("f")); // not the type float
    }

    /// What changes the code and nothing else; no word that reads or writes a file.
    void assemblerWordsAreChosen() {
        const auto words = assemblerWords({"--max-registers=64", "-O1", "--register-usage-level=10",
                                           "--allow-expensive-optimizations=false", "--def-load-cache=cg",
                                           "--def-store-cache=cs", "--dont-merge-basicblocks"});
        QVERIFY2(words.ok(), words ? "" : words.error().message.c_str());
        QCOMPARE(words->front(), std::string("-maxrregcount=64"));
        QCOMPARE(words->size(), std::size_t(7));
        for (const char* other :
             {"-O4", "-O", "--register-usage-level=11", "--register-usage-level", "--def-load-cache=cs,cg", "-o",
              "--output-file=/a", "--options-file=/a", "--max-registers=0", "--max-registers=x", "", "kernel.ptx"}) {
            const auto refused = assemblerWords({other});
            QVERIFY2(!refused && refused.error().code == "bad_input", other);
        }
        QVERIFY(assemblerWords({})->empty());
    }

    void compilerSettingsAreReadAndWritten_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("written");
        const auto row = [](const char* line, const char* written) {
            QTest::newRow(line) << QByteArray(line) << QByteArray(written);
        };
        row("", "");
        row(" -I/a\t-I b ", "-I/a -Ib");
        row("-D N -DM=2 -UK --max-registers 64", "-DN -DM=2 -UK --max-registers=64");
        row("--define-macro=N --undefine-macro K -maxrregcount=32 --include-path=/a",
            "-I/a -DN -UK --max-registers=32");
        row("-DN=1 -DN=2", "-DN=2");
        row("-DN -UN", "-UN");
        row("-UN -DN(x)=x", "-DN(x)=x");
        row("-DTEXT='\"a b\"' '-I/my folder'", "\"-I/my folder\" \"-DTEXT=\\\"a b\\\"\"");
        row("-DPATH=\"C:\\\\x\"", "\"-DPATH=C:\\\\x\"");
    }

    void compilerSettingsAreReadAndWritten() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, written);
        const auto settings = settingsFromLine(line.toStdString());
        QVERIFY2(settings.ok(), settings ? "" : settings.error().message.c_str());
        QCOMPARE(QByteArray::fromStdString(lineOf(*settings)), written);
        QCOMPARE(settings->isEmpty(), line.isEmpty());
        const auto again = settingsFromLine(lineOf(*settings)), words = settingsFromWords(wordsOf(*settings));
        QVERIFY(again.ok() && words.ok());
        QVERIFY(*again == *settings && *words == *settings);
    }

    void unknownCompilerOptionsAreNamed_data() {
        QTest::addColumn<QByteArray>("line");
        QTest::addColumn<QByteArray>("named");
        const auto row = [](const char* line, const char* named) {
            QTest::newRow(line) << QByteArray(line) << QByteArray(named);
        };
        row("-DN -Wall", "`-Wall`");
        row("kernel.h", "`kernel.h`");
        row("--define-macros=N", "`--define-macros=N`");
        row("-std=c++20", "`-std=c++20`");
        row("-I", "`-I`");
        row("-D2", "`2`");
        row("-DA+B", "`A+B`");
        row("-UN=1", "`N=1`");
        row("--max-registers=many", "`many`");
        row("--max-registers=8", "`8`");
        row("--max-registers 256", "`256`");
        row("-D'N", "-D'N");
    }

    void unknownCompilerOptionsAreNamed() {
        QFETCH(QByteArray, line);
        QFETCH(QByteArray, named);
        const auto settings = settingsFromLine(line.toStdString());
        QVERIFY(!settings.ok());
        QCOMPARE(settings.error().code, std::string("bad_input"));
        QVERIFY2(QByteArray::fromStdString(settings.error().message).contains(named), settings.error().message.c_str());
        // Where fast math may stand in the line, it is among what is known.
        const auto all = compileFromLine(line.toStdString());
        QVERIFY(!all.ok());
        QCOMPARE(all.error().message, settings.error().message);
        QVERIFY2(all.error().action.find("--fast-math") != std::string::npos, all.error().action.c_str());
    }

    void titlesHaveNeitherResultNorParameters_data() {
        QTest::addColumn<QByteArray>("name");
        QTest::addColumn<QByteArray>("title");
        const auto row = [](const char* name, const char* title) {
            QTest::newRow(title) << QByteArray(name) << QByteArray(title);
        };
        row("plain_c", "plain_c");
        row("_Z3addPfPKfi", "add");
        row("_Z5scaleIfEvPT_i", "scale<float>");
        row("_ZN2ns3addIfLi4EEET_S1_", "ns::add<float, 4>");
        // (anonymous namespace): the blank in it separates nothing.
        row("_ZN12_GLOBAL__N_12k2EPfi", "(anonymous namespace)::k2");
        row("_ZN12_GLOBAL__N_11kIfEEvPT_", "(anonymous namespace)::k<float>");
        row("_ZN12_GLOBAL__N_12kbILi3ELb1EEEvNS_1VINS_1SEEE", "(anonymous namespace)::kb<3, true>");
        // Comparisons and computed results.
        row("_Z5shiftILi4EEv2BoIXgtT_Li2EEE", "shift<4>");
        row("_Z6shift2ILi4EE2BoIXgtT_Li2EEEv", "shift2<4>");
        row("_ZN2ns4plusIifEEDTplfp_fp0_ET_T0_", "ns::plus<int, float>");
        // Lambdas, and what stands inside functions.
        row("_ZN2ns6launchIZ7forwardiEUliE0_EEvT_", "ns::launch<forward(int)::{lambda(int)#2}>");
        row("_ZZ7forwardiENKUlfE_clEf", "forward(int)::{lambda(float)#1}::operator()");
        row("_ZZNK1F3runEvE1k", "F::run() const::k");
        // Operators.
        row("_ZNK12_GLOBAL__N_11FclEi", "(anonymous namespace)::F::operator()");
        row("_ZN12_GLOBAL__N_11FixEi", "(anonymous namespace)::F::operator[]");
        row("_ZN12_GLOBAL__N_11FltEi", "(anonymous namespace)::F::operator<");
        row("_ZN12_GLOBAL__N_11FltIiEEbPT_", "(anonymous namespace)::F::operator< <int>");
        row("_ZN12_GLOBAL__N_11FlsIfEERS0_T_", "(anonymous namespace)::F::operator<< <float>");
        row("_ZN12_GLOBAL__N_11FgtIjEEbPT_", "(anonymous namespace)::F::operator><unsigned int>");
        row("_ZNK12_GLOBAL__N_11FcvfEv", "(anonymous namespace)::F::operator float");
        row("_ZN1FptEv", "F::operator->");
        row("_Z12operator_sumPf", "operator_sum");
    }

    void titlesHaveNeitherResultNorParameters() {
        QFETCH(QByteArray, name);
        QFETCH(QByteArray, title);
        QCOMPARE(QByteArray::fromStdString(kernelTitle(name.toStdString())), title);
    }

    /// As Nsight Compute writes names, beside the mangled ones.
    void oneKernelHasOneName() {
        const char* flagged = "_Z3mmaILb1EEvPKfi"; // mma<true>
        QVERIFY(isSameKernel("void mma<(bool)1>(const float *, int)", flagged));
        QVERIFY(isSameKernel("mma<(bool)1>", flagged) && isSameKernel("mma<true>", flagged));
        QVERIFY(!isSameKernel("void mma<(bool)0>(const float *, int)", flagged));
        QVERIFY(!isSameKernel("mma", flagged) && !isSameKernel("void mma2<(bool)1>(const float *)", flagged));
        const char* sized = "_ZN2ns4tileIfLi16ELj4ELin2EEEvPT_"; // ns::tile<float, 16, 4u, -2>
        QVERIFY(isSameKernel("void ns::tile<float, (int)16, (unsigned int)4, (int)-2>(T1 *)", sized));
        QVERIFY(!isSameKernel("void ns::tile<float, (int)16, (unsigned int)8, (int)-2>(T1 *)", sized));
        QVERIFY(!isSameKernel("void ns::tile<float, (int)16, (unsigned int)4, (int)2>(T1 *)", sized));
        const char* hidden = "_ZN12_GLOBAL__N_15scaleILi3EEEvPf"; // (anonymous namespace)::scale<3>
        QVERIFY(isSameKernel("void <unnamed>::scale<(int)3>(T1 *)", hidden));
        QVERIFY(!isSameKernel("void scale<(int)3>(T1 *)", hidden));
        const char* reading = "_Z4readIPKfLi2EEvT_"; // read<float const*, 2>
        QVERIFY(isSameKernel("void read<const float *, (int)2>(T1)", reading));
        QVERIFY(!isSameKernel("void read<float *, (int)2>(T1)", reading));
    }

    void cellsComeBackAsTheyWere() {
        using Cells = std::vector<std::string>;
        QCOMPARE(csvCells("a,b,,c"), (Cells{"a", "b", "", "c"}));
        QCOMPARE(csvCells(""), (Cells{""}));
        QCOMPARE(csvCells("\"1,234.5\",\"say \"\"no\"\"\"\r"), (Cells{"1,234.5", "say \"no\""}));
        QCOMPARE(csvCells("\"open, to the end"), (Cells{"open, to the end"}));
        QCOMPARE(csvCell("plain text"), std::string("plain text"));
        QCOMPARE(csvCell("two\nlines"), std::string("\"two\nlines\""));
        for (const std::string cell : {"", "a,b", "\"", "say \"no\", twice"})
            QCOMPARE(csvCells(csvCell(cell) + "," + csvCell("next")), (Cells{cell, "next"}));
    }

    void bytesThatAreNotUtf8AreFound() {
        for (const char* text : {"", "plain", "\u00e9 \u20ac \U0001F600", "\U0010FFFF\u07ff\uffff"}) {
            QCOMPARE(validUtf8(text), std::string_view(text).size());
            QCOMPARE(asUtf8(text), std::string(text));
        }
        using namespace std::string_view_literals;
        for (const std::string_view wrong :
             {"\xe9"sv, "\x80"sv, "\xc0\x80"sv, "\xc1\xbf"sv, "\xe0\x9f\xbf"sv, "\xed\xa0\x80"sv, "\xf0\x8f\xbf\xbf"sv,
              "\xf4\x90\x80\x80"sv, "\xf5\x80\x80\x80"sv, "\xe2\x82"sv, "\xc3"sv, "\xff"sv}) {
            const std::string text = "a\u00e9" + std::string(wrong) + "b";
            QCOMPARE(validUtf8(text), std::size_t(3));
            QCOMPARE(asUtf8(text), "a\u00e9" + std::string(wrong.size(), '?') + "b");
        }
    }

    void htmlIsSafe() {
        QCOMPARE(escapedHtml("<a href=\"x\" b='y'>&amp;"),
                 std::string("&lt;a href=&quot;x&quot; b=&#39;y&#39;&gt;&amp;amp;"));
        QCOMPARE(escapedHtml("\u00e4\n\t\u20ac"), std::string("\u00e4\n\t\u20ac"));
        QCOMPARE(escapedHtml("\x01|\xff|\xc3"), std::string("\ufffd|\ufffd|\ufffd"));
    }

    void unrolledLoopsMultiply() {
        const auto copies = [](std::string_view body) {
            return unrolledCopies("void f() {\n" + std::string(body) + "}");
        };
        QCOMPARE(copies("for (;;) g();"), std::uint64_t(1));
        QCOMPARE(copies("#pragma unroll 8\nfor (;;) g();"), std::uint64_t(8));
        QCOMPARE(copies("#pragma unroll(8)\nfor (;;) g();"), std::uint64_t(8));
        QCOMPARE(copies("  #  pragma unroll\nfor (;;) g();"), std::uint64_t(4));
        QCOMPARE(copies("#pragma unroll TILE\nfor (;;) g();"), std::uint64_t(4));
        QCOMPARE(copies("#pragma unroll 1\nfor (;;) g();"), std::uint64_t(1));
        // In each other they multiply, with braces and without; one behind the other they do not.
        const std::string inner = "\n#pragma unroll 4\nfor (int i = 0; i < n; i++) ";
        QCOMPARE(copies(inner + inner + "g();" + inner + "g();"), std::uint64_t(16));
        QCOMPARE(copies(inner + "{ h(); " + inner + "{ g(); } h(); " + inner + "{ g(); }}" + inner + "{}"),
                 std::uint64_t(16));
        QCOMPARE(copies(inner + "{ if (x) { h(); } " + inner + "{ " + inner + "{ g(); }}}"), std::uint64_t(64));
        // A lambda's statements end within the call that it is handed to; so do braces in a loop's head.
        QCOMPARE(copies("dispatch(type, [&] {" + inner + "g();" + inner + "g(); });"), std::uint64_t(4));
        QCOMPARE(copies("#pragma unroll 8\nfor (auto x : {1, 2}) " + inner + "g();"), std::uint64_t(32));
        QCOMPARE(copies("\n#define JOIN(a, b) { a##b; } \\\n { a##b; }\n" + inner + "{ g(); }" + inner + "{ g(); }"),
                 std::uint64_t(4));
        // What is no directive of code, and what is no code.
        QCOMPARE(copies("// #pragma unroll 8\n/* #pragma unroll 8 */ s = \"#pragma unroll 8\";"), std::uint64_t(1));
        QCOMPARE(copies("#pragma unroll_and_jam 8\nfor (;;) g();"), std::uint64_t(1));
        QCOMPARE(copies("#pragma nounroll\n#define unroll 8\nfor (;;) g();"), std::uint64_t(1));
        std::string deep;
        for (int i = 0; i < 40; ++i)
            deep += "\n#pragma unroll 4294967295\nfor (;;) { ";
        QCOMPARE(copies(deep), std::uint64_t(1) << 20);
        for (const char* text : {"", "unroll", "#pragma unroll", "}}}}#pragma unroll 2", "#pragma unroll -3\n)(;",
                                 "'unroll \\", "#pragma unroll 99999999999999999999999"})
            QVERIFY2(unrolledCopies(text) <= 4, text);
    }

    void literalsEnd() {
        QCOMPARE(afterQuoted("'a' b", 0), std::size_t(3));
        QCOMPARE(afterQuoted("\"a\\\"b\" c", 0), std::size_t(6));
        QCOMPARE(afterQuoted("\"open\nnext", 0), std::size_t(5));
        QCOMPARE(afterQuoted("x = \"open", 4), std::size_t(9));
        QCOMPARE(afterQuoted("\"open\\", 0), std::size_t(6));
        QCOMPARE(afterRawString("R\"(a\"\n)\";", 1), std::size_t(8));
        QCOMPARE(afterRawString("R\"x(a)\" )x\";", 1), std::size_t(11));
        QCOMPARE(afterRawString("R\"x(never", 1), std::size_t(9));
        QCOMPARE(afterRawString("R\"no parenthesis at all\" (", 1), std::size_t(24));
        QCOMPARE(afterBlockComment("/*/ a */ b", 0), std::size_t(8));
        QCOMPARE(afterBlockComment("/* never", 0), std::size_t(8));
    }
};

KERNELARIUM_TEST(TestText);

#include "TestText.moc"
