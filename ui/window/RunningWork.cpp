// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/RunningWork.h"

#include "ui/audit/AuditBar.h"
#include "ui/audit/AuditDesk.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/ExportDesk.h"
#include "ui/desks/TidyDesk.h"
#include "ui/desks/ToolkitDesk.h"
#include "ui/frame/Actions.h"
#include "ui/frame/StatusLine.h"
#include "ui/hgemm/HgemmDesk.h"
#include "ui/hgemm/LaboratoryDesk.h"
#include "ui/statistics/StatisticsDesk.h"
#include "ui/tuning/TuneDesk.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Trials.h"

namespace kernelarium::ui {

RunningWork::RunningWork(const Around& around, const Background& background, StatusLine& status, Actions& actions,
                         QObject* parent)
    : QObject(parent)
    , m_with(around)
    , m_background(background)
    , m_status(status)
    , m_actions(actions) {
    connect(&background.audit, &AuditDesk::changed, this, &RunningWork::tellAudit);
    connect(&background.statistics, &StatisticsDesk::changed, this, &RunningWork::tellStatistics);
    connect(&background.statistics, &StatisticsDesk::progressChanged, this, &RunningWork::tellStatistics);
    connect(&background.hgemm, &HgemmDesk::changed, this, &RunningWork::tellTables);
    connect(&background.hgemm, &HgemmDesk::progressed, this, [this](const QString& what, double fraction) {
        m_status.setErrand(StatusLine::Errand::tables, what, fraction);
    });
    connect(&background.laboratory, &LaboratoryDesk::changed, this, &RunningWork::tellTables);
    connect(&background.tuning, &TuneDesk::changed, this, &RunningWork::tellSweep);
    connect(&around.trials, &Trials::busyChanged, &actions, &Actions::refresh);
    connect(&around.tidy, &TidyDesk::changed, &actions, &Actions::refresh);
    connect(&status, &StatusLine::cancelRequested, this, [this] {
        const TuneDesk& tuning = m_background.tuning;
        const bool array = tuning.isRunning() && !tuning.isRunningHere();
        if (array && m_status.shows(StatusLine::Errand::sweep)) // it is asked what is to become of its tasks
            m_actions.run(QStringLiteral("tune.stop"));
        else
            cancel();
    });
}

void RunningWork::tellAudit() {
    const AuditState& state = m_background.audit.state();
    m_status.setErrand(StatusLine::Errand::audit,
                       isBusy(state.stage) ? tr("Auditing: %1").arg(auditProgressText(state)) : QString(),
                       state.progress.total > 0 ? double(state.progress.done) / double(state.progress.total) : -1);
    m_actions.refresh();
}

void RunningWork::tellStatistics() {
    const StatisticsDesk& desk = m_background.statistics;
    m_status.setErrand(StatusLine::Errand::statistics,
                       desk.isBusy() ? tr("Statistics: %1").arg(desk.progressText()) : QString(), desk.progress());
    m_actions.refresh();
}

void RunningWork::tellTables() {
    const LaboratoryState& state = m_background.laboratory.state();
    if (isBusy(state.stage))
        m_status.setErrand(StatusLine::Errand::tables, tr("HGEMM: %1").arg(state.step),
                           state.all > 0 ? double(state.done) / double(state.all) : -1);
    else if (!isBusy(m_background.hgemm.stage()))
        m_status.setErrand(StatusLine::Errand::tables, {}, -1);
    m_actions.refresh();
}

void RunningWork::tellSweep() {
    const TuneDesk& desk = m_background.tuning;
    const tuning::Progress& progress = desk.state().progress;
    QString text;
    if (desk.isRunning() && desk.state().array) {
        const auto& array = desk.state().array->progress;
        m_status.setErrand(
            StatusLine::Errand::sweep,
            tr("Tuning, as an array of jobs: %1 points").arg(wholeText(std::int64_t(desk.points().size()))),
            array && array->total && *array->total > 0 ? double(array->done) / double(*array->total) : -1);
        m_actions.refresh();
        return;
    }
    if (desk.isRunning()) {
        text = desk.state().paused
                   ? tr("Tuning is paused: %1 points").arg(wholeText(std::int64_t(desk.points().size())))
                   : tr("Tuning: %1 points").arg(wholeText(std::int64_t(desk.points().size())));
        if (progress.secondsLeft && !desk.state().paused)
            text += tr(", time left: %1").arg(timeLeftText(*progress.secondsLeft));
    }
    m_status.setErrand(StatusLine::Errand::sweep, text,
                       progress.total && *progress.total > 0 ? double(progress.done()) / double(*progress.total) : -1);
    m_actions.refresh();
}

bool RunningWork::isWaitedFor() const {
    return m_with.trials.isBusy() || m_with.archive.isImporting() || m_with.exporter.isRunning() ||
           m_with.toolkits.isBusy() || isBusy(m_with.tidy.state().stage);
}

bool RunningWork::isAny() const {
    return isWaitedFor() || m_background.audit.isRunning() || m_background.statistics.isBusy() ||
           isBusy(m_background.hgemm.stage()) || isBusy(m_background.laboratory.state().stage) ||
           m_background.tuning.isRunningHere();
}

void RunningWork::cancel() {
    const bool waiting = isWaitedFor();
    m_with.archive.cancelImport();
    m_with.exporter.cancel();
    m_with.toolkits.cancel();
    m_background.hgemm.cancel();
    m_background.laboratory.cancel();
    m_with.trials.cancel();
    const bool counting = m_background.statistics.isBusy();
    if (!waiting) m_background.statistics.cancel();
    if (waiting || counting) return;
    m_background.audit.pause();
    m_background.tuning.stop();
}

} // namespace kernelarium::ui
