// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "tests/archive/ArchiveFixture.h"
#include "tests/ui_window/Room.h"
#include "ui/statistics/Figures.h"
#include "ui/statistics/StatisticsPage.h"

#include <memory>

namespace kernelarium::ui {

class FigureView;

/// The program's window on an archive made of these rows, in a folder of its own.
class StatisticsRoom : public Room {
public:
    explicit StatisticsRoom(const std::vector<nlohmann::json>& rows, Theme::Choice choice = Theme::Choice::light);
    explicit StatisticsRoom(Theme::Choice choice = Theme::Choice::light); ///< without an archive
    ~StatisticsRoom() { stop(); }                                         ///< before the folder goes

    [[nodiscard]] bool start(); ///< with the archive, where there is one by now
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

    ArchiveFixture fixture;
};

void clickCell(FigureView& view, int row, int column);

/// Rows with several tasks, classes and name words, correct ones and others.
std::vector<nlohmann::json> rowsOfManyKinds(int count = 700);

/// A source as the desk makes it, of the whole archive.
FigureSource sourceOf(const std::shared_ptr<const archive::KernelTable>& table,
                      const std::vector<audit::StoredVerdict>& verdicts = {});

} // namespace kernelarium::ui
