// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/verify/TestArgumentText.h"
#include "tests/verify/TestCardSubject.h"
#include "tests/verify/TestComparison.h"
#include "tests/verify/TestErrorMap.h"
#include "tests/verify/TestInputs.h"
#include "tests/verify/TestVerdictJson.h"
#include "tests/verify/TestVerdicts.h"

#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    int failures = 0;
    TestInputs inputs;
    TestComparison comparison;
    TestErrorMap errorMap;
    TestVerdicts verdicts;
    TestVerdictJson json;
    TestArgumentText arguments;
    TestCardSubject cards;
    for (QObject* test :
         {static_cast<QObject*>(&inputs), static_cast<QObject*>(&comparison), static_cast<QObject*>(&errorMap),
          static_cast<QObject*>(&verdicts), static_cast<QObject*>(&json), static_cast<QObject*>(&arguments),
          static_cast<QObject*>(&cards)})
        failures += QTest::qExec(test, argc, argv);
    return failures;
}
