// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/SuperoptPage.h"

#include "core/perf/DeviceSpec.h"
#include "ui/graph/OperatorGraphView.h"
#include "ui/superopt/CandidatesView.h"
#include "ui/superopt/FormulaView.h"
#include "ui/superopt/GraphSearchView.h"
#include "ui/superopt/RewriteModel.h"
#include "ui/superopt/SuperoptBar.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/PageHead.h"
#include "ui/words/Quantities.h"
#include "ui/words/TaskNames.h"
#include "ui/words/VerdictWords.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Place.h"
#include "ui/workspace/Trials.h"

#include <QComboBox>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QToolButton>

namespace kernelarium::ui {

SuperoptPage::SuperoptPage(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_desk(new ExplanationDesk(this))
    , m_model(new RewriteModel(theme, this))
    , m_head(new PageHead(theme))
    , m_bar(new SuperoptBar(theme))
    , m_parts(new QTabWidget)
    , m_candidates(new CandidatesView(around.session, theme))
    , m_search(new GraphSearchView(around.graphs, theme))
    , m_rewrites(new QTableView)
    , m_details(new QPlainTextEdit)
    , m_views(new QTabWidget)
    , m_formulasBefore(new FormulaView(theme, FormulaView::Side::before))
    , m_formulasAfter(new FormulaView(theme, FormulaView::Side::after))
    , m_graphBefore(new OperatorGraphView(theme))
    , m_graphAfter(new OperatorGraphView(theme))
    , m_empty(new EmptyState(theme, QStringLiteral("superoptimize")))
    , m_body(new QStackedWidget) {
    setObjectName(QStringLiteral("superoptimize")); // the help page's name, too
    build();
    m_pause.setSingleShot(true);
    m_pause.setInterval(0);
    connect(&m_pause, &QTimer::timeout, this, &SuperoptPage::ask);
    connect(&around.bench, &Bench::kernelChanged, this, &SuperoptPage::refreshSoon);
    connect(&around.assignment, &Assignment::changed, this, &SuperoptPage::refreshSoon);
    connect(&around.place, &Place::changed, this, &SuperoptPage::refreshSoon);
    connect(m_head, &PageHead::backRequested, this, &SuperoptPage::backRequested);
    connect(m_bar, &SuperoptBar::changed, this, [this] {
        refreshSoon();
        Q_EMIT stateChanged();
    });
    connect(m_bar, &SuperoptBar::cancelRequested, m_desk, &ExplanationDesk::cancel);
    connect(m_desk, &ExplanationDesk::changed, this, &SuperoptPage::hear);
    connect(m_empty, &EmptyState::actionRequested, this, [this] {
        if (m_next) (this->*m_next)();
    });
    connect(m_rewrites->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { showRow(now.row()); });
    connect(m_views, &QTabWidget::currentChanged, this, &SuperoptPage::fillViews);
    connect(m_candidates, &CandidatesView::putRequested, this, &SuperoptPage::putRequested);
    connect(m_search, &GraphSearchView::putRequested, this, &SuperoptPage::putRequested);
    connect(&around.trials, &Trials::attemptAdded, m_candidates, &CandidatesView::readAttempts);
    showNothing();
}

void SuperoptPage::focusFirst() {
    if (m_shown && m_shown->explanation && m_parts->currentIndex() == 1)
        m_candidates->focusFirst();
    else if (m_shown && m_shown->explanation && m_parts->currentIndex() == 2)
        m_search->focusFirst();
    else if (m_shown && m_shown->explanation && m_rewrites->isVisibleTo(this))
        m_rewrites->setFocus(Qt::ShortcutFocusReason);
    else
        m_bar->tasks().setFocus(Qt::ShortcutFocusReason);
}

std::optional<task::TaskKey> SuperoptPage::chosenTask() const {
    return m_bar->task();
}

QString SuperoptPage::headline() const {
    return m_head->headline().text();
}
QString SuperoptPage::subline() const {
    return m_head->subline().text();
}

void SuperoptPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) m_pause.start();
}

