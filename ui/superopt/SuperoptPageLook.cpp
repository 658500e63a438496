// SPDX-License-Identifier: GPL-3.0-or-later
// How the page is put together.
#include "ui/graph/OperatorGraphView.h"
#include "ui/superopt/CandidatesView.h"
#include "ui/superopt/FormulaView.h"
#include "ui/superopt/GraphSearchView.h"
#include "ui/superopt/RewriteModel.h"
#include "ui/superopt/SuperoptBar.h"
#include "ui/superopt/SuperoptPage.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/Captioned.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/PageHead.h"

#include <QHeaderView>
#include <QPlainTextEdit>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

constexpr int wideEnoughForSides = 720; ///< logical pixels for before and after beside each other

QSplitter* thinSplitter(Qt::Orientation orientation) {
    auto* split = new QSplitter(orientation);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    return split;
}

} // namespace

void SuperoptPage::build() {
    m_head->headline().setAccessibleName(tr("What algebra knows of the task"));
    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(8, 8, 8, 8);
    topLayout->setSpacing(8);
    topLayout->addWidget(m_head);
    topLayout->addWidget(m_bar);
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

QWidget* SuperoptPage::buildBody() {
    m_parts->setDocumentMode(true);
    m_parts->setAccessibleName(tr("Parts of the page"));
    m_parts->addTab(buildRewrites(), tr("Rewrites"));
    m_parts->addTab(m_candidates, tr("Candidates"));
    m_parts->addTab(m_search, tr("Search"));
    m_parts->setTabToolTip(2, tr("Graphs of operators that are enumerated for the task"));
    m_parts->setTabToolTip(1, tr("The kernel files that could be written for the task"));
    return m_parts;
}

QWidget* SuperoptPage::buildRewrites() {
    m_rewrites->setModel(m_model);
    m_rewrites->setAccessibleName(tr("Rewrites"));
    m_rewrites->setShowGrid(false);
    m_rewrites->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_rewrites->setSelectionMode(QAbstractItemView::SingleSelection);
    m_rewrites->setWordWrap(false);
    m_rewrites->setTabKeyNavigation(false);
    m_rewrites->verticalHeader()->hide();
    m_rewrites->verticalHeader()->setDefaultSectionSize(m_rewrites->fontMetrics().height() + 8);
    QHeaderView& header = *m_rewrites->horizontalHeader();
    header.setHighlightSections(false);
    header.setSectionResizeMode(QHeaderView::ResizeToContents);
    header.setStretchLastSection(true);
    m_details->setReadOnly(true);
    m_details->setTabChangesFocus(true);
    m_details->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_details->setAccessibleName(tr("The chosen rewrite"));
    m_details->setFrameShape(QFrame::NoFrame);
    m_details->document()->setDocumentMargin(2 * Theme::unit);
    m_graphBefore->setAccessibleName(tr("Graph before"));
    m_graphAfter->setAccessibleName(tr("Graph after"));
    const auto sides = [this](QWidget& before, QWidget& after) {
        QSplitter* split = thinSplitter(Qt::Horizontal);
        split->addWidget(captioned(tr("Before"), before));
        split->addWidget(captioned(tr("After"), after));
        m_sides.push_back(split);
        return split;
    };
    m_views->setDocumentMode(true);
    m_views->setAccessibleName(tr("Views of the formulas"));
    m_views->addTab(sides(*m_formulasBefore, *m_formulasAfter), tr("Formulas"));
    m_views->addTab(sides(*m_graphBefore, *m_graphAfter), tr("Graph"));
    QSplitter* upper = thinSplitter(Qt::Vertical);
    upper->addWidget(m_rewrites);
    upper->addWidget(m_details);
    upper->addWidget(m_views);
    upper->setStretchFactor(0, 3);
    upper->setStretchFactor(1, 1);
    upper->setStretchFactor(2, 5);
    return upper;
}

void SuperoptPage::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    for (QSplitter* split : m_sides)
        split->setOrientation(width() >= wideEnoughForSides ? Qt::Horizontal : Qt::Vertical);
}

} // namespace kernelarium::ui
