// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_workspace/TestModels.h"
#include "tests/ui_workspace/TestWorkspace.h"

#include <QApplication>
#include <QTest>

namespace {
QtMessageHandler previous = nullptr;
int warnings = 0;

/// An unexpected warning fails the run.
void count(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (type == QtWarningMsg || type == QtCriticalMsg) ++warnings;
    if (previous) previous(type, context, text);
}
} // namespace

int main(int argc, char** argv) {
    const QApplication application(argc, argv);
    int failures = 0;
    kernelarium::ui::TestModels models;
    failures += QTest::qExec(&models, argc, argv);
    kernelarium::ui::TestWorkspace workspace;
    previous = qInstallMessageHandler(count);
    failures += QTest::qExec(&workspace, argc, argv);
    if (warnings > 0) std::fprintf(stderr, "FAIL: %d unexpected warnings\n", warnings);
    return failures + warnings;
}
