// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/compile/RewriteTest.h"

#include "gpu/compile/ExceptionRewrite.h"
#include "gpu/compile/SourceTokens.h"

#include <QTest>

using namespace kernelarium::compile;

static RewrittenSource rewrite(const std::string& source) { return rewriteExceptions(source, tokenize(source)); }

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
    QTest::newRow("reference") << "const std::exception& e" << "__caN";
    QTest::newRow("value") << "std::runtime_error e" << "__caN";
    QTest::newRow("east const") << "std::exception const& error" << "__caN";
    QTest::newRow("pointer") << "const char* text" << "__caN";
    QTest::newRow("number") << "int code" << "__caN";
    QTest::newRow("template") << "Failure<int> f" << "__caN";
    QTest::newRow("unnamed reference") << "const std::exception&" << "__caU";
    QTest::newRow("unnamed qualified") << "std::runtime_error" << "__caU";
    QTest::newRow("unnamed plain") << "Error" << "__caU";
    QTest::newRow("unnamed const") << "const Error" << "__caU";
    QTest::newRow("unnamed number") << "unsigned long" << "__caU";
    QTest::newRow("unnamed template") << "Failure<int>" << "__caU";
    QTest::newRow("all") << "..." << "__caE";
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
    QTest::newRow("value") << "void f() { throw 1; }" << "void f() { __thV 1; }";
    QTest::newRow("again") << "void f() { throw ; }" << "void f() { __thR ; }";
    QTest::newRow("conditional") << "int f(int a) { return a ? throw E() : 2; }" << "int f(int a) { return a ? __thV E() : 2; }";
    QTest::newRow("specification") << "void f() throw();" << "void f() throw();";
    QTest::newRow("macro") << "#define FAIL() throw E()\n" << "#define FAIL() __thV E()\n";
    QTest::newRow("parenthesised") << "void f() { (throw E()); }" << "void f() { (__thV E()); }";
    QTest::newRow("if try") << "void f() { if (a) try { } catch (E&) { } }" << "void f() { if (a) _kT { } __caU (E&) { } }";
}

void RewriteTest::throws() {
    QFETCH(QString, source);
    QFETCH(QString, expected);
    QCOMPARE(rewrite(source.toStdString()).text, expected.toStdString());
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
    for (const char* source : {"int f(int a)\ntry { return a; } catch (...) { return 0; }", "struct S { S()\ntry : a(1) { } catch (...) { } int a; };"}) {
        const RewrittenSource out = rewrite(source);
        QCOMPARE(out.refused.size(), std::size_t(1));
        QCOMPARE(out.refused[0].line, 2);
        QCOMPARE(out.refused[0].column, 1);
        QVERIFY(out.refused[0].text.find("function-try-block") != std::string::npos);
    }
}
