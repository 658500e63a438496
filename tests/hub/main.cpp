// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/hub/TestGet.h"
#include "tests/hub/TestListing.h"

#include <QCoreApplication>
#include <QtTest>
#include <csignal>

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // as in the programs
    qputenv("KERNELARIUM_HUB_RETRY_MS", "1");
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
        qunsetenv(name);
    const QCoreApplication application(argc, argv);
    TestListing listing;
    TestGet get;
    return QTest::qExec(&listing, argc, argv) + QTest::qExec(&get, argc, argv);
}
