// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/session/Tests.h"

#include <QCoreApplication>
#include <string_view>

int main(int argc, char** argv) {
    using namespace kernelarium::session;
    if (argc == 3 && std::string_view(argv[1]) == "--write-forever") return writeForever(argv[2]);
    const QCoreApplication application(argc, argv);
    int failures = 0;
    for (const auto run : {testSessionStore, testSessionFile, testSessionCrash, testHtmlReport, testSavedSearches})
        failures += run(argc, argv);
    return failures;
}
