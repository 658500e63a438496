// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/audit/AuditModel.h"

#include "ui/words/VerdictWords.h"

#include <QLocale>

namespace kernelarium::ui {

namespace {

using archive::KernelTable;

bool isAuditNumber(int column) {
    return column == AuditModel::task || column == AuditModel::seconds;
}

} // namespace

AuditModel::AuditModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0)
            Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1), {Qt::ForegroundRole});
    });
}

void AuditModel::setTable(std::shared_ptr<const KernelTable> table) {
    beginResetModel();
    m_table = std::move(table);
    m_rows.clear();
    m_facets.clear();
    m_rowOfLabel.clear();
    m_labels.clear();
    m_claimed = 0;
    for (std::size_t i = 0; i < kernels(); ++i) {
        m_labels.push_back(QString::fromStdString(m_table->label(i)));
        if (m_table->correct[i] == KernelTable::Correct::yes) ++m_claimed;
    }
    endResetModel();
}

AuditModel::Row AuditModel::rowOf(std::uint32_t tableRow, const QString& label, const audit::StoredVerdict& found,
                                  bool stale) const {
    QStringList words;
    for (const std::string& reason : found.reasons)
        words << QString::fromStdString(reason).replace(QLatin1Char('_'), QLatin1Char(' '));
    return {tableRow,
            label,
            QString::fromStdString(found.verdict),
            words.join(QStringLiteral(", ")),
            QString::fromStdString(found.message),
            found.seconds,
            found.timeMs,
            stale,
            audit::smallSizeOnly(found)};
}

void AuditModel::update(const VerdictDesk& desk) {
    std::vector<Row> added;
    for (std::size_t i = 0; i < m_labels.size(); ++i) {
        const auto found = desk.verdicts().constFind(m_labels[i]);
        if (found == desk.verdicts().constEnd()) continue;
        const bool stale = desk.stale().contains(m_labels[i]);
        const int at = m_rowOfLabel.value(m_labels[i], -1);
        if (at < 0) {
            added.push_back(rowOf(std::uint32_t(i), m_labels[i], *found, stale));
        } else if (Row& row = m_rows[std::size_t(at)]; row.timeMs != found->timeMs || row.stale != stale) {
            row = rowOf(std::uint32_t(i), m_labels[i], *found, stale);
            m_facets[std::size_t(at)].verdict = found->verdict;
            m_facets[std::size_t(at)].reasons = found->reasons;
            Q_EMIT dataChanged(index(at, 0), index(at, columnCount() - 1));
        }
    }
    if (added.empty()) return;
    beginInsertRows({}, rowCount(), rowCount() + int(added.size()) - 1);
    for (Row& row : added) {
        m_rowOfLabel.insert(row.label, rowCount());
        const audit::StoredVerdict& found = *desk.verdicts().constFind(row.label);
        m_facets.push_back(
            {found.verdict, std::string(audit::claimWord(audit::candidateOf(*m_table, row.tableRow))), found.reasons});
        m_rows.push_back(std::move(row));
    }
    endInsertRows();
}

audit::ClaimCount AuditModel::claims() const {
    audit::ClaimCount count;
    count.claimed = m_claimed;
    for (std::size_t i = 0; i < m_rows.size(); ++i) {
        if (m_table->correct[m_rows[i].tableRow] != KernelTable::Correct::yes) continue;
        ++count.tried;
        switch (audit::bearingOf(m_facets[i].verdict)) {
        case audit::Bearing::upholds: ++count.standing; break;
        case audit::Bearing::refutes: ++count.refuted; break;
        case audit::Bearing::undecided: ++count.undecided; break;
        }
    }
    return count;
}

int AuditModel::staleCount() const {
    return int(std::count_if(m_rows.begin(), m_rows.end(), [](const Row& row) { return row.stale; }));
}

int AuditModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_rows.size());
}

int AuditModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QString AuditModel::text(const Row& row, int column) const {
    switch (column) {
    case task: return QStringLiteral("%1/%2").arg(m_table->level[row.tableRow]).arg(m_table->task[row.tableRow]);
    case kernel: return QString::fromStdString(m_table->name[row.tableRow]);
    case claim: return claimText(m_table->correct[row.tableRow], m_table->errorKind[row.tableRow]);
    case verdict: return verdictWord(row.verdict, row.stale, row.smallOnly);
    case reasons: return row.reasons;
    case seconds: return QLocale().toString(row.seconds, 'f', 2);
    default: return {};
    }
}

QString AuditModel::toolTip(const Row& row, int column) const {
    switch (column) {
    case kernel: return row.label + QLatin1Char('\n') + tr("Double click opens it with its verdict");
    case claim: return tr("What the archive says about this kernel");
    case verdict:
        return row.stale ? verdictExplanation(row.verdict) + QLatin1Char('\n') + staleExplanation()
                         : verdictExplanation(row.verdict);
    case reasons: return row.message.isEmpty() ? row.reasons : row.message.left(2000);
    case seconds: return tr("How long compiling and verifying took here");
    default: return text(row, column);
    }
}

QVariant AuditModel::sortValue(const Row& row, int column) const {
    switch (column) {
    case task: return m_table->level[row.tableRow] * 1000000 + m_table->task[row.tableRow];
    case seconds: return row.seconds;
    default: return text(row, column);
    }
}

QVariant AuditModel::colour(const Row& row, int column) const {
    const Palette& p = m_theme.colours();
    switch (column) {
    case claim: {
        const auto correct = m_table->correct[row.tableRow];
        if (correct == KernelTable::Correct::yes) return {};
        return correct == KernelTable::Correct::no ? p.wrong : p.muted;
    }
    case verdict: return row.stale ? p.muted : verdictColour(p, row.verdict);
    case seconds: return p.muted;
    default: return {};
    }
}

QVariant AuditModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount() || index.column() >= columnCount()) return {};
    const Row& row = m_rows[std::size_t(index.row())];
    const int column = index.column();
    switch (role) {
    case Qt::DisplayRole: return text(row, column);
    case Qt::ToolTipRole: return toolTip(row, column);
    case Qt::AccessibleTextRole:
        return headerData(column, Qt::Horizontal, Qt::DisplayRole).toString() + QStringLiteral(": ") +
               text(row, column);
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((isAuditNumber(column) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case Qt::ForegroundRole: return colour(row, column);
    case idRole: return qint64(m_table->id[row.tableRow]);
    case labelRole: return row.label;
    case sortRole: return sortValue(row, column);
    case verdictRole: return row.verdict;
    case staleRole: return row.stale;
    case tableRowRole: return row.tableRow;
    default: return {};
    }
}

QVariant AuditModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section < 0 || section >= columnCount_) return {};
    const QString names[] = {tr("Task"),     tr("Kernel"),  tr("Archive says"),
                             tr("Verified"), tr("Reasons"), tr("Time (s)")};
    const QString tips[] = {tr("KernelBench level and task"),
                            tr("The kernel's name in the archive"),
                            tr("Correct or not, as published, and where it failed"),
                            tr("Our verdict on the archived text; stale where another version found it"),
                            tr("Why the verdict is what it is"),
                            tr("How long compiling and verifying took here, in seconds")};
    switch (role) {
    case Qt::DisplayRole: return names[section];
    case Qt::ToolTipRole: return tips[section];
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((isAuditNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    default: return {};
    }
}

QString claimFacetText(const QString& word) {
    if (word == QLatin1String("correct")) return claimText(KernelTable::Correct::yes, archive::ErrorKind::none);
    if (word == QLatin1String("unknown")) return claimText(KernelTable::Correct::unknown, archive::ErrorKind::none);
    const auto kind = archive::errorKindFromWord(word.toStdString());
    return claimText(KernelTable::Correct::no, kind.value_or(archive::ErrorKind::none));
}

} // namespace kernelarium::ui
