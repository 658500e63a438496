// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class Actions;
class EditorArea;
class StepWalk;
class Bench;
class Notices;
class Trials;

/// The actions that record a block and walk through it.
class StepActions : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        Trials& trials;
        Notices& notices;
    };
    StepActions(const Around& around, EditorArea& editor, StepWalk& walk, Actions& actions, QObject* parent);

private:
    void stepThroughLine();

    Around m_with;
    EditorArea& m_editor;
    StepWalk& m_walk;
};

} // namespace kernelarium::ui
