// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/workspace/ArchiveDesk.h"
#include "ui/workspace/CardDesk.h"
#include "ui/workspace/CompileDesk.h"
#include "ui/workspace/DeviceDesk.h"
#include "ui/workspace/ExportDesk.h"
#include "ui/workspace/NcuDesk.h"
#include "ui/workspace/ProfileDesk.h"
#include "ui/workspace/RunDesk.h"
#include "ui/workspace/SessionDesk.h"
#include "ui/workspace/StepDesk.h"
#include "ui/workspace/TidyDesk.h"
#include "ui/workspace/TimeDesk.h"
#include "ui/workspace/VerdictDesk.h"

namespace kernelarium::ui {

/// Where things are.
struct WorkspacePaths {
    QString program; ///< kernelarium-cli, whose workers compile and run
    QString starterArchive;
    QString sessionFile;
    QString dataFolder; ///< for archives of the user's
};

/// All desks of a window: each does one kind of work on threads or children of its own, and knows none of the others.
struct Desks {
    explicit Desks(const WorkspacePaths& paths)
        : tidy(paths.program)
        , ncu(paths.program)
        , cards(paths.program, paths.dataFolder + QStringLiteral("/tasks"))
        , compiler({paths.program.toStdString(), "worker", "compile"})
        , runner({paths.program.toStdString(), "worker", "run"})
        , stepper(runner.child())
        , timer(runner.child())
        , devices(paths.program, runner.child()) {}

    SessionDesk session;
    VerdictDesk verdicts;
    ProfileDesk profiles;
    TidyDesk tidy;
    NcuDesk ncu;
    CardDesk cards;
    ArchiveDesk archive;
    ExportDesk exporter;
    CompileDesk compiler;
    RunDesk runner;
    StepDesk stepper; ///< uses the runner's child, as those below
    TimeDesk timer;
    DeviceDesk devices;
};

} // namespace kernelarium::ui
