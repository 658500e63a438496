// SPDX-License-Identifier: GPL-3.0-or-later
// How the page is put together, and what it says.
#include "gpu/protocol/BestText.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"
#include "ui/theme/Theme.h"
#include "ui/tuning/ParallelView.h"
#include "ui/tuning/PointFilter.h"
#include "ui/tuning/PointModel.h"
#include "ui/tuning/PointTable.h"
#include "ui/tuning/ScatterPlot.h"
#include "ui/tuning/SizesView.h"
#include "ui/tuning/SweepRest.h"
#include "ui/tuning/TuneBar.h"
#include "ui/tuning/TuneFigures.h"
#include "ui/tuning/TunePage.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/PageHead.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Bench.h"

#include <QBoxLayout>
#include <QComboBox>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>

namespace kernelarium::ui {

namespace {

enum TuneBody { emptyBody, troubleBody, pointsBody };

} // namespace

void TunePage::build() {
    auto* top = new QWidget;
    auto* topLayout = new QVBoxLayout(top);
    topLayout->setContentsMargins(8, 8, 8, 8);
    topLayout->setSpacing(8);
    topLayout->addWidget(m_head);
    topLayout->addWidget(m_bar);
    auto* line = new QFrame;
    line->setProperty("role", "hairline");
    auto* troubles = new QWidget;
    auto* troubleLayout = new QVBoxLayout(troubles);
    troubleLayout->setContentsMargins(8, 8, 8, 8);
    troubleLayout->setSpacing(8);
    m_troubleWords->setWordWrap(true);
    m_troubles->setAccessibleName(tr("Problems of the marks"));
    m_troubles->setToolTip(tr("Return goes to the line"));
    m_troubles->setWordWrap(true);
    m_troubles->setProperty("role", "sections");
    troubleLayout->addWidget(m_troubleWords);
    troubleLayout->addWidget(m_troubles, 1);
    m_body->addWidget(m_empty);
    m_body->addWidget(troubles);
    auto* split = new QSplitter(Qt::Vertical);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    split->addWidget(buildViews());
    split->addWidget(buildPoints());
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    m_body->addWidget(split);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(top);
    layout->addWidget(line);
    layout->addWidget(m_body, 1);
}

QWidget* TunePage::buildViews() {
    m_curve->emptyState().setTexts(tr("No best point yet"),
                                   tr("The best time so far is drawn here, over the points looked at."));
    m_weightWords->setProperty("role", "muted");
    m_weightWords->setFont(m_theme.captionFont());
    m_weightWords->setWordWrap(true);
    m_weights->setEmptyText(tr("There are too few points with a time."));
    auto* weights = new QWidget;
    auto* layout = new QVBoxLayout(weights);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->setSpacing(8);
    layout->addWidget(m_weightWords);
    layout->addWidget(m_weights, 1);
    m_views->setDocumentMode(true);
    m_views->addTab(m_curve, tr("Best so far"));
    m_views->addTab(m_parallel, tr("Parallel coordinates"));
    m_views->addTab(m_scatter, tr("Scatter"));
    m_views->addTab(weights, tr("Importance"));
    m_views->addTab(m_sizes, tr("Best for each size"));
    m_views->setTabVisible(m_views->indexOf(m_sizes), false);
    m_views->setAccessibleName(tr("Views of the points"));
    return m_views;
}

QWidget* TunePage::buildPoints() {
    m_shown->setProperty("role", "muted");
    m_shown->setFont(m_theme.captionFont());
    m_clear->setToolTip(tr("Empties the fields above the table and takes every brush away"));
    auto* foot = new QHBoxLayout;
    foot->setContentsMargins(8, 4, 8, 4);
    foot->setSpacing(8);
    foot->addWidget(m_shown, 1);
    foot->addWidget(m_clear);
    auto* points = new QWidget;
    auto* layout = new QVBoxLayout(points);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_table, 1);
    layout->addLayout(foot);
    return points;
}

void TunePage::focusFirst() {
    QWidget* const places[] = {&m_bar->startButton(), &m_bar->bestButton(), m_empty->button(), m_troubles,
                               &m_head->back()};
    for (QWidget* place : places)
        if (place->isVisibleTo(this) && place->isEnabled()) return place->setFocus(Qt::ShortcutFocusReason);
}

void TunePage::fillTroubles() {
    m_troubles->clear();
    if (!m_shownSubject) return;
    for (const SpaceTrouble& trouble : m_shownSubject->troubles)
        m_troubles->addItem(
            tr("Line %1: %2 %3").arg(QString::number(trouble.line), trouble.message, trouble.action).trimmed());
    if (m_troubles->count() > 0) m_troubles->setCurrentRow(0);
    m_troubleWords->setText(tr("The marks of this text cannot be read as they stand. Return on a line goes to it."));
}

