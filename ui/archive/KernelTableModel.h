// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/workspace/ArchiveDesk.h"

#include <QAbstractTableModel>
#include <QHash>
#include <QSet>
#include <memory>

namespace kernelarium::ui {

/// The kernels of an archive that a query selected, in its order. A cache of what others computed: it neither filters
/// nor sorts.
class KernelTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { task, name, speedup, runtime, speedupCompile, claim, verdict, operatorName, columnCount_ };
    enum Role {
        idRole = Qt::UserRole, ///< the kernel's number in the archive
        labelRole,             ///< "L1/T1/name@1a2b3c4d"
        numberRole,            ///< a double; NaN where there is none
        verdictRole,           ///< our verdict's word; empty where there is none
        claimRole,             ///< archive::KernelTable::Correct as int
    };

    explicit KernelTableModel(const Theme& theme, QObject* parent = nullptr);

    void show(std::shared_ptr<const archive::KernelTable> table, std::shared_ptr<const ArchiveDesk::Found> found);
    /// Our latest verdict on kernels' archived text, by label, and those of them that an audit would find again.
    void setVerdicts(QHash<QString, QString> verdicts, QSet<QString> stale);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The column to sort by, as the archive names it.
    [[nodiscard]] static archive::SortColumn sortColumn(int column);
    [[nodiscard]] static bool isSortable(int column) { return column != verdict; }
    [[nodiscard]] int rowOfLabel(const QString& label) const; ///< -1 where it is not shown
    [[nodiscard]] QString label(int row) const;
    /// Where the searched text stands in the code; null where the code does not have it.
    [[nodiscard]] const archive::SearchHit* hit(int row) const;

private:
    [[nodiscard]] std::size_t tableRow(int row) const { return m_found->rows[std::size_t(row)]; }
    [[nodiscard]] QString text(std::size_t row, int column) const;
    [[nodiscard]] QString toolTip(int row, int column) const;
    [[nodiscard]] double number(std::size_t row, int column) const;
    [[nodiscard]] QVariant colour(std::size_t row, int column) const;

    const Theme& m_theme;
    std::shared_ptr<const archive::KernelTable> m_table;
    std::shared_ptr<const ArchiveDesk::Found> m_found;
    QHash<QString, QString> m_verdicts;
    QSet<QString> m_stale;
};

} // namespace kernelarium::ui
