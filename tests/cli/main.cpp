// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/cli/TestAudit.h"
#include "tests/cli/TestGetCommand.h"
#include "tests/cli/TestHostile.h"
#include "tests/cli/TestRemoteTarget.h"
#include "tests/cli/TestRoofline.h"
#include "tests/cli/TestStep.h"
#include "tests/cli/TestUnknownTask.h"
#include "tests/cli/TestUsage.h"
#include "tests/cli/TestVerify.h"

#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestUsage usage;
    TestVerify verify;
    TestHostile hostile;
    TestAudit audit;
    TestUnknownTask unknown;
    TestStep step;
    TestGetCommand get;
    TestRemoteTarget remote;
    TestRoofline roofline;
    int failures = 0;
    for (QObject* test :
         {static_cast<QObject*>(&usage), static_cast<QObject*>(&verify), static_cast<QObject*>(&hostile),
          static_cast<QObject*>(&audit), static_cast<QObject*>(&unknown), static_cast<QObject*>(&step),
          static_cast<QObject*>(&get), static_cast<QObject*>(&remote), static_cast<QObject*>(&roofline)})
        failures += QTest::qExec(test, argc, argv);
    return failures;
}
