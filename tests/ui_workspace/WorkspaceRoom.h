// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/Waiting.h"
#include "ui/workspace/Workspace.h"

#include <QFile>
#include <QTemporaryDir>
#include <QTest>
#include <memory>

namespace kernelarium::ui {

/// A workspace on the starter archive with a session file of its own. `restart()` is another start of the program.
class WorkspaceRoom {
public:
    WorkspaceRoom() {
        QFile::copy(QStringLiteral(KERNELARIUM_STARTER), starter()); // verdicts are kept beside it
        restart();
    }

    /// As on a machine with a GPU (GpuChild.cpp).
    void plugGpu() {
        program = QStringLiteral(KERNELARIUM_BIN_DIR "/gpu_child");
        restart();
    }

    void restart() {
        workspace.reset();
        WorkspacePaths paths;
        paths.program = program;
        paths.starterArchive = starter();
        paths.sessionFile = folder.filePath(QStringLiteral("sessions.sqlite"));
        paths.dataFolder = folder.path();
        workspace = std::make_unique<Workspace>(paths);
        workspace->session().wantValues(Settings::keys());
        workspace->session().open(paths.sessionFile);
    }

    [[nodiscard]] QString starter() const { return folder.filePath(QStringLiteral("starter.sqlite")); }
    [[nodiscard]] bool openStarter() {
        if (!QTest::qWaitFor([this] { return workspace->session().isReady(); }, longWait)) return false;
        workspace->archive().open(workspace->paths().starterArchive);
        return QTest::qWaitFor([this] { return workspace->archive().table() != nullptr; }, longWait);
    }
    /// Puts the kernel with this task and name on the bench.
    [[nodiscard]] bool openKernel(int level, int task, const std::string& name) {
        const auto& table = *workspace->archive().table();
        for (std::size_t i = 0; i < table.size(); ++i)
            if (table.level[i] == level && table.task[i] == task && table.name[i] == name) {
                workspace->bench().openArchived(table.id[i]);
                return QTest::qWaitFor(
                    [&] { return workspace->bench().kernel().row && workspace->bench().kernel().row->name == name; },
                    longWait);
            }
        return false;
    }
    [[nodiscard]] bool compiled() {
        return QTest::qWaitFor([this] { return workspace->compiler().isSettled(); }, longWait);
    }
    [[nodiscard]] bool verdict() {
        return QTest::qWaitFor(
            [this] { return !workspace->trials().isBusy() && workspace->runner().verifyState().stage != Stage::idle; },
            longWait);
    }

    QTemporaryDir folder;
    QString program = QStringLiteral(KERNELARIUM_BIN_DIR "/kernelarium-cli");
    std::unique_ptr<Workspace> workspace;
};

} // namespace kernelarium::ui
