// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/RunningWork.h"

#include "ui/audit/AuditBar.h"
#include "ui/audit/AuditDesk.h"
#include "ui/frame/Actions.h"
#include "ui/frame/StatusLine.h"
#include "ui/hgemm/HgemmDesk.h"
#include "ui/statistics/StatisticsDesk.h"
#include "ui/workspace/Workspace.h"

namespace kernelarium::ui {

RunningWork::RunningWork(Workspace& workspace, const Desks& desks, StatusLine& status, Actions& actions,
                         QObject* parent)
    : QObject(parent)
    , m_workspace(workspace)
    , m_desks(desks)
    , m_status(status)
    , m_actions(actions) {
    connect(&desks.audit, &AuditDesk::changed, this, &RunningWork::tellAudit);
    connect(&desks.statistics, &StatisticsDesk::changed, this, &RunningWork::tellStatistics);
    connect(&desks.statistics, &StatisticsDesk::progressChanged, this, &RunningWork::tellStatistics);
    connect(&desks.hgemm, &HgemmDesk::changed, this, &RunningWork::tellTables);
    connect(&desks.hgemm, &HgemmDesk::progressed, this, [this](const QString& what, double fraction) {
        m_status.setErrand(StatusLine::Errand::tables, what, fraction);
    });
    connect(&workspace, &Workspace::busyChanged, &actions, &Actions::refresh);
    connect(&workspace.tidy(), &TidyDesk::changed, &actions, &Actions::refresh);
    connect(&status, &StatusLine::cancelRequested, this, &RunningWork::cancel);
}

void RunningWork::tellAudit() {
    const AuditState& state = m_desks.audit.state();
    m_status.setErrand(StatusLine::Errand::audit,
                       isBusy(state.stage) ? tr("Auditing: %1").arg(auditProgressText(state)) : QString(),
                       state.progress.total > 0 ? double(state.progress.done) / double(state.progress.total) : -1);
    m_actions.refresh();
}

void RunningWork::tellStatistics() {
    const StatisticsDesk& desk = m_desks.statistics;
    m_status.setErrand(StatusLine::Errand::statistics,
                       desk.isBusy() ? tr("Statistics: %1").arg(desk.progressText()) : QString(), desk.progress());
    m_actions.refresh();
}

void RunningWork::tellTables() {
    if (!isBusy(m_desks.hgemm.stage())) m_status.setErrand(StatusLine::Errand::tables, {}, -1);
    m_actions.refresh();
}

bool RunningWork::isWaitedFor() const {
    return m_workspace.isBusy() || m_workspace.archive().isImporting() || m_workspace.exporter().isRunning() ||
           isBusy(m_workspace.tidy().state().stage);
}

bool RunningWork::isAny() const {
    return isWaitedFor() || m_desks.audit.isRunning() || m_desks.statistics.isBusy() || isBusy(m_desks.hgemm.stage());
}

void RunningWork::cancel() {
    const bool waiting = isWaitedFor();
    m_workspace.archive().cancelImport();
    m_workspace.exporter().cancel();
    m_desks.hgemm.cancel();
    m_workspace.cancel();
    const bool counting = m_desks.statistics.isBusy();
    if (!waiting) m_desks.statistics.cancel();
    if (!waiting && !counting) m_desks.audit.pause();
}

} // namespace kernelarium::ui
