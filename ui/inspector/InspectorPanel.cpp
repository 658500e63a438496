// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/inspector/InspectorPanel.h"

#include "core/verify/Verdict.h"
#include "ui/desks/CardDesk.h"
#include "ui/desks/RunDesk.h"
#include "ui/graph/OperatorGraphView.h"
#include "ui/inspector/FactsText.h"
#include "ui/inspector/PythonHighlighter.h"
#include "ui/threads/Ask.h"
#include "ui/verdict/VerdictGroups.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/VerdictWords.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/PastTrials.h"
#include "ui/workspace/Standing.h"

#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QSplitter>
#include <QTabWidget>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

constexpr int leastGraph = 120;
constexpr int roomyFacts = 320; ///< from this width on a fact stands on one line

QPlainTextEdit* readOnlyText(const Theme& theme, const QString& name) {
    auto* text = new QPlainTextEdit;
    text->setReadOnly(true);
    text->setLineWrapMode(QPlainTextEdit::NoWrap);
    text->setFont(theme.codeFont());
    text->setAccessibleName(name);
    text->setTabChangesFocus(true);
    return text;
}

QWidget* page(std::initializer_list<QWidget*> widgets) {
    auto* page = new QWidget;
    auto* layout = new QVBoxLayout(page);
    layout->setContentsMargins(8, 8, 8, 0);
    layout->setSpacing(8);
    for (QWidget* widget : widgets)
        layout->addWidget(widget, qobject_cast<QComboBox*>(widget) ? 0 : 1);
    return page;
}

} // namespace

InspectorPanel::InspectorPanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_theme(theme)
    , m_tabs(new QTabWidget)
    , m_facts(new QTextBrowser)
    , m_taskText(new WrappedLabel)
    , m_export(new QPushButton(tr("Export a task card")))
    , m_setup(new QPushButton(tr("Choose a reference…")))
    , m_graph(new OperatorGraphView(theme))
    , m_size(new QComboBox)
    , m_referenceKind(new QComboBox)
    , m_reference(readOnlyText(theme, tr("PyTorch reference")))
    , m_python(new PythonHighlighter(*m_reference->document(), theme)) {
    m_facts->setAccessibleName(tr("Facts"));
    m_facts->setOpenLinks(false);
    m_facts->document()->setDocumentMargin(12);
    m_facts->setWordWrapMode(QTextOption::WrapAtWordBoundaryOrAnywhere);
    m_taskText->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_taskText->setAlignment(Qt::AlignTop);
    m_taskText->setContentsMargins(4, 0, 4, 8);
    m_size->setToolTip(tr("The task's published shapes, or those that the emulator verifies"));
    m_size->setAccessibleName(tr("Size"));
    m_referenceKind->addItems({tr("Module"), tr("Functional")});
    m_referenceKind->setToolTip(tr("Which of the archive's two PyTorch forms of the task"));
    m_referenceKind->setAccessibleName(tr("Form of the PyTorch code"));

    auto* scroll = new QScrollArea;
    scroll->setWidget(m_taskText);
    scroll->setWidgetResizable(true);
    scroll->setAccessibleName(tr("Task"));
    scroll->setFrameShape(QFrame::NoFrame);
    auto* taskSplit = new QSplitter(Qt::Vertical);
    taskSplit->addWidget(m_graph);
    taskSplit->addWidget(scroll);
    taskSplit->setHandleWidth(1);
    taskSplit->setStretchFactor(0, 1);
    taskSplit->setStretchFactor(1, 2);
    taskSplit->setChildrenCollapsible(false);
    m_graph->setMinimumHeight(leastGraph);

    m_tabs->setDocumentMode(true);
    m_tabs->addTab(m_facts, tr("Facts"));
    QWidget* taskPage = page({m_size, taskSplit});
    for (QPushButton* button : {m_export, m_setup})
        taskPage->layout()->addWidget(button);
    m_export->setToolTip(tr("Derive a task card from the row's PyTorch code: your Python runs it, isolated from the "
                            "network, files and other programs"));
    m_setup->setToolTip(tr("Choose a task, another kernel as reference, or arguments (Ctrl+T)"));
    m_tabs->addTab(taskPage, tr("Task"));
    m_tabs->addTab(page({m_referenceKind, m_reference}), tr("PyTorch"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_tabs);

    connect(&around.bench, &Bench::kernelChanged, this, &InspectorPanel::refresh);
    connect(&around.standing, &Standing::changed, this, &InspectorPanel::refreshText);
    connect(&around.assignment, &Assignment::changed, this, &InspectorPanel::refresh);
    connect(&around.assignment, &Assignment::changed, this, &InspectorPanel::refreshTask);
    connect(&around.cards, &CardDesk::changed, this, &InspectorPanel::refreshTask);
    connect(m_export, &QPushButton::clicked, &around.assignment, &Assignment::exportCard);
    connect(m_setup, &QPushButton::clicked, this, &InspectorPanel::setupRequested);
    connect(&around.runner, &RunDesk::verdictReady, this, &InspectorPanel::refresh);
    connect(&theme, &Theme::changed, this, [this] {
        refresh();
        refreshTask();
    });
    connect(m_size, &QComboBox::currentIndexChanged, this, &InspectorPanel::refreshTask);
    connect(m_referenceKind, &QComboBox::currentIndexChanged, this, &InspectorPanel::showReference);
    refresh();
    refreshTask();
}

InspectorPanel::~InspectorPanel() = default;

void InspectorPanel::showTab(Tab tab) {
    m_tabs->setCurrentIndex(tab);
}

VerdictFact InspectorPanel::verdictNow() const {
    const VerifyState& state = m_with.runner.verifyState();
    if (state.answer && state.generation == m_with.bench.generation()) {
        const auto name = verify::name(state.answer->kind);
        const QString kind = QString::fromUtf8(name.data(), qsizetype(name.size()));
        return {kind,
                verdictWord(kind).section(QLatin1Char(' '), 0, 0) + QLatin1Char(' ') + verdictTitle(*state.answer)};
    }
    if (const std::optional<EarlierVerdict> earlier = m_with.past.earlier())
        return {earlier->kind, earlierText(*earlier)};
    return {};
}

/// Of a key only this is seen in the facts.
void InspectorPanel::refreshText() {
    const VerdictFact verdict = verdictNow();
    const QString shown = verdict.text + m_with.standing.explanation() + (m_with.bench.isEdited() ? u'e' : u'o');
    if (shown != m_shown) refresh();
}

void InspectorPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    if (std::exchange(m_narrow, width() < roomyFacts) != m_narrow) refresh();
}

