// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/ui_lessons/Tests.h"

#include <QApplication>
#include <QDir>
#include <QWidget>
#include <QtTest>

namespace kernelarium::ui {

void failOnWarnings() {
    QTest::failOnWarning(QRegularExpression(QStringLiteral("^(?!This plugin does not support)")));
}

void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("KERNELARIUM_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(50); // layouts settle
    widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace kernelarium::ui

int main(int argc, char** argv) {
    using namespace kernelarium::ui;
    const QApplication application(argc, argv);
    int failures = 0;
    for (const auto run : {testLessonsPage, testSessionPanel})
        failures += run(argc, argv);
    return failures;
}
