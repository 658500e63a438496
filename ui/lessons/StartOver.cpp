// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/lessons/StartOver.h"

#include <QAction>
#include <QHBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QToolButton>

namespace kernelarium::ui {

StartOver::StartOver(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_button(new QToolButton)
    , m_text(new QAction(tr("This step's &text"), this))
    , m_lesson(new QAction(tr("This &lesson…"), this))
    , m_all(new QAction(tr("&All lessons…"), this))
    , m_question(new QLabel(this))
    , m_confirm(new QPushButton(this))
    , m_decline(new QPushButton(tr("Keep it"), this)) {
    m_button->setText(tr("Start over"));
    m_button->setToolTip(tr("Back to the starter's text, or to the beginning"));
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->setPopupMode(QToolButton::InstantPopup);
    m_button->setFocusPolicy(Qt::StrongFocus);
    m_text->setToolTip(tr("Puts the kernel that this step begins with in place of your text; undo brings that back"));
    m_lesson->setToolTip(tr("Forgets what you have reached in this lesson, with answers and hints"));
    m_all->setToolTip(tr("Forgets what you have reached in all lessons"));
    auto* menu = new QMenu(m_button);
    menu->setToolTipsVisible(true);
    menu->addActions({m_text, m_lesson, m_all});
    m_button->setMenu(menu);
    m_question->setWordWrap(true);
    m_confirm->setText(tr("Start over"));
    m_confirm->setToolTip(tr("Forgets it and goes to the beginning"));
    m_decline->setToolTip(tr("Closes this question"));
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(4 * Theme::unit, 2 * Theme::unit, 4 * Theme::unit, 0);
    row->setSpacing(2 * Theme::unit);
    row->addWidget(m_question, 1);
    row->addWidget(m_confirm);
    row->addWidget(m_decline);
    hide();
    connect(m_text, &QAction::triggered, this, &StartOver::textRequested);
    connect(m_lesson, &QAction::triggered, this, [this] { ask(false); });
    connect(m_all, &QAction::triggered, this, [this] { ask(true); });
    connect(m_decline, &QPushButton::clicked, this, &StartOver::settle);
    connect(m_confirm, &QPushButton::clicked, this, [this] {
        settle();
        if (m_asksForAll)
            Q_EMIT allConfirmed();
        else
            Q_EMIT lessonConfirmed();
    });
    const auto paint = [this, &theme] { m_button->setIcon(theme.icon(QStringLiteral("restore"))); };
    connect(&theme, &Theme::changed, this, paint);
    paint();
}

void StartOver::offer(bool text, bool lesson, bool all) {
    m_text->setEnabled(text);
    m_lesson->setEnabled(lesson);
    m_all->setEnabled(all);
    m_button->setEnabled(text || lesson || all);
    hide();
}

void StartOver::ask(bool all) {
    m_asksForAll = all;
    m_question->setText(all ? tr("Forget what you have reached in all lessons? Texts stay in the session.")
                            : tr("Forget what you have reached in this lesson? Texts stay in the session."));
    show();
    m_decline->setFocus();
}

void StartOver::settle() {
    hide();
    m_button->setFocus();
}

} // namespace kernelarium::ui
