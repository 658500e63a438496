// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/tools/PythonExport.h"
#include "ui/threads/Ask.h"
#include "ui/workspace/States.h"

#include <QObject>
#include <functional>
#include <memory>

namespace kernelarium::ui {

/// Cards of tasks that have none built in: looked up among the exported ones, and exported with the user's Python, from
/// a thread of their own.
class CardDesk : public QObject {
    Q_OBJECT
public:
    using CardPointer = std::shared_ptr<const task::Card>;

    /// `folder`: where exported cards are kept.
    explicit CardDesk(QString folder, QObject* parent = nullptr);
    ~CardDesk() override;

    /// The card that is kept for a row; null where there is none. A newer call replaces an older ("cancelled").
    void lookUp(const audit::RowTask& row, std::function<void(Result<CardPointer>)> done);

    /// Exports a card and keeps it. One at a time: a newer call replaces an older. Ends with exported().
    void exportCard(const audit::RowTask& row);
    void cancel();
    [[nodiscard]] bool isExporting() const { return m_exporting; }
    [[nodiscard]] const QString& step() const { return m_step; } ///< what an export is doing
    [[nodiscard]] const Error& error() const { return m_error; } ///< of the last export; no code where it went well

    /// The Python that the user chose; empty: one is looked for.
    [[nodiscard]] const QString& python() const { return m_python; }
    void setPython(const QString& path);
    /// Asks what a Python can do, the first usable one where `path` is empty. A newer call replaces an older.
    void probe(const QString& path, std::function<void(Result<protocol::Python>)> done);

Q_SIGNALS:
    void changed(); ///< exporting, step or error
    void exported(bool ok);
    void pythonChanged();

private:
    QString m_folder;
    QString m_python;
    QString m_step;
    Error m_error;
    bool m_exporting = false;
    quint64 m_serial = 0; ///< of the newest export: older ones' ends are not heard
    SerialThread m_lookups;
    SerialThread m_probes;
    SerialThread m_exports;
};

} // namespace kernelarium::ui
