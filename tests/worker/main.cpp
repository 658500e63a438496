// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/worker/TestBaselines.h"
#include "tests/worker/TestMessages.h"
#include "tests/worker/TestProfile.h"
#include "tests/worker/TestPythonExport.h"
#include "tests/worker/TestRecordMessages.h"
#include "tests/worker/TestRemote.h"
#include "tests/worker/TestTimeMessages.h"
#include "tests/worker/TestTools.h"
#include "tests/worker/TestWorkerClient.h"

#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestMessages messages;
    TestWorkerClient client;
    TestProfile profile;
    TestPythonExport python;
    TestRecordMessages recording;
    TestTimeMessages timing;
    TestBaselines baselines;
    TestTools tools;
    TestRemote remote;
    return QTest::qExec(&messages, argc, argv) + QTest::qExec(&client, argc, argv) +
           QTest::qExec(&profile, argc, argv) + QTest::qExec(&python, argc, argv) +
           QTest::qExec(&recording, argc, argv) + QTest::qExec(&timing, argc, argv) + QTest::qExec(&tools, argc, argv) +
           QTest::qExec(&remote, argc, argv) + QTest::qExec(&baselines, argc, argv);
}
