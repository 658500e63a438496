// SPDX-License-Identifier: GPL-3.0-or-later
// Pages that take the editor's place in the middle, and the room around it.
#include "ui/archive/ArchivePanel.h"
#include "ui/hgemm/HgemmPage.h"
#include "ui/statistics/StatisticsPage.h"
#include "ui/window/Actions.h"
#include "ui/window/EditorArea.h"
#include "ui/window/MainWindow.h"
#include "ui/window/NoticeBar.h"
#include "ui/window/StatusLine.h"

#include <QDockWidget>
#include <QFileDialog>
#include <QStackedWidget>
#include <QVBoxLayout>

namespace kernelarium::ui {

void MainWindow::buildMiddle() {
    m_statistics = new StatisticsPage(m_workspace, m_theme);
    m_hgemm = new HgemmPage(m_workspace, m_theme);
    m_middle = new QStackedWidget;
    for (QWidget* page :
         {static_cast<QWidget*>(m_editorArea), static_cast<QWidget*>(m_statistics), static_cast<QWidget*>(m_hgemm)})
        m_middle->addWidget(page);
    // What they hold must not decide how small the window can be while they are not seen.
    for (QWidget* page : {static_cast<QWidget*>(m_statistics), static_cast<QWidget*>(m_hgemm)})
        page->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Ignored);
    auto* middle = new QWidget;
    auto* layout = new QVBoxLayout(middle);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_notices);
    layout->addWidget(m_middle, 1);
    setCentralWidget(middle);
    connect(m_statistics, &StatisticsPage::openRequested, this, &MainWindow::openArchive);
    connect(m_statistics, &StatisticsPage::searchRequested, this, [this](const QString& typed) {
        showDock(QStringLiteral("archive"));
        m_archive->filters().setSearch(typed);
    });
    connect(m_statistics, &StatisticsPage::stateChanged, this, &MainWindow::stateChangedSoon);
    connect(&m_statistics->desk(), &StatisticsDesk::changed, this, &MainWindow::tellStatistics);
    connect(&m_statistics->desk(), &StatisticsDesk::progressChanged, this, &MainWindow::tellStatistics);
    connect(m_hgemm, &HgemmPage::openRequested, this, &MainWindow::openTables);
    connect(&m_hgemm->desk(), &HgemmDesk::changed, this, [this] {
        if (!isBusy(m_hgemm->desk().stage())) m_status->setErrand(StatusLine::Errand::tables, {}, -1);
        m_actions->refresh();
    });
    connect(&m_hgemm->desk(), &HgemmDesk::progressed, this, [this](const QString& what, double fraction) {
        m_status->setErrand(StatusLine::Errand::tables, what, fraction);
    });
    connect(m_hgemm, &HgemmPage::stateChanged, this, &MainWindow::stateChangedSoon);
    const auto back = [this] {
        leavePage();
        m_editorArea->focusEditor();
    };
    connect(m_statistics, &StatisticsPage::backRequested, this, back);
    connect(m_hgemm, &HgemmPage::backRequested, this, back);
    // Whoever chooses a kernel wants to see it.
    connect(&m_workspace, &Workspace::kernelChanged, this, &MainWindow::leavePage);
}

void MainWindow::tellStatistics() {
    const StatisticsDesk& desk = m_statistics->desk();
    m_status->setErrand(StatusLine::Errand::statistics,
                        desk.isBusy() ? tr("Statistics: %1").arg(desk.progressText()) : QString(), desk.progress());
    m_actions->refresh();
}

void MainWindow::addPageActions() {
    m_actions->add({QStringLiteral("go.statistics"),
                    tr("S&tatistics"),
                    tr("What the archive says of itself, in numbers and charts"),
                    QKeySequence(Qt::ALT | Qt::Key_T),
                    QStringLiteral("statistics"),
                    [this] { showPage(m_statistics); },
                    {}});
    m_actions->add({QStringLiteral("go.hgemm"),
                    tr("HGE&MM results"),
                    tr("Published results of half-precision matrix multiplication"),
                    QKeySequence(Qt::ALT | Qt::Key_M),
                    QStringLiteral("heatmap"),
                    [this] { showPage(m_hgemm); },
                    {}});
    m_actions->add({QStringLiteral("hgemm.open"),
                    tr("Open &HGEMM tables…"),
                    tr("Add published speed-ups of matrix multiplications, CSV"),
                    {},
                    {},
                    [this] { openTables(); },
                    {}});
}

bool MainWindow::isShowingPage() const {
    return m_middle->currentWidget() != m_editorArea;
}

/// Docks below and to the right speak about the kernel: they make room, and come back with the editor.
void MainWindow::showPage(QWidget* page) {
    if (!isShowingPage()) {
        m_benchState = QMainWindow::saveState();
        for (QDockWidget* dock : m_docks)
            if (!dock->isFloating() && dockWidgetArea(dock) != Qt::LeftDockWidgetArea) dock->hide();
    }
    // Of the panels at the left, Archive answers the statistics; HGEMM has nothing to ask them.
    for (QDockWidget* dock : m_docks) {
        if (dock->isFloating() || dockWidgetArea(dock) != Qt::LeftDockWidgetArea) continue;
        if (page == m_hgemm && !dock->isHidden()) {
            m_dockBesides << dock;
            dock->hide();
        } else if (page != m_hgemm && m_dockBesides.contains(dock)) {
            dock->show();
        }
    }
    if (page != m_hgemm) {
        m_dockBesides.clear();
        if (QDockWidget* archive = m_docks[QStringLiteral("archive")]; !archive->isHidden()) archive->raise();
    }
    m_middle->setCurrentWidget(page);
    if (page == m_statistics)
        m_statistics->focusFirst();
    else
        m_hgemm->focusFirst();
}

void MainWindow::leavePage() {
    if (!isShowingPage()) return;
    m_middle->setCurrentWidget(m_editorArea);
    restoreState(m_benchState);
    m_benchState.clear();
    m_dockBesides.clear();
    if (!m_dockOnReturn.isEmpty()) showDock(std::exchange(m_dockOnReturn, {}));
}

/// Whether a panel has to wait until the page is left.
bool MainWindow::waitsForBench(const QString& name) const {
    const QDockWidget* dock = m_docks.value(name);
    return isShowingPage() && dock && name != QLatin1String("help") && !dock->isFloating() &&
           dockWidgetArea(const_cast<QDockWidget*>(dock)) != Qt::LeftDockWidgetArea;
}

void MainWindow::openTables() {
    const QStringList files =
        QFileDialog::getOpenFileNames(this, tr("Open HGEMM tables"), {}, tr("Tables (*.csv);;All files (*)"));
    if (!files.isEmpty()) importTables(files);
}

void MainWindow::importTables(const QStringList& files) {
    showPage(m_hgemm);
    m_hgemm->import(files);
}

} // namespace kernelarium::ui
