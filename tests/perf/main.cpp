// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/perf/TestRegistry.h"

#include <QCoreApplication>
#include <QTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    int failures = 0;
    for (const auto& make : kernelarium::test::perfTests())
        failures += QTest::qExec(make().get(), argc, argv);
    return failures;
}
