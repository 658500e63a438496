// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/frame/NoticeBar.h"

#include "ui/widgets/WrappedLabel.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace kernelarium::ui {

namespace {
constexpr std::size_t mostKept = 20;
} // namespace

NoticeBar::NoticeBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_icon(new QLabel)
    , m_text(new WrappedLabel)
    , m_more(new QLabel)
    , m_action(new QToolButton)
    , m_copy(new QToolButton)
    , m_close(new QToolButton) {
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_more->setProperty("role", "muted");
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy this message"));
    m_close->setText(tr("Close"));
    m_close->setToolTip(tr("Close this message"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->setSpacing(8);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_more);
    layout->addWidget(m_action);
    layout->addWidget(m_copy);
    layout->addWidget(m_close);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_text->text()); });
    connect(m_action, &QToolButton::clicked, this, [this] {
        if (m_notices.empty()) return;
        const auto act = m_notices.back().act;
        m_notices.pop_back();
        showLast();
        if (act) act();
    });
    connect(m_close, &QToolButton::clicked, this, [this] {
        if (m_notices.empty()) return;
        const QString text = m_notices.back().text;
        m_notices.pop_back();
        showLast();
        Q_EMIT closed(text);
    });
    connect(&theme, &Theme::changed, this, &NoticeBar::paintIcon);
    m_action->hide();
    m_more->hide();
    hide();
}

void NoticeBar::push(Notice notice) {
    for (const Notice& n : m_notices)
        notice.lasts |= n.lasts && n.text == notice.text;
    std::erase_if(m_notices, [&](const Notice& n) { return n.text == notice.text || (!n.isProblem && !n.lasts); });
    if (m_notices.size() >= mostKept) m_notices.erase(m_notices.begin());
    m_notices.push_back(std::move(notice));
    showLast();
}

void NoticeBar::show(const QString& text, bool isProblem, bool lasts) {
    push({text, isProblem, lasts, {}, {}, {}});
}

void NoticeBar::offer(const QString& text, const QString& action, const QString& tip, std::function<void()> act) {
    push({text, false, true, action, tip, std::move(act)});
}

void NoticeBar::showLast() {
    const bool any = !m_notices.empty();
    m_text->setText(any ? m_notices.back().text : QString());
    const bool offers = any && m_notices.back().act;
    m_action->setText(offers ? m_notices.back().action : QString());
    m_action->setToolTip(offers ? m_notices.back().tip : QString());
    m_action->setVisible(offers);
    m_more->setText(tr("%1 more").arg(count() - 1));
    m_more->setVisible(count() > 1);
    m_close->setToolTip(count() > 1 ? tr("Close this message and show the one before") : tr("Close this message"));
    paintIcon();
    setVisible(any);
    update();
}

void NoticeBar::settle() {
    if (std::erase_if(m_notices, [](const Notice& n) { return !n.lasts; }) > 0) showLast();
}

void NoticeBar::settleNews() {
    if (std::erase_if(m_notices, [](const Notice& n) { return !n.lasts && !n.isProblem; }) > 0) showLast();
}

void NoticeBar::paintIcon() {
    const Palette& p = m_theme.colours();
    m_icon->setPixmap(
        m_theme
            .icon(isProblem() ? QStringLiteral("suspicious") : QStringLiteral("info"), isProblem() ? p.wrong : p.accent)
            .pixmap(QSize(16, 16), devicePixelRatioF()));
}

void NoticeBar::dismiss() {
    m_notices.clear();
    showLast();
}

QString NoticeBar::text() const {
    return m_text->text();
}

void NoticeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& p = m_theme.colours();
    painter.fillRect(rect(), p.raised);
    painter.fillRect(QRect(0, 0, 3, height()), isProblem() ? p.wrong : p.accent);
    painter.fillRect(QRect(0, 0, width(), 1), p.line);
}

} // namespace kernelarium::ui
