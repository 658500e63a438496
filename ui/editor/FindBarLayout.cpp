// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/FindBar.h"
#include "ui/theme/Theme.h"

#include <QAction>
#include <QGridLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QToolButton>

namespace kernelarium::ui {

void FindBar::build() {
    const auto edit = [this](const QString& name, const QString& tip) {
        auto* made = new QLineEdit(this);
        made->setPlaceholderText(name);
        made->setAccessibleName(name);
        made->setToolTip(tip);
        made->setMinimumWidth(160);
        made->installEventFilter(this);
        return made;
    };
    const auto option = [this](const QString& text, const QString& name, const QString& tip) {
        auto* made = new QToolButton(this);
        made->setText(text);
        made->setCheckable(true);
        made->setAccessibleName(name);
        made->setToolTip(tip);
        made->setFocusPolicy(Qt::StrongFocus);
        connect(made, &QToolButton::toggled, this, [this] { search(Pending::first); });
        return made;
    };
    const auto button = [this](const QString& name, const QString& tip, auto method) {
        auto* made = new QToolButton(this);
        made->setAccessibleName(name);
        made->setToolTip(tip);
        made->setFocusPolicy(Qt::StrongFocus);
        connect(made, &QToolButton::clicked, this, method);
        return made;
    };
    m_pattern = edit(tr("Find"), tr("Text to find. Enter: next match, Shift+Enter: previous match, Escape: close."));
    m_case = option(QStringLiteral("Aa"), tr("Match case"), tr("Distinguish upper and lower case (Alt+C)"));
    m_case->setShortcut(Qt::ALT | Qt::Key_C);
    m_word = option(QStringLiteral("ab|"), tr("Whole words"), tr("Find whole words only (Alt+W)"));
    m_word->setShortcut(Qt::ALT | Qt::Key_W);
    m_regex =
        option(QStringLiteral(".*"), tr("Regular expression"), tr("Read the pattern as a regular expression (Alt+R)"));
    m_regex->setShortcut(Qt::ALT | Qt::Key_R);
    m_status = new QLabel(this);
    m_status->setAccessibleName(tr("Matches"));
    m_status->setMinimumWidth(fontMetrics().horizontalAdvance(QStringLiteral("00000 of 00000")));
    m_previous = button(tr("Previous match"), tr("Go to the previous match (Shift+F3)"), &FindBar::findPrevious);
    m_next = button(tr("Next match"), tr("Go to the next match (F3)"), &FindBar::findNext);
    m_close = button(tr("Close"), tr("Close the bar (Escape)"), &FindBar::closeBar);

    m_replacement = edit(tr("Replace with"), tr("Replacement text. In regular expressions \\1 is the first group."));
    const auto push = [this](const QString& text, const QString& tip, auto method) {
        auto* made = new QPushButton(text, m_replaceRow);
        made->setToolTip(tip);
        made->setAutoDefault(false);
        connect(made, &QPushButton::clicked, this, method);
        return made;
    };
    m_replaceRow = new QWidget(this);
    auto* row = new QHBoxLayout(m_replaceRow);
    row->setContentsMargins(0, 0, 0, 0);
    row->setSpacing(8);
    row->addWidget(m_replacement, 1);
    row->addWidget(push(tr("Re&place"), tr("Replace this match and go to the next (Enter)"), &FindBar::replaceCurrent));
    row->addWidget(
        push(tr("Replace &all"), tr("Replace every match in one undo step (Ctrl+Return)"), &FindBar::replaceAll));

    auto* layout = new QGridLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    layout->addWidget(m_pattern, 0, 0);
    auto* side = new QHBoxLayout;
    side->setSpacing(4);
    for (QWidget* widget :
         {static_cast<QWidget*>(m_case), static_cast<QWidget*>(m_word), static_cast<QWidget*>(m_regex),
          static_cast<QWidget*>(m_status), static_cast<QWidget*>(m_previous), static_cast<QWidget*>(m_next),
          static_cast<QWidget*>(m_close)})
        side->addWidget(widget);
    layout->addLayout(side, 0, 1);
    layout->addWidget(m_replaceRow, 1, 0, 1, 2);
    layout->setColumnStretch(0, 1);
    setTabOrder(m_pattern, m_replacement);
    setTabOrder(m_replacement, m_case);
}

void FindBar::makeActions() {
    const auto add = [this](const QString& text, const QString& tip, const QKeySequence& key, auto method) {
        auto* action = new QAction(text, this);
        action->setToolTip(tip);
        action->setStatusTip(tip);
        action->setShortcut(key);
        action->setShortcutContext(Qt::WidgetWithChildrenShortcut);
        connect(action, &QAction::triggered, this, method);
        addAction(action);
        m_editor.addAction(action);
    };
    add(tr("Find…"), tr("Find in this text"), Qt::CTRL | Qt::Key_F, &FindBar::openFind);
    add(tr("Replace…"), tr("Find and replace in this text"), Qt::CTRL | Qt::Key_H, &FindBar::openReplace);
    add(tr("Find next"), tr("Go to the next match"), Qt::Key_F3, &FindBar::findNext);
    add(tr("Find previous"), tr("Go to the previous match"), Qt::SHIFT | Qt::Key_F3, &FindBar::findPrevious);
}

void FindBar::applyTheme() {
    const Palette& p = m_theme.colours();
    m_editor.setIndicatorForegroundColor(p.warning, indicator);
    m_editor.SendScintilla(QsciScintilla::SCI_INDICSETALPHA, static_cast<unsigned long>(indicator), p.dark ? 70L : 50L);
    m_editor.SendScintilla(QsciScintilla::SCI_INDICSETOUTLINEALPHA, static_cast<unsigned long>(indicator), 200L);
    m_previous->setIcon(m_theme.icon(QStringLiteral("previous-match")));
    m_next->setIcon(m_theme.icon(QStringLiteral("next-match")));
    m_close->setIcon(m_theme.icon(QStringLiteral("cancel")));
    for (QToolButton* option : {m_case, m_word, m_regex})
        option->setFont(m_theme.codeFont());
}

} // namespace kernelarium::ui