void SuperoptPage::refreshSoon() {
    m_isStale = true;
    if (isVisible()) m_pause.start();
}

const perf::DeviceSpec* SuperoptPage::device() const {
    if (const perf::DeviceSpec* chosen = m_bar->device()) return chosen;
    const perf::DeviceSpec* target = perf::findDeviceSpec(m_with.place.target().device.toStdString());
    return target ? target : perf::findDeviceSpec("h200"); // a target of which no specification is known
}

void SuperoptPage::ask() {
    m_pause.stop();
    m_isStale = false;
    const Kernel& kernel = m_with.bench.kernel();
    const auto& own = m_with.assignment.card();
    const perf::DeviceSpec* spec = perf::findDeviceSpec(m_with.place.target().device.toStdString());
    m_bar->setFollowed(own && kernel.task ? taskText(*kernel.task) : QString(),
                       spec ? QString::fromStdString(spec->name) : QString());
    ExplanationQuestion question;
    question.size = m_bar->size();
    question.device = device();
    question.anyInputs = m_bar->anyInputs();
    if (const auto chosen = m_bar->task()) {
        question.task = *chosen;
    } else if (own) {
        question.task = {own->level, own->task};
        question.card = own;
    } else {
        return m_desk->clear();
    }
    m_desk->ask(std::move(question));
}

void SuperoptPage::hear() {
    const auto& state = m_desk->state();
    m_bar->setProgress(m_desk->isBusy(), state.step);
    if (!state.answer) return showNothing();
    if (state.answer != m_shown) showAnswer();
}

QString SuperoptPage::workWords() const {
    const algebra::Explanation& e = *m_shown->explanation;
    const algebra::Work &a = e.derivation.before, &b = e.derivation.after;
    const auto change = [](const QString& before, const QString& after) {
        return before == after ? before : tr("%1 instead of %2").arg(after, before);
    };
    QStringList symbols;
    for (const auto& [symbol, value] : e.symbols)
        symbols << QStringLiteral("%1 = %2").arg(QString::fromStdString(symbol)).arg(value);
    return QStringList{
        tr("Task %1, %2").arg(QString::fromStdString(e.task), operatorText(QString::fromStdString(e.name))),
        symbols.isEmpty() ? tr("size %1").arg(QString::fromStdString(e.size))
                          : tr("size %1 (%2)").arg(QString::fromStdString(e.size), symbols.join(QStringLiteral(", "))),
        change(siText(a.flops, QStringLiteral("FLOP")), siText(b.flops, QStringLiteral("FLOP"))),
        change(bytesText(a.bytes()), bytesText(b.bytes())),
        tr("bound %1 on %2, set by %3")
            .arg(secondsText(e.after.seconds), QString::fromStdString(e.device->name),
                 e.after.isArithmetic() ? tr("arithmetic in the task's own precision") : tr("device memory"))}
        .join(QStringLiteral(" · "));
}

void SuperoptPage::showAnswer() {
    m_shown = m_desk->state().answer;
    m_drawnRow = -1;
    m_bar->setSizes(*m_shown->card, m_shown->size);
    m_model->show(m_shown);
    const QString task = QString::fromStdString(m_shown->card->key());
    if (m_shown->explanation) {
        m_head->headline().setText(QString::fromStdString(algebra::conclusion(*m_shown->explanation)));
        m_head->subline().setText(workWords());
        m_head->subline().show();
        m_rewrites->setCurrentIndex(m_model->index(0, 0));
        m_candidates->setQuestion(CandidateQuestion{m_shown->card, m_shown->size, m_shown->question.device});
        m_search->setQuestion(CandidateQuestion{m_shown->card, m_shown->size, m_shown->question.device});
        m_body->setCurrentIndex(1);
        return;
    }
    m_next = nullptr;
    m_candidates->setQuestion({});
    m_search->setQuestion({});
    m_head->headline().setText(tr("Task %1 has no formulas").arg(task));
    m_head->subline().setText(
        tr("%1, size %2")
            .arg(operatorText(QString::fromStdString(m_shown->card->name)), QString::fromStdString(m_shown->size)));
    m_head->subline().show();
    m_empty->setTexts(tr("This task is refused"), QString::fromStdString(m_shown->refusal.text()));
    m_empty->setAction({}, {});
    m_body->setCurrentIndex(0);
}

