// SPDX-License-Identifier: GPL-3.0-or-later
// The stages of the tour that use the toolkit's profiler and disassembler on a GPU's machine.
#include "ui/editor/PtxView.h"
#include "ui/frame/Actions.h"
#include "ui/profiles/NcuGroups.h"
#include "ui/source/EditorArea.h"
#include "ui/source/SassPanel.h"
#include "ui/tour/Tour.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

namespace kernelarium::ui {

namespace {

QString countersText(const NcuState& state) {
    if (state.stage == Stage::failed) return QString::fromStdString(state.error.text());
    if (state.stage != Stage::finished || !state.answer) return Tour::tr("nothing was measured");
    const int longest = longestLaunch(*state.answer);
    if (longest < 0) return Tour::tr("no launch has a time");
    const profile::NcuLaunch& launch = (*state.answer)[std::size_t(longest)];
    QStringList figures;
    for (const char* name :
         {"gpu__time_duration.sum", "sm__warps_active.avg.pct_of_peak_sustained_active", "lts__t_sector_hit_rate.pct"})
        if (const profile::NcuMetric* metric = launch.find(name); metric && metric->value)
            figures << QStringLiteral("%1 %2 %3")
                           .arg(QString::fromLatin1(name))
                           .arg(*metric->value, 0, 'g', 6)
                           .arg(QString::fromStdString(metric->unit));
    return Tour::tr("%1 launches, %2 metrics of the longest: %3")
        .arg(state.answer->size())
        .arg(launch.metrics.size())
        .arg(figures.join(QStringLiteral(", ")));
}

} // namespace

void Tour::addProfilerStages() {
    Workspace& workspace = m_window.workspace();
    EditorArea& area = m_window.editorArea();
    const auto there = [this] { return gpu() != nullptr; };
    m_stages.push_back({QStringLiteral("gpu-ncu"),
                        tr("Nsight Compute's counters of this kernel, beside the archived ones."),
                        [this] { m_window.actions().action(QStringLiteral("kernel.ncu"))->trigger(); },
                        [&workspace] { return !workspace.ncu().isBusy(); }, 45000, there,
                        [&workspace] { return countersText(workspace.ncu().state()); }});
    m_stages.push_back(
        {QStringLiteral("gpu-sass"),
         tr("The machine's instructions beside the source: scheduling, live registers, the line they are of."),
         [this, &area] {
             m_window.showDock(QStringLiteral("session"));
             area.sass().showListing();
             area.showSass(true);
             m_asked = false;
         },
         [this, &workspace, &area] {
             if (workspace.compiler().isDisassembling()) m_asked = true;
             const bool refused = area.sass().listing().isEmpty() && m_asked && !workspace.compiler().isDisassembling();
             if (area.sass().listing().isEmpty()) return refused;
             // Away from the prologue; the source follows.
             area.sass().listing().editor().setCursorPosition(area.sass().listing().editor().lines() / 2, 0);
             return true;
         },
         30000, there,
         [&area] {
             return area.sass().listing().isEmpty()
                        ? area.sass().listing().emptyText()
                        : tr("%1 lines of SASS").arg(area.sass().listing().editor().lines());
         }});
}

} // namespace kernelarium::ui
