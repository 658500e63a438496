// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/HgemmPage.h"

#include "ui/desks/Desks.h"
#include "ui/hgemm/HeatPlot.h"
#include "ui/hgemm/LaboratoryView.h"
#include "ui/hgemm/PublishedView.h"
#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"
#include "ui/widgets/WrappedLabel.h"
#include "ui/workspace/Notices.h"

#include <QBoxLayout>
#include <QButtonGroup>
#include <QDataStream>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QStackedWidget>
#include <QToolButton>

namespace kernelarium::ui {

HgemmPage::HgemmPage(const LaboratorySite& site, Notices& notices, const WorkspacePaths& paths, Theme& theme,
                     QWidget* parent)
    : QWidget(parent)
    , m_notices(notices)
    , m_theme(theme)
    , m_desk(new HgemmDesk(paths.dataFolder + QStringLiteral("/hgemm.sqlite"), this))
    , m_back(new QToolButton)
    , m_toPublished(new QToolButton)
    , m_toLaboratory(new QToolButton)
    , m_open(new QToolButton)
    , m_save(new QToolButton)
    , m_headline(new WrappedLabel)
    , m_subline(new WrappedLabel)
    , m_published(new PublishedView(*m_desk, notices, theme))
    , m_laboratory(new LaboratoryView(site, notices, theme))
    , m_body(new QStackedWidget) {
    setObjectName(QStringLiteral("hgemm")); // the help page's name, too
    build();
    connect(m_desk, &HgemmDesk::changed, this, &HgemmPage::follow);
    connect(m_desk, &HgemmDesk::imported, this, [this](const QString& text) { m_notices.post(text); });
    for (QToolButton* button : {m_back, m_open})
        connect(button, &QToolButton::clicked, this,
                button == m_back ? &HgemmPage::backRequested : &HgemmPage::openRequested);
    connect(m_published, &PublishedView::openRequested, this, &HgemmPage::openRequested);
    connect(m_published, &PublishedView::shownChanged, this, &HgemmPage::refreshSentence);
    connect(m_published, &PublishedView::stateChanged, this, &HgemmPage::stateChanged);
    connect(m_published, &PublishedView::appeared, this, [this] {
        if (!isInLaboratory() && m_back->hasFocus()) m_published->focusFirst(); // there was nothing else to go to
    });
    connect(m_laboratory, &LaboratoryView::shownChanged, this, &HgemmPage::refreshSentence);
    connect(m_laboratory, &LaboratoryView::stateChanged, this, &HgemmPage::stateChanged);
    for (QToolButton* button : {m_toPublished, m_toLaboratory})
        connect(button, &QToolButton::clicked, this, [this, button] {
            setInLaboratory(button == m_toLaboratory);
            Q_EMIT stateChanged();
        });
    follow();
}

void HgemmPage::build() {
    m_body->addWidget(m_published);
    m_body->addWidget(m_laboratory);
    auto* line = new QFrame;
    line->setProperty("role", "hairline");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(buildHead());
    layout->addWidget(line);
    layout->addWidget(m_body, 1);
}

QWidget* HgemmPage::buildHead() {
    m_headline->setFont(m_theme.headingFont());
    m_subline->setProperty("role", "muted");
    m_subline->setFont(m_theme.captionFont());
    auto* sentences = new QVBoxLayout;
    sentences->setSpacing(4);
    for (QLabel* label : {m_headline, m_subline}) {
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
        label->setWordWrap(true);
        sentences->addWidget(label);
    }
    const auto make = [](QToolButton* button, const QString& text, const QString& tip) {
        button->setText(text);
        button->setToolTip(tip);
        button->setAutoRaise(true);
        button->setFocusPolicy(Qt::TabFocus);
    };
    make(m_back, tr("Editor"), tr("Back to the kernel (Alt+0)"));
    make(m_toPublished, tr("Published"), tr("What was published with kernels"));
    make(m_toLaboratory, tr("Laboratory"), tr("Measure products on a GPU, beside cuBLAS and cuBLASLt"));
    auto* which = new QButtonGroup(this); // one of them is down
    for (QToolButton* button : {m_toPublished, m_toLaboratory}) {
        button->setCheckable(true);
        which->addButton(button);
    }
    m_toPublished->setChecked(true);
    make(m_open, tr("Open tables…"), tr("Add published tables, CSV"));
    make(m_save, tr("Save"), tr("Save the map or the means"));
    m_back->setToolButtonStyle(Qt::ToolButtonTextBesideIcon);
    const auto restyle = [this] { m_back->setIcon(m_theme.icon(QStringLiteral("back"))); };
    connect(&m_theme, &Theme::changed, this, restyle);
    restyle();
    auto* menu = new QMenu(m_save);
    menu->setToolTipsVisible(true);
    menu->addAction(tr("Map…"), &m_published->map(), &PlotPanel::chooseFile)
        ->setToolTip(tr("As SVG or PNG, or its records as CSV"));
    menu->addAction(tr("Means…"), &m_published->summaries(), &FigureView::chooseFile)
        ->setToolTip(tr("Of every table and baseline, as CSV"));
    menu->addAction(tr("Plot of the laboratory…"), &m_laboratory->chart(), &PlotPanel::chooseFile)
        ->setToolTip(tr("As SVG or PNG, or its numbers as CSV"));
    menu->addAction(tr("Table of the laboratory…"), &m_laboratory->table(), &FigureView::chooseFile)
        ->setToolTip(tr("Measured and recorded products of the mode, as CSV"));
    m_save->setMenu(menu);
    m_save->setPopupMode(QToolButton::InstantPopup);
    auto* head = new QWidget;
    auto* layout = new QHBoxLayout(head);
    layout->setContentsMargins(8, 8, 8, 8);
    layout->setSpacing(8);
    layout->addWidget(m_back, 0, Qt::AlignTop);
    layout->addLayout(sentences, 1);
    layout->addWidget(m_toPublished, 0, Qt::AlignTop);
    layout->addWidget(m_toLaboratory, 0, Qt::AlignTop);
    layout->addWidget(m_open, 0, Qt::AlignTop);
    layout->addWidget(m_save, 0, Qt::AlignTop);
    return head;
}

void HgemmPage::focusFirst() {
    if (isInLaboratory())
        m_laboratory->bar().shapes().setFocus(Qt::ShortcutFocusReason);
    else if (!m_published->focusFirst())
        m_back->setFocus(Qt::ShortcutFocusReason);
}

void HgemmPage::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_desk->load();
}

