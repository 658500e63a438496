// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/superopt/search/FoundTable.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <vector>

namespace kernelarium::ui {

/// The graphs that a search has found: right ones first, by the time that they take at least.
class FoundModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { hash, bound, checked, rung, place, columnCount_ };

    explicit FoundModel(const Theme& theme, QObject* parent = nullptr);

    void show(std::vector<superopt::FoundCandidate> found);
    [[nodiscard]] const superopt::FoundCandidate* candidate(int row) const; ///< null: no such row
    [[nodiscard]] int rowOf(const std::string& graph) const;                ///< by its hash; -1: it is not there

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] QString cell(const superopt::FoundCandidate& candidate, int column) const;

    const Theme& m_theme;
    std::vector<superopt::FoundCandidate> m_found;
};

/// "right", "refused", ... with a mark that does not need colour.
[[nodiscard]] QString checkedWord(superopt::FoundCandidate::Verdict verdict);

} // namespace kernelarium::ui
