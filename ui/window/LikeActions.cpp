// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/LikeActions.h"

#include "ui/archive/ArchivePanel.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/frame/Actions.h"
#include "ui/plots/LineagePanel.h"
#include "ui/similar/LikePanel.h"
#include "ui/window/CompareActions.h"
#include "ui/window/Docks.h"
#include "ui/workspace/Bench.h"

namespace kernelarium::ui {

LikeActions::LikeActions(const Around& around, const Parts& parts, QObject* parent)
    : QObject(parent)
    , m_with(around)
    , m_parts(parts)
    , m_panel(parts.docks.panel<LikePanel>())
    , m_archive(parts.docks.panel<ArchivePanel>()) {
    parts.actions.add(
        {QStringLiteral("like.bench"),
         tr("Kernels like this one"),
         tr("Find kernels of the archive with similar code or the same operators as the one on the bench"),
         {},
         QStringLiteral("graph"),
         [this] {
             show();
             m_panel.findLikeBench();
         },
         [this] { return m_with.bench.kernel().isEmpty() ? tr("choose a kernel first") : archiveObstacle(); }});
    parts.actions.add(
        {QStringLiteral("like.selection"),
         tr("Kernels like the s&elected one"),
         tr("Find kernels with similar code or the same operators as the one selected in the Archive panel"),
         {},
         {},
         [this] {
             const auto chosen = m_archive.chosenKernels();
             if (chosen.size() != 1) return;
             show();
             m_panel.findLikeArchived(chosen.front());
         },
         [this] {
             const QString obstacle = archiveObstacle();
             if (!obstacle.isEmpty()) return obstacle;
             const auto count = m_archive.chosenKernels().size();
             return count == 1   ? QString()
                    : count == 0 ? tr("no kernel is selected in the Archive panel")
                                 : tr("more than one kernel is selected");
         }});
    const auto run = [&actions = parts.actions](const char* name) {
        return [&actions, name] { actions.run(QLatin1String(name)); };
    };
    connect(&m_archive, &ArchivePanel::likeRequested, this, run("like.selection"));
    connect(&m_panel, &LikePanel::findRequested, this, run("like.bench"));
    connect(&m_panel, &LikePanel::archiveRequested, this, run("archive.open"));
    connect(&m_panel, &LikePanel::compareRequested, this,
            [this](qint64 row) { m_parts.compare.compareWithBench(row); });
    connect(&parts.docks.panel<LineagePanel>(), &LineagePanel::likeRequested, this, [this](qint64 row) {
        if (!archiveObstacle().isEmpty()) return;
        show();
        m_panel.findLikeArchived(row);
    });
}

QString LikeActions::archiveObstacle() const {
    if (m_with.archive.arriving()) return tr("an import is running");
    return m_with.archive.table() ? QString() : tr("no archive is open");
}

void LikeActions::show() const {
    m_parts.actions.run(QStringLiteral("go.similar"));
}

} // namespace kernelarium::ui
