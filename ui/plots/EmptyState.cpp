// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/EmptyState.h"

#include "ui/theme/Theme.h"

#include <QVBoxLayout>

namespace kernelarium::ui {

EmptyState::EmptyState(Theme& theme, const QString& iconName, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_iconName(iconName)
    , m_icon(new QLabel(this))
    , m_title(new QLabel(this))
    , m_sentence(new QLabel(this))
    , m_button(new QPushButton(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_title->setProperty("role", QStringLiteral("heading"));
    m_sentence->setProperty("role", QStringLiteral("muted"));
    m_sentence->setWordWrap(true);
    m_sentence->setMinimumWidth(360);
    m_sentence->setMaximumWidth(480);
    for (QLabel* label : {m_icon, m_title, m_sentence}) label->setAlignment(Qt::AlignCenter);
    m_button->setVisible(false);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(16, 16, 16, 16);
    layout->setSpacing(8);
    layout->addStretch();
    layout->addWidget(m_icon);
    layout->addWidget(m_title);
    layout->addWidget(m_sentence, 0, Qt::AlignHCenter);
    layout->addSpacing(8);
    layout->addWidget(m_button, 0, Qt::AlignHCenter);
    layout->addStretch();
    connect(m_button, &QPushButton::clicked, this, &EmptyState::actionRequested);
    connect(&theme, &Theme::changed, this, &EmptyState::restyle);
    restyle();
}

void EmptyState::setTexts(const QString& title, const QString& sentence) {
    m_title->setText(title);
    m_sentence->setText(sentence);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
}

void EmptyState::setAction(const QString& text, const QString& toolTip) {
    m_button->setText(text);
    m_button->setToolTip(toolTip);
    m_button->setVisible(!text.isEmpty());
}

void EmptyState::restyle() {
    m_icon->setPixmap(m_theme.icon(m_iconName, m_theme.colours().muted).pixmap(QSize(24, 24), devicePixelRatioF()));
}

} // namespace kernelarium::ui
