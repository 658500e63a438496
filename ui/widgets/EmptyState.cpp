// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/EmptyState.h"

#include "ui/theme/Theme.h"
#include "ui/widgets/WrappedLabel.h"

#include <algorithm>

namespace kernelarium::ui {

EmptyState::EmptyState(Theme& theme, const QString& iconName, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_iconName(iconName)
    , m_icon(new QLabel(this))
    , m_title(new QLabel(this))
    , m_sentence(new WrappedLabel(this))
    , m_button(new QPushButton(this)) {
    setAutoFillBackground(true);
    setBackgroundRole(QPalette::Base);
    m_title->setProperty("role", QStringLiteral("heading"));
    m_sentence->setProperty("role", QStringLiteral("muted"));
    for (QLabel* label : {m_icon, m_title, m_sentence})
        label->setAlignment(Qt::AlignHCenter | Qt::AlignTop);
    m_button->setVisible(false);
    connect(m_button, &QPushButton::clicked, this, &EmptyState::actionRequested);
    connect(&theme, &Theme::changed, this, &EmptyState::restyle);
    restyle();
}

void EmptyState::setTexts(const QString& title, const QString& sentence) {
    m_title->setText(title);
    m_sentence->setText(sentence);
    setAccessibleName(title);
    setAccessibleDescription(sentence);
    place();
}

void EmptyState::setAction(const QString& text, const QString& toolTip) {
    m_button->setText(text);
    m_button->setToolTip(toolTip);
    m_button->setVisible(!text.isEmpty());
    place();
}

void EmptyState::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    place();
}

void EmptyState::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    place();
}

/// By hand: a layout would demand the height of the narrowest wrapping. Wrapping takes time, which the many that nobody
/// sees do not get.
void EmptyState::place() {
    if (!isVisible()) return;
    constexpr int widest = 440, gap = 8, iconSide = 24;
    const int room = std::min(widest, width() - 4 * gap);
    if (room <= 0) return;
    const int title = m_title->heightForWidth(room) > 0 ? m_title->heightForWidth(room) : m_title->sizeHint().height();
    const int sentence = m_sentence->heightForWidth(room);
    const QSize button = m_button->sizeHint();
    const bool hasButton = !m_button->text().isEmpty();
    const int whole = title + gap + sentence + (hasButton ? 2 * gap + button.height() : 0);
    // In a low dock the picture goes first.
    const bool hasIcon = height() >= whole + iconSide + 3 * gap;
    m_icon->setVisible(hasIcon);
    const int left = (width() - room) / 2;
    int y = std::max(gap, (height() - whole - (hasIcon ? iconSide + gap : 0)) / 2);
    if (hasIcon) {
        m_icon->setGeometry(left, y, room, iconSide);
        y += iconSide + gap;
    }
    m_title->setGeometry(left, y, room, title);
    m_sentence->setGeometry(left, y += title + gap, room, sentence);
    m_button->setGeometry(QRect({(width() - button.width()) / 2, y + sentence + 2 * gap}, button));
}

void EmptyState::restyle() {
    m_icon->setPixmap(m_theme.icon(m_iconName, m_theme.colours().muted).pixmap(QSize(24, 24), devicePixelRatioF()));
    place();
}

} // namespace kernelarium::ui
