// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict/VerdictPanel.h"

#include "core/verify/VerdictJson.h"
#include "ui/desks/CardDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/graph/ErrorMapView.h"
#include "ui/stepper/FaultTarget.h"
#include "ui/verdict/VerdictGroups.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/VerdictWords.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/Trials.h"

#include <QApplication>
#include <QClipboard>
#include <QHeaderView>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QToolButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace kernelarium::ui {

VerdictPanel::VerdictPanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_model(new VerdictModel(theme, this))
    , m_icon(new QLabel)
    , m_word(new QLabel)
    , m_sentence(new WrappedLabel)
    , m_stale(new QLabel)
    , m_jump(new QPushButton)
    , m_step(new QPushButton(tr("Step through")))
    , m_copy(new QToolButton)
    , m_tree(new QTreeView)
    , m_about(new WrappedLabel)
    , m_map(new ErrorMapView(theme))
    , m_split(new QSplitter)
    , m_pages(new QStackedWidget)
    , m_empty(new WrappedLabel)
    , m_emptyButton(new QPushButton(tr("Verify")))
    , m_earlierButton(new QPushButton(tr("Show the evidence"))) {
    build();
    connect(m_tree, &QTreeView::clicked, this, &VerdictPanel::activate);
    connect(m_tree, &QTreeView::activated, this, &VerdictPanel::activate);
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &VerdictPanel::explain);
    connect(m_jump, &QPushButton::clicked, this, [this] { m_with.bench.goTo(m_jumpLine); });
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &VerdictPanel::refreshStep);
    connect(m_tree, &QWidget::customContextMenuRequested, this, &VerdictPanel::showMenu);
    connect(m_step, &QPushButton::clicked, this, &VerdictPanel::stepThrough);
    connect(m_copy, &QToolButton::clicked, this, &VerdictPanel::copyReport);
    connect(m_emptyButton, &QPushButton::clicked, this, &VerdictPanel::act);
    connect(m_earlierButton, &QPushButton::clicked, &around.past, &PastTrials::showEarlier);
    connect(m_map, &ErrorMapView::cellActivated, this, [this](qint64 row, qint64 column) {
        if (m_shown && m_shown->errorMap)
            Q_EMIT elementRequested(m_shown->errorMap->output, row * m_shown->errorMap->matrixColumns() + column);
    });
    connect(&around.past, &PastTrials::knownChanged, this, &VerdictPanel::refresh);
    connect(&around.assignment, &Assignment::changed, this, &VerdictPanel::refresh);
    connect(&around.runner, &RunDesk::verifyChanged, this, &VerdictPanel::refresh);
    connect(&around.trials, &Trials::busyChanged, this, &VerdictPanel::refresh);
    connect(&around.bench, &Bench::sourceChanged, this, &VerdictPanel::refresh);
    connect(&around.bench, &Bench::kernelChanged, this, &VerdictPanel::refresh);
    connect(&theme, &Theme::changed, this, [this] {
        m_shown.reset();
        refresh();
    });
    refresh();
}

