// SPDX-License-Identifier: GPL-3.0-or-later
// How the view is put together.
#include "ui/profiles/RowCopying.h"
#include "ui/schedule/ScheduleModel.h"
#include "ui/schedule/ScheduleView.h"
#include "ui/theme/Theme.h"
#include "ui/widgets/ElidedLabel.h"
#include "ui/widgets/EmptyState.h"
#include "ui/widgets/WrapLayout.h"

#include <QAction>
#include <QComboBox>
#include <QHeaderView>
#include <QLabel>
#include <QSpinBox>
#include <QSplitter>
#include <QStackedWidget>
#include <QTabWidget>
#include <QTableView>
#include <QTextBrowser>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {
/// Less than Qt would ask for: on a small screen several views of code stand side by side, and the text scrolls.
constexpr QSize leastRoom(64, 32);
} // namespace

void setScheduleWidths(QTableView& table, const Theme& theme, int characters) {
    const QFontMetrics code(theme.codeFont());
    const int widths[] = {7, 5, characters, 5, 5, 6, 5, 5, 5, 5, 8, 4};
    static_assert(std::size(widths) == ScheduleModel::columnCount_);
    for (int column = 0; column < ScheduleModel::columnCount_; ++column) {
        const QString head = table.model()->headerData(column, Qt::Horizontal, Qt::DisplayRole).toString();
        table.setColumnWidth(column, std::max(widths[column] * code.horizontalAdvance(QLatin1Char('0')),
                                              table.horizontalHeader()->fontMetrics().horizontalAdvance(head)) +
                                         4 * Theme::unit);
    }
}

void ScheduleView::build() {
    const auto choice = [](QComboBox& box, const QString& name, const QString& tip) {
        box.setAccessibleName(name);
        box.setToolTip(tip);
        box.setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box.setMinimumContentsLength(8);
        box.setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    };
    choice(*m_kernels, tr("Kernel"), tr("Whose native code is shown; kernels with loops come first"));
    choice(*m_loops, tr("Loop"), tr("Whose turn is modelled. Hot: the one with the most arithmetic of its own"));
    m_warps->setRange(0, 16);
    m_warps->setSpecialValueText(tr("registers"));
    m_warps->setAccessibleName(tr("Warps a scheduler"));
    m_warps->setToolTip(tr("Warps that are resident on a scheduler, 1 to 16; at the least, as many as the kernel's "
                           "registers leave room for. The Loop tab says what one more or one fewer would change"));
    auto* warpsLabel = new ElidedLabel(Qt::ElideRight);
    warpsLabel->setText(tr("Warps a scheduler"));
    warpsLabel->setBuddy(m_warps);
    m_summary->setProperty("role", QStringLiteral("muted"));
    m_summary->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_summary->setTextFormat(Qt::PlainText);
    auto* warps = new QWidget;
    auto* warpsRow = new QHBoxLayout(warps);
    warpsRow->setContentsMargins(0, 0, 0, 0);
    warpsRow->setSpacing(8);
    warpsRow->addWidget(warpsLabel);
    warpsRow->addWidget(m_warps);
    auto* bar = new QWidget;
    bar->setMinimumWidth(leastRoom.width());
    auto* row = new WrapLayout(bar, 8);
    row->setContentsMargins(8, 4, 8, 4);
    row->addWidget(m_kernels);
    row->addWidget(m_loops);
    row->addWidget(warps);
    row->addWidget(m_summary);

    buildTable();
    for (QTextBrowser* text : {m_answer, m_loopText}) {
        text->setFrameShape(QFrame::NoFrame);
        text->setMinimumSize(leastRoom);
        text->setOpenLinks(false);
        text->document()->setDocumentMargin(2 * Theme::unit);
        text->setTextInteractionFlags(Qt::TextBrowserInteraction | Qt::TextSelectableByKeyboard);
    }
    m_answer->setAccessibleName(tr("Why the instruction waits"));
    m_loopText->setAccessibleName(tr("What limits the loop"));
    m_answers->setDocumentMode(true);
    m_answers->setAccessibleName(tr("Answers"));
    m_answers->addTab(m_answer, tr("Instruction"));
    m_answers->addTab(m_loopText, tr("Loop"));
    m_answers->setTabToolTip(0, tr("Why the chosen instruction waits, for whom, and how much slack there is"));
    m_answers->setTabToolTip(
        1, tr("What limits the chosen loop: its critical path, its pipes, and other numbers of warps"));
    m_split->setHandleWidth(1);
    m_split->setChildrenCollapsible(false);
    m_split->addWidget(m_table);
    m_split->addWidget(m_answers);
    m_split->setStretchFactor(0, 3);
    m_split->setStretchFactor(1, 2);
    auto* page = new QWidget;
    auto* column = new QVBoxLayout(page);
    column->setContentsMargins(0, 0, 0, 0);
    column->setSpacing(0);
    column->addWidget(bar);
    column->addWidget(m_split, 1);
    m_pages->addWidget(m_empty);
    m_pages->addWidget(page);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    setFocusProxy(m_table);
}

void ScheduleView::buildTable() {
    m_table->setModel(m_model);
    m_table->setMinimumSize(leastRoom);
    m_table->setAccessibleName(tr("Native code"));
    m_table->setShowGrid(false);
    m_table->setWordWrap(false);
    m_table->setTabKeyNavigation(false);
    m_table->setSelectionBehavior(QAbstractItemView::SelectRows);
    m_table->setTextElideMode(Qt::ElideRight);
    m_table->setHorizontalScrollMode(QAbstractItemView::ScrollPerPixel);
    m_table->verticalHeader()->hide();
    m_table->horizontalHeader()->setHighlightSections(false);
    m_table->horizontalHeader()->setSectionResizeMode(QHeaderView::Interactive);
    setScheduleWidths(*m_table, m_theme, 36);
    makeCopyable(*m_table);
    m_table->setSelectionMode(QAbstractItemView::SingleSelection);
    addActions();
}

/// Of the table's context menu, above what copies rows.
void ScheduleView::addActions() {
    QAction* const copying = m_table->actions().value(0);
    const auto add = [this, copying](const QString& text, const QString& tip, const QKeySequence& key, auto what) {
        auto* action = new QAction(text, m_table);
        action->setToolTip(tip);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetShortcut);
        connect(action, &QAction::triggered, this, what);
        m_table->insertAction(copying, action);
    };
    add(tr("Go to what it waits for"), tr("Chooses the instruction that the chosen one waits for"), Qt::Key_Return,
        [this] { goToProducer(); });
    add(tr("Go back"), tr("Chooses the instruction from which one was gone to"), Qt::Key_Backspace,
        [this] { goBack(); });
    auto* line = new QAction(m_table);
    line->setSeparator(true);
    m_table->insertAction(copying, line);
}

void ScheduleView::restyle() {
    const Palette& p = m_theme.colours();
    m_table->verticalHeader()->setDefaultSectionSize(QFontMetrics(m_theme.codeFont()).height() + Theme::unit);
    for (QTextBrowser* text : {m_answer, m_loopText}) {
        text->document()->setDefaultFont(m_theme.textFont());
        text->document()->setDefaultStyleSheet(
            QStringLiteral(
                "a { color: %1; } .muted { color: %2; } code { font-family: '%3'; } p { margin: 0 0 6px 0; } "
                "ul { margin: 0 0 6px 0; -qt-list-indent: 1; }")
                .arg(p.accent.name(), p.muted.name(), m_theme.codeFont().family()));
    }
    showRow();
    showLoop();
}

} // namespace kernelarium::ui
