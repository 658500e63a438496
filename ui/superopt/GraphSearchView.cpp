// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/superopt/GraphSearchView.h"

#include "ui/graph/OperatorGraphView.h"
#include "ui/superopt/CandidatesView.h"
#include "ui/superopt/FoundModel.h"
#include "ui/superopt/LevelGraph.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QClipboard>
#include <QGuiApplication>
#include <QItemSelectionModel>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <algorithm>
#include <thread>

namespace kernelarium::ui {

namespace {

using RungStanding = superopt::RungVerdict::Standing;

QString countText(std::uint64_t count) {
    return wholeText(std::int64_t(count));
}

bool isSameSearch(const CandidateQuestion& a, const CandidateQuestion& b) {
    return a.size == b.size && a.device == b.device &&
           (a.card == b.card ||
            (a.card->key() == b.card->key() && task::writeCard(*a.card) == task::writeCard(*b.card)));
}

/// What a reason of the generator means.
QString prunedWord(const std::string& reason) {
    if (reason == "expression") return GraphSearchView::tr("no part of what the task computes");
    if (reason == "reach") return GraphSearchView::tr("indices that cannot come together any more");
    if (reason == "memory") return GraphSearchView::tr("no room in shared memory");
    if (reason == "bound") return GraphSearchView::tr("slower than the task formula by formula");
    if (reason == "redundant") return GraphSearchView::tr("computed already");
    if (reason == "unfinished") return GraphSearchView::tr("too few operators left");
    return QString::fromStdString(reason);
}

QString standingWord(RungStanding standing) {
    switch (standing) {
    case RungStanding::stood: return GraphSearchView::tr("✓ passed");
    case RungStanding::fell: return GraphSearchView::tr("✗ refused");
    case RungStanding::undecided: break;
    }
    return GraphSearchView::tr("? undecided");
}

} // namespace

GraphSearchView::GraphSearchView(const QString& folder, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_desk(new GraphSearchDesk(folder.toStdString(), this))
    , m_model(new FoundModel(theme, this))
    , m_table(new QTableView)
    , m_views(new QTabWidget)
    , m_account(new QPlainTextEdit)
    , m_evidence(new QPlainTextEdit)
    , m_levels(new OperatorGraphView(theme))
    , m_text(new QPlainTextEdit)
    , m_put(new QPushButton(tr("Put on the bench")))
    , m_operators(new QSpinBox)
    , m_threads(new QSpinBox)
    , m_start(new QPushButton(tr("Start")))
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_said(new QLabel)
    , m_empty(new EmptyState(theme, QStringLiteral("superoptimize")))
    , m_body(new QStackedWidget) {
    m_operators->setRange(3, 16);
    m_operators->setValue(mugraph::Limits().operators);
    m_threads->setRange(1, 1024);
    m_threads->setValue(int(std::max(1U, std::thread::hardware_concurrency())));
    build(theme);
    connect(m_desk, &GraphSearchDesk::looked, this, &GraphSearchView::refresh);
    connect(m_desk, &GraphSearchDesk::changed, this, &GraphSearchView::refresh);
    connect(m_desk, &GraphSearchDesk::found, this, &GraphSearchView::showFound);
    connect(m_empty, &EmptyState::actionRequested, this, &GraphSearchView::press);
    connect(m_start, &QPushButton::clicked, this, &GraphSearchView::press);
    connect(m_cancel, &QPushButton::clicked, m_desk, &GraphSearchDesk::stop);
    connect(m_operators, &QSpinBox::valueChanged, this, [this] {
        m_isStale = m_question.has_value();
        lookIfSeen();
    });
    connect(m_desk, &GraphSearchDesk::written, this, &GraphSearchView::hearFile);
    connect(m_put, &QPushButton::clicked, this, [this] { want(Wanted::put); });
    connect(m_table, &QTableView::activated, this, [this] { want(Wanted::put); });
    connect(m_views, &QTabWidget::currentChanged, this, &GraphSearchView::fillViews);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &GraphSearchView::showChosen);
    refresh();
}

void GraphSearchView::setQuestion(std::optional<CandidateQuestion> question) {
    if (question && m_question && isSameSearch(*question, *m_question)) return;
    m_question = std::move(question);
    m_isStale = m_question.has_value();
    m_desk->forget();
    lookIfSeen();
}

void GraphSearchView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    lookIfSeen();
}

