// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_editor/TestCodeEditor.h"

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
        failures += QTest::qExec(&editor, argc, argv);
    }
    return failures;
}
