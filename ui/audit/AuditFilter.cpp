// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/AuditFilter.h"

#include "ui/audit/AuditModel.h"

namespace kernelarium::ui {

AuditFilter::AuditFilter(AuditModel& model, QObject* parent)
    : QSortFilterProxyModel(parent)
    , m_model(model) {
    setSourceModel(&model);
    setSortRole(AuditModel::sortRole);
    setDynamicSortFilter(true);
}

void AuditFilter::setChoice(audit::FacetChoice choice) {
    if (choice == m_choice) return;
    m_choice = std::move(choice);
    invalidateFilter();
}

void AuditFilter::holdOrder(bool hold) {
    if (hold != dynamicSortFilter()) return;
    setDynamicSortFilter(!hold);
    if (!hold) invalidate(); // what changed meanwhile may be out of place or no longer chosen
}

bool AuditFilter::filterAcceptsRow(int row, const QModelIndex&) const {
    return m_choice.isEmpty() || m_choice.has(m_model.facetRows()[std::size_t(row)]);
}

bool AuditFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
    const QVariant a = left.data(AuditModel::sortRole);
    const QVariant b = right.data(AuditModel::sortRole);
    if (const QPartialOrdering order = QVariant::compare(a, b); order != QPartialOrdering::Equivalent)
        return order == QPartialOrdering::Less;
    for (const int column : {AuditModel::task, AuditModel::kernel}) {
        const QVariant x = left.siblingAtColumn(column).data(AuditModel::sortRole);
        const QVariant y = right.siblingAtColumn(column).data(AuditModel::sortRole);
        if (const QPartialOrdering order = QVariant::compare(x, y); order != QPartialOrdering::Equivalent)
            return order == QPartialOrdering::Less;
    }
    return left.row() < right.row();
}

} // namespace kernelarium::ui
