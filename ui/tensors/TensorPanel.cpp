// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tensors/TensorPanel.h"

#include "ui/tensors/ElementModel.h"
#include "ui/tensors/HistogramPlot.h"
#include "ui/tensors/StoryBar.h"
#include "ui/tensors/TensorBar.h"
#include "ui/tensors/TensorPicture.h"
#include "ui/tensors/TensorWords.h"
#include "ui/tensors/ValuesModel.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Trials.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {
enum TensorPage { emptyTensorPage, shownTensorPage };

QTableView* tensorTable(QAbstractItemModel* model, const QString& name, const QFont& font) {
    auto* view = new QTableView;
    view->setModel(model);
    view->setAccessibleName(name);
    view->setFont(font);
    view->setTabKeyNavigation(false);
    view->setShowGrid(false);
    view->setWordWrap(false);
    view->verticalHeader()->setDefaultSectionSize(20);
    view->horizontalHeader()->setHighlightSections(false);
    return view;
}

QWidget* underText(QLabel* text, QWidget* below) {
    text->setWordWrap(true);
    text->setTextFormat(Qt::PlainText);
    text->setProperty("role", "muted");
    text->setContentsMargins(8, 4, 8, 2);
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(text);
    layout->addWidget(below, 1);
    return page;
}

/// "the first 100,000 of 1,200,000 rows"
QString cutText(const ValuesModel& values, const tensorview::SliceRequest& slice, const tensorview::Entry& entry) {
    QStringList parts;
    const auto add = [&](int shown, const std::optional<std::size_t>& dim, const QString& text) {
        if (dim && *dim < entry.shape.size() && entry.shape[*dim] > shown)
            parts << text.arg(wholeText(shown), wholeText(entry.shape[*dim]));
    };
    add(values.rowCount(), slice.rowDim, TensorPanel::tr("the first %1 of %2 rows"));
    add(values.columnCount(), slice.columnDim, TensorPanel::tr("the first %1 of %2 columns"));
    return parts.join(TensorPanel::tr(" and "));
}

} // namespace

TensorPanel::TensorPanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_bar(new TensorBar)
    , m_figures(new WrappedLabel)
    , m_picture(new TensorPicture(theme))
    , m_values(new ValuesModel(around.desk, this))
    , m_valuesView(tensorTable(m_values, tr("Values of the slice"), theme.captionFont()))
    , m_histogram(new HistogramPlot(theme))
    , m_wrong(new ElementModel(this))
    , m_wrongView(tensorTable(m_wrong, tr("The worst wrong elements"), theme.captionFont()))
    , m_wrongText(new WrappedLabel)
    , m_written(new ElementModel(this))
    , m_writtenView(
          tensorTable(m_written, tr("Elements that were written by the chosen line or thread"), theme.captionFont()))
    , m_writtenText(new WrappedLabel)
    , m_tabs(new QTabWidget)
    , m_story(new StoryBar)
    , m_empty(new EmptyState(theme, QStringLiteral("heatmap")))
    , m_pages(new QStackedWidget) {
    m_reading.setSingleShot(true);
    m_reading.setInterval(500);
    build();
    connectParts();
    takeRun();
}

void TensorPanel::build() {
    m_figures->setTextFormat(Qt::PlainText);
    m_figures->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_figures->setContentsMargins(8, 0, 8, 4);
    m_figures->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_figures->setAccessibleName(tr("Figures of the tensor"));
    m_pages->addWidget(m_empty);
    m_pages->addWidget(body());
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_bar);
    layout->addWidget(m_figures);
    layout->addWidget(m_pages, 1);
}

