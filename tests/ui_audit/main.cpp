// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_audit/Tests.h"

#include <QApplication>
#include <csignal>

int main(int argc, char** argv) {
    using namespace kernelarium::ui;
    std::signal(SIGPIPE, SIG_IGN); // as in the program
    const QApplication application(argc, argv);
    int failures = 0;
    for (const auto run : {testAuditModel, testAuditPage})
        failures += run(argc, argv);
    return failures;
}
