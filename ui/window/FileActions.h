// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

class QWidget;

namespace kernelarium::ui {

class Actions;
class EditorArea;
class PathOpener;
class RecentFiles;
class Bench;
class SessionDesk;

/// The actions on .cu files: new, open, save, quit.
class FileActions : public QObject {
    Q_OBJECT
public:
    struct Parts {
        Actions& actions;
        EditorArea& editor;
        PathOpener& opener;
        RecentFiles& recent;
    };
    FileActions(Bench& bench, SessionDesk& session, const Parts& parts, QWidget& window);

private:
    void openFile();
    void saveFile();
    void saveFileAs();
    void newKernel();

    Bench& m_bench;
    SessionDesk& m_session;
    Parts m_parts;
    QWidget& m_window;
    int m_freshCount = 0;
};

} // namespace kernelarium::ui
