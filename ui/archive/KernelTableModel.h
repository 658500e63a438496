// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/ArchiveDesk.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <QSet>
#include <memory>

namespace kernelarium::ui {

/// The kernels of an archive that a query selected, in its order. A cache of what others computed: it neither filters
/// nor sorts. Kernels that are folded under another one with the same code can be unfolded beneath it.
class KernelTableModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        task,
        name,
        speedup,
        runtime,
        speedupCompile,
        claim,
        verdict,
        operatorName,
        nativeTime,
        compileTime,
        maxDiff,
        codeSize,
        publishedIndex,
        verdictReasons,
        verdictRemarks,
        verdictChecks,
        verdictTime,
        columnCount_
    };
    enum Role {
        idRole = Qt::UserRole, ///< the kernel's number in the archive
        labelRole,             ///< "L1/T1/name@1a2b3c4d"
        numberRole,            ///< a double; NaN where there is none
        verdictRole,           ///< our verdict's word; empty where there is none
        claimRole,             ///< archive::KernelTable::Correct as int
    };

    explicit KernelTableModel(const Theme& theme, QObject* parent = nullptr);

    /// Where the former result goes on in this one, rows are only added; else everything is new. Null: nothing.
    void show(ArchiveDesk::Answer found);
    /// Our newest verdicts on kernels' archived texts; null: there are none.
    void setVerdicts(archive::OwnVerdictsPointer verdicts);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

    /// The column to sort by, as the archive names it.
    [[nodiscard]] static archive::SortColumn sortColumn(int column);
    [[nodiscard]] static int columnOf(archive::SortColumn sort); ///< -1 where none is sorted so
    /// The field of the search language that a column is narrowed by, with the sign that follows: "runtime<".
    [[nodiscard]] static QString searchField(int column);
    /// What a cell says as a search that finds it: "verdict:wrong", "task:1/23". Empty where that is nothing, and of
    /// numbers, few of which are alike.
    [[nodiscard]] QString searchTerm(int row, int column) const;
    [[nodiscard]] static bool isShownAtFirst(int column) { return column < nativeTime; }
    [[nodiscard]] static bool isNumber(int column);

    [[nodiscard]] int rowOfLabel(const QString& label) const;      ///< -1 where it is not shown
    [[nodiscard]] int rowOfTableRow(std::uint32_t tableRow) const; ///< likewise
    /// The next row from `from` on, and around, whose name begins with `text` in either case; -1: none.
    [[nodiscard]] int rowBeginningWith(const QString& text, int from) const;
    [[nodiscard]] QString label(int row) const;
    [[nodiscard]] qint64 id(int row) const { return m_found->table->id[tableRow(row)]; }
    [[nodiscard]] std::uint32_t rowOfTable(int row) const { return m_rows[std::size_t(row)].row; }
    /// Where the searched text stands in the code; null where the code does not have it.
    [[nodiscard]] const archive::SearchPlace* place(int row) const;

    /// How many kernels with the same code are folded under this row.
    [[nodiscard]] int foldedUnder(int row) const;
    [[nodiscard]] bool isUnfolded(int row) const;
    [[nodiscard]] bool isBeneath(int row) const; ///< unfolded under another
    void unfold(int row);
    void foldAgain(int row); ///< also by one of the rows beneath

private:
    [[nodiscard]] std::size_t tableRow(int row) const { return m_rows[std::size_t(row)].row; }
    [[nodiscard]] const archive::KernelTable& table() const { return *m_found->table; }
    [[nodiscard]] QString text(int row, int column) const;
    [[nodiscard]] QString verdictText(const archive::OwnVerdict* verdict, int column) const;
    [[nodiscard]] const archive::OwnVerdict* verdictOn(std::size_t tableRow) const;
    [[nodiscard]] QString toolTip(int row, int column) const;
    [[nodiscard]] double number(std::size_t row, int column) const;
    [[nodiscard]] QVariant colour(std::size_t row, int column) const;

    struct Row {
        std::uint32_t row = 0; ///< of the table
        bool beneath = false;
    };
    const Theme& m_theme;
    ArchiveDesk::Answer m_found; ///< never null
    std::vector<Row> m_rows;
    QSet<std::uint32_t> m_unfolded; ///< rows of the table
    archive::OwnVerdictsPointer m_verdicts;
};

} // namespace kernelarium::ui
