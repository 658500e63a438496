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
    FileActions(Bench& bench, const Parts& parts, QWidget& window);

private:
    void openFile();
    void saveFile();
    void saveFileAs();
    void newKernel();

    Bench& m_bench;
    Parts m_parts;
    QWidget& m_window;
};

} // namespace kernelarium::ui
