// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestCountersPanel.h"
#include "tests/ui_workspace/TestGpuTarget.h"
#include "tests/ui_workspace/TestModels.h"
#include "tests/ui_workspace/TestSettings.h"
#include "tests/ui_workspace/TestTrialPlan.h"
#include "tests/ui_workspace/TestUnknownTask.h"
#include "tests/ui_workspace/TestWork.h"
#include "tests/ui_workspace/TestWorkspace.h"

#include <QApplication>
#include <QTest>

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    int failures = 0;
    kernelarium::ui::TestWork work;
    failures += QTest::qExec(&work, argc, argv);
    kernelarium::ui::TestTrialPlan plan;
    failures += QTest::qExec(&plan, argc, argv);
    kernelarium::ui::TestSettings settings;
    failures += QTest::qExec(&settings, argc, argv);
    kernelarium::ui::TestModels models;
    failures += QTest::qExec(&models, argc, argv);
    kernelarium::ui::TestWorkspace workspace;
    failures += QTest::qExec(&workspace, argc, argv);
    kernelarium::ui::TestCountersPanel counters;
    failures += QTest::qExec(&counters, argc, argv);
    kernelarium::ui::TestUnknownTask unknown;
    failures += QTest::qExec(&unknown, argc, argv);
    kernelarium::ui::TestGpuTarget gpu;
    failures += QTest::qExec(&gpu, argc, argv);
    return failures;
}
