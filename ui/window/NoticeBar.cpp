// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/window/NoticeBar.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QLabel>
#include <QPainter>
#include <QToolButton>

namespace kernelarium::ui {

NoticeBar::NoticeBar(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_icon(new QLabel)
    , m_text(new QLabel)
    , m_action(new QToolButton)
    , m_copy(new QToolButton)
    , m_close(new QToolButton) {
    m_text->setWordWrap(true);
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_copy->setText(tr("Copy"));
    m_copy->setToolTip(tr("Copy this message"));
    m_close->setText(tr("Close"));
    m_close->setToolTip(tr("Close this message"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 4, 8, 4);
    layout->setSpacing(8);
    layout->addWidget(m_icon);
    layout->addWidget(m_text, 1);
    layout->addWidget(m_action);
    layout->addWidget(m_copy);
    layout->addWidget(m_close);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_text->text()); });
    connect(m_action, &QToolButton::clicked, this, [this] {
        const auto act = std::exchange(m_act, {});
        dismiss();
        if (act) act();
    });
    connect(m_close, &QToolButton::clicked, this, [this] {
        const QString text = m_text->text();
        dismiss();
        Q_EMIT closed(text);
    });
    connect(&theme, &Theme::changed, this, &NoticeBar::paintIcon);
    m_action->hide();
    hide();
}

void NoticeBar::show(const QString& text, bool isProblem) {
    m_problem = isProblem;
    m_text->setText(text);
    m_act = {};
    m_action->hide();
    paintIcon();
    setVisible(true);
    update();
}

void NoticeBar::offer(const QString& text, const QString& action, const QString& tip, std::function<void()> act) {
    show(text, false);
    m_act = std::move(act);
    m_action->setText(action);
    m_action->setToolTip(tip);
    m_action->show();
}

void NoticeBar::paintIcon() {
    const Palette& p = m_theme.colours();
    m_icon->setPixmap(m_theme.icon(m_problem ? QStringLiteral("suspicious") : QStringLiteral("info"), m_problem ? p.wrong : p.accent)
                          .pixmap(QSize(16, 16), devicePixelRatioF()));
}

void NoticeBar::dismiss() {
    hide();
    m_text->clear();
}

QString NoticeBar::text() const {
    return m_text->text();
}

void NoticeBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const Palette& p = m_theme.colours();
    painter.fillRect(rect(), p.raised);
    painter.fillRect(QRect(0, 0, 3, height()), m_problem ? p.wrong : p.accent);
    painter.fillRect(QRect(0, height() - 1, width(), 1), p.line);
}

} // namespace kernelarium::ui
