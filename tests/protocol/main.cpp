// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/protocol/TestKernelClient.h"
#include "tests/protocol/TestMessages.h"
#include "tests/protocol/TestRecordMessages.h"
#include "tests/protocol/TestRemote.h"
#include "tests/protocol/TestTimeMessages.h"
#include "tests/protocol/TestWorkerClient.h"

#include <QtTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    TestMessages messages;
    TestWorkerClient workerClient;
    TestRecordMessages recordMessages;
    TestTimeMessages timeMessages;
    TestKernelClient kernelClient;
    TestRemote remote;
    return QTest::qExec(&messages, argc, argv) + QTest::qExec(&workerClient, argc, argv) +
           QTest::qExec(&recordMessages, argc, argv) + QTest::qExec(&timeMessages, argc, argv) +
           QTest::qExec(&kernelClient, argc, argv) + QTest::qExec(&remote, argc, argv);
}
