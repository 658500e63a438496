// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/tour/Tour.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QTemporaryDir>
#include <memory>

class QDockWidget;

namespace kernelarium::ui {

/// The program's window with a folder of its own for everything that it writes. start() again is another start of the
/// program on the same files.
class Room {
public:
    explicit Room(Theme::Choice theme = Theme::Choice::light);
    ~Room();

    /// False when the window was not there, in front and with its archive (where it has one), in time.
    [[nodiscard]] bool start();
    void stop();
    [[nodiscard]] bool waitForArchive();
    [[nodiscard]] bool openKernel(int level, int task, const std::string& name);
    [[nodiscard]] bool waitUntilCompiled();
    [[nodiscard]] bool waitUntilIdle(); ///< neither verifying, running nor timing
    /// A key as from the keyboard, to whatever has the focus.
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier);
    /// What the window says in one place or another of what went wrong.
    [[nodiscard]] QString notice();
    [[nodiscard]] QString file(const QString& name) const { return folder.filePath(name); }
    QString write(const QString& name, const QByteArray& content) const;

    void keepPicture(const QString& name); ///< into $KERNELARIUM_PICTURES, where that is set

    /// The tour to its end; empty, or what it stuck at.
    [[nodiscard]] QString takeTour(Tour& tour);

    QTemporaryDir folder;
    WorkspacePaths paths;
    Theme::Choice choice;
    Theme theme;
    std::unique_ptr<Workspace> workspace;
    std::unique_ptr<MainWindow> window;
};

/// Not behind another one's tab.
[[nodiscard]] bool isInFront(const QDockWidget& dock);

/// A child that gets no time: what it is asked meanwhile is certainly under way.
class Frozen {
public:
    explicit Frozen(qint64 pid);
    ~Frozen(); ///< goes on, where it still lives
    Frozen(const Frozen&) = delete;
    Frozen& operator=(const Frozen&) = delete;
    void kill() const;

private:
    qint64 m_pid;
};

/// As a notice has to be: it says something, on one line.
[[nodiscard]] bool isOneLine(const QString& text);

/// A source with a task of its own that is quick to compile.
[[nodiscard]] QByteArray addSource();

} // namespace kernelarium::ui
