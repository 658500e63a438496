// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bounds/TestPassedOn.h"

#include "gpu/compile/Diagnostics.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium::compile;

namespace {

Diagnostic diagnosticAt(Severity severity, int line) {
    return {"kernel.cu", line, 1, severity, "something"};
}

} // namespace

void TestPassedOn::fewArePassedOnAsTheyAre() {
    std::size_t leftOut = 7;
    const auto passed = passedOn({diagnosticAt(Severity::warning, 1), diagnosticAt(Severity::error, 2)}, leftOut);
    QCOMPARE(leftOut, std::size_t(0));
    QCOMPARE(passed.size(), std::size_t(2));
    QCOMPARE(passed[0].line, 1);
}

void TestPassedOn::errorsComeBeforeOthers() {
    std::vector<Diagnostic> all;
    for (int line = 1; line <= 2000; ++line)
        all.push_back(diagnosticAt(line > 1900 ? Severity::error : Severity::warning, line));
    std::size_t leftOut = 0;
    const auto passed = passedOn(all, leftOut);
    QCOMPARE(leftOut, std::size_t(1000));
    QCOMPARE(passed.size(), std::size_t(1001));
    const auto errors =
        std::count_if(passed.begin(), passed.end(), [](const Diagnostic& d) { return d.severity == Severity::error; });
    QCOMPARE(errors, 100);
    QCOMPARE(passed[0].line, 1);
    QCOMPARE(passed[999].line, 2000);
    QVERIFY(passed.back().severity == Severity::note);
    QCOMPARE(passed.back().text, std::string("1000 more messages were left out."));
}

void TestPassedOn::longTextsAreCut() {
    std::size_t leftOut = 0;
    const auto passed =
        passedOn({{"kernel.cu", 1, 1, Severity::error, std::string(std::size_t(1) << 20, 'x')}}, leftOut);
    QVERIFY(passed[0].text.size() < 5000);
    QVERIFY(passed[0].text.ends_with("more bytes)"));
}

KERNELARIUM_TEST(TestPassedOn);