void GraphSearchView::lookIfSeen() {
    if (!m_isStale || !isVisible()) return;
    m_isStale = false;
    superopt::GraphSearch search{*m_question->card, m_question->size, {}};
    search.limits.operators = m_operators->value();
    search.limits.device = m_question->device->id;
    m_desk->look(std::move(search));
}

QString GraphSearchView::said() const {
    return m_said->text();
}

void GraphSearchView::focusFirst() {
    QWidget* first = m_body->currentIndex() == 1 ? static_cast<QWidget*>(m_table) : m_empty->button();
    (first->isEnabled() ? first : m_operators)->setFocus(Qt::ShortcutFocusReason);
}

/// Start, Pause, Go on or Resume: whatever the button says.
void GraphSearchView::press() {
    if (m_desk->lookState().stage == Stage::failed) {
        m_isStale = m_question.has_value();
        return lookIfSeen();
    }
    if (!m_desk->isRunning()) return m_desk->start(std::size_t(m_threads->value()));
    if (m_desk->state().paused)
        m_desk->goOn();
    else
        m_desk->pause();
}

QString GraphSearchView::saidText() const {
    const GraphSearchState& state = m_desk->state();
    if (!m_desk->subject()) return {};
    const superopt::FoundCounts& counts = m_desk->isRunning() ? state.progress.found : m_desk->table().counts();
    QStringList said{tr("%1 of %2 units").arg(countText(counts.units), countText(m_desk->subject()->units))};
    if (m_desk->isRunning()) {
        said << (state.paused ? tr("paused") : tr("%1 states/s").arg(siText(state.progress.statesPerSecond)));
        if (state.progress.units.secondsLeft && !state.paused)
            said << tr("%1 left").arg(timeLeftText(*state.progress.units.secondsLeft));
    }
    said << tr("%1 right, %2 undecided, %3 refused")
                .arg(countText(counts.right), countText(counts.undecided), countText(counts.refused));
    if (state.stage == Stage::failed) said << QString::fromStdString(state.error.text());
    if (state.stage == Stage::cancelled) said << tr("cancelled: Resume goes on");
    return said.join(QStringLiteral(" · "));
}

QString GraphSearchView::accountText() const {
    const GraphSearchState& state = m_desk->state();
    const superopt::FoundCounts& counts = m_desk->isRunning() ? state.progress.found : m_desk->table().counts();
    QStringList lines{tr("States looked at: %1").arg(countText(counts.counts.states))};
    if (state.progress.statesPerSecond > 0)
        lines << tr("States a second: %1, the ladder's time included; %2 for each thread while it explores")
                     .arg(siText(state.progress.statesPerSecond), siText(state.progress.statesPerThreadSecond));
    lines << tr("Frontier: %1 units open, %2 of them under way")
                 .arg(countText(m_desk->openUnits()),
                      countText(m_desk->isRunning() ? state.progress.units.underWay : 0));
    lines << QString() << tr("Pruned, by reason:");
    std::vector<std::pair<std::uint64_t, std::string>> reasons;
    for (const auto& [reason, states] : counts.counts.pruned)
        reasons.emplace_back(states, reason);
    std::sort(reasons.rbegin(), reasons.rend());
    for (const auto& [states, reason] : reasons)
        lines << QStringLiteral("  %1  %2").arg(countText(states), prunedWord(reason));
    if (reasons.empty()) lines << tr("  nothing yet");
    lines << QString() << tr("Best so far (modelled: no kernel of the graph takes less):");
    const auto steps = m_desk->table().bestSoFar();
    for (const superopt::FoundCandidate& step : steps)
        lines << QStringLiteral("  %1  %2").arg(secondsText(step.bound), QString::fromStdString(step.hash));
    if (steps.empty()) lines << tr("  no graph that was found right");
    if (counts.faults > 0)
        lines << QString()
              << tr("Rungs disagree on %1 graphs. That is a fault of this program: please report it.")
                     .arg(countText(counts.faults));
    if (m_desk->subject())
        lines << QString() << tr("Kept in %1").arg(QString::fromStdString(m_desk->subject()->store.string()));
    return lines.join(QLatin1Char('\n'));
}

