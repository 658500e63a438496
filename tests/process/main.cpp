// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/process/TestChildProcess.h"
#include "tests/process/TestConfinement.h"
#include "tests/process/TestLineBuffer.h"
#include "tests/process/TestToolRun.h"

#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestLineBuffer lines;
    TestChildProcess child;
    TestToolRun run;
    TestConfinement confinement;
    return QTest::qExec(&lines, argc, argv) + QTest::qExec(&child, argc, argv) + QTest::qExec(&run, argc, argv) +
           QTest::qExec(&confinement, argc, argv);
}
