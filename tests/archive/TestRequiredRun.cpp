// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/archive/TestRequiredRun.h"

#include "core/archive/search/RequiredRun.h"
#include "tests/TestRegistry.h"

#include <QtTest>
#include <random>
#include <regex>

using kernelarium::archive::RequiredRun;

namespace {

/// A character of each set where it is the only one, else how many there are: "x=(10)(10)".
std::string written(const RequiredRun& run) {
    std::string text;
    for (const auto& set : run.sets()) {
        std::size_t first = 0;
        while (first < set.size() && !set[first])
            ++first;
        text += set.count() == 1 ? std::string(1, char(first)) : "(" + std::to_string(set.count()) + ")";
    }
    return text;
}

/// Expressions that mean the same to RE2 and to std::regex, made of few characters so that texts match by chance.
class Expressions {
public:
    std::string next() { return sequence(0); }

    std::string text() {
        std::string made;
        for (int left = upTo(40); left > 0; --left)
            made += "ab1 =\n"[upTo(5)];
        return made;
    }

private:
    int upTo(int most) { return int(m_random() % std::uint32_t(most + 1)); }

    /// Groups hold no repetitions that end anywhere: std::regex tries all of their ends.
    std::string sequence(int depth) {
        std::string made;
        for (int left = 1 + upTo(4); left > 0; --left)
            made += atom(depth) + repetition(depth);
        return made;
    }

    std::string atom(int depth) {
        static const char* const atoms[] = {"a",    "b",    "B",     "1",      " ",   "=",   ".",
                                            "[ab]", "[^a]", "[0-9]", "[a\\d]", "\\d", "\\w", "\\s"};
        if (depth > 1 || upTo(5) > 0) return atoms[std::size_t(upTo(13))];
        const std::string open = upTo(1) ? "(" : "(?:";
        return open + sequence(depth + 1) + (upTo(2) ? "" : "|" + sequence(depth + 1)) + ")";
    }

    std::string repetition(int depth) {
        static const char* const repetitions[] = {"", "", "", "", "{2}", "{3}", "*", "+", "?", "{1,2}", "{2,}", "+?"};
        return repetitions[std::size_t(upTo(depth > 0 ? 5 : 11))];
    }

    std::mt19937 m_random{7};
};

} // namespace

void TestRequiredRun::findsTheMostTellingRun_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<bool>("matchCase");
    QTest::addColumn<QString>("run");
    const auto row = [](const char* expression, bool matchCase, const char* run) {
        QTest::addRow("%s %d", expression, matchCase) << expression << matchCase << run;
    };
    row("\\d{7}", false, "(10)(10)(10)(10)(10)(10)(10)");
    row("\\bx == \\d\\d\\b", true, "x == (10)(10)");
    row("x == \\d", false, "(2) == (10)");
    row("const\\s+int\\s+\\w+tile\\w*", true, "const(5)");
    row("a*(?:bcd){2}e?fg", true, "bcdbcd");
    row("^#define \\w+ \\d+$", true, "#define (63)");
    row("(ab|cd)xyz", true, "xyz");
    row("[^\\x]|q", true, "");
    row("a{2,}=1", true, "aa=1");
    row("[0-9]+;[0-9]+", true, "(10);(10)");
    row("ab{,2}", true, "ab{,2}");
    row("[]a-c-]\\[\\n", true, "(5)[\n");
}

void TestRequiredRun::findsTheMostTellingRun() {
    QFETCH(QString, expression);
    QFETCH(bool, matchCase);
    const auto run = RequiredRun::of(expression.toStdString(), matchCase);
    QTEST(QString::fromStdString(run ? written(*run) : std::string()), "run");
}

void TestRequiredRun::knowsNoneOf_data() {
    QTest::addColumn<QString>("expression");
    for (const char* expression : {"", "a|b", "\\w+", "(?i)abcdef", "abc\\pLdef", "abc\\x41", "\\Qabc\\E",
                                   "[[:digit:]]{9}", "abc{02}", "a", "äöü", ".*", "(abc|abd)"})
        QTest::newRow(expression) << expression;
}

void TestRequiredRun::knowsNoneOf() {
    QFETCH(QString, expression);
    QVERIFY(!RequiredRun::of(expression.toStdString(), true));
}

void TestRequiredRun::looksForIt_data() {
    QTest::addColumn<QString>("expression");
    QTest::addColumn<QByteArray>("text");
    QTest::addColumn<bool>("may");
    const QByteArray blank(200, ' ');
    QTest::newRow("at the end") << "\\d{7}" << blank + "1234567" << true;
    QTest::newRow("at the beginning") << "\\d{7}"
                                      << "1234567" + blank << true;
    QTest::newRow("one too few") << "\\d{7}" << blank + "123456 123456" + blank << false;
    QTest::newRow("longer than a mark") << "[a-z]{70}" << blank + QByteArray(64, 'a') << true;
    QTest::newRow("as long as a mark") << "[a-z]{64}" << blank + QByteArray(63, 'a') << false;
    QTest::newRow("overlapping beginnings") << "aab" << QByteArray("aaab") << true;
    QTest::newRow("a shorter text") << "\\d{7}" << QByteArray("123") << false;
    QTest::newRow("no text") << "\\d{7}" << QByteArray() << false;
    QTest::newRow("in the other case") << "kernel" << QByteArray("KERNEL") << true;
    QTest::newRow("outside of ASCII") << "kernel"
                                      << QByteArray("\xE2\x84\xAA"
                                                    "ernel")
                                      << true;
}

void TestRequiredRun::looksForIt() {
    QFETCH(QString, expression);
    QFETCH(QByteArray, text);
    const auto run = RequiredRun::of(expression.toStdString(), false);
    QVERIFY(run);
    QTEST(run->mayMatch({text.data(), std::size_t(text.size())}), "may");
}

void TestRequiredRun::noMatchIsRuledOut() {
    Expressions expressions;
    int runs = 0, ruledOut = 0, matches = 0;
    for (int k = 0; k < 1000; ++k) {
        const std::string expression = expressions.next();
        for (const bool matchCase : {false, true}) {
            const auto run = RequiredRun::of(expression, matchCase);
            if (!run) continue;
            ++runs;
            auto flags = std::regex::ECMAScript;
            if (!matchCase) flags |= std::regex::icase;
            const std::regex reference(expression, flags);
            for (int t = 0; t < 20; ++t) {
                const std::string text = expressions.text();
                const bool may = run->mayMatch(text);
                ruledOut += !may;
                if (!std::regex_search(text, reference)) continue;
                ++matches;
                QVERIFY2(may, (expression + " in \"" + text + "\"").c_str());
            }
        }
    }
    QVERIFY2(runs > 200 && ruledOut > 1000 && matches > 200,
             qPrintable(QString("%1 runs, %2 texts ruled out, %3 matches").arg(runs).arg(ruledOut).arg(matches)));
}

KERNELARIUM_TEST(TestRequiredRun);
