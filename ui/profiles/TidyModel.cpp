// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/profiles/TidyModel.h"

namespace kernelarium::ui {

TidyModel::TidyModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (!m_findings.empty()) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount_ - 1));
    });
}

void TidyModel::show(std::vector<profile::TidyFinding> findings) {
    beginResetModel();
    m_findings = std::move(findings);
    endResetModel();
}

int TidyModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_findings.size());
}
int TidyModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QVariant TidyModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    const auto& finding = m_findings[std::size_t(index.row())];
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == line) return QString::number(finding.line);
        if (index.column() == check)
            return finding.check.empty() ? QString::fromStdString(finding.severity)
                                         : QString::fromStdString(finding.check);
        return QString::fromStdString(finding.message).simplified();
    case Qt::ToolTipRole: {
        QStringList text{QString::fromStdString(finding.message)};
        for (const auto& note : finding.notes)
            text << tr("note: %1").arg(QString::fromStdString(note));
        text << tr("(Enter or a click goes to line %1)").arg(finding.line);
        return text.join(QLatin1Char('\n'));
    }
    case Qt::ForegroundRole:
        return finding.severity == "error" ? QVariant(m_theme.colours().wrong)
               : index.column() == check   ? QVariant(m_theme.colours().muted)
                                           : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((index.column() == line ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case lineRole: return finding.line;
    case columnRole: return finding.column;
    default: return {};
    }
}

QVariant TidyModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    return section == line ? tr("Line") : section == check ? tr("Check") : tr("Message");
}

} // namespace kernelarium::ui