void GraphSearchView::refresh() {
    const bool running = m_desk->isRunning(), paused = m_desk->state().paused;
    const superopt::FoundCounts& counts = m_desk->table().counts();
    const auto& look = m_desk->lookState();
    const bool begun = counts.units > 0, done = m_desk->subject() && m_desk->openUnits() == 0;
    const QString word = running ? (paused ? tr("Go on") : tr("Pause"))
                         : done  ? tr("Searched")
                         : begun ? tr("Resume")
                                 : tr("Start");
    m_start->setText(word);
    m_start->setEnabled(m_desk->subject() && (running || !done));
    m_start->setToolTip(running ? tr("Units that are under way end; nothing new begins while it is paused")
                        : done  ? tr("All units are explored; more operators make another search")
                                : tr("Explore what is open; all that is found is kept at once"));
    const bool hadFocus = m_cancel->hasFocus();
    m_cancel->setVisible(running);
    if (hadFocus && !running) m_start->setFocus();
    m_operators->setEnabled(!running);
    m_threads->setEnabled(!running);
    m_said->setText(saidText());
    m_account->setPlainText(accountText());

    QString title = tr("No task"), sentence = tr("Choose a task above: graphs that compute it are enumerated here."),
            button, tip;
    if (look.stage == Stage::running) {
        title = tr("Looking at the task");
        sentence = tr("The task is read as a search's problem, and divided into units.");
    } else if (look.stage == Stage::failed) {
        title = look.error.code == "unsupported" ? tr("This task cannot be searched") : tr("The search cannot begin");
        sentence = QString::fromStdString(look.error.text());
        if (look.error.code != "unsupported") button = tr("Try again"), tip = tr("Look at the task anew");
    } else if (m_desk->subject() && m_desk->subject()->units == 0) {
        title = tr("Too few operators");
        sentence = tr("No graph of up to %1 operators computes this task. Allow more above.").arg(m_operators->value());
    } else if (m_desk->subject()) {
        title = tr("Nothing searched yet");
        sentence = tr("Start enumerates graphs of up to %1 operators in %2 units, and holds each that computes the "
                      "task by its formulas against it, rung by rung. It may be paused, and goes on after a crash.")
                       .arg(m_operators->value())
                       .arg(countText(m_desk->subject()->units));
        button = tr("Start");
        tip = m_start->toolTip();
    }
    m_empty->setTexts(title, sentence);
    m_empty->setAction(button, tip);
    const int body = m_desk->subject() && (begun || running || m_model->rowCount() > 0) ? 1 : 0;
    const bool emptyHadFocus = m_empty->button()->hasFocus();
    m_body->setCurrentIndex(body);
    if (emptyHadFocus && body == 1) m_start->setFocus();
}

/// The chosen graph stays chosen where it goes.
void GraphSearchView::showFound() {
    const superopt::FoundCandidate* chosen = m_model->candidate(m_table->currentIndex().row());
    const std::string hash = chosen ? chosen->hash : std::string();
    m_model->show(m_desk->table().all());
    const int row = std::max(0, m_model->rowOf(hash));
    m_table->setCurrentIndex(m_model->index(row, 0));
    showChosen();
    refresh();
}

