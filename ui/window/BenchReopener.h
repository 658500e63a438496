// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QString>

namespace kernelarium::ui {

class ArchiveDesk;
class Bench;
class Notices;
class Settings;
struct WorkspacePaths;

/// Remembers the archive and the kernel that are open, and opens them again at the next start.
class BenchReopener : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Bench& bench;
        ArchiveDesk& archive;
        Settings& settings;
        Notices& notices;
        const WorkspacePaths& paths;
    };
    explicit BenchReopener(const Around& around, QObject* parent = nullptr);

    void save();
    /// Opens both again. Where the last archive is gone the starter archive is opened, and that is said. Once the
    /// session is ready.
    void restore();

private:
    void restoreAfterArchive(const QString& kernel);
    [[nodiscard]] bool isThere(const QString& kernel) const;
    void sayGone(const QString& archive);

    Around m_with;
};

} // namespace kernelarium::ui
