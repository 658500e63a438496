// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QTemporaryDir>
#include <memory>

namespace kernelarium::ui {

/// The program's window on a copy of the starter archive in a folder of its own, so that verdicts come beside it.
class AuditRoom {
public:
    explicit AuditRoom(Theme::Choice choice = Theme::Choice::light);
    /// Another start of the program on the same files. False when it was not there in time.
    [[nodiscard]] bool start();
    [[nodiscard]] QString database() const { return folder.filePath(QStringLiteral("starter.sqlite")); }
    /// The verdicts in the file, by label.
    [[nodiscard]] QHash<QString, audit::StoredVerdict> stored() const;
    /// Puts a verdict into the file as an audit of an earlier version would have.
    void store(qint64 row, verify::VerdictKind kind, const std::string& reason, bool stale = false) const;
    void keepPicture(const QString& name); ///< into $KERNELARIUM_PICTURES, where that is set

    QTemporaryDir folder;
    Theme theme;
    Theme::Choice choice;
    std::unique_ptr<Workspace> workspace;
    std::unique_ptr<MainWindow> window;
};

} // namespace kernelarium::ui
