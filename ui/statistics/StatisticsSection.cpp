// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/statistics/StatisticsSection.h"

#include "ui/statistics/ChartPlot.h"
#include "ui/statistics/FigureView.h"

#include <QBoxLayout>
#include <QLabel>
#include <QMenu>
#include <QSplitter>
#include <QToolButton>

namespace kernelarium::ui {

StatisticsSection::StatisticsSection(Theme& theme, const QString& title, const QString& sentence, QWidget* parent)
    : QWidget(parent)
    , m_theme(theme)
    , m_sentence(new LinkedLabel)
    , m_save(new QToolButton)
    , m_menu(new QMenu(m_save))
    , m_head(new QWidget)
    , m_parts(new QSplitter(Qt::Vertical)) {
    setAccessibleName(title);
    m_sentence->setProperty("role", "muted");
    m_sentence->setFont(theme.captionFont());
    m_sentence->setSentence(sentence);
    connect(m_sentence, &LinkedLabel::drilled, this, &StatisticsSection::drilled);
    m_menu->setToolTipsVisible(true);
    m_save->setText(tr("Save"));
    m_save->setToolTip(tr("Save the charts and tables of this section"));
    m_save->setAutoRaise(true);
    m_save->setMenu(m_menu);
    m_save->setProperty("role", "menu");
    m_save->setPopupMode(QToolButton::InstantPopup);
    m_save->setFocusPolicy(Qt::TabFocus);
    m_parts->setHandleWidth(1);
    m_parts->setChildrenCollapsible(false);
    auto* head = new QHBoxLayout(m_head);
    head->setContentsMargins(12, 8, 8, 8);
    head->setSpacing(8);
    head->addWidget(m_sentence, 1);
    head->addWidget(m_save, 0, Qt::AlignTop);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_parts, 1);
}

void StatisticsSection::addControl(QWidget* control) {
    auto* head = qobject_cast<QBoxLayout*>(m_head->layout());
    head->insertWidget(head->count() - 1, control, 0, Qt::AlignTop);
}

void StatisticsSection::setSentence(const QString& sentence, const Links& links) {
    m_sentence->setSentence(sentence, links);
}
QString StatisticsSection::sentence() const {
    return m_sentence->sentence();
}

void StatisticsSection::addPart(QWidget* part, int stretch) {
    m_parts->addWidget(part);
    m_parts->setStretchFactor(m_parts->count() - 1, stretch);
}

void StatisticsSection::addTable(FigureView* view, const QString& heading, int stretch) {
    if (heading.isEmpty()) {
        addPart(view, stretch);
    } else {
        auto* part = new QWidget;
        auto* title = new QLabel(heading);
        title->setFont(m_theme.headingFont());
        title->setContentsMargins(12, 8, 8, 4);
        auto* layout = new QVBoxLayout(part);
        layout->setContentsMargins(0, 0, 0, 0);
        layout->setSpacing(0);
        layout->addWidget(title);
        layout->addWidget(view, 1);
        addPart(part, stretch);
    }
    QAction* save = m_menu->addAction(heading.isEmpty() ? tr("Table…") : tr("Table: %1…").arg(heading), view,
                                      &FigureView::chooseFile);
    save->setToolTip(tr("As CSV, in the order shown"));
    connect(view, &FigureView::failed, this, &StatisticsSection::failed);
}

void StatisticsSection::addChart(ChartPlot* plot, int stretch) {
    addPart(plot, stretch);
    QAction* save = m_menu->addAction(tr("Chart…"), plot, &PlotPanel::chooseFile);
    save->setToolTip(tr("As SVG or PNG, or its numbers as CSV"));
    connect(plot, &PlotPanel::failed, this, &StatisticsSection::failed);
}

} // namespace kernelarium::ui
