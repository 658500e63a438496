// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/FilterRow.h"

#include <QComboBox>
#include <QDialog>
#include <QEvent>
#include <QFormLayout>
#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace kernelarium::ui {

namespace {

constexpr int boxFrame = 36; ///< a box's frame, margins and arrow, beside its text

} // namespace

FilterRow::FilterRow(const QList<QComboBox*>& boxes, QToolButton* fold, QHBoxLayout* whereFoldIs, QWidget* parent)
    : QWidget(parent)
    , m_boxes(boxes)
    , m_fold(fold)
    , m_whereFoldIs(whereFoldIs)
    , m_foldsPlace(whereFoldIs->indexOf(fold))
    , m_button(new QToolButton)
    , m_row(new QHBoxLayout(this))
    , m_popup(new QDialog(this, Qt::Popup)) {
    m_row->setContentsMargins(0, 0, 0, 0);
    m_row->setSpacing(4);
    m_row->addWidget(m_button, 0, Qt::AlignLeft);
    m_button->setToolTip(tr("Level, task, result, speed-up, and kernels with the same code as one"));
    m_button->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    m_button->hide();
    connect(m_button, &QToolButton::clicked, this, &FilterRow::open);
    auto* form = new QFormLayout(m_popup);
    form->setContentsMargins(12, 12, 12, 12);
    m_popup->setAccessibleName(tr("Filter"));
    for (QComboBox* box : boxes) {
        box->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
        box->setMinimumContentsLength(6);
        m_row->addWidget(box, 1);
        connect(box, &QComboBox::currentIndexChanged, this, &FilterRow::refreshButton);
    }
    connect(fold, &QToolButton::toggled, this, &FilterRow::refreshButton);
    refreshButton();
}

QSize FilterRow::minimumSizeHint() const {
    return {m_button->sizeHint().width(), m_boxes.front()->sizeHint().height()};
}

void FilterRow::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fit();
}

void FilterRow::changeEvent(QEvent* event) {
    QWidget::changeEvent(event);
    if (event->type() == QEvent::FontChange) fit();
}

void FilterRow::fit() {
    int needed = m_row->spacing() * int(m_boxes.size() - 1);
    for (const QComboBox* box : m_boxes)
        needed += fontMetrics().horizontalAdvance(box->itemText(0)) + boxFrame;
    const bool folded = width() < needed;
    if (folded == m_folded) return;
    m_folded = folded;
    auto* form = static_cast<QFormLayout*>(m_popup->layout());
    m_popup->hide();
    if (folded) {
        for (QComboBox* box : m_boxes)
            form->addRow(box->accessibleName(), box);
        form->addRow(QString(), m_fold);
    } else {
        for (QComboBox* box : m_boxes) {
            m_row->addWidget(box, 1);
            delete form->labelForField(box);
        }
        m_whereFoldIs->insertWidget(m_foldsPlace, m_fold);
    }
    for (QComboBox* box : m_boxes)
        box->show();
    m_fold->show();
    m_button->setVisible(folded);
}

void FilterRow::refreshButton() {
    int chosen = m_fold->isChecked() ? 1 : 0;
    for (const QComboBox* box : m_boxes)
        chosen += box->currentIndex() > 0 ? 1 : 0;
    m_button->setText(chosen > 0 ? tr("Filter (%1)").arg(chosen) : tr("Filter"));
    m_button->setAccessibleName(chosen > 0 ? tr("Filter, %n chosen", nullptr, chosen) : tr("Filter"));
}

void FilterRow::open() {
    m_popup->adjustSize();
    m_popup->move(m_button->mapToGlobal(QPoint(0, m_button->height() + 2)));
    m_popup->show();
    m_boxes.front()->setFocus(Qt::PopupFocusReason);
}

} // namespace kernelarium::ui
