// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// Files that are damaged, programs that are missing: the window lives, and says in a line what is the matter.
class TestTroubles : public QObject {
    Q_OBJECT
private Q_SLOTS:
    void damagedArchive();
    void damagedArchiveOfTheLastTime();
    void damagedSession();
    void soundFilesAreNotPutAside_data();
    void soundFilesAreNotPutAside();
    void sessionThatCannotBeWritten();
    void noCompiler();
    void refusesBadImports();
};

} // namespace kernelarium::ui
