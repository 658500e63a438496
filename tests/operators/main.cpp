// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/operators/Bench.h"

#include <QCoreApplication>
#include <QTest>

int main(int argc, char** argv) {
    QCoreApplication application(argc, argv);
    int failures = 0;
    for (const auto& make : kernelarium::test::TestRegistry::tests()) {
        const std::unique_ptr<QObject> test = make();
        failures += QTest::qExec(test.get(), argc, argv);
    }
    return failures;
}
