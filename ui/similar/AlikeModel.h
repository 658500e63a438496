// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/desks/LikeDesk.h"
#include "ui/theme/Theme.h"

#include <QAbstractTableModel>

namespace kernelarium::ui {

/// The kernels that are like one, in the order in which they were found to be of use.
class AlikeModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Column { rank, kernel, against, code, operators, verdict, claim, time, speedup, task, columnCount_ };
    enum Role {
        idRole = Qt::UserRole, ///< the kernel's number in the archive
        sortRole
    };

    explicit AlikeModel(const Theme& theme, QObject* parent = nullptr);

    /// Null: nothing.
    void setAnswer(LikeAnswerPointer answer);
    /// Our newest verdicts, as they are shown; the order is that of the answer.
    void setVerdicts(archive::OwnVerdictsPointer verdicts);
    [[nodiscard]] const LikeAnswer* answer() const { return m_answer.get(); }

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] static bool isRight(int column);
    [[nodiscard]] QString text(const similar::Alike& alike, int row, int column) const;
    [[nodiscard]] QString toolTip(const similar::Alike& alike, int row, int column) const;
    [[nodiscard]] QVariant sortValue(const similar::Alike& alike, int row, int column) const;
    [[nodiscard]] const archive::OwnVerdict* verdictOn(const similar::Alike& alike) const;

    const Theme& m_theme;
    LikeAnswerPointer m_answer;
    archive::OwnVerdictsPointer m_verdicts;
};

} // namespace kernelarium::ui
