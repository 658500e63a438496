// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace kernelarium::ui {

class Actions;
class Docks;
class EditorArea;
class RunningWork;
class Theme;
class Workspace;

/// The actions on the kernel on the bench: what it is held against, its runs, and its text against the original.
class KernelActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions& actions;
        Docks& docks;
        EditorArea& editor;
        RunningWork& work;
    };
    KernelActions(Workspace& workspace, Theme& theme, const Parts& parts, QWidget& window);

private:
    void addRuns();
    void addSetup();
    void addText();
    void setUpKernel();
    [[nodiscard]] QString noKernel() const;

    Workspace& m_workspace;
    Theme& m_theme;
    Parts m_parts;
    QWidget& m_window;
};

} // namespace kernelarium::ui
