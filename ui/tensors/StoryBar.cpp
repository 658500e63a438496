// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tensors/StoryBar.h"

#include "ui/tensors/TensorWords.h"
#include "ui/widgets/WrappedLabel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace kernelarium::ui {

using verify::WriterInfo;

StoryBar::StoryBar(QWidget* parent)
    : QWidget(parent)
    , m_layout(new QBoxLayout(QBoxLayout::LeftToRight, this))
    , m_text(new WrappedLabel)
    , m_line(new QPushButton)
    , m_step(new QPushButton(tr("Step through")))
    , m_ofLine(new QPushButton(tr("All of this line")))
    , m_ofThread(new QPushButton(tr("All of this thread")))
    , m_emulator(new QPushButton(tr("Look in the emulator"))) {
    m_text->setTextFormat(Qt::PlainText);
    m_text->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_text->setSizePolicy(QSizePolicy::Ignored, QSizePolicy::Preferred);
    m_text->setAccessibleName(tr("Who wrote the element"));
    m_line->setToolTip(tr("Go to the source line that wrote the element last (Return)"));
    m_step->setToolTip(
        tr("Record the warp that wrote the element last, and go through it from that line (Shift+Return)"));
    m_ofLine->setToolTip(tr("List and outline every element that this line wrote last"));
    m_ofThread->setToolTip(tr("List and outline every element that this thread of this launch wrote last"));
    m_emulator->setToolTip(tr("Run the kernel in the emulator, which knows who writes what"));
    m_layout->setContentsMargins(8, 2, 8, 2);
    m_layout->setSpacing(4);
    m_layout->addWidget(m_text, 1);
    auto* buttons = new QHBoxLayout;
    buttons->setSpacing(4);
    for (QPushButton* button : {m_line, m_step, m_ofLine, m_ofThread, m_emulator})
        buttons->addWidget(button);
    buttons->addStretch(1);
    m_layout->addLayout(buttons);
    connect(m_line, &QPushButton::clicked, this, [this] { Q_EMIT lineRequested(line()); });
    connect(m_step, &QPushButton::clicked, this, &StoryBar::stepRequested);
    connect(m_ofLine, &QPushButton::clicked, this, [this] {
        Q_EMIT writtenRequested({m_story->writer.line, {}, {}, {}});
    });
    connect(m_ofThread, &QPushButton::clicked, this, [this] {
        const WriterInfo& w = m_story->writer;
        Q_EMIT writtenRequested({0, w.launch, w.block, w.thread});
    });
    connect(m_emulator, &QPushButton::clicked, this, &StoryBar::emulatorRequested);
    refresh();
}

/// Beside the buttons a sentence needs room; where there is none, it stands over them.
void StoryBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    constexpr int roomForBoth = 960;
    m_layout->setDirection(width() < roomForBoth ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight);
}

bool StoryBar::isOfKernel() const {
    return m_story && m_story->writer.kind == WriterInfo::Kind::kernel;
}

int StoryBar::line() const {
    return m_story && m_ofThisText ? m_story->writer.line : 0;
}

std::optional<StepTarget> StoryBar::stepTarget() const {
    if (!isOfKernel() || !m_ofThisText || !m_story->writer.launch || !m_story->writer.blockSize[0]) return std::nullopt;
    const WriterInfo& w = m_story->writer;
    StepTarget target;
    target.request.launch = w.launch;
    target.request.block = w.block;
    target.request.warp = w.threadNumber() / recording::laneCount;
    target.request.line = w.line;
    target.lane = int(w.threadNumber() % recording::laneCount);
    return target;
}

QString StoryBar::text() const {
    return m_text->text();
}

void StoryBar::say(const QString& text) {
    m_story.reset();
    m_text->setText(text);
    m_text->setToolTip({});
    refresh();
}

void StoryBar::offerEmulator(const QString& text) {
    say(text);
    m_emulator->show();
}

void StoryBar::tell(const tensorview::Story& story, bool ofThisText, tensor::DType dtype) {
    m_story = story;
    m_ofThisText = ofThisText;
    m_text->setText(storyText(story, dtype));
    m_text->setToolTip(story.history.list.empty() ? QString() : historyText(story, dtype));
    refresh();
}

void StoryBar::refresh() {
    m_text->setVisible(!m_text->text().isEmpty());
    m_line->setVisible(line() > 0);
    m_line->setText(tr("Go to line %1").arg(line()));
    m_step->setVisible(stepTarget().has_value());
    m_ofLine->setVisible(m_story && m_story->writer.line > 0);
    m_ofThread->setVisible(isOfKernel());
    m_emulator->hide();
}

} // namespace kernelarium::ui
