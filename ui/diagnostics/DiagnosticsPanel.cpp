// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/DiagnosticsPanel.h"

#include "ui/desks/CompileDesk.h"
#include "ui/desks/TidyDesk.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/words/Quantities.h"
#include "ui/workspace/Bench.h"

#include <QHeaderView>
#include <QLabel>
#include <QSplitter>
#include <QStackedWidget>
#include <QTableView>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {

constexpr int narrowestNumber = 64;
constexpr int wideEnough = 960;     ///< for both tables beside each other
constexpr int mostKernelsShown = 4; ///< without scrolling, where messages are above them

void dress(QTableView& table) {
    table.setShowGrid(false);
    table.setSelectionBehavior(QAbstractItemView::SelectRows);
    table.setSelectionMode(QAbstractItemView::SingleSelection);
    table.setWordWrap(false);
    table.setTabKeyNavigation(false);
    table.verticalHeader()->hide();
    table.verticalHeader()->setDefaultSectionSize(table.fontMetrics().height() + 8);
    table.horizontalHeader()->setHighlightSections(false);
}

} // namespace

DiagnosticsPanel::DiagnosticsPanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_model(new DiagnosticsModel(theme, this))
    , m_resourcesModel(new ResourcesModel(this))
    , m_messages(new QTableView)
    , m_resources(new QTableView)
    , m_summary(new WrappedLabel)
    , m_again(new QPushButton(tr("Compile again")))
    , m_tidy(new QLabel)
    , m_empty(new WrappedLabel)
    , m_pages(new QStackedWidget)
    , m_split(new QSplitter) {
    dress(*m_messages);
    m_messages->setModel(m_model);
    m_messages->setAccessibleName(tr("Compiler messages"));
    m_messages->horizontalHeader()->setStretchLastSection(true);
    m_messages->setColumnWidth(DiagnosticsModel::severity, 96);
    m_messages->setColumnWidth(DiagnosticsModel::line, 56);
    dress(*m_resources);
    m_resources->setModel(m_resourcesModel);
    m_resources->setAccessibleName(tr("Resources of each kernel"));
    m_resources->horizontalHeader()->setMinimumSectionSize(narrowestNumber);
    m_resources->horizontalHeader()->setSectionResizeMode(ResourcesModel::kernel, QHeaderView::Stretch);
    for (int i = 1; i < ResourcesModel::columnCount_; ++i)
        m_resources->horizontalHeader()->setSectionResizeMode(i, QHeaderView::ResizeToContents);

    m_empty->setAlignment(Qt::AlignCenter);
    m_empty->setProperty("role", "muted");
    m_empty->setContentsMargins(24, 8, 24, 8);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(m_messages);

    m_split->addWidget(m_pages);
    m_split->addWidget(m_resources);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    m_split->setHandleWidth(1);
    m_split->setChildrenCollapsible(false);

    for (QLabel* label : {m_summary, m_tidy}) {
        label->setContentsMargins(8, 4, 8, 4);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_summary->setWordWrap(true); // an error has sentences, and must not widen the window
    m_tidy->setProperty("role", "muted");
    m_tidy->setFont(theme.captionFont());
    m_tidy->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    auto* head = new QHBoxLayout;
    head->addWidget(m_summary, 1);
    head->addWidget(m_again, 0, Qt::AlignVCenter);
    m_again->setToolTip(tr("Compile the text as it stands; verifying or timing it does so, too"));
    layout->addLayout(head);
    layout->addWidget(m_split, 1);
    layout->addWidget(m_tidy);

    connect(m_messages, &QTableView::clicked, this, &DiagnosticsPanel::activate);
    connect(m_messages, &QTableView::activated, this, &DiagnosticsPanel::activate);
    connect(&around.compiler, &CompileDesk::changed, this, &DiagnosticsPanel::refresh);
    connect(m_again, &QPushButton::clicked, this, [this] {
        m_with.compiler.compileNow();
        m_with.tidy.resume();
    });
    connect(&around.bench, &Bench::kernelChanged, this, &DiagnosticsPanel::refresh);
    connect(&around.tidy, &TidyDesk::changed, this, &DiagnosticsPanel::refreshAdvice);
    refresh();
    refreshAdvice();
}

/// A message is a sentence and a kernel has six figures: where both have no room side by side, they are stacked.
void DiagnosticsPanel::arrange() {
    const bool stacked = width() < wideEnough;
    m_split->setOrientation(stacked ? Qt::Vertical : Qt::Horizontal);
    const int rows = std::clamp(m_resourcesModel->rowCount(), 1, mostKernelsShown);
    const int height = m_resources->horizontalHeader()->sizeHint().height() +
                       rows * m_resources->verticalHeader()->defaultSectionSize() + 2;
    m_resources->setMinimumHeight(stacked ? std::min(height, m_resources->horizontalHeader()->sizeHint().height() * 3)
                                          : 0);
    m_resources->setMaximumHeight(stacked ? height : QWIDGETSIZE_MAX);
}

void DiagnosticsPanel::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    arrange();
}

