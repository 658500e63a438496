// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/CardDesk.h"
#include "ui/desks/CompileDesk.h"
#include "ui/desks/DeviceDesk.h"
#include "ui/desks/ExportDesk.h"
#include "ui/desks/FormatDesk.h"
#include "ui/desks/KeptDesk.h"
#include "ui/desks/LikeDesk.h"
#include "ui/desks/NcuDesk.h"
#include "ui/desks/ProfileDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/desks/StepDesk.h"
#include "ui/desks/TensorDesk.h"
#include "ui/desks/TidyDesk.h"
#include "ui/desks/TimeDesk.h"
#include "ui/desks/ToolkitDesk.h"
#include "ui/desks/VerdictDesk.h"

namespace kernelarium::ui {

/// Where things are.
struct WorkspacePaths {
    QString program; ///< kernelarium-cli, whose workers compile and run
    QString starterArchive;
    QString sessionFile;
    QString dataFolder; ///< for archives of the user's
    QString compiled;   ///< where compiled kernels are kept; empty: nowhere

    [[nodiscard]] QString sweeps() const { return dataFolder + QStringLiteral("/sweeps"); } ///< stores of page Tune
};

/// All desks of a window: each does one kind of work on threads or children of its own, and knows none of the others.
struct Desks {
    explicit Desks(const WorkspacePaths& paths)
        : tidy(paths.program)
        , formatter(paths.program)
        , ncu(paths.program)
        , cards(paths.program, paths.dataFolder + QStringLiteral("/tasks"))
        , likes(paths.dataFolder + QStringLiteral("/tasks"))
        , compiler({paths.program.toStdString(), "worker", "compile"})
        , runner({paths.program.toStdString(), "worker", "run"})
        , stepper(runner.child())
        , tensors(runner.child())
        , timer(runner.child())
        , devices(paths.program, runner.child())
        , kept(paths.compiled.toStdString()) {}

    SessionDesk session;
    VerdictDesk verdicts;
    ProfileDesk profiles;
    TidyDesk tidy;
    FormatDesk formatter;
    NcuDesk ncu;
    CardDesk cards;
    ArchiveDesk archive;
    ExportDesk exporter;
    LikeDesk likes;
    CompileDesk compiler;
    RunDesk runner;
    StepDesk stepper; ///< uses the runner's child, as those below
    TensorDesk tensors;
    TimeDesk timer;
    DeviceDesk devices;
    ToolkitDesk toolkits;
    KeptDesk kept;
};

} // namespace kernelarium::ui
