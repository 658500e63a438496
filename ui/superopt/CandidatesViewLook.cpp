// SPDX-License-Identifier: GPL-3.0-or-later
// How the candidates are put together.
#include "ui/graph/OperatorGraphView.h"
#include "ui/profiles/RowCopying.h"
#include "ui/superopt/CandidateModel.h"
#include "ui/superopt/CandidatesView.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"

#include <QAction>
#include <QClipboard>
#include <QGuiApplication>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace kernelarium::ui {

void CandidatesView::build(Theme& theme) {
    buildTable();
    for (QPlainTextEdit* view : {m_evidence, m_text}) {
        view->setReadOnly(true);
        view->setTabChangesFocus(true);
        view->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
        view->setFrameShape(QFrame::NoFrame);
        view->document()->setDocumentMargin(2 * Theme::unit);
    }
    m_text->setFont(theme.codeFont());
    m_text->setLineWrapMode(QPlainTextEdit::NoWrap);
    m_text->setAccessibleName(tr("Text of the file"));
    m_evidence->setAccessibleName(tr("Evidence"));
    m_levels->setAccessibleName(tr("Levels of the file"));
    m_levels->setEmptyTexts(tr("No file chosen"),
                            tr("What a file does: its launches, loops and tiles, and where values lie."));
    m_views->setDocumentMode(true);
    m_views->setAccessibleName(tr("Views of the candidate"));
    m_views->addTab(m_levels, tr("Levels"));
    m_views->addTab(m_evidence, tr("Evidence"));
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

QWidget* CandidatesView::buildBar() {
    auto* bar = new QWidget;
    auto* row = new QHBoxLayout(bar);
    row->setContentsMargins(8, 8, 8, 8);
    row->setSpacing(8);
    m_put->setToolTip(tr("Open the file as a kernel of the session, with its task (Return in the list)"));
    m_prove->setToolTip(tr("Hold the formulas that the file was written from against the task's own, rung by rung"));
    m_cancel->setToolTip(tr("End what is under way; what was found before stays"));
    m_said->setProperty("role", "muted");
    m_said->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred); // a long one moves nothing
    row->addWidget(m_put);
    row->addWidget(m_prove);
    row->addWidget(m_cancel);
    row->addWidget(m_said, 1);
    return bar;
}

void CandidatesView::buildTable() {
    m_table->setModel(m_order);
    m_table->setAccessibleName(tr("Candidates"));
    m_table->setShowGrid(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSortingEnabled(true);
    m_table->sortByColumn(CandidateModel::modelled, Qt::AscendingOrder);
    m_table->verticalHeader()->hide();
    m_table->verticalHeader()->setDefaultSectionSize(m_table->fontMetrics().height() + 8);
    QHeaderView& header = *m_table->horizontalHeader();
    header.setHighlightSections(false);
    header.setSectionResizeMode(QHeaderView::Interactive);
    const int digit = m_table->fontMetrics().averageCharWidth();
    for (int column = 0; column < CandidateModel::columnCount_; ++column)
        header.resizeSection(column, (column == CandidateModel::name ? 22 : 16) * digit);
    header.setSectionResizeMode(CandidateModel::verified, QHeaderView::Stretch);
    makeCopyable(*m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
}

/// Of the table's context menu, above what copies rows.
void CandidatesView::addActions() {
    QAction* const copying = m_table->actions().value(0);
    const auto add = [this, copying](const QString& text, const QString& tip, auto run) {
        auto* action = new QAction(text, m_table);
        action->setToolTip(tip);
        connect(action, &QAction::triggered, this, run);
        m_table->insertAction(copying, action);
    };
    add(tr("Put on the bench"), m_put->toolTip(), [this] { put(); });
    add(tr("Prove"), m_prove->toolTip(), [this] { prove(); });
    add(tr("Copy the file's text"), tr("Copies the whole kernel file"), [this] {
        if (const superopt::Candidate* candidate = chosen())
            QGuiApplication::clipboard()->setText(QString::fromStdString(candidate->file.text));
    });
    auto* line = new QAction(m_table);
    line->setSeparator(true);
    m_table->insertAction(copying, line);
}

} // namespace kernelarium::ui
