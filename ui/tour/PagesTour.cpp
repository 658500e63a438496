// SPDX-License-Identifier: GPL-3.0-or-later
// The tour's stages at the pages that take the editor's place.
#include "ui/frame/Actions.h"
#include "ui/hgemm/HeatPlot.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/hgemm/LaboratoryView.h"
#include "ui/hgemm/PublishedView.h"
#include "ui/occupancy/OccupancyPage.h"
#include "ui/schedule/SchedulePage.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/StatisticsPage.h"
#include "ui/superopt/CandidatesView.h"
#include "ui/superopt/SuperoptPage.h"
#include "ui/tour/Tour.h"
#include "ui/widgets/EmptyState.h"
#include "ui/window/MainWindow.h"
#include "ui/workspace/Workspace.h"

#include <QPushButton>
#include <QSpinBox>

namespace kernelarium::ui {

namespace {
constexpr int shortSearch = 60;    ///< steps
constexpr int movesToWinBack = 20; ///< with which it begins
} // namespace

void Tour::addPageStages() {
    m_stages.push_back({QStringLiteral("similar"),
                        tr("From a kernel to those with similar code or the same operators, verified and faster ones "
                           "first."),
                        [this] { m_window.actions().action(QStringLiteral("like.bench"))->trigger(); },
                        [this] { return m_window.workspace().likes().state().stage == ui::Stage::finished; }});
    StatisticsPage& page = m_window.statistics();
    m_stages.push_back(
        {QStringLiteral("statistics"),
         tr("What the archive says of itself, by level and operator; every number leads to its kernels."),
         [this, &page] {
             m_window.actions().action(QStringLiteral("go.statistics"))->trigger();
             page.showSection(StatisticsPage::overview);
         },
         [&page] { return !page.desk().isBusy() && page.desk().source().findings && page.desk().source().profiles; }});
    m_stages.push_back({QStringLiteral("speed-ups"),
                        tr("How the archived speed-ups are distributed, over PyTorch native and torch.compile."),
                        [&page] { page.showSection(StatisticsPage::speedups); }, [] { return true; }});
    HgemmPage& hgemm = m_window.hgemm();
    m_stages.push_back({QStringLiteral("hgemm"),
                        tr("Published matrix multiplications by shape; without imported tables, how to get them."),
                        [this] { m_window.actions().action(QStringLiteral("go.hgemm"))->trigger(); },
                        [&hgemm] {
                            return !isBusy(hgemm.desk().stage()) &&
                                   (!hgemm.published().map().isEmpty() || hgemm.published().emptyState().isVisible());
                        }});
    m_stages.push_back(
        {QStringLiteral("hgemm-laboratory"),
         tr("Our matrix kernels beside cuBLAS and cuBLASLt: what was measured, on one device at a time."),
         [&hgemm] { hgemm.setInLaboratory(true); },
         [&hgemm] { return hgemm.laboratory().isVisible() && !hgemm.laboratory().chart().isEmpty(); }});
    m_stages.push_back(
        {QStringLiteral("occupancy"),
         tr("How many blocks a multiprocessor holds, what limits them, and what other numbers would do."),
         [this] { m_window.actions().action(QStringLiteral("go.occupancy"))->trigger(); },
         [this] {
             const auto* page = m_window.findChild<OccupancyPage*>();
             return page && page->isVisible();
         }});
    m_stages.push_back({QStringLiteral("superoptimize"),
                        tr("How little work the task needs: the rewrites that algebra allows, and what each is worth."),
                        [this] { m_window.actions().action(QStringLiteral("go.superoptimize"))->trigger(); },
                        [this] {
                            const auto* page = m_window.findChild<SuperoptPage*>();
                            return page && page->isVisible() && page->isSettled();
                        }});
    m_stages.push_back(
        {QStringLiteral("candidates"),
         tr("The kernel files that could be written for the task, by their modelled time, and what each does: launches, "
            "loops and tiles."),
         [this] { m_window.findChild<SuperoptPage*>()->parts().setCurrentIndex(1); },
         [this] {
             CandidatesView& view = m_window.findChild<SuperoptPage*>()->candidates();
             return !view.desk().isListing() && view.desk().state().answer;
         }});
    const auto compiles = [this] { return !lacksToolkit(); };
    m_stages.push_back({QStringLiteral("schedule"),
                        tr("Other orders of the same native instructions, each proved to do the same: what to expect "
                           "of them, before anything is searched."),
                        [this] {
                            m_window.actions().action(QStringLiteral("go.schedule"))->trigger();
                            auto* page = m_window.findChild<SchedulePage*>();
                            page->steps().setValue(shortSearch);
                            page->worsen().setValue(movesToWinBack);
                        },
                        [this] {
                            auto* page = m_window.findChild<SchedulePage*>();
                            return page && page->isVisible() && page->isSettled() && page->desk().subject();
                        },
                        60000, compiles});
    m_stages.push_back(
        {QStringLiteral("schedule-searched"),
         tr("A short search wins back what some moves have made worse: the time of each order beside the "
            "original's, measured on a GPU, modelled without one."),
         [] {},
         [this] {
             auto* page = m_window.findChild<SchedulePage*>();
             if (page->desk().isRunning() || !page->isSettled()) return false;
             if (!page->desk().steps().empty()) return true;
             page->startButton().click(); // nothing, until the text on the bench is compiled
             return false;
         },
         300000, compiles});
}

} // namespace kernelarium::ui
