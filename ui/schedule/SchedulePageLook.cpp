// SPDX-License-Identifier: GPL-3.0-or-later
// How the page is put together.
#include "ui/profiles/RowCopying.h"
#include "ui/schedule/AcceptedModel.h"
#include "ui/schedule/BothSides.h"
#include "ui/schedule/CountersView.h"
#include "ui/schedule/EnergyPlot.h"
#include "ui/schedule/FateModel.h"
#include "ui/schedule/MeasureChoice.h"
#include "ui/schedule/SchedulePage.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/PageHead.h"
#include "ui/widgets/WrapLayout.h"

#include <QComboBox>
#include <QFrame>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace kernelarium::ui {

void SchedulePage::build() {
    m_head->headline().setAccessibleName(tr("What came of the search, or what to expect of it"));
    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(8, 8, 8, 8);
    topLayout->setSpacing(8);
    topLayout->addWidget(m_head);
    topLayout->addWidget(buildBar());
    m_progress->setRange(0, 1000);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the search"));
    topLayout->addWidget(m_progress);
    m_said->setProperty("role", "muted");
    m_said->setTextFormat(Qt::PlainText);
    m_said->setWordWrap(true);
    m_said->setTextInteractionFlags(Qt::TextSelectableByMouse);
    topLayout->addWidget(m_said);
    auto* line = new QFrame;
    line->setProperty("role", "hairline");
    m_body->addWidget(m_empty);
    m_body->addWidget(buildBody());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(top);
    layout->addWidget(line);
    layout->addWidget(m_body, 1);
}

QWidget* SchedulePage::buildBar() {
    auto* bar = new QWidget;
    auto* row = new WrapLayout(bar, 8);
    row->setContentsMargins(0, 0, 0, 0);
    m_kernels->setAccessibleName(tr("Kernel"));
    m_kernels->setToolTip(tr("Whose instructions are moved; kernels with loops come first"));
    m_kernels->setSizeAdjustPolicy(QComboBox::AdjustToContents);
    row->addWidget(m_kernels);
    const auto labelled = [row](const QString& text, QSpinBox* box, int least, int most, int value,
                                const QString& tip) {
        box->setRange(least, most);
        box->setValue(value);
        box->setGroupSeparatorShown(true);
        box->setKeyboardTracking(false);
        box->setAccessibleName(text);
        box->setToolTip(tip);
        auto* pair = new QWidget;
        auto* layout = new QHBoxLayout(pair);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(4);
        auto* label = new QLabel(text);
        label->setBuddy(box);
        layout->addWidget(label);
        layout->addWidget(box);
        row->addWidget(pair);
    };
    labelled(tr("Steps"), m_steps, 10, 1000000, 1000,
             tr("Schedules that are looked at; the temperature falls from 1% to 0.05% over them"));
    labelled(tr("Seed"), m_seed, 1, 1000000, 1, tr("Seed of the moves; another seed is another search"));
    labelled(tr("Worsen by"), m_worsen, 0, 10000, 0,
             tr("Legal moves that make the start worse than the original: shows what a search can win back. 0: none"));
    row->addWidget(m_measuring);
    row->addWidget(m_start);
    row->addWidget(m_cancel);
    m_keep->setToolTip(tr("Put the schedule into the session's history, with what it may be trusted for"));
    row->addWidget(m_keep);
    auto* menu = new QMenu(m_export);
    menu->setToolTipsVisible(true);
    menu->addAction(tr("Cubin…"), this, [this] { askForFile(true); })
        ->setToolTip(tr("The cubin with the kernel's new order"));
    menu->addAction(tr("List of patches…"), this, [this] { askForFile(false); })
        ->setToolTip(tr("Each place that differs: offset, old and new 16 bytes, both texts"));
    m_export->setMenu(menu);
    m_export->setToolTip(tr("Write the schedule's cubin, or the list of its patches"));
    row->addWidget(m_export);
    m_mode->setProperty("role", "muted");
    row->addWidget(m_mode);
    return bar;
}

QWidget* SchedulePage::buildBody() {
    buildTable(*m_fateTable, *m_fates, tr("Moves by their fate"));
    buildTable(m_counters->table(), m_counters->model(), tr("Counters of the original and of the schedule"));
    m_counters->table().setColumnWidth(BesideModel::counter, 44 * fontMetrics().averageCharWidth());
    m_counters->table().horizontalHeader()->setStretchLastSection(true);
    m_fateTable->horizontalHeader()->setStretchLastSection(true);
    m_stamp->setReadOnly(true);
    m_stamp->setTabChangesFocus(true);
    m_stamp->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_stamp->setFrameShape(QFrame::NoFrame);
    m_stamp->document()->setDocumentMargin(2 * Theme::unit);
    m_stamp->setAccessibleName(tr("What the schedule may be trusted for"));
    m_views->setDocumentMode(true);
    m_views->setAccessibleName(tr("Views of the search"));
    const auto add = [this](QWidget* page, const QString& text, const QString& tip) {
        m_views->addTab(page, text);
        m_views->setTabToolTip(m_views->count() - 1, tip);
    };
    add(m_energies, tr("Energy"), tr("Each step's time beside the original's, the best so far, temperature and noise"));
    add(m_fateTable, tr("Moves"), tr("What became of all moves that were drawn, and why"));
    add(buildAccepted(), tr("Accepted"), tr("The moves that lead to the best schedule; each may be undone"));
    add(m_sides, tr("Before and after"), tr("Both listings, with links between what was moved"));
    add(m_counters, tr("Counters"), tr("What the original and the schedule wait for, side by side"));
    add(m_stamp, tr("Proof"), tr("Whether the schedule is proved, and what that takes for granted"));
    return m_views;
}

QWidget* SchedulePage::buildAccepted() {
    buildTable(*m_acceptedTable, *m_accepted, tr("Accepted moves"));
    m_acceptedTable->setColumnWidth(AcceptedModel::step, 10 * fontMetrics().averageCharWidth());
    m_acceptedTable->setColumnWidth(AcceptedModel::move, 40 * fontMetrics().averageCharWidth());
    m_acceptedTable->horizontalHeader()->setStretchLastSection(true);
    m_undo->setToolTip(tr("Leave the chosen move out of the best schedule, prove the rest anew and take its time"));
    m_all->setToolTip(tr("The best schedule with all of its moves"));
    m_undoSaid->setProperty("role", "muted");
    m_undoSaid->setTextFormat(Qt::PlainText);
    m_undoSaid->setWordWrap(true);
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    row->addWidget(m_undo);
    row->addWidget(m_all);
    row->addWidget(m_undoSaid, 1);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_acceptedTable, 1);
    layout->addWidget(bar);
    return page;
}

void SchedulePage::buildTable(QTableView& table, QAbstractItemModel& model, const QString& name) {
    table.setModel(&model);
    table.setAccessibleName(name);
    table.setShowGrid(false);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 8);
    table.horizontalHeader()->setHighlightSections(false);
    table.setColumnWidth(0, 24 * fontMetrics().averageCharWidth());
    makeCopyable(table);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
}

} // namespace kernelarium::ui
