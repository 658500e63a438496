// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/source/EditorArea.h"
#include "ui/theme/Theme.h"
#include "ui/workspace/Workspace.h"

#include <QTemporaryDir>
#include <memory>

namespace kernelarium::ui {

/// A workspace on an archive of seven kernels of one task, some of them with profiles:
///   1 first           3 ms      correct, no profile
///   2 tiled_base      2 ms      correct, all three profiles
///   3 broken          none      does not compile
///   4 wrong_edit_1    0.5 ms    archived as wrong
///   5 odd             2.5 ms    correct, profiles that cannot be read
///   6 fast_edit_1     1 ms      correct
///   7 refuted         0.25 ms   archived as correct
/// and one kernel of another task. PyTorch takes 4 ms, torch.compile 3.5 ms.
class ProfiledRoom {
public:
    ProfiledRoom();

    /// False when the archive was not open in time.
    [[nodiscard]] bool open();
    /// Puts a kernel on the bench and waits for its profiles.
    [[nodiscard]] bool openKernel(const std::string& name);
    [[nodiscard]] qint64 idOf(const std::string& name) const;
    [[nodiscard]] QString labelOf(const std::string& name) const;

    QTemporaryDir folder;
    std::unique_ptr<Workspace> workspace;
};

Theme& roomTheme();

/// What an editor of this workspace observes.
[[nodiscard]] EditorArea::Around editorAround(Workspace& workspace);

/// Collects warnings: a test fails on any it did not expect.
void listenToWarnings();
[[nodiscard]] QStringList warningsTaken();

} // namespace kernelarium::ui
