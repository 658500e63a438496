// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/compile/RewriteTest.h"

#include "core/archive/store/CodeShape.h"
#include "gpu/compile/ExceptionRewrite.h"
#include "gpu/compile/SourceTokens.h"
#include "tests/TestRegistry.h"

#include <QDirIterator>
#include <QFile>
#include <QStringList>
#include <QTest>

using namespace kernelarium::compile;

static RewrittenSource rewrite(const std::string& source) {
    return rewriteExceptions(source, tokenize(source));
}

void RewriteTest::keywordsKeepTheirColumns() {
    const std::string source = "void f() { try { g(); } catch (...) { throw; } }\nint x;";
    const RewrittenSource out = rewrite(source);
    QCOMPARE(out.text, std::string("void f() { _kT { g(); } __caE (...) { __thR; } }\nint x;"));
    QCOMPARE(out.text.size(), source.size());
    QVERIFY(out.changed);
}

void RewriteTest::handlers_data() {
    QTest::addColumn<QString>("declaration");
    QTest::addColumn<QString>("macro");
    QTest::newRow("reference") << "const std::exception& e"
                               << "__caN";
    QTest::newRow("value") << "std::runtime_error e"
                           << "__caN";
    QTest::newRow("east const") << "std::exception const& error"
                                << "__caN";
    QTest::newRow("pointer") << "const char* text"
                             << "__caN";
    QTest::newRow("number") << "int code"
                            << "__caN";
    QTest::newRow("template") << "Failure<int> f"
                              << "__caN";
    QTest::newRow("unnamed reference") << "const std::exception&"
                                       << "__caU";
    QTest::newRow("unnamed qualified") << "std::runtime_error"
                                       << "__caU";
    QTest::newRow("unnamed plain") << "Error"
                                   << "__caU";
    QTest::newRow("unnamed const") << "const Error"
                                   << "__caU";
    QTest::newRow("unnamed number") << "unsigned long"
                                    << "__caU";
    QTest::newRow("unnamed template") << "Failure<int>"
                                      << "__caU";
    QTest::newRow("all") << "..."
                         << "__caE";
}

void RewriteTest::handlers() {
    QFETCH(QString, declaration);
    QFETCH(QString, macro);
    const RewrittenSource out = rewrite("void f() { try { } catch (" + declaration.toStdString() + ") { } }");
    QVERIFY2(out.text.find(macro.toStdString() + " (") != std::string::npos, out.text.c_str());
}

void RewriteTest::throws_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("expected");
    QTest::newRow("value") << "void f() { throw 1; }"
                           << "void f() { __thV 1; }";
    QTest::newRow("again") << "void f() { throw ; }"
                           << "void f() { __thR ; }";
    QTest::newRow("conditional") << "int f(int a) { return a ? throw E() : 2; }"
                                 << "int f(int a) { return a ? __thV E() : 2; }";
    QTest::newRow("specification") << "void f() throw();"
                                   << "void f() throw();";
    QTest::newRow("macro") << "#define FAIL() throw E()\n"
                           << "#define FAIL() __thV E()\n";
    QTest::newRow("parenthesised") << "void f() { (throw E()); }"
                                   << "void f() { (__thV E()); }";
    QTest::newRow("if try") << "void f() { if (a) try { } catch (E&) { } }"
                            << "void f() { if (a) _kT { } __caU (E&) { } }";
}

void RewriteTest::throws() {
    QFETCH(QString, source);
    QFETCH(QString, expected);
    QCOMPARE(rewrite(source.toStdString()).text, expected.toStdString());
}

void RewriteTest::variablesOfTryBlocks_data() {
    QTest::addColumn<QString>("source");
    QTest::addColumn<QString>("names");
    QTest::newRow("assigned") << "int f() { int a = 1, b; try { a = 2; b = 3; } catch (...) {} return a + b; }"
                              << "a b";
    QTest::newRow("argument") << "void g(int& x) { x = 1; } void f() { int a; try { g(a); } catch (...) {} }"
                              << "a";
    QTest::newRow("own") << "void f(int a) { try { int c = a; c = 2; } catch (...) {} { int c; } }"
                         << "a";
    QTest::newRow("functor") << "void f() { auto up = [] {}; try { up(); } catch (...) {} }"
                             << "up";
    QTest::newRow("member") << "struct S { int m; void f() { try { m = 2; } catch (...) {} } };"
                            << "m this";
    QTest::newRow("out of line") << "void S::f() { if (a) { try { go(); } catch (...) {} } }"
                                 << "this";
    QTest::newRow("types")
        << "struct E {}; at::Tensor t; void f() { try { E e; at::abs(t); std::min<E>(1, 2); } catch (...) {} }"
        << "t";
    QTest::newRow("macro") << "#define UP a += 1\nvoid f() { int a = 0; try { UP; } catch (...) {} }"
                           << "a";
    QTest::newRow("kernel") << "void f() { int n = 0; k<<<1, n>>>(); try { k<<<1, n>>>(); } catch (...) {} }"
                            << "n";
}

