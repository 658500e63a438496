// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class Actions;
class AuditDesk;
class HgemmDesk;
class LaboratoryDesk;
class StatisticsDesk;
class StatusLine;
class ArchiveDesk;
class ExportDesk;
class TidyDesk;
class ToolkitDesk;
class Trials;
class TuneDesk;

/// Everything that runs and can be cancelled: the work on the bench, rows on their way in and out, and what pages and
/// panels do in the background, which the status line is told of here.
class RunningWork : public QObject {
    Q_OBJECT
public:
    /// What it observes and asks; all outlive it.
    struct Around {
        Trials& trials;
        ArchiveDesk& archive;
        ExportDesk& exporter;
        TidyDesk& tidy;
        ToolkitDesk& toolkits;
    };
    struct Background {
        AuditDesk& audit;
        StatisticsDesk& statistics;
        HgemmDesk& hgemm;
        LaboratoryDesk& laboratory;
        TuneDesk& tuning;
    };
    RunningWork(const Around& around, const Background& background, StatusLine& status, Actions& actions,
                QObject* parent);

    [[nodiscard]] bool isAny() const;
    /// What the user waits for first; an audit and a sweep, which run in the background, when there is nothing else.
    void cancel();

private:
    [[nodiscard]] bool isWaitedFor() const;
    void tellAudit();
    void tellStatistics();
    void tellTables();
    void tellSweep();

    Around m_with;
    Background m_background;
    StatusLine& m_status;
    Actions& m_actions;
};

} // namespace kernelarium::ui
