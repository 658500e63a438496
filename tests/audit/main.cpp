// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/audit/Tests.h"

#include <QCoreApplication>
#include <string_view>

int main(int argc, char** argv) {
    using namespace kernelarium::audit;
    if (argc == 3 && std::string_view(argv[1]) == "--put-forever") return putForever(argv[2]);
    const QCoreApplication application(argc, argv);
    int failures = 0;
    for (const auto run : {testVerdictStore, testMerge, testPlan, testSummary, testAuditor})
        failures += run(argc, argv);
    return failures;
}