/// Plots that nobody sees are drawn when they are.
void TunePage::refreshViews() {
    m_viewPause.stop();
    m_parallel->refresh();
    if (m_curve->isVisible()) m_curve->setData(bestCurve(*m_model, m_desk->points()));
    if (m_scatter->isVisible()) m_scatter->refresh();
    if (m_weights->isVisible()) {
        const bool there = m_shownSubject && m_shownSubject->request;
        const auto& importance = m_desk->importance();
        m_weightWords->setText(importanceSentence(importance, m_desk->points().size()));
        m_weights->setTable(there && importance ? importanceTable(m_shownSubject->space(), *importance)
                                                : FigureTable());
    }
    if (m_sizes->isVisible() && m_shownSubject && m_shownSubject->request)
        m_sizes->setBests(protocol::bestForEachSize(*m_shownSubject->request, m_desk->points()));
    m_clear->setVisible(m_filter->isNarrow());
    m_shown->setText(m_filter->isNarrow()
                         ? tr("%1 of %2 points").arg(wholeText(m_filter->rowCount()), wholeText(m_model->rowCount()))
                         : tr("%1 points").arg(wholeText(m_model->rowCount())));
    m_table->setEmptyText(m_model->rowCount() > 0 ? tr("No point is like this: Show all takes the filters away.")
                                                  : tr("Points are listed here as they are looked at."));
    refreshWords();
}

void TunePage::refreshWords() {
    const TuneSubjectPointer& subject = m_desk->subject();
    m_bar->setState(m_desk->state(), m_desk->points().size(), m_desk->hasArray());
    const QString rest = nothingLeft(*m_desk, m_bar->order());
    m_bar->setFound(m_model->best() >= 0, !rest.isEmpty());
    m_bar->setObstacle(m_desk->isRunning() ? QString() : obstacle());
    m_bar->setProgressText(sweepSentence(m_desk->state(), countsOf(*m_model), m_desk->points().size(), rest));
    if (!subject || !subject->request) {
        m_head->headline().setText(tr("Tune a kernel"));
        m_head->subline().setText(
            tr("Tries the values that marks in a kernel's text allow, and finds the fastest that is "
               "right"));
        return;
    }
    m_head->headline().setText(spaceSentence(*subject));
    QStringList facts{subject->valueWords()};
    if (subject->request->points.verify == protocol::PointSettings::Verify::none)
        facts << tr("nothing is verified: the best may be wrong");
    if (const QString best = bestSentence(*m_model); !best.isEmpty()) facts << best;
    for (const protocol::Confirmation& confirmation : m_desk->confirmations())
        if (m_model->best() >= 0 && m_model->rows()[std::size_t(m_model->best())].key == confirmation.key)
            facts << confirmationSentence(confirmation, m_desk->confirmations().size() > 1);
    if (m_with.bench.kernel().key != subject->kernelKey)
        facts << tr("another kernel is on the bench");
    else if (!m_stale && subject->current != subject->space().key(subject->space().start()))
        facts << tr("on the bench: %1").arg(QString::fromStdString(subject->current));
    m_head->subline().setText(facts.join(QStringLiteral(" · ")));
}

void TunePage::refreshBody() {
    const TuneSubjectPointer& subject = m_desk->subject();
    const TuneBody body = !subject || subject->marks == 0 ? emptyBody
                          : subject->request              ? pointsBody
                          : subject->troubles.empty()     ? emptyBody
                                                          : troubleBody;
    const bool other = m_body->currentIndex() != body;
    m_body->setCurrentIndex(body);
    m_bar->setVisible(body == pointsBody);
    if (body == emptyBody) refreshEmpty();
    if (other && isVisible() && (m_head->back().hasFocus() || m_empty->button()->hasFocus())) focusFirst();
    if (other) refreshViews();
}

void TunePage::refreshEmpty() {
    const LookState& state = m_desk->lookState();
    const TuneSubjectPointer& subject = m_desk->subject();
    m_empty->setAction({}, {});
    if (m_with.bench.kernel().isEmpty()) {
        m_empty->setTexts(tr("No kernel is on the bench"),
                          tr("Choose one in the Archive panel or open a file: its marked constants are tuned here."));
    } else if (state.stage == Stage::failed) {
        m_empty->setTexts(tr("The sweep of this text cannot be read"), QString::fromStdString(state.error.text()));
    } else if (!subject) {
        m_empty->setTexts(tr("Being read"), tr("The text is looked through for marks."));
    } else if (subject->marks > 0) {
        m_empty->setTexts(tr("No parameter is marked"), tr("The marks of this text set nothing: F1 explains them."));
        m_empty->setAction(tr("How to mark"), tr("Explain what can be marked and how"));
    } else {
        m_empty->setTexts(tr("Nothing in this text is marked to be tuned"),
                          tr("Write behind a constant what else it may be:\n"
                             "constexpr int TILE = 16; // tune: 8, 16, 32"));
        if (const auto& suggestion = subject->suggestion)
            m_empty->setAction(tr("Mark %1 in line %2: %3")
                                   .arg(QString::fromStdString(suggestion->name), QString::number(suggestion->line),
                                        QString::fromStdString(suggestion->mark)),
                               tr("Puts the mark behind the constant; undo in the editor takes it back"));
        else
            m_empty->setAction(tr("How to mark"), tr("Explain what can be marked and how"));
    }
}

QString TunePage::headline() const {
    return m_head->headline().text();
}

QString TunePage::subline() const {
    return m_head->subline().text();
}

} // namespace kernelarium::ui
