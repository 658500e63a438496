// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class Actions;
class EditorArea;
class StepWalk;
class Workspace;

/// The actions that record a block and walk through it.
class StepActions : public QObject {
    Q_OBJECT
public:
    StepActions(Workspace& workspace, EditorArea& editor, StepWalk& walk, Actions& actions, QObject* parent);

private:
    void stepThroughLine();

    Workspace& m_workspace;
    EditorArea& m_editor;
    StepWalk& m_walk;
};

} // namespace kernelarium::ui
