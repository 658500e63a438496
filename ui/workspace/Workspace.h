// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/Desks.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Heat.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/Settings.h"
#include "ui/workspace/Standing.h"
#include "ui/workspace/TrialPlan.h"
#include "ui/workspace/Trials.h"

#include <QObject>

namespace kernelarium::ui {

/// All that a window works with, and who hears of whom: the kernel on the bench, what it is held against, where it
/// runs, what is tried with it, and the desks that do the work. Panels observe these and never each other. Everything
/// in here returns at once; results arrive as signals.
class Workspace : public QObject {
    Q_OBJECT
public:
    explicit Workspace(WorkspacePaths paths, QObject* parent = nullptr);
    ~Workspace() override;

    [[nodiscard]] const WorkspacePaths& paths() const { return m_paths; }
    [[nodiscard]] Notices& notices() { return m_notices; }
    [[nodiscard]] Settings& settings() { return m_settings; }
    [[nodiscard]] Bench& bench() { return m_bench; }
    [[nodiscard]] Assignment& assignment() { return m_assignment; }
    [[nodiscard]] Place& place() { return m_place; }
    [[nodiscard]] Heat& heat() { return m_heat; }
    [[nodiscard]] Trials& trials() { return m_trials; }
    [[nodiscard]] PastTrials& past() { return m_past; }
    [[nodiscard]] Standing& standing() { return m_standing; }

    [[nodiscard]] ArchiveDesk& archive() { return m_desks.archive; }
    [[nodiscard]] ExportDesk& exporter() { return m_desks.exporter; }
    [[nodiscard]] LikeDesk& likes() { return m_desks.likes; }
    [[nodiscard]] CompileDesk& compiler() { return m_desks.compiler; }
    [[nodiscard]] RunDesk& runner() { return m_desks.runner; }
    [[nodiscard]] StepDesk& stepper() { return m_desks.stepper; }
    [[nodiscard]] TensorDesk& tensors() { return m_desks.tensors; }
    [[nodiscard]] TimeDesk& timer() { return m_desks.timer; }
    [[nodiscard]] DeviceDesk& devices() { return m_desks.devices; }
    [[nodiscard]] SessionDesk& session() { return m_desks.session; }
    [[nodiscard]] CardDesk& cards() { return m_desks.cards; }
    [[nodiscard]] VerdictDesk& verdicts() { return m_desks.verdicts; }
    [[nodiscard]] ProfileDesk& profiles() { return m_desks.profiles; }
    [[nodiscard]] TidyDesk& tidy() { return m_desks.tidy; }
    [[nodiscard]] FormatDesk& formatter() { return m_desks.formatter; }
    [[nodiscard]] NcuDesk& ncu() { return m_desks.ncu; }
    [[nodiscard]] ToolkitDesk& toolkits() { return m_desks.toolkits; }
    [[nodiscard]] KeptDesk& kept() { return m_desks.kept; }

private:
    void restore();
    void connectBench();
    void connectDesks();

    WorkspacePaths m_paths;
    Notices m_notices;
    TrialPlan m_plan;
    Desks m_desks;
    Settings m_settings;
    Bench m_bench; ///< ends before the session: it keeps the draft
    Assignment m_assignment;
    Place m_place;
    Heat m_heat;
    Trials m_trials;
    PastTrials m_past;
    Standing m_standing;
};

} // namespace kernelarium::ui
