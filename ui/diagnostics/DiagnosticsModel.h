// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/ClangTidy.h"
#include "gpu/protocol/CompileMessages.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <vector>

namespace kernelarium::ui {

/// The compiler's messages, those on the user's own lines first, and behind them clang-tidy's advice.
class DiagnosticsModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { severity, line, text, columnCount_ };
    enum Role { lineRole = Qt::UserRole, columnRole };

    explicit DiagnosticsModel(const Theme& theme, QObject* parent = nullptr);
    void show(std::vector<compile::Diagnostic> diagnostics);
    void showAdvice(std::vector<profile::TidyFinding> advice);
    [[nodiscard]] int errors() const;
    [[nodiscard]] int warnings() const;
    [[nodiscard]] int advice() const { return int(m_advice.size()); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] int count(compile::Severity wanted) const;

    const Theme& m_theme;
    [[nodiscard]] QVariant adviceData(const profile::TidyFinding& finding, int column, int role) const;

    std::vector<compile::Diagnostic> m_diagnostics;
    std::vector<profile::TidyFinding> m_advice;
};

/// The name that the user's own text has in diagnostics.
inline constexpr const char* ownFile = "kernel.cu";

} // namespace kernelarium::ui