void InspectorPanel::refresh() {
    const VerdictFact verdict = verdictNow();
    m_shown = verdict.text + m_with.standing.explanation() + (m_with.bench.isEdited() ? u'e' : u'o');
    const QString html = factsHtml(m_with.bench.kernel(), m_with.bench.isEdited(), verdict, m_with.standing.now(),
                                   m_theme.colours(), m_narrow);
    if (std::exchange(m_html, html) != html) m_facts->setHtml(html);
    showReference();
}

void InspectorPanel::showReference() {
    const RowTexts& texts = m_with.bench.kernel().texts;
    const QString& text = m_referenceKind->currentIndex() == 0 ? texts.module : texts.functional;
    m_reference->setPlaceholderText(tr("The PyTorch code of an archived kernel's task appears here."));
    if (m_reference->toPlainText() != text) m_reference->setPlainText(text);
}

void InspectorPanel::showNoTask() {
    const CardDesk& cards = m_with.cards;
    if (m_with.bench.kernel().isEmpty())
        m_taskText->setText(tr("The task that the kernel solves appears here as a graph of operators."));
    else if (cards.isExporting())
        m_taskText->setText(tr("Exporting the task's card: %1… (Escape cancels)")
                                .arg(cards.exporting().step.isEmpty() ? tr("waiting") : cards.exporting().step));
    else if (m_with.assignment.exportObstacle().isEmpty())
        m_taskText->setText(tr("This kernel's task is not one of the built-in ones, and there is no card for it yet. A "
                               "Python with PyTorch can export one from the archive's PyTorch code (choose the Python "
                               "in Edit, Preferences); or choose another kernel as reference, with arguments."));
    else
        m_taskText->setText(tr(
            "There is no card for this kernel's task. Choose a task, or arguments and another kernel as reference."));
}

void InspectorPanel::refreshTask() {
    const auto card = m_with.assignment.card();
    const quint64 generation = ++m_generation;
    m_graph->setEnabled(card != nullptr);
    m_size->setVisible(card != nullptr);
    m_export->setVisible(!card && m_with.assignment.exportObstacle().isEmpty());
    m_setup->setVisible(!card && !m_with.bench.kernel().isEmpty());
    if (!card) {
        m_graph->clear();
        m_graph->hide();
        showNoTask();
        return;
    }
    if (m_size->property("card").toString() != QString::fromStdString(card->key())) {
        const QSignalBlocker quiet(m_size);
        m_size->setProperty("card", QString::fromStdString(card->key()));
        m_size->clear();
        for (const auto& [name, symbols] : card->sizes)
            m_size->addItem(tr("%1 size").arg(QString::fromStdString(name)), QString::fromStdString(name));
    }
    m_graph->show();
    const QString size = m_size->currentData().toString();
    m_taskText->setText(taskHtml(*card, size, nullptr, m_theme.colours()));
    ask<task::Cost>(
        m_thread, this, "cost",
        [card, name = size.toStdString()](const std::stop_token&) -> Result<task::Cost> {
            auto symbols = card->size(name);
            if (!symbols) return symbols.error();
            return task::costOf(*card, *symbols);
        },
        [this, generation, card, size](Result<task::Cost> cost) {
            if (generation != m_generation) return;
            if (!cost) {
                if (cost.error().code != "cancelled") m_taskText->setText(QString::fromStdString(cost.error().text()));
                return;
            }
            const auto symbols = card->size(size.toStdString());
            m_graph->setGraph(*card, *cost, symbols ? *symbols : task::Symbols());
            m_graph->setMaximumHeight(std::max(leastGraph, m_graph->fittingHeight()));
            m_taskText->setText(taskHtml(*card, size, &*cost, m_theme.colours()));
        });
}

} // namespace kernelarium::ui