void RewriteTest::variablesOfTryBlocks() {
    QFETCH(QString, source);
    QFETCH(QString, names);
    const RewrittenSource out = rewrite(source.toStdString());
    QCOMPARE(out.guards.size(), std::size_t(1));
    QStringList found;
    for (const TryName& n : out.guards[0].names)
        found << QString::fromStdString(n.name);
    QCOMPARE(found.join(' '), names);
    QCOMPARE(out.text.size(), source.toStdString().size());
    const std::string lines = source.toStdString();
    QCOMPARE(out.text.find(out.guards[0].macro + " {"), lines.find("try {"));
}

void RewriteTest::guardsHaveNamesOfTheirOwn() {
    const std::string source =
        "void f() { int _k0 = 0, a = 0;\n try { a = _k0; } catch (...) {}\n  try { a = 3; } catch (...) {} }";
    const RewrittenSource out = rewrite(source);
    QCOMPARE(
        out.text,
        std::string(
            "void f() { int _k0 = 0, a = 0;\n _k1 { a = _k0; } __caE (...) {}\n  _k2 { a = 3; } __caE (...) {} }"));
    QCOMPARE(out.guards[1].line, 3);
    QCOMPARE(out.guards[1].column, 3);
    QVERIFY(out.warnings.empty());
}

void RewriteTest::tryInAMacroIsWarnedOf() {
    const RewrittenSource out =
        rewrite("#define GUARD(x) \\\n  try { x; } catch (...) {}\nvoid f() { int a; GUARD(a = 1) }");
    QCOMPARE(out.warnings.size(), std::size_t(1));
    QCOMPARE(out.warnings[0].line, 2);
    QCOMPARE(out.warnings[0].column, 3);
    QVERIFY2(out.warnings[0].text.find("macro GUARD") != std::string::npos, out.warnings[0].text.c_str());
}

void RewriteTest::literalsAndDirectivesStay() {
    const std::string source = "// try { throw\n/* catch (...) */ const char* a = \"throw \\\" try\"; char b = '\"';\n"
                               "const char* c = R\"x(throw \" try)\" )x\"; int entry, retry, throwaway;\n"
                               "#error try to throw\n#include <try>\nint d = 1'000;";
    const RewrittenSource out = rewrite(source);
    QCOMPARE(out.text, source);
    QVERIFY(!out.changed);
}

void RewriteTest::functionTryBlockIsRefused() {
    for (const char* source : {"int f(int a)\ntry { return a; } catch (...) { return 0; }",
                               "struct S { S()\ntry : a(1) { } catch (...) { } int a; };"}) {
        const RewrittenSource out = rewrite(source);
        QCOMPARE(out.refused.size(), std::size_t(1));
        QCOMPARE(out.refused[0].line, 2);
        QCOMPARE(out.refused[0].column, 1);
        QVERIFY(out.refused[0].text.find("function-try-block") != std::string::npos);
    }
}

/// The archive's code shape and the compiler's tokens agree on what is code, over every starter kernel.
void RewriteTest::shapesHaveTheSameTokens() {
    const auto told = [](const std::string& source) {
        const SourceTokens found = tokenize(source);
        QStringList all;
        for (const Token& token : found.tokens)
            all.append(QString::fromUtf8(token.text.data(), qsizetype(token.text.size())));
        for (const Directive& directive : found.directives)
            all.append(QString::fromUtf8(directive.name.data(), qsizetype(directive.name.size())));
        return all;
    };
    int kernels = 0;
    QDirIterator files(QStringLiteral(KERNELARIUM_SOURCE_DIR "/archive_data/kernels"), {QStringLiteral("*.cu")},
                       QDir::Files, QDirIterator::Subdirectories);
    while (files.hasNext()) {
        QFile file(files.next());
        QVERIFY(file.open(QIODevice::ReadOnly));
        const std::string source = file.readAll().toStdString();
        const QStringList tokens = told(source);
        QVERIFY(tokens.size() > 20);
        QCOMPARE(told(kernelarium::archive::normalisedCode(source)), tokens);
        ++kernels;
    }
    QVERIFY(kernels > 20);
    const std::string hard = "/* \"a\" */ char c = '\"'; // 'b\nauto r = R\"x(// \" )\" )x\"; int n = 1'000 /**/ + 2;";
    QCOMPARE(told(kernelarium::archive::normalisedCode(hard)), told(hard));
}

KERNELARIUM_TEST(RewriteTest);
