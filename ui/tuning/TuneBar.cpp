// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/TuneBar.h"

#include "core/tuning/strategies/Strategies.h"
#include "ui/theme/Theme.h"
#include "ui/tuning/ClusterBar.h"
#include "ui/tuning/SizesBar.h"
#include "ui/tuning/StopQuestion.h"
#include "ui/widgets/WrappedLabel.h"

#include <QComboBox>
#include <QDataStream>
#include <QHBoxLayout>
#include <QLabel>
#include <QProgressBar>
#include <QPushButton>
#include <QSpinBox>
#include <QVBoxLayout>
#include <algorithm>
#include <thread>

namespace kernelarium::ui {

namespace {

QString latin(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

} // namespace

TuneBar::TuneBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_strategy(new QComboBox)
    , m_budget(new QSpinBox)
    , m_unit(new QComboBox)
    , m_seed(new QSpinBox)
    , m_jobs(new QSpinBox)
    , m_verify(new QComboBox)
    , m_openBest(new QPushButton(tr("Open the best")))
    , m_start(new QPushButton)
    , m_stop(new QPushButton(tr("Stop")))
    , m_sizes(new SizesBar(theme))
    , m_cluster(new ClusterBar(theme))
    , m_question(new StopQuestion)
    , m_bar(new QProgressBar)
    , m_progress(new WrappedLabel) {
    fillStrategies();
    m_budget->setRange(1, 1'000'000);
    m_budget->setValue(60);
    m_budget->setAccessibleName(tr("Budget"));
    m_budget->setToolTip(tr("When the sweep ends. Points count those of earlier runs too, minutes those of this run"));
    m_unit->addItems({tr("points"), tr("minutes"), tr("no limit")});
    m_unit->setAccessibleName(tr("Unit of the budget"));
    m_unit->setToolTip(tr("What the budget counts"));
    m_seed->setRange(0, 1'000'000'000);
    m_seed->setValue(1);
    m_seed->setPrefix(tr("seed "));
    m_seed->setAccessibleName(tr("Seed"));
    m_seed->setToolTip(tr("Of all chance in the strategy: with one job, the same seed draws the same points"));
    m_jobs->setRange(1, 256);
    m_jobs->setValue(std::max(1, int(std::thread::hardware_concurrency()) - 1)); // one core is the window's
    m_jobs->setPrefix(tr("jobs "));
    m_jobs->setAccessibleName(tr("Jobs"));
    m_jobs->setToolTip(tr("Points looked at at the same time; each has its own compiler and emulator"));
    for (QSpinBox* box : {m_budget, m_seed, m_jobs})
        box->setButtonSymbols(QAbstractSpinBox::NoButtons); // arrow keys and the wheel do it
    m_verify->addItems({tr("verify promising"), tr("verify every point"), tr("verify none")});
    m_verify->setAccessibleName(tr("What is verified"));
    m_verify->setItemData(0, tr("Points as good as the best so far: nothing else can become the best"),
                          Qt::ToolTipRole);
    m_verify->setItemData(1, tr("Every point that runs"), Qt::ToolTipRole);
    m_verify->setItemData(2, tr("The results of no point are looked at: the best may be wrong"), Qt::ToolTipRole);
    m_verify->setToolTip(tr("Which points' results are held against the task's reference. Each choice has a store of "
                            "its own"));
    m_openBest->setToolTip(tr("Puts the best point's text on the bench"));
    m_openBest->hide();
    build(theme);
    connect(m_openBest, &QPushButton::clicked, this, &TuneBar::bestRequested);
    connect(m_start, &QPushButton::clicked, this, [this] {
        if (m_running)
            Q_EMIT pauseRequested();
        else
            Q_EMIT startRequested();
    });
    connect(m_stop, &QPushButton::clicked, this, &TuneBar::stopRequested);
    connect(m_unit, &QComboBox::currentIndexChanged, this, [this] {
        refreshUnit();
        Q_EMIT stateChanged();
    });
    connect(m_strategy, &QComboBox::currentIndexChanged, this, [this] {
        m_strategy->setToolTip(m_strategy->currentData(Qt::ToolTipRole).toString());
        Q_EMIT stateChanged();
    });
    connect(m_verify, &QComboBox::currentIndexChanged, this, [this] {
        Q_EMIT verifyChanged();
        Q_EMIT stateChanged();
    });
    connect(m_sizes, &SizesBar::stateChanged, this, &TuneBar::stateChanged);
    connect(m_cluster, &ClusterBar::stateChanged, this, [this] {
        refreshButtons();
        Q_EMIT stateChanged();
    });
    connect(m_question, &StopQuestion::settled, this, [this] { m_stop->setFocus(Qt::OtherFocusReason); });
    for (QSpinBox* box : {m_budget, m_seed, m_jobs})
        connect(box, &QSpinBox::valueChanged, this, &TuneBar::stateChanged);
    refreshUnit();
    setState({}, 0);
}

void TuneBar::fillStrategies() {
    m_strategy->setAccessibleName(tr("Strategy"));
    for (const tuning::StrategyKind& kind : tuning::strategyKinds()) {
        m_strategy->addItem(latin(kind.title), latin(kind.name));
        m_strategy->setItemData(m_strategy->count() - 1, latin(kind.purpose), Qt::ToolTipRole);
    }
    m_strategy->setToolTip(m_strategy->currentData(Qt::ToolTipRole).toString());
}

void TuneBar::build(Theme& theme) {
    m_bar->setTextVisible(false);
    m_bar->setAccessibleName(tr("Progress of the sweep"));
    m_progress->setProperty("role", "muted");
    m_progress->setFont(theme.captionFont());
    m_progress->setTextFormat(Qt::PlainText);
    m_progress->setTextInteractionFlags(Qt::TextSelectableByMouse);
    auto* controls = new QHBoxLayout;
    controls->setSpacing(4);
    controls->addWidget(m_strategy);
    controls->addSpacing(4);
    controls->addWidget(m_budget);
    controls->addWidget(m_unit);
    controls->addSpacing(4);
    controls->addWidget(m_seed);
    controls->addWidget(m_jobs);
    controls->addSpacing(4);
    controls->addWidget(m_verify);
    controls->addStretch(1);
    controls->addWidget(m_openBest);
    controls->addWidget(m_start);
    controls->addWidget(m_stop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addLayout(controls);
    layout->addWidget(m_sizes);
    layout->addWidget(m_cluster);
    layout->addWidget(m_question);
    layout->addWidget(m_bar);
    layout->addWidget(m_progress);
}

void TuneBar::refreshUnit() {
    const auto unit = static_cast<Unit>(m_unit->currentIndex());
    m_budget->setEnabled(unit != Unit::none && !m_running);
}

void TuneBar::setObstacle(const QString& obstacle) {
    m_obstacle = obstacle;
    refreshButtons();
}

void TuneBar::setState(const TuneState& state, std::size_t known, bool hasArray) {
    m_running = isBusy(state.stage);
    m_paused = state.paused;
    m_isArray = m_running && state.array;
    m_cancelling = m_isArray && state.array->cancelling;
    m_hasArray = hasArray;
    m_sizes->setRunning(m_running);
    m_cluster->setRunning(m_running);
    if (!m_isArray || m_cancelling) m_question->settle();
    m_goesOn = known > 0;
    for (QWidget* control : {static_cast<QWidget*>(m_strategy), static_cast<QWidget*>(m_unit),
                             static_cast<QWidget*>(m_seed), static_cast<QWidget*>(m_verify)})
        control->setEnabled(!m_running);
    refreshUnit();
    const tuning::Progress& progress = state.progress;
    double whole = progress.total ? double(*progress.total) : 0;
    const tuning::Budget budget = order().budget;
    if (budget.looks) whole = whole > 0 ? std::min(whole, *budget.looks) : *budget.looks;
    double done = double(progress.done());
    if (state.array) {
        const auto& array = state.array->progress;
        whole = array && array->total ? double(*array->total) : 0;
        done = array ? double(array->done) : 0;
    }
    m_bar->setVisible(m_running);
    if (whole > 0) {
        m_bar->setRange(0, 1000);
        m_bar->setValue(int(1000 * std::min(1.0, done / whole)));
    } else {
        m_bar->setRange(0, 0);
    }
    refreshButtons();
}

void TuneBar::refreshButtons() {
    const QString obstacle = m_obstacle.isEmpty() && !m_hasArray ? m_cluster->obstacle() : m_obstacle;
    const bool array = m_cluster->wantsArray();
    QPushButton* const focused = m_start->hasFocus() ? m_start : m_stop->hasFocus() ? m_stop : nullptr;
    m_jobs->setEnabled(!m_running && !array);
    m_jobs->setToolTip(array ? tr("An array's tasks take the processors that Slurm gives them: --cpus-per-task=8 among "
                                  "the options asks for 8")
                             : tr("Points looked at at the same time; each has its own compiler and emulator"));
    m_start->setText(m_running                    ? (m_paused ? tr("Go on") : tr("Pause"))
                     : m_hasArray                 ? tr("Watch")
                     : m_goesOn && !m_nothingLeft ? tr("Resume")
                                                  : tr("Start"));
    m_start->setEnabled((m_running && !m_isArray) || (!m_running && obstacle.isEmpty()));
    m_start->setToolTip(m_isArray               ? tr("An array of jobs cannot be paused: Slurm runs its tasks. Stop "
                                                                   "leaves them running or cancels them")
                        : m_running && m_paused ? tr("Begin new points again")
                        : m_running             ? tr("Begin no new point; what is under way is looked at to its end")
                        : !obstacle.isEmpty()   ? tr("Not now: %1").arg(obstacle)
                        : m_hasArray            ? tr("Look again at the array of jobs that this sweep has under way")
                        : m_goesOn ? tr("Go on with this sweep: points that are known are not looked at again")
                                   : tr("Try the points of the kernel on the bench"));
    m_stop->setEnabled(m_running && !m_cancelling);
    m_stop->setToolTip(m_isArray ? tr("Leave the array's tasks running, or cancel them: it is asked which")
                                 : tr("End the sweep; its points are kept, and another start goes on"));
    if (!focused || focused->isEnabled()) return;
    for (QPushButton* next : {m_start, m_stop, m_openBest}) // what is to be done now
        if (next->isEnabled() && next->isVisible()) return next->setFocus(Qt::OtherFocusReason);
}

void TuneBar::setFound(bool best, bool nothingLeft) {
    m_nothingLeft = nothingLeft;
    m_openBest->setVisible(best && !m_running);
    refreshButtons();
}

void TuneBar::setProgressText(const QString& text) {
    m_progress->setText(text);
    m_progress->setVisible(!text.isEmpty());
}

QString TuneBar::progressText() const {
    return m_progress->text();
}

TuneOrder TuneBar::order() const {
    TuneOrder order;
    order.strategy = m_strategy->currentData().toString().toStdString();
    order.seed = std::uint64_t(m_seed->value());
    order.jobs = std::size_t(m_jobs->value());
    const auto unit = static_cast<Unit>(m_unit->currentIndex());
    if (unit == Unit::points) order.budget.looks = m_budget->value();
    if (unit == Unit::minutes) order.budget.seconds = 60.0 * m_budget->value();
    if (m_cluster->wantsArray()) {
        order.array = m_cluster->order();
        if (unit == Unit::minutes) order.array->timeBudget = std::to_string(m_budget->value()) + "m";
    }
    return order;
}

void TuneBar::setOrder(const std::string& strategy, std::uint64_t seed) {
    if (const int at = m_strategy->findData(QString::fromStdString(strategy)); at >= 0) m_strategy->setCurrentIndex(at);
    m_seed->setValue(int(std::min<std::uint64_t>(seed, std::uint64_t(m_seed->maximum()))));
}

protocol::PointSettings::Verify TuneBar::verify() const {
    using Verify = protocol::PointSettings::Verify;
    constexpr Verify choices[] = {Verify::promising, Verify::every, Verify::none};
    return choices[std::clamp(m_verify->currentIndex(), 0, 2)];
}

QByteArray TuneBar::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << m_strategy->currentData().toString() << m_budget->value() << m_unit->currentIndex() << m_seed->value()
        << m_jobs->value() << m_verify->currentIndex() << m_cluster->saveState() << m_sizes->saveState();
    return state;
}

void TuneBar::restoreState(const QByteArray& state) {
    QString strategy;
    int budget = 0, unit = 0, seed = 0, jobs = 0, verify = 0;
    QDataStream in(state);
    in >> strategy >> budget >> unit >> seed >> jobs >> verify;
    if (in.status() != QDataStream::Ok) return;
    setOrder(strategy.toStdString(), std::uint64_t(std::max(0, seed)));
    m_budget->setValue(budget);
    m_unit->setCurrentIndex(std::clamp(unit, 0, 2));
    m_jobs->setValue(jobs);
    m_verify->setCurrentIndex(std::clamp(verify, 0, 2));
    QByteArray cluster, sizes; // earlier versions kept none
    in >> cluster;
    if (in.status() == QDataStream::Ok) m_cluster->restoreState(cluster);
    in >> sizes;
    if (in.status() == QDataStream::Ok) m_sizes->restoreState(sizes);
}

} // namespace kernelarium::ui