QWidget* TensorPanel::body() {
    m_valuesView->horizontalHeader()->setDefaultSectionSize(88);
    m_valuesView->setSelectionMode(QAbstractItemView::SingleSelection);
    for (QTableView* view : {m_wrongView, m_writtenView}) {
        view->setSelectionBehavior(QAbstractItemView::SelectRows);
        view->verticalHeader()->hide();
        view->horizontalHeader()->setStretchLastSection(true);
        view->horizontalHeader()->setDefaultSectionSize(84);
        view->horizontalHeader()->resizeSection(ElementModel::element, 100);
    }
    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_valuesView, tr("Values"));
    m_tabs->addTab(m_histogram, tr("Histogram"));
    m_tabs->addTab(underText(m_wrongText, m_wrongView), tr("Wrong"));
    m_tabs->addTab(underText(m_writtenText, m_writtenView), tr("Written by"));
    m_tabs->setTabToolTip(0, tr("The elements of the slice in numbers"));
    m_tabs->setTabToolTip(1, tr("How often which values are in the whole tensor"));
    m_tabs->setTabToolTip(2, tr("The elements of the output that are farthest from the reference"));
    m_tabs->setTabToolTip(3, tr("The elements that a line, a thread or a block wrote last"));
    auto* split = new QSplitter;
    split->addWidget(m_picture);
    split->addWidget(m_tabs);
    split->setHandleWidth(1);
    split->setChildrenCollapsible(false);
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 1);
    split->setSizes({1000, 1000}); // halves
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(split, 1);
    layout->addWidget(m_story);
    return page;
}

void TensorPanel::connectParts() {
    connect(&m_reading, &QTimer::timeout, this, &TensorPanel::refresh);
    connect(m_bar, &TensorBar::lookRequested, this, [this] { m_with.trials.lookAtTensors(); });
    connect(m_empty, &EmptyState::actionRequested, this, [this] { m_with.trials.lookAtTensors(); });
    connect(m_bar, &TensorBar::entryChosen, this, [this] {
        m_story->say({});
        m_selected.reset();
        askFigures();
        showEntry();
    });
    connect(m_bar, &TensorBar::sliceChanged, this, &TensorPanel::showEntry);
    connect(m_picture, &TensorPicture::elementActivated, this, &TensorPanel::select);
    connect(m_valuesView->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& at) {
        if (at.isValid() && m_valuesView->hasFocus()) select(m_values->elementAt(at));
    });
    for (const auto& [view, model] : {std::pair(m_wrongView, m_wrong), std::pair(m_writtenView, m_written)})
        connect(view->selectionModel(), &QItemSelectionModel::currentChanged, this,
                [this, model = model](const QModelIndex& at) {
                    if (at.isValid()) select(model->elementAt(at.row()));
                });
    for (QTableView* view : {m_valuesView, m_wrongView, m_writtenView})
        view->installEventFilter(this);
    connect(m_story, &StoryBar::lineRequested, this, &TensorPanel::goToLine);
    connect(m_story, &StoryBar::stepRequested, this, &TensorPanel::stepThrough);
    connect(m_story, &StoryBar::writtenRequested, this, &TensorPanel::showWritten);
    connect(m_story, &StoryBar::emulatorRequested, this, &TensorPanel::lookInEmulator);
    connect(&m_with.desk, &TensorDesk::opened, this, &TensorPanel::takeRun);
    connect(&m_with.desk, &TensorDesk::changed, this, &TensorPanel::take);
    connect(&m_with.trials, &Trials::busyChanged, this, &TensorPanel::refresh);
    connect(&m_with.bench, &Bench::sourceChanged, this, &TensorPanel::refresh);
    connect(&m_with.bench, &Bench::kernelChanged, this, &TensorPanel::refresh);
}

/// Return goes where the element was written, with Shift through the steps that led there.
bool TensorPanel::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            if (key->modifiers() == Qt::ShiftModifier) return stepThrough(), true;
            if (key->modifiers() == Qt::NoModifier) return goToLine(), true;
        }
    }
    return QWidget::eventFilter(watched, event);
}

bool TensorPanel::isReading() const {
    return isBusy(m_with.desk.state(TensorDesk::Kind::picture).stage) ||
           isBusy(m_with.desk.state(TensorDesk::Kind::values).stage);
}

/// Reading a run's values is no work of the bench's: its Escape does not end it.
void TensorPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape || !isReading()) return QWidget::keyPressEvent(event);
    m_with.desk.cancel();
}

