// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/CandidatesView.h"

#include "ui/graph/OperatorGraphView.h"
#include "ui/superopt/CandidateModel.h"
#include "ui/superopt/LevelGraph.h"
#include "ui/superopt/ProofText.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QItemSelectionModel>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>

namespace kernelarium::ui {

namespace {

/// Also of a card that was read again.
bool isSame(const CandidateQuestion& a, const CandidateQuestion& b) {
    return a.size == b.size && a.device == b.device &&
           (a.card == b.card ||
            (a.card->key() == b.card->key() && task::writeCard(*a.card) == task::writeCard(*b.card)));
}

} // namespace

CandidatesView::CandidatesView(SessionDesk& session, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_desk(new CandidateDesk(session, this))
    , m_model(new CandidateModel(theme, *m_desk, this))
    , m_order(new CandidateOrder(*m_model, this))
    , m_table(new QTableView)
    , m_views(new QTabWidget)
    , m_levels(new OperatorGraphView(theme))
    , m_evidence(new QPlainTextEdit)
    , m_text(new QPlainTextEdit)
    , m_put(new QPushButton(tr("Put on the bench")))
    , m_prove(new QPushButton(tr("Prove")))
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_said(new QLabel)
    , m_empty(new EmptyState(theme, QStringLiteral("superoptimize")))
    , m_body(new QStackedWidget) {
    build(theme);
    connect(m_desk, &CandidateDesk::changed, this, &CandidatesView::hear);
    connect(m_desk, &CandidateDesk::findingsChanged, this, &CandidatesView::hearFindings);
    connect(m_empty, &EmptyState::actionRequested, this, &CandidatesView::ask);
    connect(m_put, &QPushButton::clicked, this, &CandidatesView::put);
    connect(m_prove, &QPushButton::clicked, this, &CandidatesView::prove);
    connect(m_cancel, &QPushButton::clicked, m_desk, &CandidateDesk::cancel);
    connect(m_table, &QTableView::activated, this, &CandidatesView::put);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &CandidatesView::showChosen);
    connect(m_views, &QTabWidget::currentChanged, this, &CandidatesView::fillViews);
    showNothing();
}

void CandidatesView::setQuestion(std::optional<CandidateQuestion> question) {
    if (question && m_question && isSame(*question, *m_question)) return;
    m_question = std::move(question);
    m_isStale = m_question.has_value();
    m_desk->clear();
    askIfSeen();
}

void CandidatesView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    askIfSeen();
}

void CandidatesView::askIfSeen() {
    if (m_isStale && isVisible()) ask();
}

void CandidatesView::ask() {
    if (!m_question) return;
    m_isStale = false;
    m_desk->ask(*m_question);
}

void CandidatesView::readAttempts() {
    m_desk->readAttempts();
}

QString CandidatesView::said() const {
    return m_said->text();
}

int CandidatesView::chosenRow() const {
    const QModelIndex index = m_order->mapToSource(m_table->currentIndex());
    return index.isValid() ? index.row() : -1;
}

const superopt::Candidate* CandidatesView::chosen() const {
    return m_model->candidate(chosenRow());
}

void CandidatesView::choose(const std::string& candidate) {
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (const auto* c = m_model->candidate(row); c && c->name == candidate)
            m_table->setCurrentIndex(m_order->mapFromSource(m_model->index(row, 0)));
}

void CandidatesView::focusFirst() {
    (m_body->currentIndex() == 1 ? static_cast<QWidget*>(m_table) : m_empty->button())
        ->setFocus(Qt::ShortcutFocusReason);
}

void CandidatesView::hear() {
    tellProgress();
    if (!m_desk->state().answer) return showNothing();
    if (m_desk->state().answer != m_shown) showList();
}

void CandidatesView::hearFindings() {
    tellProgress();
    m_model->refreshFindings();
    m_evidence->setPlainText(evidenceText());
    if (m_desk->proofState().stage == Stage::finished && chosen() && chosen()->name == m_desk->proving())
        m_views->setCurrentWidget(m_evidence);
}

void CandidatesView::tellProgress() {
    const bool listing = m_desk->isListing(), proving = m_desk->isProving();
    const bool hadFocus = m_cancel->hasFocus();
    m_cancel->setVisible(listing || proving);
    if (hadFocus && !listing && !proving) focusFirst();
    m_put->setEnabled(chosen());
    m_prove->setEnabled(chosen() && !proving);
    if (listing) {
        const QString& step = m_desk->state().step;
        m_said->setText(step.isEmpty() ? tr("listing the files…") : step);
    } else if (proving) {
        m_said->setText(tr("climbing the ladder of proof for %1…").arg(QString::fromStdString(m_desk->proving())));
    } else if (m_desk->proofState().stage == Stage::cancelled) {
        m_said->setText(tr("The proof was cancelled."));
    } else if (m_shown) {
        m_said->setText(tr("%1 files, %2 refused; size %3 on %4; bound %5")
                            .arg(m_shown->candidates.all.size())
                            .arg(m_shown->candidates.refused.size())
                            .arg(QString::fromStdString(m_shown->question.size),
                                 QString::fromStdString(m_shown->question.device->name),
                                 secondsText(m_shown->candidates.explanation.after.seconds)));
    } else {
        m_said->clear();
    }
}