QString DiagnosticsPanel::summary() const {
    const CompileState& state = m_with.compiler.state();
    switch (state.stage) {
    case Stage::idle: return {};
    case Stage::waiting: return tr("Waiting for a pause in typing…");
    case Stage::running: return state.diagnosed ? tr("Assembling…") : tr("Compiling…");
    case Stage::cancelled: return tr("The compilation was cancelled.");
    case Stage::failed: return QString::fromStdString(state.error.text());
    case Stage::finished: break;
    }
    const auto& unit = *state.answer;
    const QString how = tr("%1, %2%3, %4")
                            .arg(QString::fromStdString(unit.compilerVersion +
                                                        (unit.assembler.empty() ? "" : " and " + unit.assembler)),
                                 QString::fromStdString(unit.arch), unit.fastMath ? tr(", fast math") : QString(),
                                 unit.kept ? tr("compiled earlier") : secondsText(unit.seconds.total));
    if (unit.ok) return tr("✓ Compiled to a cubin (%1)").arg(how);
    return unit.failedStage == "ptxas" ? tr("✗ Rejected by ptxas (%1)").arg(how)
                                       : tr("✗ Does not compile (%1)").arg(how);
}

void DiagnosticsPanel::refresh() {
    const CompileState& state = m_with.compiler.state();
    m_summary->setText(summary());
    m_summary->setVisible(!m_summary->text().isEmpty());
    m_again->setVisible(state.stage == Stage::cancelled || state.stage == Stage::failed);
    const bool settled = state.stage == Stage::finished || state.diagnosed;
    if (settled || state.stage == Stage::idle) {
        m_model->show(state.stage == Stage::idle ? std::vector<compile::Diagnostic>() : state.diagnostics);
        m_resourcesModel->show(state.stage == Stage::finished ? state.answer : nullptr);
        m_resources->setVisible(m_resourcesModel->rowCount() > 0);
        arrange();
    }
    refreshPage();
    const int count = m_model->errors() + m_model->warnings(); // both are named in the status line
    Q_EMIT titleChanged(count > 0 ? tr("Diagnostics (%1)").arg(count) : tr("Diagnostics"));
}

QString DiagnosticsPanel::tidyText() const {
    const TidyState& state = m_with.tidy.state();
    if (m_with.bench.kernel().isEmpty()) return {};
    if (!m_with.tidy.isEnabled()) return tr("clang-tidy is off: Kernel, Live clang-tidy turns it on.");
    switch (state.stage) {
    case Stage::idle: return {};
    case Stage::waiting:
    case Stage::running: return tr("clang-tidy is running…");
    case Stage::cancelled: return tr("clang-tidy was cancelled.");
    case Stage::failed: return tr("No advice: %1").arg(QString::fromStdString(state.error.text()));
    case Stage::finished: break;
    }
    QString text =
        state.answer->findings.empty()
            ? tr("clang-tidy has no advice.")
            : tr("Advice from clang-tidy: %1, using the program's own headers.").arg(state.answer->findings.size());
    if (const auto unread = state.answer->unread.size(); unread > 0)
        text +=
            QLatin1Char(' ') +
            (unread == 1 ? tr("clang could not parse a place in line %1, and may miss what depends on it.")
                         : tr("clang could not parse %2 places (first: line %1), and may miss what depends on them.")
                               .arg(QStringLiteral("%1"), QString::number(unread)))
                .arg(state.answer->unread.front().line);
    return text;
}

void DiagnosticsPanel::refreshAdvice() {
    const TidyState& state = m_with.tidy.state();
    m_tidy->setText(tidyText());
    m_tidy->setToolTip(m_tidy->text());
    m_tidy->setVisible(!m_tidy->text().isEmpty());
    // While the text changes, the advice on the text before it would point to the wrong lines.
    const bool fresh = state.answer && state.answered == m_with.bench.generation();
    const int count = fresh ? int(state.answer->findings.size()) : 0;
    if (count > 0 || m_model->advice() > 0)
        m_model->showAdvice(fresh ? state.answer->findings : std::vector<profile::TidyFinding>());
    refreshPage();
}

void DiagnosticsPanel::refreshPage() {
    const CompileState& state = m_with.compiler.state();
    if (m_with.bench.kernel().isEmpty())
        m_empty->setText(tr(
            "Errors and warnings of the compiler appear here while you type.\nChoose a kernel, or open a .cu file."));
    else
        m_empty->setText(state.stage == Stage::finished && m_model->rowCount() == 0 ? tr("No errors, no warnings.")
                                                                                    : QString());
    m_pages->setCurrentIndex(m_model->rowCount() > 0 ? 1 : 0);
}

void DiagnosticsPanel::activate(const QModelIndex& index) {
    const int line = index.data(DiagnosticsModel::lineRole).toInt();
    if (line > 0) m_with.bench.goTo(line, index.data(DiagnosticsModel::columnRole).toInt());
}

} // namespace kernelarium::ui
