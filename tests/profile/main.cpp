// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/profile/TestLiteral.h"
#include "tests/profile/TestNcuCsv.h"
#include "tests/profile/TestProfiles.h"

#include <QCoreApplication>
#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestLiteral literal;
    TestProfiles profiles;
    TestNcuCsv csv;
    return QTest::qExec(&literal, argc, argv) + QTest::qExec(&profiles, argc, argv) + QTest::qExec(&csv, argc, argv);
}