void GraphSearchView::showChosen() {
    const superopt::FoundCandidate* found = chosen();
    m_put->setEnabled(found);
    fillViews();
    if (!found) return m_evidence->clear();
    QStringList lines{QStringLiteral("%1  %2").arg(QString::fromStdString(found->hash), checkedWord(found->verdict))};
    if (!found->fault.empty()) lines << tr("Rungs disagree: %1").arg(QString::fromStdString(found->fault));
    lines << QString();
    for (const superopt::RungVerdict& rung : found->rungs)
        lines << QStringLiteral("%1  %2  %3")
                     .arg(QString::fromStdString(rung.name), standingWord(rung.standing),
                          QString::fromStdString(rung.evidence));
    if (found->rungs.empty())
        lines << tr("No rung of the ladder of checks has looked at it: nothing says it is right.");
    lines << QString() << QString::fromStdString(found->graph);
    m_evidence->setPlainText(lines.join(QLatin1Char('\n')));
}

const superopt::FoundCandidate* GraphSearchView::chosen() const {
    return m_model->candidate(m_table->currentIndex().row());
}

/// A file is written when somebody looks at it, or wants it.
void GraphSearchView::fillViews() {
    const superopt::FoundCandidate* found = chosen();
    const bool isLookedAt = m_views->currentWidget() == m_levels || m_views->currentWidget() == m_text;
    if (!found || !isLookedAt) {
        if (!found) m_levels->clear(), m_text->clear(), m_drawn.clear();
        return;
    }
    if (const GraphKernelPointer kernel = m_desk->fileOf(found->hash)) {
        if (m_drawn != found->hash) showWritten(kernel->file);
        m_drawn = found->hash;
        return;
    }
    m_levels->clear();
    m_text->clear();
    m_drawn.clear();
    m_levels->setEmptyTexts(tr("Writing the file"), tr("Tiles are chosen for the device, and the kernel is written."));
    m_desk->write(*found);
}

void GraphSearchView::showWritten(const kernelgen::Emitted& file) {
    m_text->setPlainText(QString::fromStdString(file.text));
    OperatorGraph graph = levelGraph(file.levels);
    if (!graph.nodes.empty()) return m_levels->setGraph(std::move(graph));
    m_levels->clear();
    m_levels->setEmptyTexts(tr("No picture of this file"), tr("The text has all of it."));
}

void GraphSearchView::want(Wanted what) {
    const superopt::FoundCandidate* found = chosen();
    if (!found) return;
    m_wanted = what;
    m_wantedOf = found->hash;
    m_desk->write(*found);
    hearFile();
}

void GraphSearchView::hearFile() {
    const auto& state = m_desk->fileState();
    const superopt::FoundCandidate* found = chosen();
    if (found && state.stage == Stage::failed) {
        const QString why = QString::fromStdString(state.error.text());
        m_levels->clear();
        m_levels->setEmptyTexts(tr("No file of this graph"), why);
        m_text->setPlainText(why);
        m_drawn.clear();
        if (m_wanted != Wanted::nothing) m_views->setCurrentWidget(m_text);
        m_wanted = Wanted::nothing;
        return;
    }
    if (state.stage != Stage::finished) return;
    fillViews();
    if (!found || found->hash != m_wantedOf || m_wanted == Wanted::nothing) return;
    const GraphKernelPointer kernel = m_desk->fileOf(m_wantedOf);
    if (!kernel) return;
    if (std::exchange(m_wanted, Wanted::nothing) == Wanted::copy)
        QGuiApplication::clipboard()->setText(QString::fromStdString(kernel->file.text));
    else
        Q_EMIT putRequested({std::make_shared<const task::Card>(m_desk->subject()->search.card),
                             "graph-" + found->hash.substr(0, 8), kernel->file.text});
}

} // namespace kernelarium::ui
