// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QStringList>

namespace kernelarium::ui {

/// An import as the session file remembers it while it runs: what is still there at the next start was interrupted, by
/// a kill or because the window was closed.
struct InterruptedImport {
    QStringList inputs; ///< files of rows; none: they are downloaded first
    QString database;   ///< the archive that they were on their way into

    [[nodiscard]] bool isNone() const { return database.isEmpty(); }
    [[nodiscard]] bool isDownload() const { return inputs.isEmpty(); }
    /// Those of the files that are not there any more.
    [[nodiscard]] QStringList missing() const;

    [[nodiscard]] QByteArray toJson() const;
    /// None for what is not one.
    static InterruptedImport fromJson(const QByteArray& json);
};

} // namespace kernelarium::ui
