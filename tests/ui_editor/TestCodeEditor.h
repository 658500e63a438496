// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QObject>

class TestCodeEditor : public QObject {
    Q_OBJECT
public:
    explicit TestCodeEditor(kernelarium::ui::Theme& theme)
        : m_theme(theme) {}

private Q_SLOTS:
    void opensWithNothingToUndo();
    void typesAndUndoes();
    void indentsByItself();
    void replacesInOneStepAndKeepsTheLine();
    void replacesTextBeyondAscii();
    void marksTheTokenAtByteColumns();
    void marksFollowEdits();
    void hoveringSaysTheMark();
    void walksTheMarks();
    void manyMarksAndAFileOfMegabytes();
    void heatIsSaidByLine();
    void completesFromDocumentAndNames();
    void completesTensorMembers();
    void completionLeavesCommentsAlone();
    void showsCallTips();
    void coloursFollowTheTheme();
    void goesToALine();
    void takesDroppedFiles();
    void givesUpTheWindowsKeys();

private:
    kernelarium::ui::Theme& m_theme;
};
