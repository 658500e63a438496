// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

/// A session file has one window: later starts of the program hand over to it.
class TestOneWindow : public QObject {
    Q_OBJECT

private Q_SLOTS:
    void theSecondHandsOver();
    void theFirstOpensWhatItIsGiven();
    void manyAtOnce();
    void anotherNameOfTheFile();
    void oneThatDoesNotAnswer();
    void theKilledAreForgotten();
    void strangeVisitors();
    void aVisitorWithManyPaths();
    void aFolderThatCannotBeWritten();
};

} // namespace kernelarium::ui
