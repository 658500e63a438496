// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/schedule/NativeCodeDesk.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <optional>
#include <set>

namespace kernelarium::ui {

/// A kernel's instructions with their scheduling: a row for each, in the order of the code.
class ScheduleModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column {
        place,
        line,
        instruction,
        stall,
        yield,
        waits,
        reads,
        writes,
        reuse,
        slack,
        cycle,
        path,
        columnCount_
    };

    explicit ScheduleModel(const Theme& theme, QObject* parent = nullptr);

    /// `kernel`: which one of the code; none: no rows. The kernel's hot loop is the one that is modelled.
    void show(NativeCodePointer code, int kernel);
    void setLoop(int loop);       ///< whose turn the modelled columns are of; -1: none
    void setSourceLine(int line); ///< whose rows are lit; 0: none's
    /// Rows that are lit for another reason: what was moved and the like.
    void setMarked(std::set<int> rows);

    /// The code that this one was made from: control fields that differ are lit and say what they were.
    void setFormer(NativeCodePointer code, int kernel, std::vector<int> cameFrom);

    [[nodiscard]] const sass::Explanation* explanation() const; ///< null: nothing is shown
    [[nodiscard]] const sass::ExplainedLoop* loop() const;      ///< null: none
    [[nodiscard]] int loopNumber() const { return m_loop; }
    /// The step of the loop's critical path that ends at the row; null: it is not on it.
    [[nodiscard]] const sass::PathStep* step(int row) const;
    [[nodiscard]] const sass::ModelledIssue* issue(int row) const; ///< null: not in the loop
    [[nodiscard]] int firstRowOf(int sourceLine) const;            ///< -1: none
    [[nodiscard]] int rowAt(std::int64_t place) const;             ///< -1: none

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString cell(int row, int column) const;
    [[nodiscard]] QString tip(int row, int column) const;
    [[nodiscard]] QVariant background(int row) const;
    [[nodiscard]] QString fieldText(const sass::Control& control, int column) const;
    /// What a control field of the row was before; empty: the same, or nothing is known.
    [[nodiscard]] std::optional<QString> formerText(int row, int column) const;
    void repaint();

    const Theme& m_theme;
    NativeCodePointer m_code;
    int m_kernel = -1;
    int m_loop = -1;
    int m_sourceLine = 0;
    std::set<int> m_marked;
    NativeCodePointer m_former;
    int m_formerKernel = 0;
    std::vector<int> m_cameFrom;
    std::vector<const sass::PathStep*> m_steps; ///< by row
};

} // namespace kernelarium::ui
