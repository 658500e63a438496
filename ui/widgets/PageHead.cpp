// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/widgets/PageHead.h"

#include "ui/widgets/WrappedLabel.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QToolButton>

namespace kernelarium::ui {

PageHead::PageHead(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_back(new QToolButton(this))
    , m_headline(new WrappedLabel(this))
    , m_subline(new WrappedLabel(this))
    , m_sentences(new QVBoxLayout) {
    m_headline->setFont(theme.headingFont());
    m_subline->setProperty("role", "muted");
    m_subline->setFont(theme.captionFont());
    m_sentences->setSpacing(4);
    for (QLabel* label : {m_headline, m_subline}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        m_sentences->addWidget(label);
    }
    m_back->setText(tr("Editor"));
    m_back->setToolTip(tr("Back to the kernel (Alt+0)"));
    m_back->setAutoRaise(true);
    m_back->setFocusPolicy(Qt::TabFocus);
    m_back->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const auto restyle = [this, &theme] { m_back->setIcon(theme.icon(QStringLiteral("back"))); };
    connect(&theme, &Theme::changed, this, restyle);
    restyle();
    connect(m_back, &QToolButton::clicked, this, &PageHead::backRequested);
    auto* layout = new QHBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(8);
    layout->addWidget(m_back, 0, Qt::AlignTop);
    layout->addLayout(m_sentences, 1);
}

void PageHead::addRow(QWidget* row) {
    m_sentences->addWidget(row);
}

} // namespace kernelarium::ui
