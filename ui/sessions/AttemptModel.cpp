// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/sessions/AttemptModel.h"

#include "ui/words/ParentWords.h"
#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"

#include <QDateTime>
#include <QLocale>
#include <cmath>
#include <limits>

namespace kernelarium::ui {
namespace {

using session::AttemptSummary;

const session::Timing* bestOf(const AttemptSummary& attempt, int column) {
    switch (column) {
    case AttemptModel::archived: return attempt.best(session::Timing::Origin::archived);
    case AttemptModel::measured: return attempt.best(session::Timing::Origin::measured);
    case AttemptModel::modelled: return attempt.best(session::Timing::Origin::modelled);
    default: return nullptr;
    }
}

bool isNumber(int column) {
    return column == AttemptModel::number || column == AttemptModel::archived || column == AttemptModel::measured ||
           column == AttemptModel::modelled;
}

QDateTime timeOf(const AttemptSummary& attempt) {
    return QDateTime::fromMSecsSinceEpoch(attempt.createdMs);
}

QString timingText(const session::Timing& timing) {
    QString text = AttemptModel::tr("%1 ms, %2 on %3, %4 size")
                       .arg(millisecondsText(timing.milliseconds), QString::fromUtf8(name(timing.origin).data()),
                            QString::fromStdString(timing.device), QString::fromStdString(timing.size));
    if (std::isfinite(timing.relativeNoise))
        text += AttemptModel::tr(", noise %1").arg(percentText(timing.relativeNoise));
    return text;
}

} // namespace

AttemptModel::AttemptModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&m_theme, &Theme::changed, this, [this] {
        if (!m_attempts.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount_ - 1));
    });
}

bool AttemptModel::continues(const std::vector<AttemptSummary>& attempts) const {
    if (m_attempts.empty() || attempts.size() < m_attempts.size()) return false;
    for (std::size_t i = 0; i < m_attempts.size(); ++i)
        if (m_attempts[i].id != attempts[i].id) return false;
    return true;
}

void AttemptModel::setAttempts(const Attempts& attempts) {
    if (!continues(*attempts)) {
        beginResetModel();
        m_attempts = *attempts;
        endResetModel();
        return;
    }
    const auto known = m_attempts.size();
    std::copy_n(attempts->begin(), known, m_attempts.begin());
    Q_EMIT dataChanged(index(0, 0), index(int(known) - 1, columnCount_ - 1));
    if (attempts->size() == known) return;
    beginInsertRows({}, int(known), int(attempts->size()) - 1);
    m_attempts.insert(m_attempts.end(), attempts->begin() + std::ptrdiff_t(known), attempts->end());
    endInsertRows();
}

int AttemptModel::rowOf(qint64 id) const {
    const auto found =
        std::find_if(m_attempts.begin(), m_attempts.end(), [id](const auto& each) { return each.id == id; });
    return found == m_attempts.end() ? -1 : int(found - m_attempts.begin());
}

int AttemptModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_attempts.size());
}

int AttemptModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(columnCount_);
}

QString AttemptModel::text(const AttemptSummary& attempt, int column) const {
    switch (column) {
    case number: return QString::number(attempt.id);
    case created: {
        const QDateTime time = timeOf(attempt);
        const bool today = time.date() == QDate::currentDate();
        return time.toString(today ? QStringLiteral("HH:mm:ss") : QStringLiteral("yyyy-MM-dd HH:mm"));
    }
    case kernel: return kernelWithParents(attempt);
    case name: return QString::fromStdString(attempt.name);
    case verdict:
        return attempt.verdict.empty() ? tr("not verified") : verdictWord(QString::fromStdString(attempt.verdict));
    case notes: return QString::fromStdString(attempt.notes);
    default: break;
    }
    const auto* best = bestOf(attempt, column);
    return best == nullptr ? QString() : millisecondsText(best->milliseconds);
}

QVariant AttemptModel::sortValue(const AttemptSummary& attempt, int column) const {
    if (column == number) return QVariant::fromValue(qint64(attempt.id));
    if (column == created) return QVariant::fromValue(qint64(attempt.createdMs));
    if (!isNumber(column)) return text(attempt, column);
    const auto* best = bestOf(attempt, column);
    return best == nullptr ? std::numeric_limits<double>::infinity() : best->milliseconds;
}

QString AttemptModel::toolTip(const AttemptSummary& attempt, int column) const {
    if (const auto* best = bestOf(attempt, column)) return timingText(*best);
    if (column == verdict) return verdictExplanation(QString::fromStdString(attempt.verdict));
    if (column == created) return QLocale().toString(timeOf(attempt), QLocale::LongFormat);
    if (column == kernel)
        return parentsSentence(attempt).isEmpty() ? QString::fromStdString(attempt.kernelKey)
                                                  : parentsSentence(attempt);
    return text(attempt, column);
}

QVariant AttemptModel::data(const QModelIndex& index, int role) const {
    if (!checkIndex(index, CheckIndexOption::IndexIsValid)) return {};
    const auto& attempt = m_attempts[std::size_t(index.row())];
    const int column = index.column();
    const Palette& colours = m_theme.colours();
    switch (role) {
    case Qt::DisplayRole: return text(attempt, column).replace(QLatin1Char('\n'), QLatin1Char(' '));
    case Qt::EditRole: return text(attempt, column);
    case Qt::ToolTipRole: return toolTip(attempt, column);
    case Qt::TextAlignmentRole: return int((isNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ForegroundRole:
        if (column == verdict) return verdictColour(colours, QString::fromStdString(attempt.verdict));
        if (column == number || column == created) return colours.muted;
        return {};
    case idRole: return QVariant::fromValue(qint64(attempt.id));
    case sortRole: return sortValue(attempt, column);
    default: return {};
    }
}

QVariant AttemptModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount_) return {};
    const QString titles[] = {tr("#"),       tr("Time"),           tr("Kernel"),         tr("Name"),
                              tr("Verdict"), tr("○ archived, ms"), tr("● measured, ms"), tr("◌ modelled, ms"),
                              tr("Notes")};
    if (role == Qt::DisplayRole) return titles[section];
    if (role == Qt::TextAlignmentRole)
        return int((section == number   ? Qt::AlignHCenter
                    : isNumber(section) ? Qt::AlignRight
                                        : Qt::AlignLeft) |
                   Qt::AlignVCenter);
    if (role == Qt::ToolTipRole && section >= archived && section <= modelled)
        return tr("The best time of the device and size timed last");
    if (role == Qt::ToolTipRole && (section == name || section == notes))
        return tr("Edit in place: F2 or a double click");
    return {};
}

Qt::ItemFlags AttemptModel::flags(const QModelIndex& index) const {
    Qt::ItemFlags flags = QAbstractTableModel::flags(index);
    if (index.isValid() && (index.column() == name || index.column() == notes)) flags |= Qt::ItemIsEditable;
    return flags;
}

bool AttemptModel::setData(const QModelIndex& index, const QVariant& value, int role) {
    const bool editable = index.isValid() && (index.column() == name || index.column() == notes);
    if (role != Qt::EditRole || !editable) return false;
    auto& attempt = m_attempts[std::size_t(index.row())];
    auto& field = index.column() == name ? attempt.name : attempt.notes;
    const QString text = value.toString();
    if (field == text.toStdString()) return true;
    field = text.toStdString();
    Q_EMIT dataChanged(index, index);
    if (index.column() == name)
        Q_EMIT nameEdited(attempt.id, text);
    else
        Q_EMIT notesEdited(attempt.id, text);
    return true;
}

} // namespace kernelarium::ui
