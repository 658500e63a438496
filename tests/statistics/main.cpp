// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/statistics/TestHgemm.h"
#include "tests/statistics/TestIndependent.h"
#include "tests/statistics/TestStatistics.h"

#include <QCoreApplication>
#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestStatistics statistics;
    TestIndependent independent;
    TestHgemm hgemm;
    int failures = 0;
    for (QObject* test :
         {static_cast<QObject*>(&statistics), static_cast<QObject*>(&independent), static_cast<QObject*>(&hgemm)})
        failures += QTest::qExec(test, argc, argv);
    return failures;
}
