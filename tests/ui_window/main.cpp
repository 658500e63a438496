// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_window/TestActions.h"
#include "tests/ui_window/TestCancelled.h"
#include "tests/ui_window/TestFiles.h"
#include "tests/ui_window/TestGpu.h"
#include "tests/ui_window/TestJudged.h"
#include "tests/ui_window/TestKept.h"
#include "tests/ui_window/TestKilled.h"
#include "tests/ui_window/TestLoop.h"
#include "tests/ui_window/TestManners.h"
#include "tests/ui_window/TestTroubles.h"
#include "tests/ui_window/Warnings.h"

#include <QApplication>
#include <QTest>
#include <csignal>
#include <cstring>

using namespace kernelarium::ui;

namespace {

template <class Test> int runTest(int argc, char** argv) {
    Test test;
    return QTest::qExec(&test, argc, argv);
}

int runPart(const char* part, int argc, char** argv) {
    if (!std::strcmp(part, "loop")) return runTest<TestLoop>(argc, argv);
    if (!std::strcmp(part, "killed")) return runTest<TestKilled>(argc, argv);
    if (!std::strcmp(part, "cancelled")) return runTest<TestCancelled>(argc, argv);
    if (!std::strcmp(part, "kept")) return runTest<TestKept>(argc, argv);
    if (!std::strcmp(part, "typist")) return typeAndTell(argc > 1 ? argv[1] : "");
    if (!std::strcmp(part, "actions")) return runTest<TestActions>(argc, argv);
    if (!std::strcmp(part, "files")) return runTest<TestFiles>(argc, argv);
    if (!std::strcmp(part, "troubles")) return runTest<TestTroubles>(argc, argv);
    if (!std::strcmp(part, "gpu")) return runTest<TestGpu>(argc, argv);
    if (!std::strcmp(part, "manners")) return runTest<TestManners>(argc, argv);
    if (!std::strcmp(part, "judged")) return runTest<TestJudged>(argc, argv);
    return runTest<TestManners>(argc, argv) + runTest<TestJudged>(argc, argv) + runTest<TestActions>(argc, argv) +
           runTest<TestFiles>(argc, argv) + runTest<TestTroubles>(argc, argv) + runTest<TestGpu>(argc, argv);
}

} // namespace

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // as in the program
    const char* parts[] = {"loop",  "killed",   "cancelled", "kept",    "typist", "actions",
                           "files", "troubles", "gpu",       "manners", "judged"};
    QByteArray part;
    for (const char* name : parts)
        if (argc > 1 && !std::strcmp(argv[1], name)) part = name;
    if (!part.isEmpty()) { // the rest is Qt Test's
        argv[1] = argv[0];
        ++argv;
        --argc;
    }
    if (part == "cancelled" || part == "typist") qputenv("QT_SCALE_FACTOR", "2");
    const QApplication application(argc, argv);
    watchWarnings();
    const int failures = runPart(part.constData(), argc, argv);
    if (unexpectedWarnings() > 0) std::fprintf(stderr, "FAIL: %d unexpected warnings\n", unexpectedWarnings());
    return failures + unexpectedWarnings();
}
