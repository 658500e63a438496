// SPDX-License-Identifier: GPL-3.0-or-later
// How the search is put together.
#include "ui/graph/OperatorGraphView.h"
#include "ui/profiles/RowCopying.h"
#include "ui/superopt/FoundModel.h"
#include "ui/superopt/GraphSearchView.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"

#include <QAction>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace kernelarium::ui {

void GraphSearchView::build(Theme& theme) {
    buildTable();
    for (QPlainTextEdit* view : {m_account, m_evidence, m_text}) {
        view->setReadOnly(true);
        view->setTabChangesFocus(true);
        view->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        view->setFrameShape(QFrame::NoFrame);
        view->document()->setDocumentMargin(2 * Theme::unit);
    }
    m_account->setAccessibleName(tr("How the search stands"));
    m_evidence->setAccessibleName(tr("The chosen graph"));
    m_views->setDocumentMode(true);
    m_views->setAccessibleName(tr("Views of the search"));
    m_views->addTab(m_account, tr("Search"));
    m_views->addTab(m_evidence, tr("Graph"));
    m_text->setFont(theme.codeFont());
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setAccessibleName(tr("Text of the graph's file"));
    m_levels->setAccessibleName(tr("Levels of the graph's file"));
    m_views->addTab(m_levels, tr("Levels"));
    m_views->addTab(m_text, tr("Text"));
    auto* split = new QSplitter(Qt::Vertical);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    split->addWidget(m_table);
    split->addWidget(m_views);
    split->setStretchFactor(0, 2);
    split->setStretchFactor(1, 3);
    m_body->addWidget(m_empty);
    m_body->addWidget(split);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildBar());
    layout->addWidget(m_body, 1);
    addActions();
}

/// Of the table's context menu, above what copies rows.
void GraphSearchView::addActions() {
    QAction* const copying = m_table->actions().value(0);
    const auto add = [this, copying](const QString& text, const QString& tip, Wanted what) {
        auto* action = new QAction(text, m_table);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, [this, what] { want(what); });
        m_table->insertAction(copying, action);
    };
    add(tr("Put on the bench"), m_put->toolTip(), Wanted::put);
    add(tr("Copy the file's text"), tr("Writes the kernel file and copies all of it"), Wanted::copy);
    auto* line = new QAction(m_table);
    line->setSeparator(true);
    m_table->insertAction(copying, line);
}

QWidget* GraphSearchView::buildBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    const auto labelled = [row](const QString& text, QSpinBox* box, const QString& tip) {
        auto* label = new QLabel(text);
        label->setBuddy(box);
        box->setAccessibleName(text);
        box->setToolTip(tip);
        row->addWidget(label);
        row->addWidget(box);
    };
    labelled(tr("Operators"), m_operators, tr("Operators of a graph at most, its inputs counted"));
    labelled(tr("Threads"), m_threads, tr("Units that are explored at the same time"));
    m_cancel->setToolTip(tr("End the search; what was found stays, and Resume goes on"));
    m_said->setProperty("role", "muted");
    m_said->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long one moves nothing
    row->addWidget(m_start);
    row->addWidget(m_cancel);
    m_put->setEnabled(false);
    m_put->setToolTip(
        tr("Write the chosen graph's kernel and open it as a kernel of the session, with its task (Return "
           "in the list)"));
    row->addWidget(m_put);
    row->addWidget(m_said, 1);
    return bar;
}

void GraphSearchView::buildTable() {
    m_table->setModel(m_model);
    m_table->setAccessibleName(tr("Graphs that were found"));
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    QHeaderView& header = *m_table->horizontalHeader();
    header.setHighlightSections(false);
    header.setSectionResizeMode(QHeaderView::Interactive);
    const int digit = m_table->fontMetrics().averageCharWidth();
    for (int column = 0; column < FoundModel::columnCount_; ++column)
        header.resizeSection(column, (column == FoundModel::hash ? 36 : 16) * digit);
    header.setSectionResizeMode(FoundModel::place, QHeaderView::Stretch);
    makeCopyable(*m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
}

} // namespace kernelarium::ui
