// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/service/TestProfile.h"
#include "tests/service/TestTimes.h"

#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestProfile profile;
    TestTimes times;
    return QTest::qExec(&profile, argc, argv) + QTest::qExec(&times, argc, argv);
}
