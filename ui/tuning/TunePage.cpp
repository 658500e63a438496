// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/TunePage.h"

#include "core/text/CompilerSettings.h"
#include "ui/desks/Desks.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"
#include "ui/tuning/ClusterBar.h"
#include "ui/tuning/FilterHeader.h"
#include "ui/tuning/ParallelView.h"
#include "ui/tuning/PointFilter.h"
#include "ui/tuning/PointModel.h"
#include "ui/tuning/PointTable.h"
#include "ui/tuning/ScatterPlot.h"
#include "ui/tuning/SizesBar.h"
#include "ui/tuning/SizesView.h"
#include "ui/tuning/StopQuestion.h"
#include "ui/tuning/SweepRest.h"
#include "ui/tuning/TuneBar.h"
#include "ui/tuning/TuneFigures.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/PageHead.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Place.h"

#include <QComboBox>
#include <QDataStream>
#include <QLabel>
#include <QListWidget>
#include <QPushButton>
#include <QStackedWidget>
#include <QTabWidget>
#include <QToolButton>

namespace kernelarium::ui {

namespace {

/// A text is read when it has been left alone for so long.
constexpr int lookPauseMs = 250;
/// Rows are shown as they come, plots a little later.
constexpr int viewPauseMs = 100;

} // namespace

TunePage::TunePage(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_desk(new TuneDesk(around.paths.program, this))
    , m_model(new PointModel(theme, this))
    , m_filter(new PointFilter(*m_model, this))
    , m_bar(new TuneBar(theme))
    , m_head(new PageHead(theme))
    , m_curve(new ChartPlot(theme))
    , m_parallel(new ParallelView(*m_model, theme))
    , m_scatter(new ScatterPlot(*m_model, *m_filter, theme))
    , m_weights(new FigureView(theme))
    , m_weightWords(new QLabel)
    , m_sizes(new SizesView(theme))
    , m_views(new QTabWidget)
    , m_table(new PointTable(*m_model, *m_filter, theme))
    , m_shown(new QLabel)
    , m_clear(new QPushButton(tr("Show all")))
    , m_troubles(new QListWidget)
    , m_troubleWords(new QLabel)
    , m_empty(new EmptyState(theme, QStringLiteral("tune")))
    , m_body(new QStackedWidget) {
    setObjectName(QStringLiteral("tune")); // the help page's name, too
    m_lookPause.setSingleShot(true);
    m_lookPause.setInterval(lookPauseMs);
    m_viewPause.setSingleShot(true);
    m_viewPause.setInterval(viewPauseMs);
    build();
    connectParts();
    refreshBody();
}

void TunePage::connectParts() {
    connect(&m_lookPause, &QTimer::timeout, this, &TunePage::look);
    connect(&m_viewPause, &QTimer::timeout, this, &TunePage::refreshViews);
    connect(&m_with.bench, &Bench::textChanged, this, &TunePage::lookSoon);
    connect(&m_with.assignment, &Assignment::changed, this, &TunePage::lookSoon);
    connect(&m_with.place, &Place::changed, this, &TunePage::lookSoon);
    connect(&m_with.bench, &Bench::kernelChanged, this, [this] {
        auto opening = std::exchange(m_opening, std::nullopt);
        if (!opening || opening->kernelKey != m_with.bench.kernel().key) return;
        // Later, when everybody has heard of the kernel.
        QTimer::singleShot(0, this, [this, opening = std::move(*opening)] {
            if (opening.kernelKey == m_with.bench.kernel().key) putOpened(opening);
        });
    });
    connect(m_desk, &TuneDesk::looked, this, &TunePage::hearLook);
    connect(m_desk, &TuneDesk::pointsReset, this, &TunePage::resetPoints);
    connect(m_desk, &TuneDesk::pointsAdded, this, &TunePage::addPoints);
    connect(m_desk, &TuneDesk::importanceChanged, &m_viewPause, qOverload<>(&QTimer::start));
    connect(m_desk, &TuneDesk::changed, this, [this] {
        const Stage stage = m_desk->state().stage;
        const bool isNew = std::exchange(m_told, stage) != stage;
        if (isNew && stage == Stage::failed) m_with.notices.postError(m_desk->state().error);
        const auto& array = m_desk->state().array;
        if (isNew && stage == Stage::cancelled && array && array->end != cluster::ArrayEnd::cancelled &&
            m_desk->hasArray())
            m_with.notices.post(tr("The array's tasks go on without being watched."));
        refreshWords();
        refreshBody();
    });
    connect(m_bar, &TuneBar::startRequested, this, &TunePage::start);
    connect(m_bar, &TuneBar::pauseRequested, this, &TunePage::togglePause);
    connect(m_bar, &TuneBar::stopRequested, this, &TunePage::stop);
    connect(&m_bar->stopQuestion(), &StopQuestion::leaveChosen, m_desk, &TuneDesk::leaveArray);
    connect(&m_bar->stopQuestion(), &StopQuestion::cancelChosen, m_desk, &TuneDesk::cancelArray);
    connect(&m_bar->cluster(), &ClusterBar::stateChanged, this, &TunePage::refreshWords);
    connect(m_desk, &TuneDesk::clustersFound, &m_bar->cluster(), &ClusterBar::setFound);
    connect(m_bar, &TuneBar::verifyChanged, this, &TunePage::lookSoon);
    connect(m_bar, &TuneBar::stateChanged, this, &TunePage::refreshWords); // another order may have more to do
    connect(m_bar, &TuneBar::bestRequested, this, [this] { open(m_model->best()); });
    connect(&m_bar->sizes(), &SizesBar::changed, this, &TunePage::lookSoon);
    connect(m_sizes, &SizesView::pointRequested, this, &TunePage::openPoint);
    connect(m_sizes, &SizesView::fileRequested, this, &TunePage::openFile);
    connect(&m_sizes->table(), &FigureView::failed, this,
            [this](const QString& text) { m_with.notices.post(text, true); });
    connect(m_bar, &TuneBar::stateChanged, this, &TunePage::stateChanged);
    connect(m_head, &PageHead::backRequested, this, &TunePage::backRequested);
    connect(m_table, &PointTable::openRequested, this, &TunePage::open);
    connect(m_scatter, &ScatterPlot::openRequested, this, &TunePage::open);
    connect(m_scatter, &ScatterPlot::chosen, m_table, &PointTable::goTo);
    connect(m_parallel, &ParallelView::brushed, this, [this] {
        if (m_parallel->isBrushed())
            m_filter->setBrush([this](const PointRow& row) { return m_parallel->takes(row); });
        else
            m_filter->setBrush(nullptr);
    });
    for (auto signal : {&QAbstractItemModel::rowsInserted, &QAbstractItemModel::rowsRemoved})
        connect(m_filter, signal, &m_viewPause, [this] { m_viewPause.start(); });
    connect(m_clear, &QPushButton::clicked, this, [this] {
        m_table->filters().clearFields();
        m_parallel->clearBrushes();
    });
    connect(m_views, &QTabWidget::currentChanged, this, &TunePage::refreshViews);
    connect(m_views, &QTabWidget::currentChanged, this, &TunePage::stateChanged);
    connect(m_troubles, &QListWidget::itemActivated, this,
            [this](QListWidgetItem* item) { goToTrouble(m_troubles->row(item)); });
    connect(m_empty, &EmptyState::actionRequested, this, &TunePage::mark);
    for (PlotPanel* plot : {static_cast<PlotPanel*>(m_curve), static_cast<PlotPanel*>(m_scatter)})
        connect(plot, &PlotPanel::failed, this, [this](const QString& text) { m_with.notices.post(text, true); });
    connect(m_weights, &FigureView::failed, this, [this](const QString& text) { m_with.notices.post(text, true); });
}

// --- what is on the bench

void TunePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_desk->lookForClusters();
    if (m_stale) look();
}

void TunePage::lookSoon() {
    m_stale = true;
    if (isVisible() || m_desk->isRunning()) m_lookPause.start();
    refreshWords();
}

/// The one whose sizes there are to choose from.
std::shared_ptr<const task::Card> TunePage::sizedCard() const {
    const Kernel& kernel = m_with.bench.kernel();
    return kernel.isEmpty() || !kernel.arguments.isEmpty() ? nullptr : m_with.assignment.card();
}

TuneQuestion TunePage::question() const {
    const Kernel& kernel = m_with.bench.kernel();
    RunJob job;
    job.card = m_with.assignment.card();
    job.arguments = kernel.arguments;
    job.function = kernel.function;
    job.title = kernel.title;
    job.target = m_with.place.targetFor(kernel);
    if (kernel.origin == Kernel::Origin::lesson) job.target.gpu.clear(); // lessons are about what the emulator sees
    TuneQuestion question;
    question.kernelKey = kernel.key;
    question.label = kernel.title.toStdString();
    if (kernel.task) question.task = std::to_string(kernel.task->level) + "/" + std::to_string(kernel.task->task);
    question.text = m_with.bench.source().toStdString();
    question.points.run = parametersOf(job);
    if (auto settings = text::settingsFromLine(kernel.compilerOptions.toStdString()))
        question.points.compiler = std::move(*settings);
    question.points.fastMath = job.target.fastMath;
    question.points.arch = job.target.arch.toStdString();
    question.points.device = job.target.device.toStdString();
    question.points.size = job.card && job.arguments.isEmpty() ? "full" : "small";
    if (Result<task::CardSizes> sizes = m_bar->sizes().sizes(); sizes && sizedCard())
        protocol::setSizes(question.points, std::move(*sizes)); // else the bar says what is wrong
    question.points.verify = m_bar->verify();
    if (job.target.timeMode == QLatin1String("hot")) question.points.mode = "hot"; // none of "server"
    question.folder = m_with.paths.sweeps().toStdString();
    question.gpu = job.target.ordinal;
    return question;
}

void TunePage::look() {
    m_lookPause.stop();
    m_stale = false;
    m_bar->sizes().setCard(sizedCard());
    if (m_with.bench.kernel().isEmpty())
        m_desk->forget();
    else
        m_desk->look(question(), m_with.bench.generation());
}

void TunePage::hearLook() {
    const LookState& state = m_desk->lookState();
    if (m_desk->subject() != m_shownSubject) {
        m_shownSubject = m_desk->subject();
        fillTroubles();
    }
    refreshWords();
    refreshBody();
    if (isBusy(state.stage) || m_stale) return;
    if (isVisible() && m_head->back().hasFocus()) focusFirst(); // there was nothing else to go to
    if (!m_startWanted) return;
    m_startWanted = false;
    if (obstacle().isEmpty()) start();
}

QString TunePage::benchObstacle() const {
    const Kernel& kernel = m_with.bench.kernel();
    if (const QString why = m_with.assignment.verifyObstacle(); !why.isEmpty()) return why;
    if (!kernel.referenceText.isEmpty()) return tr("it is held against another kernel; a sweep needs its task's card");
    const Target& target = m_with.place.target();
    if (!target.host.isEmpty()) return tr("sweeps run on this machine: choose a target here");
    if (target.onGpu())
        if (const QString why = m_with.place.obstacle(); !why.isEmpty()) return why;
    if (auto settings = text::settingsFromLine(kernel.compilerOptions.toStdString()); !settings)
        return QString::fromStdString(settings.error().text());
    return {};
}

QString TunePage::obstacle() const {
    if (m_desk->isRunning()) return tr("a sweep is running");
    if (const QString why = benchObstacle(); !why.isEmpty()) return why;
    if (const QString why = m_bar->sizes().obstacle(); !why.isEmpty()) return why;
    const LookState& state = m_desk->lookState();
    if (m_stale || isBusy(state.stage)) return {};
    if (state.stage == Stage::failed) return QString::fromStdString(state.error.text());
    if (!m_desk->subject() || m_desk->subject()->marks == 0) return tr("nothing in the text is marked to be tuned");
    if (!m_desk->subject()->request) return tr("the marks have problems");
    if (m_desk->hasArray()) return {};
    if (const QString why = m_bar->cluster().obstacle(); !why.isEmpty()) return why;
    return nothingLeft(*m_desk, m_bar->order());
}

// --- the sweep

void TunePage::start() {
    if (!obstacle().isEmpty()) return;
    if (m_stale || isBusy(m_desk->lookState().stage)) {
        m_startWanted = true;
        if (m_stale) look();
        return;
    }
    m_desk->start(m_bar->order());
}

void TunePage::stop() {
    if (!m_desk->isRunning() || m_desk->isRunningHere())
        m_desk->stop();
    else if (!m_desk->state().array->cancelling)
        m_bar->stopQuestion().ask();
}

void TunePage::togglePause() {
    if (m_desk->state().paused)
        m_desk->goOn();
    else
        m_desk->pause();
}

void TunePage::resetPoints() {
    const TuneSubjectPointer& subject = m_desk->subject();
    m_taken = 0;
    const bool there = subject && subject->request;
    m_model->begin(there ? subject->space() : tuning::Space(), there ? subject->valueWords() : QString());
    m_filter->setBrush(nullptr);
    m_parallel->refresh();
    m_parallel->clearBrushes();
    m_scatter->refresh();
    m_views->setTabVisible(m_views->indexOf(m_sizes), there && !subject->request->points.sizes.empty());
    addPoints();
    m_viewPause.start();
}

void TunePage::addPoints() {
    m_model->add(m_desk->points(), m_taken);
    m_taken = m_desk->points().size();
    m_viewPause.start();
}

void TunePage::mark() {
    const TuneSubjectPointer& subject = m_desk->subject();
    if (subject && subject->suggestion)
        m_with.bench.replaceSource(QString::fromStdString(subject->suggestion->text));
    else
        Q_EMIT helpRequested();
}

void TunePage::goToTrouble(int row) {
    const TuneSubjectPointer& subject = m_desk->subject();
    if (!subject || row < 0 || std::size_t(row) >= subject->troubles.size()) return;
    const SpaceTrouble trouble = subject->troubles[std::size_t(row)];
    Q_EMIT backRequested();
    m_with.bench.goTo(trouble.line, trouble.column);
}

QByteArray TunePage::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_bar->saveState() << m_views->currentIndex();
    return state;
}

void TunePage::restoreState(const QByteArray& state) {
    QByteArray bar;
    int view = 0;
    QDataStream in(state);
    in >> bar >> view;
    if (in.status() != QDataStream::Ok) return;
    m_bar->restoreState(bar);
    view = std::clamp(view, 0, m_views->count() - 1);
    m_views->setCurrentIndex(m_views->isTabVisible(view) ? view : 0);
}

} // namespace kernelarium::ui
