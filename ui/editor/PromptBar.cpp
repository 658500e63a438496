// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/editor/PromptBar.h"

#include <QAccessible>
#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QLineEdit>
#include <QPushButton>
#include <QStyle>

namespace kernelarium::ui {

PromptBar::PromptBar(QWidget* parent)
    : QWidget(parent)
    , m_label(new QLabel)
    , m_field(new QLineEdit)
    , m_remark(new QLabel)
    , m_button(new QPushButton) {
    m_label->setTextFormat(Qt::PlainText);
    m_remark->setTextFormat(Qt::PlainText);
    m_remark->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_field->setMinimumWidth(160);
    m_field->setMaximumWidth(320);
    m_button->setAutoDefault(false);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(12, 6, 12, 6);
    layout->addWidget(m_label);
    layout->addWidget(m_field, 1);
    layout->addWidget(m_button);
    layout->addWidget(m_remark, 2);
    connect(m_field, &QLineEdit::textChanged, this, &PromptBar::judge);
    connect(m_field, &QLineEdit::returnPressed, this, &PromptBar::answer);
    connect(m_button, &QPushButton::clicked, this, &PromptBar::answer);
    // Names and tips are those of the first question until one is asked.
    m_field->setAccessibleName(tr("Answer"));
    m_button->setText(tr("OK"));
    m_button->setToolTip(tr("Answer (Return)"));
    hide();
}

void PromptBar::ask(Question question) {
    close(false);
    m_question = std::move(question);
    m_label->setText(m_question.label);
    m_field->setAccessibleName(m_question.label);
    m_field->setToolTip(tr("Return: %1. Escape: close.").arg(m_question.button));
    m_button->setText(m_question.button);
    m_button->setToolTip(tr("%1 (Return)").arg(m_question.button));
    m_field->setText(m_question.answer);
    judge();
    show();
    m_field->setFocus(Qt::ShortcutFocusReason);
    m_field->selectAll();
}

QString PromptBar::remark() const {
    return m_remark->text();
}

void PromptBar::judge() {
    if (!m_question.remark) return;
    const Remark remark = m_question.remark(m_field->text());
    m_remark->setText(remark.text);
    m_remark->setToolTip(remark.text);
    m_remark->setProperty("role", remark.isProblem ? QStringLiteral("wrong") : QStringLiteral("muted"));
    m_remark->style()->unpolish(m_remark);
    m_remark->style()->polish(m_remark);
    m_button->setEnabled(!remark.isProblem);
    if (m_field->accessibleDescription() == remark.text) return;
    m_field->setAccessibleDescription(remark.text);
    QAccessibleEvent event(m_field, QAccessible::DescriptionChanged);
    if (isVisible()) QAccessible::updateAccessibility(&event);
}

void PromptBar::answer() {
    if (!m_question.remark || m_question.remark(m_field->text()).isProblem) return;
    const auto answered = m_question.answered;
    const QString text = m_field->text();
    close(true);
    answered(text);
}

void PromptBar::giveUp() {
    close(m_field->hasFocus() || m_button->hasFocus());
}

void PromptBar::close(bool withFocus) {
    const Question question = std::exchange(m_question, {});
    hide();
    if (withFocus && m_after) m_after->setFocus(Qt::OtherFocusReason);
    if (question.closed) question.closed();
}

bool PromptBar::event(QEvent* event) {
    // Escape closes the bar, also while something runs that the window would cancel.
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        event->accept();
    return QWidget::event(event);
}

void PromptBar::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        close(true);
    else
        QWidget::keyPressEvent(event);
}

} // namespace kernelarium::ui
