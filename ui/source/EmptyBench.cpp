// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/source/EmptyBench.h"

#include "ui/widgets/WrappedLabel.h"

#include <QLabel>
#include <QPushButton>
#include <QVBoxLayout>

namespace kernelarium::ui {

EmptyBench::EmptyBench(Theme& theme, QWidget* parent)
    : QWidget(parent) {
    auto* layout = new QVBoxLayout(this);
    layout->setSpacing(12);
    layout->addStretch(2);
    auto* title = new QLabel(tr("Nothing on the bench yet"));
    QFont font = theme.headingFont();
    font.setPointSizeF(font.pointSizeF() * 1.4);
    title->setFont(font);
    title->setAlignment(Qt::AlignCenter);
    auto* text = new WrappedLabel(
        tr("Choose a kernel in the archive on the left: its source opens here for reading, editing and verifying.\n"
           "Or open a .cu file of your own, let one be written for a task, or start with a lesson."));
    text->setProperty("role", "muted");
    text->setAlignment(Qt::AlignCenter);
    auto* open = new QPushButton(tr("Open a .cu file…"));
    open->setToolTip(tr("Open any CUDA source (Ctrl+O)"));
    connect(open, &QPushButton::clicked, this, &EmptyBench::openRequested);
    auto* fresh = new QPushButton(tr("New kernel for a task…"));
    fresh->setToolTip(tr("Write a kernel file from a task's card, to begin by hand (Ctrl+Shift+N)"));
    connect(fresh, &QPushButton::clicked, this, &EmptyBench::newRequested);
    auto* lessons = new QPushButton(tr("Start a lesson"));
    lessons->setToolTip(tr("Learn to make kernels fast, step by step (Alt+2)"));
    connect(lessons, &QPushButton::clicked, this, &EmptyBench::lessonsRequested);
    auto* buttons = new QHBoxLayout;
    buttons->addStretch(1);
    buttons->addWidget(open);
    buttons->addWidget(fresh);
    buttons->addWidget(lessons);
    buttons->addStretch(1);
    layout->addWidget(title);
    layout->addWidget(text);
    layout->addLayout(buttons);
    layout->addStretch(3);
}

} // namespace kernelarium::ui
