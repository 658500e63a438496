// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/NcuPage.h"

#include "ui/profiles/RowCopying.h"
#include "ui/widgets/WrappedLabel.h"

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLabel>
#include <QPushButton>
#include <QTreeView>
#include <QVBoxLayout>

namespace kernelarium::ui {

NcuPage::NcuPage(Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_model(new NcuModel(theme, this))
    , m_sentence(new WrappedLabel)
    , m_measure(new QPushButton(tr("Measure here")))
    , m_tree(new QTreeView)
    , m_about(new WrappedLabel)
    , m_folded{tr("All raw metrics")} {
    m_tree->setModel(m_model);
    m_tree->setAccessibleName(tr("Nsight Compute's figures"));
    m_tree->setUniformRowHeights(true);
    m_tree->setIndentation(16);
    m_tree->header()->setSectionsMovable(false);
    const int widths[] = {224, 84, 84, 84, 76};
    for (int column = 0; column < int(std::size(widths)); ++column)
        m_tree->header()->resizeSection(column, widths[column]);
    makeCopyable(*m_tree);
    for (QLabel* label : {m_sentence, m_about}) {
        label->setWordWrap(true);
        label->setContentsMargins(8, 8, 8, 8);
        label->setTextFormat(Qt::PlainText);
        label->setTextInteractionFlags(Qt::TextSelectableByMouse);
    }
    m_about->setProperty("role", "muted");
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    m_measure->setToolTip(tr("Run the kernel at full size on this machine's GPU under Nsight Compute (Ctrl+Shift+M)"));
    auto* head = new QHBoxLayout;
    head->setContentsMargins(0, 0, 8, 0);
    head->addWidget(m_sentence, 1);
    head->addWidget(m_measure, 0, Qt::AlignVCenter);
    layout->addLayout(head);
    layout->addWidget(m_tree, 1);
    layout->addWidget(m_about);
    m_about->hide();
    connect(m_tree->selectionModel(), &QItemSelectionModel::currentChanged, this, &NcuPage::explain);
    connect(m_tree, &QTreeView::collapsed, this,
            [this](const QModelIndex& group) { m_folded.insert(group.data().toString()); });
    connect(m_tree, &QTreeView::expanded, this,
            [this](const QModelIndex& group) { m_folded.remove(group.data().toString()); });
    setFocusProxy(m_tree);
}

void NcuPage::show(const QString& sentence, std::vector<NcuGroup> groups) {
    m_sentence->setText(sentence);
    m_model->show(std::move(groups));
    for (int group = 0; group < m_model->rowCount(); ++group) {
        const QModelIndex head = m_model->index(group, 0);
        m_tree->setExpanded(head, !m_folded.contains(head.data().toString()));
    }
    explain({});
}

void NcuPage::explain(const QModelIndex& index) {
    const QString text = index.parent().isValid() ? index.data(Qt::ToolTipRole).toString() : QString();
    m_about->setText(text);
    m_about->setVisible(!text.isEmpty());
}

QString NcuPage::sentence() const {
    return m_sentence->text();
}
QString NcuPage::explanation() const {
    return m_about->text();
}

} // namespace kernelarium::ui
