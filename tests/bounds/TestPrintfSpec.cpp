// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/bounds/TestPrintfSpec.h"

#include "core/text/Shortened.h"
#include "gpu/emulator/run/PrintfSpec.h"
#include "tests/TestRegistry.h"

#include <QtTest>

using namespace kernelarium;

void TestPrintfSpec::specsAreBounded_data() {
    QTest::addColumn<QString>("spec");
    QTest::addColumn<QString>("bounded");
    QTest::newRow("none") << "%"
                          << "%";
    QTest::newRow("usual") << "%-08.3"
                           << "%-08.3";
    QTest::newRow("precision alone") << "%.5"
                                     << "%.5";
    QTest::newRow("no digits") << "%."
                               << "%.0";
    QTest::newRow("wide") << "%2000000000"
                          << "%4096";
    QTest::newRow("beyond int") << "%99999999999999999999"
                                << "%4096";
    QTest::newRow("precise") << "%8.2000000000"
                             << "%8.4096";
    QTest::newRow("negative width of a star") << "%-2000000000"
                                              << "%-4096";
    QTest::newRow("negative precision of a star") << "%6.-3"
                                                  << "%6";
    QTest::newRow("flags repeated") << "%---- ##5"
                                    << "%- #5";
    QTest::newRow("out of order") << "%5-3"
                                  << "%5";
}

void TestPrintfSpec::specsAreBounded() {
    QFETCH(QString, spec);
    QFETCH(QString, bounded);
    QCOMPARE(QString::fromStdString(emulator::boundedSpec(spec.toStdString())), bounded);
}

void TestPrintfSpec::textsAreShortened() {
    QCOMPARE(text::shortened("short", 5), std::string("short"));
    QCOMPARE(text::shortened("longer", 4), std::string("long... (2 more bytes)"));
    QCOMPARE(text::shortened("ab\u00e4cd", 3), std::string("ab... (4 more bytes)")); // not in the middle of a letter
    QCOMPARE(text::shortened(std::string(1000, '\x80'), 0), std::string("... (1000 more bytes)"));
}

KERNELARIUM_TEST(TestPrintfSpec);