void VerdictPanel::build() {
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Evidence"));
    m_tree->setRootIsDecorated(true);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(16);
    m_tree->setContextMenuPolicy(Qt::CustomContextMenu);
    m_tree->header()->setStretchLastSection(true);
    m_tree->header()->resizeSection(VerdictModel::item, 232);
    m_tree->header()->resizeSection(VerdictModel::result, 168);

    QFont word = m_theme.headingFont();
    word.setPointSizeF(word.pointSizeF() * 1.25);
    m_word->setFont(word);
    m_sentence->setTextFormat(Qt::PlainText);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_stale->setProperty("role", "warning");
    m_stale->setText(tr("The text was edited since."));
    m_step->setToolTip(tr("Record the block with the first fault, and go through it step by step"));
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy the verdict with all its evidence as JSON"));
    m_copy->setAccessibleName(tr("Copy the verdict"));

    auto* head = new QHBoxLayout;
    head->setContentsMargins(8, 8, 8, 8);
    head->setSpacing(8);
    head->addWidget(m_icon, 0, Qt::AlignTop);
    head->addWidget(m_word, 0, Qt::AlignTop);
    head->addWidget(m_sentence, 1);
    head->addWidget(m_stale, 0, Qt::AlignTop);
    head->addWidget(m_step, 0, Qt::AlignTop);
    head->addWidget(m_jump, 0, Qt::AlignTop);
    head->addWidget(m_copy, 0, Qt::AlignTop);

    m_split->addWidget(m_tree);
    m_split->addWidget(m_map);
    m_split->setStretchFactor(0, 5);
    m_split->setStretchFactor(1, 3);
    m_split->setHandleWidth(1);
    m_split->setChildrenCollapsible(false);
    auto* page = new QWidget;
    auto* pageLayout = new QVBoxLayout(page);
    pageLayout->setContentsMargins(0, 0, 0, 0);
    pageLayout->setSpacing(0);
    pageLayout->addLayout(head);
    pageLayout->addWidget(m_split, 1);
    m_about->setTextFormat(Qt::PlainText);
    m_about->setProperty("role", "muted");
    m_about->setContentsMargins(8, 4, 8, 6);
    m_about->setAccessibleName(tr("What the chosen evidence is about"));
    explain({});
    pageLayout->addWidget(m_about);

    auto* emptyPage = new QWidget;
    auto* emptyLayout = new QVBoxLayout(emptyPage);
    emptyLayout->addStretch(1);
    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("role", "muted");
    m_emptyButton->setToolTip(tr("Run the kernel and compare it with the reference (Ctrl+Return)"));
    emptyLayout->addWidget(m_empty);
    m_earlierButton->setToolTip(tr("Show the stored verdict with all its evidence"));
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(m_earlierButton);
    buttons->addWidget(m_emptyButton);
    buttons->addStretch(1);
    emptyLayout->addLayout(buttons);
    emptyLayout->addStretch(2);

    m_pages->addWidget(emptyPage);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
}

QString VerdictPanel::word() const {
    return m_pages->currentIndex() == 1 ? m_word->text() : QString();
}

QString VerdictPanel::emptyText() const {
    return m_pages->currentIndex() == 0 ? m_empty->text() : QString();
}

QString VerdictPanel::sentence() const {
    const auto& v = *m_shown;
    const QString message = QString::fromStdString(v.message).trimmed();
    if (v.kind == verify::VerdictKind::verified) {
        QString text = verdictExplanation(QStringLiteral("verified"));
        if (v.share) text += QLatin1Char(' ') + QString::fromStdString(verify::describe(*v.share));
        if (!v.remarks.empty()) {
            QStringList remarks;
            for (const auto& remark : v.remarks)
                remarks << reasonText(remark);
            text += tr(" Remarks: %1.").arg(remarks.join(QStringLiteral(", ")));
        }
        return text;
    }
    return message.isEmpty() ? verdictExplanation(QString::fromUtf8(verify::name(v.kind).data(),
                                                                    qsizetype(verify::name(v.kind).size())))
                             : message;
}

void VerdictPanel::showVerdict() {
    const auto& v = *m_shown;
    const std::string_view name = verify::name(v.kind);
    const QString word = QString::fromUtf8(name.data(), qsizetype(name.size()));
    m_word->setText(verdictTitle(v));
    m_sentence->setText(sentence());
    m_model->show(m_shown);
    explain({});
    for (int group = 0; group < m_model->rowCount(); ++group) {
        m_tree->setFirstColumnSpanned(group, {}, false);
        m_tree->setExpanded(m_model->index(group, 0), group < 3);
    }
    const bool knowsWriter = v.kind == verify::VerdictKind::wrong && v.lastWriter && v.lastWriter->line > 0;
    m_jumpLine = knowsWriter ? v.lastWriter->line : 0;
    for (const auto& fault : v.faults)
        if (fault.line > 0 && m_jumpLine == 0) m_jumpLine = fault.line;
    m_jump->setText(tr("Go to line %1").arg(m_jumpLine));
    m_jump->setToolTip(knowsWriter ? tr("The source line that wrote the first wrong element")
                                   : tr("The source line of the first fault"));
    m_jump->setVisible(m_jumpLine > 0);
    refreshStep({});
    m_map->setVisible(v.errorMap.has_value());
    m_map->setMap(v.errorMap);
}

