// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/tuning/PointModel.h"

#include "ui/words/Quantities.h"

#include <QFont>
#include <cmath>

namespace kernelarium::ui {

PointModel::PointModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
    });
}

void PointModel::begin(const tuning::Space& space, const QString& value) {
    beginResetModel();
    m_space = space;
    m_parameters = space.parameters();
    m_startKey = m_parameters.empty() ? std::string() : space.key(space.start());
    m_value = value;
    m_rows.clear();
    m_best = m_start = -1;
    endResetModel();
}

void PointModel::add(const std::vector<tuning::Judged>& all, std::size_t first) {
    std::vector<PointRow> added;
    for (std::size_t i = first; i < all.size(); ++i)
        if (auto row = pointRowOf(m_space, all[i])) added.push_back(std::move(*row));
    if (added.empty()) return;
    const int before = rowCount(), formerBest = m_best, formerStart = m_start;
    beginInsertRows({}, before, before + int(added.size()) - 1);
    for (PointRow& row : added) {
        if (row.key == m_startKey) m_start = int(m_rows.size());
        if (row.leads && (m_best < 0 || row.milliseconds < m_rows[std::size_t(m_best)].milliseconds))
            m_best = int(m_rows.size());
        m_rows.push_back(std::move(row));
    }
    endInsertRows();
    if (formerBest >= 0 && formerBest != m_best)
        Q_EMIT dataChanged(index(formerBest, 0), index(formerBest, columnCount() - 1));
    if (formerStart != m_start && before > 0) // speed-ups are over it
        Q_EMIT dataChanged(index(0, columnOf(speedup)), index(before - 1, columnOf(speedup)));
}

double PointModel::bestMilliseconds() const {
    return m_best < 0 ? std::nan("") : m_rows[std::size_t(m_best)].milliseconds;
}

double PointModel::startMilliseconds() const {
    if (m_start < 0 || !m_rows[std::size_t(m_start)].ranks) return std::nan("");
    return m_rows[std::size_t(m_start)].milliseconds;
}

int PointModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

int PointModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_parameters.size()) + factCount;
}

QString PointModel::parameterText(const PointRow& row, std::size_t parameter) const {
    return QString::fromStdString(tuning::textOf(m_parameters[parameter].values[row.point.at[parameter]]));
}

bool PointModel::isNumber(int column) const {
    if (column < int(m_parameters.size())) {
        const tuning::Value& value = m_parameters[std::size_t(column)].values.front();
        return std::holds_alternative<std::int64_t>(value) || std::holds_alternative<double>(value);
    }
    const int fact = column - int(m_parameters.size());
    return fact == time || fact == speedup || fact == registers;
}

QVariant PointModel::number(const PointRow& row, int column) const {
    const auto known = [](double value) { return std::isnan(value) ? QVariant() : QVariant(value); };
    if (column < int(m_parameters.size())) {
        const auto parameter = std::size_t(column);
        const tuning::Value& value = m_parameters[parameter].values[row.point.at[parameter]];
        if (const auto* whole = std::get_if<std::int64_t>(&value)) return double(*whole);
        if (const auto* real = std::get_if<double>(&value)) return *real;
        return {};
    }
    switch (column - int(m_parameters.size())) {
    case time: return known(row.milliseconds);
    case speedup: return known(startMilliseconds() / row.milliseconds);
    case registers: return row.registers < 0 ? QVariant() : QVariant(double(row.registers));
    default: return {};
    }
}

QString PointModel::text(const PointRow& row, int column) const {
    if (column < int(m_parameters.size())) return parameterText(row, std::size_t(column));
    switch (column - int(m_parameters.size())) {
    case time: return std::isnan(row.milliseconds) ? QString() : numberText(row.milliseconds, 4);
    case speedup: return speedupText(startMilliseconds() / row.milliseconds);
    case verdict: {
        QString words = pointVerdictText(row);
        if (m_best >= 0 && &row == &m_rows[std::size_t(m_best)]) words += tr(" · best");
        if (m_start >= 0 && &row == &m_rows[std::size_t(m_start)]) words += tr(" · start");
        return words;
    }
    case registers: return row.registers < 0 ? QString() : wholeText(row.registers);
    case limiter: return row.limiter;
    case said: return row.said.section(QLatin1Char('\n'), 0, 0);
    default: return {};
    }
}

QVariant PointModel::sortValue(const PointRow& row, int column) const {
    if (column < int(m_parameters.size()) && !isNumber(column))
        return double(row.point.at[std::size_t(column)]); // in the order of their declaration
    if (isNumber(column)) return number(row, column);
    const QString words = text(row, column);
    return words.isEmpty() ? QVariant() : QVariant(words);
}

QString PointModel::toolTip(const PointRow& row, int column) const {
    switch (column - int(m_parameters.size())) {
    case time:
    case speedup: return QString::fromStdString(row.key) + QLatin1Char('\n') + m_value;
    case verdict: {
        QString words = pointVerdictMeaning(row);
        if (!row.sameAs.isEmpty()) words += QLatin1Char('\n') + tr("The same text as %1").arg(row.sameAs);
        return words;
    }
    case said: return row.said.left(2000);
    default: return QString::fromStdString(row.key) + QLatin1Char('\n') + tr("Return opens its text on the bench");
    }
}

QVariant PointModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
    const PointRow& row = m_rows[std::size_t(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::ToolTipRole: return toolTip(row, column);
    case Qt::AccessibleTextRole:
        return headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + QStringLiteral(": ") +
               text(row, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::ForegroundRole:
        if (column == columnOf(verdict)) return pointVerdictColour(row, m_theme.colours());
        if (column == columnOf(time) && !row.ranks) return m_theme.colours().muted; // it counts for nothing
        return {};
    case Qt::FontRole:
        if (index.row() == m_best) {
            QFont font = m_theme.textFont();
            font.setWeight(QFont::DemiBold);
            return font;
        }
        return {};
    case sortRole: return sortValue(row, column);
    case numberRole: return number(row, column);
    case keyRole: return QString::fromStdString(row.key);
    default: return {};
    }
}

QVariant PointModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount()) return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(
            Qt::Alignment((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole) return {};
    const bool tip = role == Qt::ToolTipRole;
    if (section < int(m_parameters.size())) {
        const tuning::Parameter& parameter = m_parameters[std::size_t(section)];
        const QString name = QString::fromStdString(parameter.name);
        return tip ? tr("Parameter %1, %2 values").arg(name).arg(parameter.values.size()) : name;
    }
    switch (section - int(m_parameters.size())) {
    case time: return tip ? tr("Of one call: %1").arg(m_value) : tr("Time (ms)");
    case speedup: return tip ? tr("The time of the text as it stood, divided by this one's") : tr("Over start");
    case verdict: return tip ? tr("Whether its results are right") : tr("Verdict");
    case registers: return tip ? tr("Of a thread, the most of its kernels") : tr("Registers");
    case limiter: return tip ? tr("What the model says that it waits for") : tr("Limiter");
    case said: return tip ? tr("Why it was refused, or the evidence against it") : tr("Evidence");
    default: return {};
    }
}

} // namespace kernelarium::ui
