// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_statistics/Tests.h"

#include <QApplication>
#include <csignal>

int main(int argc, char** argv) {
    using namespace kernelarium::ui;
    std::signal(SIGPIPE, SIG_IGN); // as in the program
    const QApplication application(argc, argv);
    int failures = 0;
    for (const auto run : {testFigures, testStatisticsPage, testHgemmPage})
        failures += run(argc, argv);
    return failures;
}