void CandidatesView::showList() {
    m_shown = m_desk->state().answer;
    m_drawn = -1;
    m_table->clearSpans();
    m_model->show(m_shown);
    m_body->setCurrentIndex(1);
    for (int row = 0; row < m_order->rowCount(); ++row) { // what is refused says so across the row
        if (m_order->index(row, 0).data(CandidateModel::refusedRole).toBool())
            m_table->setSpan(row, CandidateModel::launches, 1, CandidateModel::columnCount_ - 1);
    }
    m_table->setCurrentIndex(m_order->index(0, 0));
    showChosen();
    tellProgress();
}

/// No list: it is on its way, or did not come.
void CandidatesView::showNothing() {
    m_shown.reset();
    m_model->show({});
    m_table->clearSpans();
    showChosen();
    QString title = tr("No task"), sentence = tr("Here stand the kernel files that could be written for a task."),
            again;
    switch (m_desk->state().stage) {
    case Stage::waiting:
    case Stage::running:
    case Stage::finished:
        title = tr("Listing the files");
        sentence = tr("Each form is written, and its time modelled from what its launches would count.");
        break;
    case Stage::cancelled:
        title = tr("The list was cancelled");
        sentence = tr("Nothing is shown of a list that was not finished.");
        again = tr("List again");
        break;
    case Stage::failed:
        title = tr("The files could not be listed");
        sentence = QString::fromStdString(m_desk->state().error.text());
        again = tr("Try again");
        break;
    case Stage::idle: break;
    }
    m_empty->setTexts(title, sentence);
    m_empty->setAction(again, again.isEmpty() ? QString() : tr("Begin the list anew"));
    m_body->setCurrentIndex(0);
    tellProgress();
}

QString CandidatesView::evidenceText() const {
    if (const superopt::Refused* none = m_model->refused(chosenRow()))
        return QString::fromStdString(none->reason.text());
    const superopt::Candidate* candidate = chosen();
    if (!candidate) return {};
    QString why = QString::fromStdString(candidate->file.why);
    if (!why.isEmpty()) why[0] = why[0].toUpper();
    QStringList lines{why, QString()};
    const CandidateFindings found = m_desk->findings(candidate->name);
    if (found.proof)
        lines << proofText(*found.proof);
    else if (!found.noProof.code.empty())
        lines << QString::fromStdString(found.noProof.text());
    else
        lines << tr(
            "Not proved yet. Prove holds the formulas that the file was written from against the task's own, rung "
            "by rung. Whether the file computes these formulas is for the verifier: Put it on the bench, then "
            "Ctrl+Return.");
    return lines.join(QLatin1Char('\n'));
}

void CandidatesView::showChosen() {
    const superopt::Candidate* candidate = chosen();
    m_put->setEnabled(candidate);
    m_prove->setEnabled(candidate && !m_desk->isProving());
    m_evidence->setPlainText(evidenceText());
    m_drawn = -1;
    if (m_model->refused(chosenRow())) m_views->setCurrentWidget(m_evidence);
    fillViews();
}

/// What nobody sees is filled when it is seen.
void CandidatesView::fillViews() {
    const superopt::Candidate* candidate = chosen();
    if (!candidate) {
        m_levels->clear();
        m_text->clear();
        return;
    }
    if (m_views->currentWidget() == m_text) m_text->setPlainText(QString::fromStdString(candidate->file.text));
    if (m_views->currentWidget() != m_levels || m_drawn == chosenRow()) return;
    m_drawn = chosenRow();
    OperatorGraph graph = levelGraph(candidate->file.levels);
    if (!graph.nodes.empty()) return m_levels->setGraph(std::move(graph));
    m_levels->clear();
    m_levels->setEmptyTexts(tr("No picture of this file"),
                            tr("It has %1 launches, more than anyone can look at; the text has them all.")
                                .arg(wholeText(std::int64_t(candidate->launches))));
}

void CandidatesView::put() {
    if (const superopt::Candidate* candidate = chosen())
        Q_EMIT putRequested({m_shown->question.card, candidate->name, candidate->file.text});
}

void CandidatesView::prove() {
    const superopt::Candidate* candidate = chosen();
    if (!candidate || m_desk->isProving()) return;
    if (m_prove->hasFocus()) m_table->setFocus(); // the button cannot be pressed meanwhile
    m_desk->prove(candidate->name);
}

} // namespace kernelarium::ui
