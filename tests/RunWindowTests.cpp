// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRun.h"
#include "tests/Warnings.h"

#include <QApplication>
#include <cstdio>

int main(int argc, char** argv) {
    using namespace kernelarium::test;
    if (!qEnvironmentVariableIsSet("QT_QPA_PLATFORM")) qputenv("QT_QPA_PLATFORM", "offscreen");
    const TestRun tests(argc, argv);
    const QApplication application(argc, argv);
    watchWarnings();
    const int failed = tests.run(argc, argv, watchWarnings);
    if (unexpectedWarnings() > 0) std::fprintf(stderr, "FAIL: %d unexpected warnings\n", unexpectedWarnings());
    return failed != 0 || unexpectedWarnings() > 0 ? 1 : 0;
}
