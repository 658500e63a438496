// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/Auditor.h"
#include "ui/threads/SerialThread.h"
#include "ui/threads/Work.h"

#include <QObject>
#include <QString>
#include <memory>
#include <mutex>
#include <vector>

namespace kernelarium::ui {

class ArchiveDesk;
class Notices;
class VerdictDesk;
struct WorkspacePaths;

/// What an audit is asked for.
struct AuditRequest {
    std::vector<std::uint32_t> rows; ///< of the open archive's table
    audit::PlanOptions plan;
    unsigned jobs = 1;
};

/// Where an audit stands.
struct AuditState : WorkState<std::int64_t> {
    QString archive; ///< its path
    std::int64_t selected = 0;
    std::int64_t current = 0; ///< of these, with an up-to-date verdict before it began
    audit::AuditProgress progress;
    QString last; ///< the label of the kernel that was judged last
};

/// One audit at a time, on threads and children of its own. Verdicts are in the archive's file of verdicts as they
/// come, so that a pause, a closed window and a crash cost what was running and nothing else; a new start does the
/// rest.
class AuditDesk : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        ArchiveDesk& archive;
        VerdictDesk& verdicts;
        Notices& notices;
        const WorkspacePaths& paths;
    };
    explicit AuditDesk(const Around& around, QObject* parent = nullptr);
    ~AuditDesk() override;

    void start(AuditRequest request); ///< does nothing while one runs, or without an archive
    void pause();
    [[nodiscard]] const AuditState& state() const { return m_work.state(); }
    [[nodiscard]] bool isRunning() const { return m_work.isBusy(); }

Q_SIGNALS:
    void changed(); ///< the state; a few times a second at most while it runs

private:
    /// What the audit's threads have found and the window has not heard yet.
    struct Mailbox {
        std::mutex mutex;
        std::vector<audit::StoredVerdict> verdicts;
        audit::AuditProgress progress;
        QString last;
        bool announced = false; ///< a delivery is under way
    };
    void collect(const QString& verdictsPath, const std::shared_ptr<Mailbox>& mailbox);

    Around m_with;
    Work<std::int64_t, AuditState> m_work;
    SerialThread m_thread;
};

} // namespace kernelarium::ui
