// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace kernelarium::ui {

class Actions;
class ArchiveDesk;
class ArchivePanel;
class Bench;
class CompareActions;
class Docks;
class LikePanel;
class LineagePanel;

/// The actions that go from a kernel to those that are like it: from the bench, the Archive panel and Lineage.
class LikeActions : public QObject {
    Q_OBJECT
public:
    /// What it observes; all outlive it.
    struct Around {
        Bench& bench;
        ArchiveDesk& archive;
    };
    struct Parts {
        Actions& actions;
        Docks& docks;
        CompareActions& compare;
    };
    LikeActions(const Around& around, const Parts& parts, QObject* parent);

private:
    [[nodiscard]] QString archiveObstacle() const;
    void show() const;

    Around m_with;
    Parts m_parts;
    LikePanel& m_panel;
    ArchivePanel& m_archive;
};

} // namespace kernelarium::ui
