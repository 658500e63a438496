// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class Actions;
class Bench;
class Docks;
class EditorArea;
class StepWalk;
class TensorPanel;

/// From a line or a thread to the elements that it wrote.
class TensorActions : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Parts {
        Bench& bench;
        Docks& docks;
        EditorArea& editor;
        StepWalk& walk;
        TensorPanel& panel;
    };
    TensorActions(const Parts& parts, Actions& actions, QObject* parent);

private:
    void showOfLine();
    void showOfThread();

    Parts m_parts;
};

} // namespace kernelarium::ui