void HgemmPage::follow() {
    const bool failed = m_desk->stage() == Stage::failed && !m_desk->results().empty();
    m_published->follow();
    if (m_followed != &m_desk->results()) {
        m_followed = &m_desk->results();
        m_laboratory->setPublished(m_followed);
    }
    if (failed) m_notices.post(QString::fromStdString(m_desk->error().text()), true);
    refresh();
}

bool HgemmPage::isInLaboratory() const {
    return m_toLaboratory->isChecked();
}

void HgemmPage::setInLaboratory(bool inLaboratory) {
    (inLaboratory ? m_toLaboratory : m_toPublished)->setChecked(true);
    refresh();
}

void HgemmPage::refresh() {
    m_body->setCurrentWidget(isInLaboratory() ? static_cast<QWidget*>(m_laboratory) : m_published);
    m_save->setEnabled(isInLaboratory() || !m_published->isEmpty());
    refreshSentence();
}

void HgemmPage::refreshSentence() {
    if (!isInLaboratory()) {
        m_headline->setText(m_published->sentence());
        m_subline->setText(m_published->facts());
        return;
    }
    m_headline->setText(m_laboratory->sentence());
    m_subline->setText(QStringList{m_laboratory->origins(), tr("C[M,N] = A[M,K] · B[K,N] in float16"),
                                   tr("each library by the better layout")}
                           .join(QStringLiteral(" · ")));
}

QString HgemmPage::headline() const {
    return m_headline->text();
}

QByteArray HgemmPage::saveState() const {
    QByteArray state;
    QDataStream out(&state, QIODevice::WriteOnly);
    m_published->save(out);
    out << isInLaboratory() << m_laboratory->saveState();
    return state;
}

void HgemmPage::restoreState(const QByteArray& state) {
    QDataStream in(state);
    m_published->restore(in);
    bool inLaboratory = false;
    QByteArray laboratory;
    in >> inLaboratory >> laboratory;
    if (in.status() != QDataStream::Ok) return; // as an earlier version kept it
    m_laboratory->restoreState(laboratory);
    setInLaboratory(inLaboratory);
}

} // namespace kernelarium::ui
