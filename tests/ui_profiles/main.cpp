// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_profiles/TestLineage.h"
#include "tests/ui_profiles/TestLive.h"
#include "tests/ui_profiles/TestProfilesPanel.h"

#include <QApplication>
#include <QTest>
#include <csignal>

int main(int argc, char** argv) {
    std::signal(SIGPIPE, SIG_IGN); // as in the program
    const QApplication application(argc, argv);
    int failures = 0;
    kernelarium::ui::TestProfilesPanel profiles;
    kernelarium::ui::TestLineage lineage;
    kernelarium::ui::TestLive live;
    for (QObject* test :
         {static_cast<QObject*>(&profiles), static_cast<QObject*>(&lineage), static_cast<QObject*>(&live)})
        failures += QTest::qExec(test, argc, argv);
    return failures;
}