/// A verdict on another text than the one in the editor is grey, and the title tells of the text as it stands.
void VerdictPanel::showWhoseItIs(bool ofThisText) {
    const std::string_view name = verify::name(m_shown->kind);
    const QString kind = QString::fromUtf8(name.data(), qsizetype(name.size()));
    const QColor colour = ofThisText ? verdictColour(m_theme.colours(), kind) : m_theme.colours().muted;
    m_icon->setPixmap(m_theme.icon(verdictIcon(kind), colour).pixmap(QSize(24, 24), devicePixelRatioF()));
    m_word->setStyleSheet(QStringLiteral("color: %1").arg(colour.name()));
    const std::optional<EarlierVerdict> earlier = ofThisText ? std::nullopt : m_with.past.earlier();
    m_stale->setVisible(!ofThisText);
    m_stale->setText(earlier ? tr("Of another text. This one: %1.").arg(earlierText(*earlier))
                             : tr("The text was edited since."));
    const QString now = ofThisText ? kind : earlier ? earlier->kind : QString();
    Q_EMIT titleChanged((tr("Verdict") + QLatin1Char(' ') + verdictWord(now).left(1)).trimmed());
}

void VerdictPanel::refresh() {
    const VerifyState& state = m_with.runner.verifyState();
    if (state.stage == Stage::finished && state.answer) {
        if (m_shown != state.answer) {
            m_shown = state.answer;
            showVerdict();
        }
        m_pages->setCurrentIndex(1);
        showWhoseItIs(state.generation == m_with.bench.generation());
        return;
    }
    m_shown.reset();
    Q_EMIT titleChanged(tr("Verdict"));
    m_pages->setCurrentIndex(0);
    refreshEmpty();
}

/// What the button does depends on what stands in the way of a verdict.
VerdictPanel::Offer VerdictPanel::offer() const {
    if (m_with.assignment.exportObstacle().isEmpty()) return Offer::exportCard;
    return m_with.assignment.verifyObstacle().isEmpty() ? Offer::verify : Offer::setUp;
}

void VerdictPanel::act() {
    switch (offer()) {
    case Offer::verify: m_with.trials.verify(); break;
    case Offer::exportCard: m_with.assignment.exportCard(); break;
    case Offer::setUp: Q_EMIT setupRequested(); break;
    }
}

void VerdictPanel::refreshButtons(bool earlier) {
    const bool free = !m_with.bench.kernel().isEmpty() && !m_with.trials.isBusy();
    m_emptyButton->setVisible(free);
    m_earlierButton->setVisible(free && earlier);
    switch (offer()) {
    case Offer::verify:
        m_emptyButton->setText(earlier ? tr("Verify again") : tr("Verify"));
        m_emptyButton->setToolTip(tr("Run the kernel and compare it with the reference (Ctrl+Return)"));
        break;
    case Offer::exportCard:
        m_emptyButton->setText(tr("Export a task card"));
        m_emptyButton->setToolTip(tr("Derive a task card from the row's PyTorch code (runs your Python)"));
        break;
    case Offer::setUp:
        m_emptyButton->setText(tr("Task and reference…"));
        m_emptyButton->setToolTip(tr("Choose what the kernel is compared with (Ctrl+T)"));
        break;
    }
}

