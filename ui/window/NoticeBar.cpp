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
    layout->addWidget(m_copy);
    layout->addWidget(m_close);
    connect(m_copy, &QToolButton::clicked, this, [this] { QApplication::clipboard()->setText(m_text->text()); });
    connect(m_close, &QToolButton::clicked, this, &NoticeBar::dismiss);
    connect(&theme, &Theme::changed, this, [this] {
        if (isVisible()) show(m_text->text(), m_problem);
    });
    hide();
}

void NoticeBar::show(const QString& text, bool isProblem) {
    m_problem = isProblem;
    m_text->setText(text);
    const Palette& p = m_theme.colours();
    m_icon->setPixmap(m_theme.icon(isProblem ? QStringLiteral("suspicious") : QStringLiteral("info"),
                                   isProblem ? p.wrong : p.accent)
                          .pixmap(QSize(16, 16), devicePixelRatioF()));
    setVisible(true);
    update();
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
