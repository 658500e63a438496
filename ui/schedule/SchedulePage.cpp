// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/SchedulePage.h"

#include "core/text/KernelName.h"
#include "ui/desks/CompileDesk.h"
#include "ui/desks/SessionDesk.h"
#include "ui/schedule/AcceptedModel.h"
#include "ui/schedule/BothSides.h"
#include "ui/schedule/CountersView.h"
#include "ui/schedule/EnergyPlot.h"
#include "ui/schedule/FateModel.h"
#include "ui/schedule/MeasureChoice.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/PageHead.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/Place.h"

#include <QComboBox>
#include <QDataStream>
#include <QFileDialog>
#include <QLabel>
#include <QPlainTextEdit>
#include <QProgressBar>
#include <QPushButton>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>

namespace kernelarium::ui {

SchedulePage::SchedulePage(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_code(new NativeCodeDesk(this))
    , m_desk(new ScheduleSearchDesk(this))
    , m_fates(new FateModel(this))
    , m_accepted(new AcceptedModel(this))
    , m_head(new PageHead(theme))
    , m_kernels(new QComboBox)
    , m_steps(new QSpinBox)
    , m_seed(new QSpinBox)
    , m_worsen(new QSpinBox)
    , m_measuring(new MeasureChoice)
    , m_start(new QPushButton)
    , m_cancel(new QPushButton(tr("Cancel")))
    , m_keep(new QPushButton(tr("Keep as an attempt")))
    , m_export(new QPushButton(tr("Export")))
    , m_undo(new QPushButton(tr("Undo this move")))
    , m_all(new QPushButton(tr("All moves again")))
    , m_mode(new QLabel)
    , m_said(new QLabel)
    , m_progress(new QProgressBar)
    , m_energies(new EnergyPlot(theme))
    , m_fateTable(new QTableView)
    , m_acceptedTable(new QTableView)
    , m_undoSaid(new QLabel)
    , m_sides(new BothSides(theme))
    , m_counters(new CountersView(*m_desk))
    , m_stamp(new QPlainTextEdit)
    , m_views(new QTabWidget)
    , m_empty(new EmptyState(theme, QStringLiteral("compile")))
    , m_body(new QStackedWidget) {
    setObjectName(QStringLiteral("schedule")); // the help page's name, too
    build();
    connectParts();
    follow();
}

void SchedulePage::connectParts() {
    m_pause.setSingleShot(true);
    m_pause.setInterval(0);
    connect(&m_pause, &QTimer::timeout, this, &SchedulePage::follow);
    connect(&m_with.bench, &Bench::kernelChanged, this, &SchedulePage::followSoon);
    connect(&m_with.compiler, &CompileDesk::changed, this, &SchedulePage::followSoon);
    connect(&m_with.place, &Place::changed, this, &SchedulePage::followSoon);
    connect(&m_with.assignment, &Assignment::changed, this, &SchedulePage::followSoon);
    connect(m_head, &PageHead::backRequested, this, &SchedulePage::backRequested);
    connect(m_code, &NativeCodeDesk::changed, this, &SchedulePage::hearCode);
    connect(m_kernels, &QComboBox::currentIndexChanged, this, &SchedulePage::look);
    for (QSpinBox* box : {m_steps, m_seed, m_worsen}) {
        connect(box, &QSpinBox::valueChanged, this, &SchedulePage::look);
        connect(box, &QSpinBox::valueChanged, this, &SchedulePage::stateChanged);
    }
    connect(m_measuring, &MeasureChoice::changed, this, &SchedulePage::look);
    connect(m_measuring, &MeasureChoice::changed, this, &SchedulePage::stateChanged);
    connect(m_start, &QPushButton::clicked, this, &SchedulePage::press);
    connect(m_cancel, &QPushButton::clicked, m_desk, &ScheduleSearchDesk::stop);
    connect(m_keep, &QPushButton::clicked, this, &SchedulePage::keep);
    connect(m_undo, &QPushButton::clicked, this, &SchedulePage::undoChosen);
    connect(m_all, &QPushButton::clicked, m_desk, &ScheduleSearchDesk::showBest);
    connect(m_empty, &EmptyState::actionRequested, this, [this] {
        if (m_next) (this->*m_next)();
    });
    connect(m_desk, &ScheduleSearchDesk::looked, this, &SchedulePage::refreshBody);
    connect(m_desk, &ScheduleSearchDesk::changed, this, [this] {
        refreshBar();
        refreshWords();
        if (!m_desk->isTaken() && m_isStale) followSoon(); // what was asked meanwhile
    });
    connect(m_desk, &ScheduleSearchDesk::stepped, this, &SchedulePage::refreshSteps);
    connect(m_desk, &ScheduleSearchDesk::resultChanged, this, [this] {
        m_accepted->show(m_desk->result());
        m_acceptedTable->setCurrentIndex(m_accepted->index(0, AcceptedModel::move));
        refreshSteps();
        refreshBody();
    });
    connect(m_desk, &ScheduleSearchDesk::variantChanged, this, &SchedulePage::refreshVariant);
    connect(m_acceptedTable->selectionModel(), &QItemSelectionModel::currentRowChanged, this,
            [this](const QModelIndex& now) { goToMove(now.row()); });
    connect(m_energies, &EnergyPlot::chosen, this, [this](quint64 step) {
        if (const int row = m_accepted->rowOf(step); row >= 0)
            m_acceptedTable->setCurrentIndex(m_accepted->index(row, AcceptedModel::move));
    });
    connect(m_energies, &PlotPanel::failed, this,
            [this](const QString& message) { m_with.notices.post(message, true); });
    connect(m_views, &QTabWidget::currentChanged, this, &SchedulePage::stateChanged);
    connect(m_sides, &BothSides::stateChanged, this, &SchedulePage::stateChanged);
}

void SchedulePage::focusFirst() {
    QWidget* first = m_body->currentWidget() == m_empty && m_empty->button()->isVisibleTo(this)
                         ? static_cast<QWidget*>(m_empty->button())
                     : m_start->isEnabled() ? static_cast<QWidget*>(m_start)
                                            : &m_head->back();
    m_wantsStart = first == &m_head->back();
    first->setFocus(Qt::ShortcutFocusReason);
}

QString SchedulePage::headline() const {
    return m_head->headline().text();
}
QString SchedulePage::subline() const {
    return m_head->subline().text();
}
QString SchedulePage::said() const {
    return m_said->text();
}
QString SchedulePage::undoSaid() const {
    return m_undoSaid->text();
}
QString SchedulePage::mode() const {
    return m_mode->text();
}

bool SchedulePage::isSettled() const {
    return !m_isStale && !m_isAsked && !m_code->isBusy() && !isBusy(m_desk->lookState().stage) &&
           !isBusy(m_desk->resultState().stage) && !isBusy(m_desk->undoState().stage) &&
           !isBusy(m_desk->countState().stage);
}

void SchedulePage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    if (m_isStale) m_pause.start();
}

void SchedulePage::followSoon() {
    m_isStale = true;
    if (isVisible()) m_pause.start();
}

/// While the desk is taken the page stays with that; what the bench has then is looked at afterwards.
void SchedulePage::follow() {
    m_pause.stop();
    if (m_desk->isTaken()) return;
    const CompileState& state = m_with.compiler.state();
    if (m_with.bench.kernel().isEmpty()) {
        m_isStale = false;
        m_unit.reset();
        m_desk->forget();
        m_code->clear();
        showNothing(tr("No kernel on the bench"),
                    tr("Put a kernel on the bench to see what another order of its native instructions may be worth, "
                       "and to search for one."),
                    tr("Choose a kernel"), tr("Go to the archive (Alt+1)"));
        m_next = &SchedulePage::chooseRequested;
        return;
    }
    if (isBusy(state.stage)) {
        if (!m_unit) showNothing(tr("Compiling"), tr("The kernel's native code is read as soon as its text compiles."));
        return; // stale until it has ended
    }
    m_isStale = false;
    if (state.stage != Stage::finished || !state.answer || !state.answer->ok) {
        m_unit.reset();
        m_desk->forget();
        m_code->clear();
        showNothing(tr("The text does not compile"),
                    tr("There is no native code to search. Diagnostics (Alt+4) say where it goes wrong."));
        return;
    }
    if (state.answer == m_unit) {
        // Its card may have come, or its target may be another GPU.
        const Kernel& now = m_with.bench.kernel();
        const bool isOther = now.key == m_kernel.key && timesOf(now) != m_times;
        if (isOther) m_kernel = now;
        if (isOther || m_isLookRefused) look();
        return;
    }
    m_desk->forget(); // what was found is another text's
    m_code->clear();
    m_unit = state.answer;
    m_kernel = m_with.bench.kernel();
    m_source = m_with.bench.source();
    m_options = m_with.place.optionsFor(m_kernel);
    const quint64 generation = state.answered;
    if (!m_unit->cubin.empty()) return m_code->read(m_unit->cubin, generation);
    m_isAsked = true;
    const quint64 asked = ++m_askedFor;
    showNothing(tr("Assembling"), tr("The kernel's native code is on its way. Escape cancels."));
    m_with.compiler.assemble(m_source, m_with.place.targetFor(m_with.bench.kernel()),
                             [this, asked, generation](Result<std::vector<std::byte>> cubin) {
                                 if (asked != m_askedFor) return; // of an older text
                                 m_isAsked = false;
                                 if (cubin) return m_code->read(*std::move(cubin), generation);
                                 m_unit.reset();
                                 const bool cancelled = cubin.error().code == "cancelled";
                                 showNothing(cancelled ? tr("Assembling was cancelled") : tr("No native code"),
                                             cancelled ? tr("Nothing is known of the kernel's native code.")
                                                       : QString::fromStdString(cubin.error().text()),
                                             tr("Try again"), tr("Assembles the text once more"));
                                 m_next = &SchedulePage::follow;
                             });
}

void SchedulePage::hearCode() {
    const WorkState<NativeCodePointer>& state = m_code->state();
    if (state.stage == Stage::failed) {
        m_desk->forget();
        showNothing(tr("This native code is not read"), QString::fromStdString(state.error.text()));
        return;
    }
    if (state.stage != Stage::finished || !state.answer) return;
    {
        const QSignalBlocker block(m_kernels);
        const QString chosen = m_kernels->currentText();
        m_kernels->clear();
        for (const sass::Explanation& e : state.answer->kernels)
            m_kernels->addItem(QString::fromStdString(text::kernelTitle(e.kernel)));
        m_kernels->setCurrentIndex(std::max(0, m_kernels->findText(chosen)));
    }
    look();
}

void SchedulePage::look() {
    const NativeCodePointer code = m_code->state().answer;
    if (!code || !m_unit || m_kernels->currentIndex() < 0) return;
    const bool isOther = m_with.bench.kernel().key != m_kernel.key; // whose code is on its way, and the card here
    m_isLookRefused = m_desk->isTaken() || isOther;
    if (m_isLookRefused) {
        m_isStale = true; // looked at when that has ended
        return;
    }
    m_times = timesOf(m_kernel);
    m_measuring->setCard(m_kernel.arguments.isEmpty() ? m_with.assignment.card() : nullptr);
    m_desk->look(question());
}

/// Start, Pause, Go on or Resume: whatever the button says.
void SchedulePage::press() {
    if (!m_desk->isRunning()) return m_desk->start();
    if (m_desk->state().paused)
        m_desk->goOn();
    else
        m_desk->pause();
}

void SchedulePage::showNothing(const QString& title, const QString& sentence, const QString& button,
                               const QString& tip) {
    m_next = nullptr;
    m_head->headline().setText(title);
    m_head->subline().clear();
    m_head->subline().hide();
    m_empty->setTexts(title, sentence);
    m_empty->setAction(button, tip);
    m_body->setCurrentWidget(m_empty);
    refreshBar();
}

void SchedulePage::refreshBody() {
    const auto& look = m_desk->lookState();
    if (look.stage == Stage::failed)
        return showNothing(tr("This native code cannot be searched"), QString::fromStdString(look.error.text()));
    if (m_desk->subject()) m_body->setCurrentIndex(1);
    refreshBar();
    refreshWords();
    refreshVariant();
}

void SchedulePage::refreshSteps() {
    m_fates->show(m_desk->steps());
    const ScheduleResultPointer result = m_desk->result();
    const std::optional<double> noise = m_desk->isRunning() ? m_desk->state().progress.noiseFloor
                                        : result            ? result->history.noiseFloor
                                                            : std::nullopt;
    m_energies->setSteps(m_desk->steps(), noise, !isMeasuring(), std::uint64_t(m_steps->value()));
}

QByteArray SchedulePage::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << qint32(m_steps->value()) << qint32(m_seed->value()) << qint32(m_worsen->value())
        << qint32(m_views->currentIndex()) << m_sides->saveState() << m_measuring->saveState();
    return state;
}

void SchedulePage::restoreState(const QByteArray& state) {
    qint32 steps = 0, seed = 0, worsen = 0, view = 0;
    QByteArray sides;
    QDataStream in(state);
    in >> steps >> seed >> worsen >> view >> sides;
    if (in.status() != QDataStream::Ok) return;
    m_steps->setValue(steps);
    m_seed->setValue(seed);
    m_worsen->setValue(worsen);
    m_views->setCurrentIndex(view);
    m_sides->restoreState(sides);
    QByteArray measuring; // what was saved before there was a choice has none
    in >> measuring;
    if (in.status() == QDataStream::Ok) m_measuring->restoreState(measuring);
}

} // namespace kernelarium::ui
