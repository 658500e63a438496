// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/stepper/StepTargetBar.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSpinBox>

namespace kernelarium::ui {

namespace {
constexpr int mostBlocks = 2147483646;
} // namespace

StepTargetBar::StepTargetBar(QWidget* parent)
    : QWidget(parent)
    , m_launch(number(tr("Launch"), tr("Which of forward's launches; 'first' is the first whose kernel has the line"),
                      0, 1 << 20, tr("first")))
    , m_warp(number(tr("Warp"), tr("One warp of the block, or all in the order of execution"), -1, 31, tr("all")))
    , m_line(number(tr("Line"), tr("Record what leads to the first step at this line; 'start' begins with the block"),
                    0, 1 << 24, tr("start")))
    , m_record(new QPushButton(tr("Record"))) {
    m_block = {number(tr("Block x"), tr("The block's place in the grid"), 0, mostBlocks, {}),
               number(tr("Block y"), tr("The block's place in the grid"), 0, 65535, {}),
               number(tr("Block z"), tr("The block's place in the grid"), 0, 65535, {})};
    m_record->setToolTip(tr("Run the kernel and record this block step by step"));
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(8, 4, 8, 4);
    layout->setSpacing(4);
    const auto add = [&](const QString& text, QSpinBox* box) {
        auto* label = new QLabel(text);
        label->setProperty("role", "muted");
        label->setBuddy(box);
        layout->addWidget(label);
        layout->addWidget(box);
        layout->addSpacing(4);
    };
    add(tr("Launch"), m_launch);
    add(tr("Block"), m_block[0]);
    layout->addWidget(m_block[1]);
    layout->addWidget(m_block[2]);
    layout->addSpacing(4);
    add(tr("Warp"), m_warp);
    add(tr("Line"), m_line);
    layout->addWidget(m_record);
    layout->addStretch(1);
    connect(m_record, &QPushButton::clicked, this, &StepTargetBar::recordRequested);
    // Tab goes as they stand, not as they were made.
    QWidget* before = m_launch;
    for (QWidget* next :
         std::initializer_list<QWidget*>{m_block[0], m_block[1], m_block[2], m_warp, m_line, m_record}) {
        setTabOrder(before, next);
        before = next;
    }
}

QSpinBox* StepTargetBar::number(const QString& name, const QString& tip, int least, int most,
                                const QString& leastText) {
    auto* box = new QSpinBox(this);
    box->setRange(least, most);
    box->setAccessibleName(name);
    box->setToolTip(tip);
    if (!leastText.isEmpty()) box->setSpecialValueText(leastText);
    // No arrows: in a narrow panel they leave no room for the number. Keys and the wheel count.
    box->setButtonSymbols(QAbstractSpinBox::NoButtons);
    const int text = std::max(box->fontMetrics().horizontalAdvance(leastText),
                              box->fontMetrics().horizontalAdvance(QStringLiteral("99999")));
    box->setMinimumWidth(text + 16);
    box->setMaximumWidth(88);
    box->setValue(least);
    return box;
}

StepTarget StepTargetBar::target() const {
    StepTarget target;
    if (m_launch->value() > 0) target.request.launch = std::uint32_t(m_launch->value() - 1);
    for (std::size_t d = 0; d < 3; ++d)
        target.request.block[d] = std::uint32_t(m_block[d]->value());
    if (m_warp->value() >= 0) target.request.warp = std::uint32_t(m_warp->value());
    target.request.line = m_line->value();
    target.lane = m_lane;
    return target;
}

void StepTargetBar::setTarget(const StepTarget& target) {
    const recording::Request& r = target.request;
    m_launch->setValue(r.launch ? int(*r.launch) + 1 : 0);
    for (std::size_t d = 0; d < 3; ++d)
        m_block[d]->setValue(int(std::min<std::uint32_t>(r.block[d], mostBlocks)));
    m_warp->setValue(r.warp ? int(*r.warp) : -1);
    m_line->setValue(r.line);
    m_lane = target.lane;
}

void StepTargetBar::setUsable(bool usable, const QString& why) {
    m_record->setEnabled(usable);
    m_record->setToolTip(tr("Run the kernel and record this block step by step") +
                         (usable ? QString() : QLatin1Char('\n') + tr("Not now: %1").arg(why)));
}

} // namespace kernelarium::ui
