// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/lesson/Tests.h"

#include <QCoreApplication>

int main(int argc, char** argv) {
    using namespace kernelarium::lesson;
    const QCoreApplication application(argc, argv);
    int failures = 0;
    for (const auto run : {testLessonParser, testEvaluation, testProgress})
        failures += run(argc, argv);
    return failures;
}
