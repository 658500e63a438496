// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/ClangTidy.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>

namespace kernelarium::ui {

/// What clang-tidy found, by line.
class TidyModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { line, check, message, columnCount_ };
    enum Role { lineRole = Qt::UserRole, columnRole };

    explicit TidyModel(const Theme& theme, QObject* parent = nullptr);
    void show(std::vector<profile::TidyFinding> findings);

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    const Theme& m_theme;
    std::vector<profile::TidyFinding> m_findings;
};

} // namespace kernelarium::ui
