// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "core/audit/AuditFacets.h"
#include "ui/desks/VerdictDesk.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <QHash>
#include <memory>
#include <vector>

namespace kernelarium::ui {

/// The kernels of the open archive that we have a verdict on, with the archive's claim beside it, in the archive's
/// order for those there were and then as they come. It neither filters nor sorts.
class AuditModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { task, kernel, claim, verdict, reasons, seconds, columnCount_ };
    enum Role {
        idRole = Qt::UserRole, ///< the kernel's number in the archive
        labelRole,             ///< "L1/T1/name@1a2b3c4d"
        sortRole,              ///< numbers where the column has them
        verdictRole,           ///< the verdict's machine name
        staleRole,
        tableRowRole, ///< the row of the archive's table
    };

    explicit AuditModel(const Theme& theme, QObject* parent = nullptr);

    /// Another archive, or none.
    void setTable(std::shared_ptr<const archive::KernelTable> table);
    /// What the desk knows now: changed rows are updated in place, new ones come at the end.
    void update(const VerdictDesk& desk);

    [[nodiscard]] const std::vector<audit::FacetRow>& facetRows() const { return m_facets; } ///< one for each row
    /// Of the kernels that the archive calls correct.
    [[nodiscard]] audit::ClaimCount claims() const;
    [[nodiscard]] int staleCount() const;
    [[nodiscard]] std::size_t kernels() const { return m_table ? m_table->size() : 0; }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    struct Row {
        std::uint32_t tableRow = 0;
        QString label;
        QString verdict;
        QString reasons;
        QString message;
        double seconds = 0;
        std::int64_t timeMs = 0;
        bool stale = false;
        bool smallOnly = false; ///< audit::smallSizeOnly
    };
    [[nodiscard]] Row rowOf(std::uint32_t tableRow, const QString& label, const audit::StoredVerdict& found,
                            bool stale) const;
    [[nodiscard]] QString text(const Row& row, int column) const;
    [[nodiscard]] QString toolTip(const Row& row, int column) const;
    [[nodiscard]] QVariant sortValue(const Row& row, int column) const;
    [[nodiscard]] QVariant colour(const Row& row, int column) const;

    const Theme& m_theme;
    std::shared_ptr<const archive::KernelTable> m_table;
    std::vector<QString> m_labels; ///< by row of the table
    std::int64_t m_claimed = 0;    ///< kernels of the table that are archived as correct
    std::vector<Row> m_rows;
    std::vector<audit::FacetRow> m_facets;
    QHash<QString, int> m_rowOfLabel;
};

/// A word of the facet "archive says": audit::claimWord as a person reads it.
[[nodiscard]] QString claimFacetText(const QString& word);

} // namespace kernelarium::ui