void VerdictPanel::refreshEmpty() {
    const VerifyState& state = m_with.runner.verifyState();
    const CardDesk& cards = m_with.cards;
    const bool hasKernel = !m_with.bench.kernel().isEmpty();
    const std::optional<EarlierVerdict> earlier = state.stage == Stage::idle ? m_with.past.earlier() : std::nullopt;
    refreshButtons(earlier.has_value());
    if (cards.isExporting())
        m_empty->setText(cards.exporting().step.isEmpty()
                             ? tr("Exporting a task card… (Escape cancels)")
                             : tr("Task card: %1… (Escape cancels)").arg(cards.exporting().step));
    else if (isBusy(state.stage) || (m_with.trials.isBusy() && hasKernel))
        m_empty->setText(state.step.isEmpty() ? tr("Verifying… (Escape cancels)")
                                              : tr("Verifying: %1… (Escape cancels)").arg(state.step));
    else if (state.stage == Stage::failed)
        m_empty->setText(QString::fromStdString(state.error.text()));
    else if (state.stage == Stage::cancelled)
        m_empty->setText(tr("The verification was cancelled."));
    else if (earlier)
        m_empty->setText(earlierText(*earlier));
    else if (hasKernel && offer() == Offer::exportCard)
        m_empty->setText(
            tr("This kernel's task is not one of the built-in ones: there is nothing to compare it with yet. Export a "
               "card from its PyTorch code, or choose a reference kernel and arguments (Ctrl+T)."));
    else if (hasKernel && offer() == Offer::setUp)
        m_empty->setText(tr("This kernel cannot be verified yet: %1.").arg(m_with.assignment.verifyObstacle()));
    else
        m_empty->setText(
            hasKernel ? tr("Whether this kernel is right, and the evidence, appears here.")
                      : tr("Whether a kernel is right, and the evidence, appears here.\nChoose a kernel first."));
}

void VerdictPanel::activate(const QModelIndex& index) {
    const int line = index.data(VerdictModel::lineRole).toInt();
    if (line > 0) m_with.bench.goTo(line);
}

void VerdictPanel::explain(const QModelIndex& index) {
    const QString about = index.data(VerdictModel::aboutRole).toString();
    // The evidence itself, too: its column is often out of sight.
    const QString detail = index.siblingAtColumn(VerdictModel::detail).data().toString();
    m_about->setText(about.isEmpty() ? tr("Choose a check to read what it found and what it is for.")
                                     : detail + QLatin1Char('\n') + about);
}

/// The fault of the row; without one, the verdict's first.
void VerdictPanel::refreshStep(const QModelIndex& index) {
    m_stepTarget.reset();
    if (m_shown) {
        const int row = index.isValid() ? index.data(VerdictModel::faultRole).toInt() : -1;
        for (std::size_t k = 0; k < m_shown->faults.size() && !m_stepTarget; ++k)
            if (row < 0 || std::size_t(row) == k) m_stepTarget = targetOf(*m_shown, m_shown->faults[k]);
    }
    m_step->setVisible(m_stepTarget.has_value());
    if (!m_stepTarget) return;
    const auto& request = m_stepTarget->request;
    m_step->setToolTip(
        tr("Record the block with the fault, and go through it step by step from line %1: block (%2, %3, %4), warp %5")
            .arg(request.line)
            .arg(request.block[0])
            .arg(request.block[1])
            .arg(request.block[2])
            .arg(request.warp.value_or(0)));
}

void VerdictPanel::stepThrough() {
    if (m_stepTarget) m_with.trials.stepThrough(*m_stepTarget);
}

void VerdictPanel::showMenu(const QPoint& point) {
    const QModelIndex at = m_tree->indexAt(point);
    const int line = at.data(VerdictModel::lineRole).toInt();
    const int fault = at.isValid() ? at.data(VerdictModel::faultRole).toInt() : -1;
    if (line <= 0 && fault < 0) return;
    m_tree->setCurrentIndex(at);
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setToolTipsVisible(true);
    if (fault >= 0) {
        QAction* step = menu->addAction(tr("Step through here"), this, &VerdictPanel::stepThrough);
        step->setEnabled(m_stepTarget.has_value());
        step->setToolTip(m_stepTarget ? m_step->toolTip() : tr("Not now: no launch of the first run has this fault"));
    }
    if (line > 0) menu->addAction(tr("Go to line %1").arg(line), this, [this, line] { m_with.bench.goTo(line); });
    menu->popup(m_tree->viewport()->mapToGlobal(point));
}

void VerdictPanel::copyReport() {
    if (m_shown) QApplication::clipboard()->setText(QString::fromStdString(verify::readableJson(*m_shown)));
}

} // namespace kernelarium::ui
