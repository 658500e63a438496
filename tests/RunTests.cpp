// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/TestRun.h"

#include <QCoreApplication>

int main(int argc, char** argv) {
    const kernelarium::test::TestRun tests(argc, argv);
    const QCoreApplication application(argc, argv);
    return tests.run(argc, argv);
}