/// No answer: there is nothing to explain, it is on its way, or it did not come.
void SuperoptPage::showNothing() {
    m_shown.reset();
    m_candidates->setQuestion({});
    m_search->setQuestion({});
    m_drawnRow = -1;
    m_model->show({});
    m_next = nullptr;
    const auto& state = m_desk->state();
    const Kernel& kernel = m_with.bench.kernel();
    QString title, sentence, button, tip;
    switch (state.stage) {
    case Stage::waiting:
    case Stage::running:
    case Stage::finished:
        title = tr("Looking for rewrites");
        sentence = tr("The task is written down as formulas, and others that give the same are tried.");
        break;
    case Stage::cancelled:
        title = tr("The search was cancelled");
        sentence = tr("Nothing is shown of a search that was not finished.");
        button = tr("Search again");
        tip = tr("Begin the search anew");
        m_next = &SuperoptPage::ask;
        break;
    case Stage::failed:
        title = tr("The task could not be explained");
        sentence = QString::fromStdString(state.error.text());
        button = tr("Try again");
        tip = tr("Begin the search anew");
        m_next = &SuperoptPage::ask;
        break;
    case Stage::idle:
        if (kernel.isEmpty()) {
            title = tr("No kernel on the bench");
            sentence = tr(
                "Put a kernel on the bench to see how little work its task needs, or choose a task above. A kernel to "
                "begin with can be written for any task.");
            button = tr("New kernel for a task…");
            tip = tr("Write a kernel file from a task's card, to begin by hand (Ctrl+Shift+N)");
            m_next = &SuperoptPage::newRequested;
        } else {
            title = tr("This kernel has no task");
            sentence = tr("Algebra works on a task's card. Say which task the kernel solves, or choose a task above.");
            button = tr("Task and reference…");
            tip = tr("Choose the kernel's task (Ctrl+T)");
            m_next = &SuperoptPage::setupRequested;
        }
        break;
    }
    m_head->headline().setText(title);
    m_head->subline().clear();
    m_head->subline().hide();
    m_empty->setTexts(title, sentence);
    m_empty->setAction(button, tip);
    m_body->setCurrentIndex(0);
}

void SuperoptPage::showRow(int row) {
    m_details->setPlainText(m_model->words(row));
    if (!m_model->explanation() || row < 0) {
        m_formulasBefore->show({});
        m_formulasAfter->show({});
        return;
    }
    m_formulasBefore->show(formulaLines(m_model->before(row), m_model->after(row)));
    m_formulasAfter->show(formulaLines(m_model->after(row), m_model->before(row)));
    m_drawnRow = -1;
    fillViews();
}

/// Graphs that nobody sees are drawn when they are.
void SuperoptPage::fillViews() {
    const int row = m_rewrites->currentIndex().row();
    if (m_views->currentIndex() != 1 || row < 0 || row == m_drawnRow || !m_model->explanation()) return;
    m_drawnRow = row;
    m_graphBefore->setGraph(formulaGraph(m_model->before(row), m_model->after(row)));
    m_graphAfter->setGraph(formulaGraph(m_model->after(row), m_model->before(row)));
}

QByteArray SuperoptPage::saveState() const {
    return m_bar->saveState();
}

void SuperoptPage::restoreState(const QByteArray& state) {
    m_bar->restoreState(state);
}

} // namespace kernelarium::ui
