// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace kernelarium::ui {

class Workspace;

/// The archive and the kernel that were open when the program ended, as the session file remembers them.
class LastBench : public QObject {
    Q_OBJECT
public:
    explicit LastBench(Workspace& workspace, QObject* parent = nullptr);

    void save();
    /// Opens both again; the starter archive where the last one is gone. Once the session is ready.
    void restore();
    static QString key() { return QStringLiteral("bench"); } ///< of the session file's value

private:
    void restoreAfterArchive(const QString& kernel);

    Workspace& m_workspace;
};

} // namespace kernelarium::ui
