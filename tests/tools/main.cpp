// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/tools/TestBaselines.h"
#include "tests/tools/TestPythonExport.h"
#include "tests/tools/TestToolClient.h"
#include "tests/tools/TestTools.h"

#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestPythonExport pythonExport;
    TestBaselines baselines;
    TestTools tools;
    TestToolClient toolClient;
    return QTest::qExec(&pythonExport, argc, argv) + QTest::qExec(&baselines, argc, argv) +
           QTest::qExec(&tools, argc, argv) + QTest::qExec(&toolClient, argc, argv);
}