void TensorPanel::goToLine() {
    if (m_story->line() > 0) m_with.bench.goTo(m_story->line());
}

void TensorPanel::stepThrough() {
    if (const auto target = m_story->stepTarget()) m_with.trials.stepThrough(*target);
}

bool TensorPanel::isShowingTensors() const {
    return m_pages->currentIndex() == shownTensorPage;
}
QString TensorPanel::figures() const {
    return m_figures->text();
}
bool TensorPanel::isOfThisText() const {
    return m_with.desk.generation() == m_with.bench.generation();
}

void TensorPanel::takeRun() {
    m_bar->setEntries({});
    m_values->clear();
    m_picture->setSlice(nullptr, {}, false);
    m_histogram->setHistogram(std::nullopt);
    m_wrong->clear();
    m_written->clear();
    m_wrongOf.reset();
    m_selected.reset();
    if (!m_with.desk.isOpen()) {
        m_filter.reset();
        m_wanted.reset();
    }
    m_writtenText->setText(tr("Choose an element, then All of this line or All of this thread; or put the cursor on a "
                              "line of a kernel and press Shift+F6."));
    m_tabs->setTabText(2, tr("Wrong"));
    m_story->say({});
    refresh();
}

void TensorPanel::refresh() {
    const TensorState& state = m_with.desk.state(TensorDesk::Kind::figures);
    const bool hasKernel = !m_with.bench.kernel().isEmpty();
    const bool busy = m_with.trials.isBusy();
    m_bar->setUsable(hasKernel && !busy, hasKernel ? tr("something is running") : tr("choose a kernel first"));
    const bool shown = m_with.desk.isOpen() && state.answer && !state.answer->tensors.empty();
    m_bar->tensors().setVisible(shown);
    m_pages->setCurrentIndex(shown ? shownTensorPage : emptyTensorPage);
    QStringList notes;
    if (isBusy(state.stage))
        notes << (state.step.isEmpty() ? tr("Looking… (Escape cancels)")
                                       : tr("Looking: %1… (Escape cancels)").arg(state.step));
    if (state.stage == Stage::failed) notes << QString::fromStdString(state.error.text());
    if (state.stage == Stage::cancelled) notes << tr("It was cancelled.");
    if (state.answer && state.answer->end != "finished")
        notes << tr("The run ended early: %1").arg(QString::fromStdString(state.answer->reason));
    if (state.answer && !state.answer->faults.empty())
        notes << tr("The run was at fault: %1").arg(QString::fromStdString(state.answer->faults));
    if (!shown) {
        m_figures->hide();
        m_empty->setTexts(
            tr("Look into the tensors"),
            !notes.isEmpty() ? notes.join(QLatin1Char('\n'))
            : hasKernel      ? tr("What the inputs and outputs of a run hold, in figures, pictures and numbers; where "
                                       "the output is wrong, and which thread and line wrote that (Shift+F5).")
                             : tr("What the inputs and outputs of a kernel hold, and which thread and line wrote what. "
                                       "Choose a kernel first."));
        m_empty->setAction(hasKernel && !busy ? tr("Look at the tensors") : QString(),
                           tr("Run the kernel and look at its tensors (Shift+F5)"));
        return;
    }
    const tensorview::Answer& answer = *state.answer;
    const auto entry = m_bar->entry();
    QStringList parts;
    if (entry) parts << shapeText(*entry);
    if (answer.statistics && entry && state.answeredQuery.subject == entry->subject)
        parts << figuresText(*answer.statistics, entry->dtype);
    if (isBusy(m_with.desk.state(TensorDesk::Kind::picture).stage) && !m_reading.isActive())
        notes << tr("Reading… (Escape cancels)");
    if (m_values->isCut()) notes << tr("The table has %1.").arg(cutText(*m_values, m_bar->slice(), *entry));
    if (!isOfThisText()) notes << tr("The text was edited since.");
    QString text = parts.join(QStringLiteral(" · "));
    if (!notes.isEmpty()) text += (text.isEmpty() ? QString() : QStringLiteral("   ")) + notes.join(QLatin1Char(' '));
    m_figures->setText(text);
    m_figures->setToolTip(text);
    m_figures->show();
}

