// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditFacets.h"

#include <QSortFilterProxyModel>

namespace kernelarium::ui {

class AuditModel;

/// The rows that the chosen facets leave, sorted; equal ones by task and name.
class AuditFilter : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit AuditFilter(AuditModel& model, QObject* parent = nullptr);
    void setChoice(audit::FacetChoice choice);
    [[nodiscard]] const audit::FacetChoice& choice() const { return m_choice; }
    /// While the order is held, rows stay where they are, whatever becomes of them, and new ones come at the end; it is
    /// made anew where the user asks for it, and with the end of the hold.
    void holdOrder(bool hold);

protected:
    [[nodiscard]] bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

private:
    AuditModel& m_model;
    audit::FacetChoice m_choice;
};

} // namespace kernelarium::ui
