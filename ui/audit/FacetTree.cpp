// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/FacetTree.h"

#include "ui/audit/AuditModel.h"
#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"

#include <QHeaderView>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QStyledItemDelegate>

namespace kernelarium::ui {

namespace {

constexpr int wordRole = Qt::UserRole;
enum Facet { verdictFacet, reasonFacet, claimFacet };

/// A click anywhere in a word's row ticks it, not only one into its small box.
class FacetDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;

    bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                     const QModelIndex& index) override {
        const QModelIndex box = index.siblingAtColumn(0);
        const bool isTickable = box.data(Qt::CheckStateRole).isValid();
        const bool isMouse = event->type() == QEvent::MouseButtonRelease || event->type() == QEvent::MouseButtonPress ||
                             event->type() == QEvent::MouseButtonDblClick;
        if (!isTickable || !isMouse || static_cast<QMouseEvent*>(event)->button() != Qt::LeftButton)
            return QStyledItemDelegate::editorEvent(event, model, option, index);
        if (event->type() != QEvent::MouseButtonRelease) return event->type() == QEvent::MouseButtonDblClick;
        const bool isTicked = box.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        return model->setData(box, isTicked ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
    }
};

QString facetText(int facet, const QString& word) {
    if (facet == verdictFacet) return verdictWord(word);
    if (facet == claimFacet) return claimFacetText(word);
    return QString(word).replace(QLatin1Char('_'), QLatin1Char(' '));
}

} // namespace

FacetTree::FacetTree(Theme& theme, QWidget* parent)
    : QTreeWidget(parent)
    , m_theme(theme) {
    setAccessibleName(tr("Narrow the list"));
    setToolTip(tr("Tick words to see only the kernels that have them (Space)"));
    setColumnCount(2);
    setHeaderHidden(true);
    setRootIsDecorated(false);
    setUniformRowHeights(true);
    setItemDelegate(new FacetDelegate(this));
    setIndentation(8);
    setStyleSheet(QStringLiteral("QTreeView::item { padding: 2px 0; }"));
    header()->setStretchLastSection(false);
    header()->setSectionResizeMode(0, QHeaderView::Stretch);
    header()->setSectionResizeMode(1, QHeaderView::ResizeToContents);
    for (const QString& title : {tr("Verified"), tr("Reasons"), tr("Archive says")}) {
        auto* group = new QTreeWidgetItem(this, {title});
        group->setFlags(Qt::ItemIsEnabled);
        group->setFirstColumnSpanned(true);
        group->setExpanded(true);
        group->setHidden(true); // until it has words
    }
    connect(this, &QTreeWidget::itemChanged, this, [this](QTreeWidgetItem* item) { take(item); });
    connect(&theme, &Theme::changed, this, &FacetTree::restyle);
    restyle();
}

/// Return does what Space does, in either column.
void FacetTree::keyPressEvent(QKeyEvent* event) {
    QTreeWidgetItem* item = currentItem();
    const bool ticks = event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter || event->key() == Qt::Key_Space;
    if (!ticks || !item || !item->parent() || event->modifiers() & ~Qt::KeypadModifier) {
        QTreeWidget::keyPressEvent(event);
        return;
    }
    item->setCheckState(0, item->checkState(0) == Qt::Checked ? Qt::Unchecked : Qt::Checked);
}

void FacetTree::restyle() {
    m_filling = true;
    for (int facet = 0; facet < topLevelItemCount(); ++facet) {
        QTreeWidgetItem* group = topLevelItem(facet);
        group->setFont(0, m_theme.captionFont());
        group->setForeground(0, m_theme.colours().muted);
        for (int i = 0; i < group->childCount(); ++i) {
            group->child(i)->setForeground(1, m_theme.colours().muted);
            if (facet == verdictFacet)
                group->child(i)->setForeground(
                    0, verdictColour(m_theme.colours(), group->child(i)->data(0, wordRole).toString()));
        }
    }
    m_filling = false;
}

void FacetTree::setCounts(const audit::FacetCounts& counts) {
    if (counts == m_counts) return;
    m_counts = counts;
    m_filling = true;
    fill(verdictFacet, counts.verdicts);
    fill(reasonFacet, counts.reasons);
    fill(claimFacet, counts.claims);
    m_filling = false;
    restyle();
}

/// Items stay where they are while counts change under the reader's hand: words come and go, and do not change places.
void FacetTree::fill(int facet, const audit::Counts& counts) {
    QTreeWidgetItem* group = topLevelItem(facet);
    for (int i = group->childCount() - 1; i >= 0; --i)
        if (!counts.contains(group->child(i)->data(0, wordRole).toString().toStdString())) delete group->child(i);
    int at = 0;
    for (const auto& [name, count] : counts) {
        const QString word = QString::fromStdString(name);
        QTreeWidgetItem* item = at < group->childCount() ? group->child(at) : nullptr;
        if (!item || item->data(0, wordRole).toString() != word) {
            item = new QTreeWidgetItem;
            item->setFlags(Qt::ItemIsEnabled | Qt::ItemIsSelectable | Qt::ItemIsUserCheckable);
            item->setData(0, wordRole, word);
            item->setText(0, facetText(facet, word));
            item->setToolTip(0, facet == verdictFacet ? verdictExplanation(word) : word);
            item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
            item->setCheckState(0, Qt::Unchecked);
            group->insertChild(at, item);
        }
        item->setText(1, wholeText(count));
        item->setData(0, Qt::AccessibleTextRole, tr("%1: %2 kernels").arg(item->text(0), item->text(1)));
        ++at;
    }
    group->setHidden(counts.empty());
}

void FacetTree::take(QTreeWidgetItem* item) {
    if (m_filling || !item->parent()) return;
    const std::string word = item->data(0, wordRole).toString().toStdString();
    const int facet = indexOfTopLevelItem(item->parent());
    auto& chosen = facet == verdictFacet  ? m_choice.verdicts
                   : facet == reasonFacet ? m_choice.reasons
                                          : m_choice.claims;
    const bool changed = item->checkState(0) == Qt::Checked ? chosen.insert(word).second : chosen.erase(word) > 0;
    if (changed) Q_EMIT choiceChanged();
}

void FacetTree::clearChoice() {
    if (m_choice.isEmpty()) return;
    m_choice = {};
    m_filling = true;
    for (int facet = 0; facet < topLevelItemCount(); ++facet)
        for (int i = 0; i < topLevelItem(facet)->childCount(); ++i)
            topLevelItem(facet)->child(i)->setCheckState(0, Qt::Unchecked);
    m_filling = false;
    Q_EMIT choiceChanged();
}

QTreeWidgetItem* FacetTree::itemOf(int facet, const QString& word) const {
    const QTreeWidgetItem* group = topLevelItem(facet);
    for (int i = 0; group && i < group->childCount(); ++i)
        if (group->child(i)->data(0, wordRole).toString() == word) return group->child(i);
    return nullptr;
}

} // namespace kernelarium::ui
