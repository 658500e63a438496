// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class Actions;
class AuditDesk;
class HgemmDesk;
class StatisticsDesk;
class StatusLine;
class Workspace;

/// Everything that runs and can be cancelled: the work on the bench, rows on their way in and out, and what pages and
/// panels do in the background, which the status line is told of here.
class RunningWork : public QObject {
    Q_OBJECT
public:
    struct Desks {
        AuditDesk& audit;
        StatisticsDesk& statistics;
        HgemmDesk& hgemm;
    };
    RunningWork(Workspace& workspace, const Desks& desks, StatusLine& status, Actions& actions, QObject* parent);

    [[nodiscard]] bool isAny() const;
    /// What the user waits for first; an audit, which runs in the background, when there is nothing else.
    void cancel();

private:
    [[nodiscard]] bool isWaitedFor() const;
    void tellAudit();
    void tellStatistics();
    void tellTables();

    Workspace& m_workspace;
    Desks m_desks;
    StatusLine& m_status;
    Actions& m_actions;
};

} // namespace kernelarium::ui
