// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/superopt/CandidateDesk.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

namespace kernelarium::ui {

/// The files that could be written for a task, and below them the emitters that have none, each with its reason.
class CandidateModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { name, launches, bytes, flops, modelled, overBound, proof, verified, measured, columnCount_ };
    enum Role {
        sortRole = Qt::UserRole, ///< a number, or a text
        refusedRole,             ///< bool: the row is an emitter that has no file
    };

    CandidateModel(const Theme& theme, const CandidateDesk& desk, QObject* parent = nullptr);

    void show(CandidateListPointer list); ///< null: no rows
    void refreshFindings();
    [[nodiscard]] const CandidateListPointer& list() const { return m_list; }
    [[nodiscard]] const superopt::Candidate* candidate(int row) const; ///< null: a refused one, or no such row
    [[nodiscard]] const superopt::Refused* refused(int row) const;     ///< likewise

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString cell(const superopt::Candidate& candidate, int column) const;
    [[nodiscard]] QVariant sortKey(const superopt::Candidate& candidate, int column) const;
    [[nodiscard]] QString tip(const superopt::Candidate& candidate, int column) const;
    [[nodiscard]] QVariant colour(const superopt::Candidate& candidate, int column) const;

    const Theme& m_theme;
    const CandidateDesk& m_desk;
    CandidateListPointer m_list;
};

/// Sorted by a column; what has no value comes after what has, and refused ones are last, in either order.
class CandidateOrder : public QSortFilterProxyModel {
    Q_OBJECT
public:
    explicit CandidateOrder(CandidateModel& model, QObject* parent = nullptr);

protected:
    [[nodiscard]] bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;
};

} // namespace kernelarium::ui
