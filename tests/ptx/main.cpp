// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ptx/TestHostileText.h"
#include "tests/ptx/TestParser.h"
#include "tests/ptx/TestVariables.h"

#include <QCoreApplication>
#include <QTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestParser parser;
    TestVariables variables;
    TestHostileText hostile;
    return QTest::qExec(&parser, argc, argv) + QTest::qExec(&variables, argc, argv) +
           QTest::qExec(&hostile, argc, argv);
}
