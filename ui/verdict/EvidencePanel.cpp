// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict/EvidencePanel.h"

#include "ui/widgets/WrappedLabel.h"
#include "ui/workspace/Bench.h"

#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <QTreeView>
#include <QVBoxLayout>

namespace kernelarium::ui {

EvidencePanel::EvidencePanel(Bench& bench, Theme& theme, const QString& name, QWidget* parent)
    : QWidget(parent)
    , m_bench(bench)
    , m_model(new VerdictModel(theme, this))
    , m_sentence(new WrappedLabel)
    , m_tree(new QTreeView)
    , m_empty(new WrappedLabel)
    , m_button(new QPushButton)
    , m_pages(new QStackedWidget) {
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(name);
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(16);
    m_tree->header()->resizeSection(VerdictModel::item, 264);
    m_tree->header()->resizeSection(VerdictModel::result, 168);
    m_sentence->setContentsMargins(8, 8, 8, 8);
    m_sentence->setTextInteractionFlags(Qt::TextSelectableByMouse);
    m_sentence->setTextFormat(Qt::PlainText);
    m_empty->setProperty("role", "muted");
    m_empty->setAlignment(Qt::AlignCenter);

    auto* facts = new QWidget;
    m_facts = new QVBoxLayout(facts);
    m_facts->setContentsMargins(0, 0, 0, 0);
    m_facts->setSpacing(0);
    m_facts->addWidget(m_sentence);
    m_facts->addWidget(m_tree, 1);
    auto* nothing = new QWidget;
    auto* nothingLayout = new QVBoxLayout(nothing);
    nothingLayout->addStretch(1);
    nothingLayout->addWidget(m_empty);
    nothingLayout->addWidget(m_button, 0, Qt::AlignHCenter);
    nothingLayout->addStretch(2);
    m_pages->addWidget(nothing);
    m_pages->addWidget(facts);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_pages);
    connect(m_button, &QPushButton::clicked, this, &EvidencePanel::buttonClicked);
    connect(m_tree, &QTreeView::clicked, this, &EvidencePanel::activate);
    connect(m_tree, &QTreeView::activated, this, &EvidencePanel::activate);
}

void EvidencePanel::show(const QString& sentence, std::vector<VerdictModel::Group> groups) {
    m_sentence->setText(sentence);
    m_model->showGroups(std::move(groups));
    for (int group = 0; group < std::min(m_model->rowCount(), 4); ++group)
        m_tree->setExpanded(m_model->index(group, 0), true);
    m_pages->setCurrentIndex(1);
}

void EvidencePanel::addTool(QWidget* tool) {
    m_facts->insertWidget(m_facts->indexOf(m_tree), tool);
}

void EvidencePanel::showEmpty(const QString& text, const QString& button, const QString& toolTip) {
    m_model->showGroups({});
    m_empty->setText(text);
    m_button->setText(button);
    m_button->setToolTip(toolTip);
    m_button->setVisible(!button.isEmpty());
    m_pages->setCurrentIndex(0);
}

QString EvidencePanel::sentence() const {
    return isEmpty() ? m_empty->text() : m_sentence->text();
}

bool EvidencePanel::isEmpty() const {
    return m_pages->currentIndex() == 0;
}

void EvidencePanel::activate(const QModelIndex& index) {
    if (const int line = index.data(VerdictModel::lineRole).toInt(); line > 0) m_bench.goTo(line);
}

} // namespace kernelarium::ui
