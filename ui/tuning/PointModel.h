// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "ui/theme/Theme.h"
#include "ui/tuning/PointRow.h"

#include <QAbstractTableModel>
#include <vector>

namespace kernelarium::ui {

/// The points of a sweep as they come: a column for each parameter, then what became of them. It neither filters nor
/// sorts.
class PointModel : public QAbstractTableModel {
    Q_OBJECT
public:
    enum Fact { time, speedup, verdict, registers, limiter, said, factCount }; ///< columns behind the parameters
    enum Role {
        sortRole = Qt::UserRole, ///< a number, or a text; invalid: there is none, last in either direction
        numberRole,              ///< invalid where the cell is no number
        keyRole,                 ///< "TILE=16 UNROLL=4"
    };

    explicit PointModel(const Theme& theme, QObject* parent = nullptr);

    /// Another sweep, without points. `value`: what its times are, "modelled on NVIDIA H200".
    void begin(const tuning::Space& space, const QString& value);
    /// Those of `all` from number `first` on.
    void add(const std::vector<tuning::Judged>& all, std::size_t first);

    [[nodiscard]] const std::vector<tuning::Parameter>& parameters() const { return m_parameters; }
    [[nodiscard]] const std::vector<PointRow>& rows() const { return m_rows; }
    [[nodiscard]] int best() const { return m_best; }   ///< the row of the best; -1: none
    [[nodiscard]] int start() const { return m_start; } ///< of the text as it stood at the beginning; -1: none
    [[nodiscard]] double bestMilliseconds() const;
    [[nodiscard]] double startMilliseconds() const; ///< NaN where it has no time that counts
    [[nodiscard]] const QString& valueWords() const { return m_value; }
    [[nodiscard]] int columnOf(Fact fact) const { return int(m_parameters.size()) + fact; }
    [[nodiscard]] QString parameterText(const PointRow& row, std::size_t parameter) const;

    [[nodiscard]] int rowCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] int columnCount(const QModelIndex& parent = {}) const override;
    [[nodiscard]] QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    [[nodiscard]] QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

private:
    [[nodiscard]] bool isNumber(int column) const;
    [[nodiscard]] QString text(const PointRow& row, int column) const;
    [[nodiscard]] QString toolTip(const PointRow& row, int column) const;
    [[nodiscard]] QVariant number(const PointRow& row, int column) const;
    [[nodiscard]] QVariant sortValue(const PointRow& row, int column) const;

    const Theme& m_theme;
    tuning::Space m_space;
    std::vector<tuning::Parameter> m_parameters;
    std::string m_startKey;
    QString m_value;
    std::vector<PointRow> m_rows;
    int m_best = -1;
    int m_start = -1;
};

} // namespace kernelarium::ui
