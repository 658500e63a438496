// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/schedule/ScheduleView.h"

#include "core/text/KernelName.h"
#include "ui/schedule/AnswerText.h"
#include "ui/schedule/ScheduleModel.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/ElidedLabel.h"
#include "ui/widgets/EmptyState.h"
#include "ui/words/Quantities.h"

#include <QComboBox>
#include <QDataStream>
#include <QHeaderView>
#include <QScopedValueRollback>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QUrl>

namespace kernelarium::ui {

namespace {

QString loopName(const sass::Explanation& e, const sass::ExplainedLoop& loop) {
    const auto at = [&](int i) {
        return QStringLiteral("0x%1").arg(e.code[std::size_t(i)].place, 4, 16, QLatin1Char('0'));
    };
    const int a = e.lines[std::size_t(loop.first)], b = e.lines[std::size_t(loop.last)];
    QString name = ScheduleView::tr("Loop %1 to %2").arg(at(loop.first), at(loop.last));
    if (a > 0 && b > 0)
        name += a == b ? ScheduleView::tr(", line %1").arg(a)
                       : ScheduleView::tr(", lines %1 to %2").arg(std::min(a, b)).arg(std::max(a, b));
    return name;
}

} // namespace

ScheduleView::ScheduleView(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_desk(new NativeCodeDesk(this))
    , m_model(new ScheduleModel(theme, this))
    , m_kernels(new QComboBox)
    , m_loops(new QComboBox)
    , m_warps(new QSpinBox)
    , m_summary(new ElidedLabel(Qt::ElideRight))
    , m_table(new QTableView)
    , m_answers(new QTabWidget)
    , m_answer(new QTextBrowser)
    , m_loopText(new QTextBrowser)
    , m_split(new QSplitter(Qt::Vertical))
    , m_empty(new EmptyState(theme, QStringLiteral("compile")))
    , m_pages(new QStackedWidget) {
    build();
    connect(&theme, &Theme::changed, this, &ScheduleView::restyle);
    connect(m_desk, &NativeCodeDesk::changed, this, &ScheduleView::hear);
    connect(m_kernels, &QComboBox::currentIndexChanged, this, &ScheduleView::showKernel);
    connect(m_loops, &QComboBox::currentIndexChanged, this, &ScheduleView::chooseLoop);
    connect(m_warps, &QSpinBox::valueChanged, this, &ScheduleView::showLoop);
    connect(m_table->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ScheduleView::showRow);
    for (QTextBrowser* text : {m_answer, m_loopText})
        connect(text, &QTextBrowser::anchorClicked, this, &ScheduleView::follow);
    connect(m_table->horizontalHeader(), &QHeaderView::sectionResized, this, &ScheduleView::stateChanged);
    connect(m_split, &QSplitter::splitterMoved, this, &ScheduleView::stateChanged);
    restyle();
    clear();
}

void ScheduleView::read(std::vector<std::byte> cubin, quint64 generation) {
    m_desk->read(std::move(cubin), generation);
}

void ScheduleView::clear() {
    m_desk->clear();
    showNothing();
}

void ScheduleView::showNothing() {
    m_model->show({}, -1);
    m_before.clear();
    m_empty->setTexts(
        tr("Native code"),
        tr("The machine's instructions of the kernel appear here as soon as the source compiles, each with "
           "what it waits for, how long and why."));
    m_empty->setAction({}, {});
    m_pages->setCurrentWidget(m_empty);
}

void ScheduleView::refuse(const QString& why) {
    showNothing();
    m_empty->setTexts(tr("No native code"), why);
}

void ScheduleView::wait(const QString& what) {
    if (isEmpty()) m_empty->setTexts(tr("Native code"), what);
}

bool ScheduleView::isEmpty() const {
    return m_pages->currentWidget() == m_empty;
}

QString ScheduleView::emptyText() const {
    QStringList texts;
    for (const QLabel* label : m_empty->findChildren<QLabel*>())
        if (!label->text().isEmpty()) texts << label->text();
    return texts.join(QLatin1Char('\n'));
}

QString ScheduleView::summary() const {
    return m_summary->text();
}

void ScheduleView::focusFirst() {
    (isEmpty() ? static_cast<QWidget*>(this) : m_table)->setFocus(Qt::ShortcutFocusReason);
}

void ScheduleView::hear() {
    const WorkState<NativeCodePointer>& state = m_desk->state();
    if (state.stage == Stage::failed) return refuse(QString::fromStdString(state.error.text()));
    if (state.stage == Stage::cancelled && isEmpty())
        return m_empty->setTexts(tr("No native code"), tr("Reading it was cancelled. Any edit starts it again."));
    if (state.stage != Stage::finished || !state.answer) return;
    fillKernels();
    m_pages->setCurrentIndex(1);
}

void ScheduleView::fillKernels() {
    const QString chosen = m_kernels->currentText();
    {
        const QSignalBlocker block(m_kernels);
        m_kernels->clear();
        for (const sass::Explanation& e : m_desk->state().answer->kernels)
            m_kernels->addItem(QString::fromStdString(text::kernelTitle(e.kernel)));
        const int again = m_kernels->findText(chosen);
        m_kernels->setCurrentIndex(std::max(again, 0));
    }
    showKernel();
}

void ScheduleView::showKernel() {
    const QScopedValueRollback quiet(m_quiet, true);
    m_before.clear();
    m_model->show(m_desk->state().answer, m_kernels->currentIndex());
    const sass::Explanation* e = m_model->explanation();
    if (!e) return;
    QStringList words{QStringLiteral("sm_%1").arg(e->computeCapability),
                      e->code.size() == 1 ? tr("1 instruction") : tr("%L1 instructions").arg(e->code.size())};
    if (e->registers > 0) words << tr("%1 registers").arg(e->registers);
    if (e->unknownOperations > 0) words << tr("%1 UNKNOWN").arg(e->unknownOperations);
    words << (e->hazards == 0 ? tr("every hazard explained") : tr("%1 hazards NOT EXPLAINED").arg(e->hazards));
    m_summary->setText(words.join(QStringLiteral(" · ")));
    m_summary->setToolTip(m_summary->text() + QLatin1Char('\n') +
                          tr("Least distances mined from %1")
                              .arg(QString::fromUtf8(sass::minedFrom().data(), qsizetype(sass::minedFrom().size()))));
    m_warps->setMaximum(16);
    m_warps->setSpecialValueText(tr("%1 (registers)").arg(e->residentWarps));
    fillLoops();
    m_model->setSourceLine(m_sourceLine);
    const int lit = m_model->firstRowOf(m_sourceLine);
    choose(lit >= 0 ? lit : m_model->loop() ? m_model->loop()->first : 0);
}

void ScheduleView::fillLoops() {
    {
        const QSignalBlocker block(m_loops);
        m_loops->clear();
        const sass::Explanation& e = *m_model->explanation();
        for (const sass::ExplainedLoop& loop : e.loops) {
            const bool isHot = &loop == e.hotLoop();
            m_loops->addItem(isHot ? tr("Hot: %1").arg(loopName(e, loop)) : loopName(e, loop));
        }
        if (e.loops.empty()) m_loops->addItem(tr("No loop"));
        m_loops->setEnabled(!e.loops.empty());
        m_warps->setEnabled(!e.loops.empty());
        m_loops->setCurrentIndex(std::max(m_model->loopNumber(), 0));
    }
    showLoop();
}

void ScheduleView::chooseLoop() {
    m_model->setLoop(m_loops->currentIndex());
    showLoop();
    showRow();
    if (m_model->loop()) {
        const QScopedValueRollback quiet(m_quiet, true);
        choose(m_model->loop()->first);
    }
}

void ScheduleView::showLoop() {
    m_loopText->setHtml(loopHtml(*m_model, m_warps->value()));
}

void ScheduleView::showRow() {
    const int row = m_table->currentIndex().row();
    m_answer->setHtml(answerHtml(*m_model, row));
    const sass::Explanation* e = m_model->explanation();
    if (m_quiet || !e || row < 0) return;
    const int line = e->lines[std::size_t(row)];
    if (line <= 0 || line == m_sourceLine) return;
    m_sourceLine = line;
    m_model->setSourceLine(line);
    Q_EMIT sourceLineActivated(line);
}

void ScheduleView::choose(int row) {
    if (row < 0 || row >= m_model->rowCount()) return;
    const int column = std::max(m_table->currentIndex().column(), int(ScheduleModel::instruction));
    m_table->setCurrentIndex(m_model->index(row, column));
    m_table->scrollTo(m_model->index(row, ScheduleModel::place), QAbstractItemView::PositionAtCenter);
    showRow();
}

void ScheduleView::showSourceLine(int line) {
    if (line == m_sourceLine) return;
    m_sourceLine = line;
    m_model->setSourceLine(line);
    const int row = m_model->firstRowOf(line);
    if (row < 0) return;
    const QScopedValueRollback quiet(m_quiet, true);
    choose(row);
}

void ScheduleView::goToPlace(std::int64_t place) {
    const int row = m_model->rowAt(place);
    if (row < 0) return;
    if (m_table->currentIndex().isValid()) m_before.push_back(m_table->currentIndex().row());
    choose(row);
}

void ScheduleView::goToProducer() {
    const int row = producerOf(*m_model, m_table->currentIndex().row());
    if (row >= 0) goToPlace(m_model->explanation()->code[std::size_t(row)].place);
}

void ScheduleView::goBack() {
    if (m_before.empty()) return;
    const int row = m_before.back();
    m_before.pop_back();
    choose(row);
}

void ScheduleView::follow(const QUrl& link) {
    if (link.scheme() == QLatin1String("place")) return goToPlace(link.path().toLongLong(nullptr, 16));
    if (link.scheme() != QLatin1String("line")) return;
    m_sourceLine = link.path().toInt();
    m_model->setSourceLine(m_sourceLine);
    Q_EMIT sourceLineActivated(m_sourceLine);
}

QByteArray ScheduleView::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    out << qint32(ScheduleModel::columnCount_) << m_table->horizontalHeader()->saveState() << m_split->saveState();
    return state;
}

void ScheduleView::restoreState(const QByteArray& state) {
    qint32 columns = 0;
    QByteArray header, split;
    QDataStream in(state);
    in >> columns >> header >> split;
    // What another version saved has other columns.
    if (in.status() != QDataStream::Ok || columns != ScheduleModel::columnCount_) return;
    m_table->horizontalHeader()->restoreState(header);
    m_split->restoreState(split);
}

} // namespace kernelarium::ui
