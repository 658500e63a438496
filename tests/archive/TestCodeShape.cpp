// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestCodeShape.h"

#include "core/archive/store/CodeShape.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <random>

using namespace kernelarium::archive;

namespace {

const std::string source = R"cu(#include <torch/extension.h>
#define BLOCK (256) // threads
__global__ void add(float* x, int n) {
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) x[i] += 1.0f;
    const char* text = "a // b  /* c */";
}
)cu";

} // namespace

void TestCodeShape::normalises_data() {
    QTest::addColumn<QString>("code");
    QTest::addColumn<QString>("expected");
    QTest::newRow("space") << " int   a\t=\n 1 ;"
                           << "int a=1;";
    QTest::newRow("line comment") << "a; // b\nc;"
                                  << "a;c;";
    QTest::newRow("block comment") << "a/* b */c"
                                   << "a c";
    QTest::newRow("open comment") << "a /* b"
                                  << "a";
    QTest::newRow("operators") << "a + +b - -c"
                               << "a+ +b- -c";
    QTest::newRow("division by a pointer's value") << "a / *b"
                                                   << "a/ *b";
    QTest::newRow("strings") << "f(\"a  // b\", ' ', '\"');"
                             << "f(\"a  // b\",' ','\"');";
    QTest::newRow("escaped quote") << "s = \"a\\\"  b\"  ;"
                                   << "s=\"a\\\"  b\";";
    QTest::newRow("raw string") << "R\"x(a  \" // )\" )x\"  ;"
                                << "R\"x(a  \" // )\" )x\";";
    QTest::newRow("digit separators") << "1'000'000  + x"
                                      << "1'000'000+x";
    QTest::newRow("directive") << "a;\n  # define  F  (x)  // y\nb;"
                               << "a;\n# define F (x)\nb;";
    QTest::newRow("two directives") << "#if A\n\n#endif\n"
                                    << "#if A\n#endif\n";
    QTest::newRow("continued directive") << "#define A \\\n  1\nx"
                                         << "#define A 1\nx";
    QTest::newRow("open quote in a directive") << "#error don't do it\nx  y"
                                               << "#error don't do it\nx y";
    QTest::newRow("nothing") << ""
                             << "";
}

void TestCodeShape::normalises() {
    QFETCH(QString, code);
    QFETCH(QString, expected);
    const QString got = QString::fromStdString(normalisedCode(code.toStdString()));
    QCOMPARE(got, expected);
    QCOMPARE(QString::fromStdString(normalisedCode(got.toStdString())), got); // nothing is left to do
}

void TestCodeShape::layoutDoesNotMatter() {
    std::string other = source;
    for (std::size_t at = 0; (at = other.find("    ", at)) != std::string::npos; at += 3)
        other.replace(at, 4, "\t/*x*/ ");
    for (std::size_t at = 0; (at = other.find(";\n", at)) != std::string::npos; at += 6)
        other.replace(at, 2, "; // y\r\n");
    QVERIFY(other != source);
    QVERIFY(shapeOf(other) == shapeOf(source));
    QVERIFY(shapeOf("// a title\n" + source + "\n\n") == shapeOf(source));
}

void TestCodeShape::everyOtherChangeMatters() {
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{{"256", "128"},
                                                                                   {"(256)", " 256"},
                                                                                   {"+= 1", "-= 1"},
                                                                                   {"i < n", "i<= n"},
                                                                                   {"a // b", "a // c"},
                                                                                   {"int n", "int m"},
                                                                                   {"BLOCK (", "BLOCK("}}) {
        std::string other = source;
        const auto at = other.find(from);
        QVERIFY(at != std::string::npos);
        QVERIFY2(shapeOf(other.replace(at, from.size(), to)) != shapeOf(source), from.c_str());
    }
}

void TestCodeShape::takesAnyBytes() {
    std::mt19937 random(3);
    const std::string interesting = "\"'R(/*\\\n#)x1 \t";
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (unsigned i = random() % 60; i > 0; --i)
            text += random() % 4 != 0 ? interesting[random() % interesting.size()] : static_cast<char>(random());
        QVERIFY(normalisedCode(text).size() <= 2 * text.size());
    }
}

KERNELARIUM_TEST(TestCodeShape);
