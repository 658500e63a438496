// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/export/Export.h"
#include "ui/threads/Ask.h"

#include <QObject>
#include <vector>

namespace kernelarium::ui {

/// Takes kernels out of an archive, with our verdicts on them: as CSV, JSON lines or a folder of .cu files. One export
/// at a time.
class ExportDesk : public QObject {
    Q_OBJECT
public:
    explicit ExportDesk(QObject* parent = nullptr)
        : QObject(parent) {}

    /// `kernels`: their numbers in `archive`. Ends with ended(), always.
    void start(const QString& archive, std::vector<std::int64_t> kernels, archive::ExportFormat format,
               const QString& path);
    void cancel();
    [[nodiscard]] bool isRunning() const { return m_running; }

Q_SIGNALS:
    void progress(const QString& what, double fraction);
    void ended(const QString& summary, bool ok);

private:
    bool m_running = false;
    SerialThread m_thread;
};

} // namespace kernelarium::ui
