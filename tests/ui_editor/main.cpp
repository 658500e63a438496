// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_editor/TestCodeEditor.h"
#include "tests/ui_editor/TestDiff.h"
#include "tests/ui_editor/TestFindBar.h"
#include "tests/ui_editor/TestPtxView.h"
#include "tests/ui_editor/TestSassListing.h"

#include <QApplication>
#include <QTest>

int main(int argc, char** argv) {
    qputenv("QT_QPA_PLATFORM", "offscreen");
    QApplication application(argc, argv);
    kernelarium::ui::Theme theme;
    int failures = 0;
    for (const auto choice : {kernelarium::ui::Theme::Choice::light, kernelarium::ui::Theme::Choice::dark}) {
        theme.setChoice(choice);
        TestCodeEditor editor(theme);
        TestFindBar find(theme);
        TestPtxView ptx(theme);
        TestDiff diff(theme);
        TestSassListing sass;
        for (QObject* suite : {static_cast<QObject*>(&editor), static_cast<QObject*>(&find),
                               static_cast<QObject*>(&ptx), static_cast<QObject*>(&diff), static_cast<QObject*>(&sass)})
            failures += QTest::qExec(suite, argc, argv);
    }
    return failures;
}
