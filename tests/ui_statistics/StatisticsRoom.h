// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/archive/ArchiveFixture.h"
#include "ui/statistics/Figures.h"
#include "ui/statistics/StatisticsPage.h"
#include "ui/theme/Theme.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <memory>

namespace kernelarium::ui {

/// The program's window on an archive made of these rows, in a folder of its own.
class StatisticsRoom {
public:
    explicit StatisticsRoom(const std::vector<nlohmann::json>& rows, Theme::Choice choice = Theme::Choice::light);
    explicit StatisticsRoom(Theme::Choice choice = Theme::Choice::light); ///< without an archive

    [[nodiscard]] bool start();
    /// Goes to the page and waits until the numbers and the profiles are there.
    [[nodiscard]] bool open();
    [[nodiscard]] bool waitUntilCounted();
    [[nodiscard]] StatisticsPage& page() const { return window->statistics(); }
    [[nodiscard]] QString database() const { return file("archive.sqlite"); }
    [[nodiscard]] QString file(const std::string& name) const {
        return QString::fromStdString(fixture.path(name).string());
    }
    /// A verdict of ours on the row of this number, into the file that an audit writes.
    void judge(qint64 id, verify::VerdictKind kind) const;
    void keepPicture(const QString& name); ///< into $KERNELARIUM_PICTURES, where that is set

    ArchiveFixture fixture;
    Theme theme;
    Theme::Choice choice;
    std::unique_ptr<Workspace> workspace;
    std::unique_ptr<MainWindow> window;
};

/// Rows with several tasks, classes and name words, correct ones and others.
std::vector<nlohmann::json> rowsOfManyKinds(int count = 700);

/// A source as the desk makes it, of the whole archive.
FigureSource sourceOf(const std::shared_ptr<const archive::KernelTable>& table,
                      const std::vector<audit::StoredVerdict>& verdicts = {});

} // namespace kernelarium::ui
