// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stepper/StepControls.h"

#include "ui/words/Quantities.h"

#include <QComboBox>
#include <QHBoxLayout>
#include <QKeySequence>
#include <QLabel>
#include <QSlider>
#include <QToolButton>

namespace kernelarium::ui {

const std::vector<StepControls::Words>& StepControls::words() {
    using Move = StepWalk::Move;
    static const std::vector<Words> all{
        {Move::previousLine, "step.previousLine", tr("Previous line"), tr("Go back to the warp's previous line"),
         "previous-match", int(Qt::SHIFT) | Qt::Key_F11},
        {Move::back, "step.back", tr("Step back"), tr("Go back one instruction"), "back", Qt::Key_F9},
        {Move::forth, "step.forth", tr("Step"), tr("Go forward one instruction"), "forward", Qt::Key_F10},
        {Move::nextLine, "step.nextLine", tr("Next line"), tr("Go forward until the warp reaches another line"),
         "next-match", Qt::Key_F11},
        {Move::barrier, "step.barrier", tr("Next barrier"), tr("Go forward to the warp's next barrier"), "more",
         int(Qt::CTRL) | Qt::Key_F11},
        {Move::here, "step.here", tr("This line again"), tr("Go forward until the warp reaches this line again"),
         "restore", int(Qt::CTRL) | Qt::Key_F10},
    };
    return all;
}

StepControls::StepControls(StepWalk& walk, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_walk(walk)
    , m_theme(theme)
    , m_slider(new QSlider(Qt::Horizontal))
    , m_place(new QLabel)
    , m_format(new QComboBox) {
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 0, 8, 4);
    layout->setSpacing(4);
    for (const Words& w : words()) {
        auto* button = new QToolButton;
        button->setAutoRaise(true);
        button->setAccessibleName(w.text);
        button->setToolTip(
            QStringLiteral("%1 (%2)").arg(w.tip, QKeySequence(w.key).toString(QKeySequence::NativeText)));
        connect(button, &QToolButton::clicked, this, [this, move = w.move] { m_walk.go(move); });
        m_buttons.insert(int(w.move), button);
        layout->addWidget(button);
    }
    m_slider->setAccessibleName(tr("Step of the recording"));
    m_slider->setToolTip(tr("Drag through the recorded steps"));
    m_slider->setMinimum(1);
    m_place->setTextFormat(Qt::PlainText);
    m_format->setAccessibleName(tr("How values are shown"));
    m_format->setToolTip(tr("How values of registers and memory are shown"));
    m_format->addItems({tr("by type"), tr("integer"), tr("float"), tr("hex")});
    layout->addWidget(m_slider, 1);
    layout->addWidget(m_place);
    layout->addWidget(m_format);
    connect(m_slider, &QSlider::valueChanged, this, [this](int value) { m_walk.goTo(std::size_t(value - 1)); });
    connect(m_format, &QComboBox::currentIndexChanged, this,
            [this](int at) { m_walk.setFormat(recording::Format(at)); });
    connect(&walk, &StepWalk::recordingChanged, this, &StepControls::refreshRange);
    connect(&walk, &StepWalk::moved, this, &StepControls::refresh);
    connect(&theme, &Theme::changed, this, &StepControls::refreshIcons);
    refreshIcons();
    refreshRange();
}

void StepControls::refreshIcons() {
    for (const Words& w : words())
        m_buttons.value(int(w.move))->setIcon(m_theme.icon(QLatin1String(w.icon)));
}

void StepControls::refreshRange() {
    const QSignalBlocker quiet(m_slider);
    m_slider->setMaximum(m_walk.isEmpty() ? 1 : int(m_walk.recording().steps.size()));
    refresh();
}

void StepControls::refresh() {
    for (const Words& w : words())
        m_buttons.value(int(w.move))->setEnabled(m_walk.target(w.move).has_value());
    if (m_walk.isEmpty()) return;
    const QSignalBlocker quiet(m_slider);
    m_slider->setValue(int(m_walk.at()) + 1);
    const auto& r = m_walk.recording();
    QString text = tr("step %1 of %2")
                       .arg(wholeText(std::int64_t(r.skipped + m_walk.at() + 1)),
                            wholeText(std::int64_t(r.skipped + r.steps.size())));
    if (r.isCut) text += tr(" and more");
    text += tr(" · warp %1").arg(m_walk.step().warp);
    if (const int line = m_walk.instruction().line) text += tr(" · line %1").arg(line);
    m_place->setText(text);
}

} // namespace kernelarium::ui
