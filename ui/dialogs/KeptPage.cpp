// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/KeptPage.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QSignalBlocker>
#include <QSpinBox>
#include <QStyle>
#include <QVBoxLayout>

namespace kernelarium::ui {

namespace {
constexpr int mostMegabytes = 1 << 20;
constexpr int stepMegabytes = 64;
constexpr int linesOfKept = 2; ///< so that a short answer does not make the dialog jump
} // namespace

KeptPage::KeptPage(KeptDesk& desk, QWidget* parent)
    : QWidget(parent)
    , m_desk(desk)
    , m_finding(new QLabel)
    , m_limit(new QSpinBox)
    , m_clear(new QPushButton(tr("C&lear"))) {
    auto* caption = new QLabel(tr("Room for compiled &kernels"));
    caption->setBuddy(m_limit);
    m_limit->setRange(0, mostMegabytes);
    m_limit->setSingleStep(stepMegabytes);
    m_limit->setSuffix(tr(" MB"));
    m_limit->setSpecialValueText(tr("none are kept"));
    m_limit->setKeyboardTracking(false); // a number is typed to its end first
    m_limit->setEnabled(false);          // until it is known
    m_limit->setAccessibleName(tr("Room for compiled kernels"));
    m_limit->setToolTip(tr("The same text compiled again, also after a restart, is there at once. When the room is "
                           "used up, what was used longest ago goes first"));
    m_clear->setToolTip(tr("Remove all compiled kernels; they are compiled again when they are needed"));
    m_clear->setAutoDefault(false);
    m_clear->setEnabled(false);
    m_finding->setObjectName(QStringLiteral("keptFinding"));
    m_finding->setAccessibleName(tr("What is kept"));
    m_finding->setWordWrap(true);
    m_finding->setTextFormat(Qt::PlainText);
    m_finding->setTextInteractionFlags(Qt::TextSelectableByMouse | Qt::TextSelectableByKeyboard);
    m_finding->setAlignment(Qt::AlignTop);
    m_finding->setMinimumHeight(fontMetrics().height() * linesOfKept);
    auto* row = new QHBoxLayout;
    row->setSpacing(8);
    row->addWidget(m_limit);
    row->addWidget(m_clear);
    row->addStretch(1);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(caption);
    layout->addLayout(row);
    layout->addWidget(m_finding);

    connect(&desk, &KeptDesk::changed, this, &KeptPage::refresh);
    connect(m_limit, &QSpinBox::valueChanged, &desk, &KeptDesk::setLimit);
    connect(m_clear, &QPushButton::clicked, &desk, &KeptDesk::clear);
    desk.look();
    refresh();
}

QString KeptPage::finding() const {
    return m_finding->text();
}

void KeptPage::refresh() {
    const WorkState<KeptView>& state = m_desk.state();
    const bool failed = state.stage == Stage::failed;
    if (failed)
        m_finding->setText(QString::fromStdString(state.error.text()));
    else if (!state.answer.text.isEmpty())
        m_finding->setText(state.answer.text);
    m_finding->setProperty("role", failed ? "wrong" : "muted");
    m_finding->style()->unpolish(m_finding);
    m_finding->style()->polish(m_finding);
    const bool known = !isBusy(state.stage) && state.stage != Stage::idle;
    m_clear->setEnabled(known && !state.answer.isEmpty);
    if (!known) return;
    m_limit->setEnabled(true);
    const QSignalBlocker quiet(m_limit);
    m_limit->setValue(state.answer.limitMegabytes);
}

} // namespace kernelarium::ui
