// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRegistry.h"
#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"

#include <QLocale>
#include <QtTest>
#include <limits>

namespace kernelarium::ui {

class TestWords : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void cleanup() { QLocale::setDefault(QLocale::c()); }

    void ratios() {
        QCOMPARE(speedupText(2.4), QStringLiteral("2.40×"));
        QCOMPARE(speedupText(0.1), QStringLiteral("0.10×"));
        QCOMPARE(speedupText(0.0042), QStringLiteral("0.0042×")); // and not nothing
        QCOMPARE(speedupText(0.0151), QStringLiteral("0.015×"));
        QCOMPARE(speedupText(0), QStringLiteral("–"));
        QCOMPARE(speedupText(std::numeric_limits<double>::quiet_NaN()), QString());
    }

    void quantities() {
        QCOMPARE(siText(12'345'678), QStringLiteral("12.3 M"));
        QCOMPARE(bytesText(999), QStringLiteral("999 B"));
        QCOMPARE(secondsText(0.0034), QStringLiteral("3.4 ms"));
        QCOMPARE(axisTimeText(0.00915), QStringLiteral("0.00915 ms"));
        QCOMPARE(percentText(0.612), QStringLiteral("61%"));
        QCOMPARE(percentText(std::numeric_limits<double>::quiet_NaN()), QStringLiteral("–"));
        QCOMPARE(timeLeftText(200), QStringLiteral("3 min"));
    }

    void separatorsAreTheReaders() {
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        QCOMPARE(numberText(1234.5), QStringLiteral("1.234"));
        QCOMPARE(numberText(0.25), QStringLiteral("0,25"));
        QCOMPARE(wholeText(8192), QStringLiteral("8.192"));
        QCOMPARE(siText(3.35e12, QStringLiteral("B/s")), QStringLiteral("3,35 TB/s"));
        QCOMPARE(millisecondsText(34.7), QStringLiteral("34,700"));
        QCOMPARE(speedupText(2.4), QStringLiteral("2,40×"));
    }

    void verdictsAndOperators() {
        QCOMPARE(verdictWord(QStringLiteral("compile_error")), QStringLiteral("■ compile error"));
        QCOMPARE(verdictWord({}), QString());
        QCOMPARE(operatorText(QStringLiteral("12_Matmul_with_diagonal_matrices_")),
                 QStringLiteral("Matmul with diagonal matrices"));
    }
};

} // namespace kernelarium::ui

KERNELARIUM_TEST(kernelarium::ui::TestWords);
#include "TestWords.moc"
