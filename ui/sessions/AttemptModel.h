// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/session/Session.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>
#include <memory>
#include <vector>

namespace kernelarium::ui {

/// The attempts of a session, oldest first. Name and notes are edited in place.
class AttemptModel : public QAbstractTableModel {
    Q_OBJECT
public:
    using Attempts = std::shared_ptr<const std::vector<session::AttemptSummary>>;
    enum Column { number, created, kernel, name, verdict, archived, measured, modelled, notes, columnCount_ };
    enum Role {
        idRole = Qt::UserRole,
        sortRole, ///< a number, a time or a text to sort by
    };

    explicit AttemptModel(const Theme& theme, QObject* parent = nullptr);

    /// A longer list of the same attempts adds rows and keeps selection and editing; another list begins
    /// anew.
    void setAttempts(const Attempts& attempts);
    [[nodiscard]] const session::AttemptSummary& attempt(int row) const { return m_attempts.at(std::size_t(row)); }
    [[nodiscard]] int rowOf(qint64 id) const; ///< -1 where it is not

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    [[nodiscard]] Qt::ItemFlags flags(const QModelIndex& index) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role = Qt::EditRole) override;

Q_SIGNALS:
    void nameEdited(qint64 attempt, const QString& name);
    void notesEdited(qint64 attempt, const QString& notes);

private:
    [[nodiscard]] bool continues(const std::vector<session::AttemptSummary>& attempts) const;
    [[nodiscard]] QString text(const session::AttemptSummary& attempt, int column) const;
    [[nodiscard]] QVariant sortValue(const session::AttemptSummary& attempt, int column) const;
    [[nodiscard]] QString toolTip(const session::AttemptSummary& attempt, int column) const;

    const Theme& m_theme;
    std::vector<session::AttemptSummary> m_attempts;
};

} // namespace kernelarium::ui