void TensorPanel::take(TensorDesk::Kind kind) {
    using Kind = TensorDesk::Kind;
    const TensorState& state = m_with.desk.state(kind);
    const bool finished = state.stage == Stage::finished && state.answer;
    switch (kind) {
    case Kind::figures:
        if (finished) takeFigures();
        // The first output may not be there: then the list is asked for, which every run has.
        else if (state.stage == Stage::failed && !state.answer && state.error.code == "no_such_tensor" &&
                 state.query.statistics)
            return m_with.desk.ask(Kind::figures, {});
        refresh();
        break;
    case Kind::picture:
        if (finished && state.answer->slice && m_bar->entry() &&
            state.answeredQuery.subject == m_bar->entry()->subject) {
            const tensorview::Slice& slice = *state.answer->slice;
            QString title = subjectText(*m_bar->entry()) + QLatin1Char(' ') +
                            QString::fromStdString(tensorview::toString(slice, m_bar->entry()->shape));
            if (slice.rowStep > 1 || slice.columnStep > 1)
                title += tr(", %1 × %2 elements in a cell").arg(slice.rowStep).arg(slice.columnStep);
            m_picture->setSlice({state.answer, &slice}, title,
                                m_bar->entry()->subject.role == tensorview::Role::difference, m_bar->entry()->dtype);
            if (m_selected) m_picture->showElement(*m_selected);
            takeWritten(); // its outlines
        } else if (state.stage == Stage::failed || state.stage == Stage::cancelled) {
            m_picture->setSlice(nullptr,
                                state.stage == Stage::failed ? QString::fromStdString(state.error.text())
                                                             : tr("It was cancelled."),
                                false);
        }
        if (!isBusy(state.stage)) {
            m_reading.stop();
            refresh();
        }
        break;
    case Kind::values: break; // the model's
    case Kind::wrong: takeWrong(); break;
    case Kind::writer: takeStory(); break;
    case Kind::written: takeWritten(); break;
    }
}

void TensorPanel::takeFigures() {
    const TensorState& state = m_with.desk.state(TensorDesk::Kind::figures);
    const tensorview::Answer& answer = *state.answer;
    const auto before = m_bar->entry();
    m_bar->setEntries(answer.tensors);
    const auto now = m_bar->entry();
    if (!now) return;
    if (answer.histogram && state.answeredQuery.subject == now->subject)
        m_histogram->setHistogram(answer.histogram, subjectText(*now));
    const bool another = !before || before->subject != now->subject || before->shape != now->shape;
    if (another) showEntry();
    if (!answer.statistics || state.answeredQuery.subject != now->subject) return askFigures();
    showWanted();
    if (m_filter && !m_with.desk.state(TensorDesk::Kind::written).answer) askWritten(); // it was waited for
}

void TensorPanel::askFigures() {
    const auto entry = m_bar->entry();
    if (!entry) return;
    tensorview::Query query;
    query.subject = entry->subject;
    query.statistics = true;
    query.histogram.emplace();
    m_with.desk.ask(TensorDesk::Kind::figures, query);
}

void TensorPanel::showEntry() {
    const auto entry = m_bar->entry();
    if (!entry) return;
    m_values->show(*entry, m_bar->slice());
    askPicture();
    askWrong();
}

void TensorPanel::askPicture() {
    const auto entry = m_bar->entry();
    tensorview::Query query;
    query.subject = entry->subject;
    query.slice = m_bar->slice();
    query.slice->mostRows = query.slice->mostColumns = 256;
    const bool difference = entry->subject.role == tensorview::Role::difference;
    query.slice->join = difference ? tensorview::Join::largest : tensorview::Join::mean;
    m_reading.start();
    m_with.desk.ask(TensorDesk::Kind::picture, query);
}

} // namespace kernelarium::ui
