// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/ui_window/Warnings.h"

#include <QObject>

namespace kernelarium::ui {

/// Files that are damaged, programs that are missing: the window lives, and says in a line what is the matter.
class TestTroubles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void initTestCase() { watchWarnings(); }
    void damagedArchive();
    void damagedArchiveOfTheLastTime();
    void damagedSession();
    void sessionThatCannotBeWritten();
    void noCompiler();
    void refusesBadImports();
};

} // namespace kernelarium::ui
