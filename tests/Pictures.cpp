// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/Pictures.h"

#include <QDir>
#include <QTest>
#include <QWidget>

namespace kernelarium::test {

void keepPicture(QWidget& widget, const QString& name) {
    const QString folder = qEnvironmentVariable("KERNELARIUM_PICTURES");
    if (folder.isEmpty()) return;
    QTest::qWait(120); // layouts settle
    widget.grab().save(QDir(folder).filePath(name + QStringLiteral(".png")));
}

} // namespace kernelarium::test
