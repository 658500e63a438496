// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/superopt/ExplanationDesk.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>

namespace kernelarium::ui {

/// The rewrites of a task in their order, each with what it is worth; above them one row for all together.
class RewriteModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { rewrite, flops, bytes, bound, exactness, columnCount_ };

    explicit RewriteModel(const Theme& theme, QObject* parent = nullptr);

    /// Null, or one that was refused: no rows.
    void show(TaskExplanationPointer answer);
    [[nodiscard]] const algebra::Explanation* explanation() const;
    /// The rewrite of a row; null: all of them, or no such row.
    [[nodiscard]] const algebra::Rewrite* step(int row) const;
    /// What the row begins and ends with.
    [[nodiscard]] const algebra::Graph& before(int row) const;
    [[nodiscard]] const algebra::Graph& after(int row) const;
    /// Its law, the reason and where it was applied, in lines; of all together, what has to be known of them.
    [[nodiscard]] QString words(int row) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString title(int row) const;
    [[nodiscard]] QString cell(int row, int column) const;
    /// Whether the row changed what the column counts.
    [[nodiscard]] bool isChanged(int row, int column) const;

    const Theme& m_theme;
    TaskExplanationPointer m_answer;
};

} // namespace kernelarium::ui
