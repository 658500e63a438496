// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>
#include <QStringList>

class QWidget;

namespace kernelarium::ui {

class Actions;
class Docks;
class NoticeBar;
class StatusLine;
class ArchiveDesk;
class Settings;
struct WorkspacePaths;

/// Rows on their way into an archive, from files or downloaded: begun, told in the status line, and taken up again
/// where the last start was interrupted.
class Imports : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        ArchiveDesk& archive;
        Settings& settings;
        const WorkspacePaths& paths;
    };
    struct Parts {
        Actions& actions;
        Docks& docks;
        NoticeBar& notices;
        StatusLine& status;
    };
    Imports(const Around& around, const Parts& parts, QWidget& window);

    [[nodiscard]] QString obstacle() const;   ///< why none can begin now; empty: one can
    [[nodiscard]] QString ownArchive() const; ///< the one that the program makes
    /// Where rows go that are only dropped: the open archive, where that is the user's and can be written; else
    /// ownArchive().
    [[nodiscard]] QString target() const;
    void start(const QStringList& inputs, const QString& database);
    void chooseRows();
    void chooseDownload();
    void offerInterrupted();

private:
    void begun(const QString& what);
    void ended(const QString& summary, const QStringList& problems, bool ok);
    void forgetWhenClosed();

    Around m_with;
    Parts m_parts;
    QWidget& m_window;
};

} // namespace kernelarium::ui
