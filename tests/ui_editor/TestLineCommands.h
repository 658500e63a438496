// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"

#include <QObject>

class TestLineCommands : public QObject {
    Q_OBJECT
public:
    explicit TestLineCommands(kernelarium::ui::Theme& theme)
        : m_theme(theme) {}

private Q_SLOTS:
    void commentsAndBack();
    void movesLines();
    void duplicates();
    void deletesLines();
    void selectsOccurrences();
    void typesAtSeveralCursors();
    void altClickAddsACursor();
    void altDragSelectsARectangle();
    void everyCommandIsOneUndoStep();
    void readOnlyTextStays();
    void ctrlClickGoesToTheDefinition();
    void renamesInOneStep();
    void linesDoNotStayCut();
    void bookmarksMoveWithTheirLines();

private:
    kernelarium::ui::Theme& m_theme;
};
