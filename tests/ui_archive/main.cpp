// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_archive/TestGetArchive.h"
#include "tests/ui_archive/TestRowsIn.h"
#include "tests/ui_archive/TestSearching.h"
#include "tests/ui_archive/TestTable.h"
#include "tests/ui_window/Warnings.h"

#include <QApplication>
#include <QTest>
#include <csignal>
#include <cstdio>

using namespace kernelarium::ui;

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // as in the program
    qputenv("KERNELARIUM_HUB_RETRY_MS", "1");
    for (const char* name : {"http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"})
        qunsetenv(name);
    const QApplication application(argc, argv);
    watchWarnings();
    TestRowsIn rows; // first: one of its tests is about a missing DuckDB, which stays where it was loaded once
    TestSearching searching;
    TestTable table;
    TestGetArchive get;
    int failures = 0;
    for (QObject* test : {static_cast<QObject*>(&rows), static_cast<QObject*>(&searching),
                          static_cast<QObject*>(&table), static_cast<QObject*>(&get)})
        failures += QTest::qExec(test, argc, argv);
    if (unexpectedWarnings() > 0) std::fprintf(stderr, "FAIL: %d unexpected warnings\n", unexpectedWarnings());
    return failures + unexpectedWarnings();
}
