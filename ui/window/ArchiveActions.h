// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace kernelarium::ui {

class Actions;
class ArchivePanel;
class Imports;
class NoticeBar;
class PathOpener;
class StatusLine;
class Workspace;

/// The actions that bring archives into the window, and kernels out of them.
class ArchiveActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions& actions;
        ArchivePanel& panel;
        Imports& imports;
        NoticeBar& notices;
        PathOpener& opener;
        StatusLine& status;
    };
    ArchiveActions(Workspace& workspace, const Parts& parts, QWidget& window);

private:
    void followDesks();
    void openArchive();
    void exportKernels(bool onlyChosen);

    Workspace& m_workspace;
    Parts m_parts;
    QWidget& m_window;
};

} // namespace kernelarium::ui
