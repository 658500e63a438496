// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/StopQuestion.h"

#include <QHBoxLayout>
#include <QKeyEvent>
#include <QLabel>
#include <QPushButton>

namespace kernelarium::ui {

StopQuestion::StopQuestion(QWidget* parent)
    : QWidget(parent)
    , m_leave(new QPushButton(tr("Leave them running")))
    , m_cancel(new QPushButton(tr("Cancel the tasks")))
    , m_back(new QPushButton(tr("Go on watching"))) {
    auto* words = new QLabel(tr("What is to become of the array's tasks?"));
    m_leave->setToolTip(tr("They go on without this window; Watch looks at them again, also after another start of "
                           "the program"));
    m_cancel->setToolTip(tr("Slurm ends them (scancel); what they have found is kept"));
    m_back->setToolTip(tr("Nothing is stopped (Escape)"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(4);
    layout->addWidget(words, 1);
    for (QPushButton* button : {m_leave, m_cancel, m_back})
        layout->addWidget(button);
    connect(m_leave, &QPushButton::clicked, this, [this] {
        settle();
        Q_EMIT leaveChosen();
    });
    connect(m_cancel, &QPushButton::clicked, this, [this] {
        settle();
        Q_EMIT cancelChosen();
    });
    connect(m_back, &QPushButton::clicked, this, &StopQuestion::settle);
    hide();
}

void StopQuestion::ask() {
    show();
    m_leave->setFocus(Qt::OtherFocusReason); // what costs nothing is what Space does
}

void StopQuestion::settle() {
    if (isHidden()) return;
    hide();
    Q_EMIT settled();
}

/// Escape is the question's before it is the window's.
bool StopQuestion::event(QEvent* event) {
    if (event->type() == QEvent::ShortcutOverride && static_cast<QKeyEvent*>(event)->key() == Qt::Key_Escape)
        event->accept();
    return QWidget::event(event);
}

void StopQuestion::keyPressEvent(QKeyEvent* event) {
    if (event->key() != Qt::Key_Escape) return QWidget::keyPressEvent(event);
    settle();
}

} // namespace kernelarium::ui
