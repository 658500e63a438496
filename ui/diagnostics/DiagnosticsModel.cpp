// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/diagnostics/DiagnosticsModel.h"

#include <algorithm>

namespace kernelarium::ui {

using compile::Severity;

namespace {

QString word(Severity severity) {
    switch (severity) {
    case Severity::error: return DiagnosticsModel::tr("Error");
    case Severity::warning: return DiagnosticsModel::tr("Warning");
    case Severity::note: break;
    }
    return DiagnosticsModel::tr("Note");
}

QColor colour(const Palette& p, Severity severity) {
    switch (severity) {
    case Severity::error: return p.wrong;
    case Severity::warning: return p.warning;
    case Severity::note: break;
    }
    return p.muted;
}

QString icon(Severity severity) {
    switch (severity) {
    case Severity::error: return QStringLiteral("wrong");
    case Severity::warning: return QStringLiteral("suspicious");
    case Severity::note: break;
    }
    return QStringLiteral("info");
}

} // namespace

DiagnosticsModel::DiagnosticsModel(const Theme& theme, QObject* parent)
    : QAbstractTableModel(parent)
    , m_theme(theme) {
    connect(&theme, &Theme::changed, this, [this] {
        if (rowCount() > 0) Q_EMIT dataChanged(index(0, 0), index(rowCount() - 1, columnCount_ - 1));
    });
}

void DiagnosticsModel::show(std::vector<compile::Diagnostic> diagnostics) {
    beginResetModel();
    m_diagnostics = std::move(diagnostics);
    std::stable_sort(m_diagnostics.begin(), m_diagnostics.end(),
                     [](const auto& a, const auto& b) { return (a.file == ownFile) > (b.file == ownFile); });
    endResetModel();
}

void DiagnosticsModel::showAdvice(std::vector<profile::TidyFinding> advice) {
    beginResetModel();
    m_advice = std::move(advice);
    endResetModel();
}

int DiagnosticsModel::count(Severity wanted) const {
    return int(std::count_if(m_diagnostics.begin(), m_diagnostics.end(),
                             [wanted](const auto& d) { return d.severity == wanted; }));
}

int DiagnosticsModel::errors() const {
    return count(Severity::error);
}

int DiagnosticsModel::warnings() const {
    return count(Severity::warning);
}

int DiagnosticsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : int(m_diagnostics.size() + m_advice.size());
}

int DiagnosticsModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : columnCount_;
}

QVariant DiagnosticsModel::adviceData(const profile::TidyFinding& finding, int column, int role) const {
    switch (role) {
    case Qt::DisplayRole:
        if (column == severity) return tr("Advice");
        if (column == line) return QString::number(finding.line);
        return tr("%1 [%2; clang-tidy]")
            .arg(QString::fromStdString(finding.message).simplified(), QString::fromStdString(finding.check));
    case Qt::ToolTipRole: {
        QStringList text{QString::fromStdString(finding.message)};
        for (const auto& note : finding.notes)
            text << tr("note: %1").arg(QString::fromStdString(note));
        return text.join(QLatin1Char('\n'));
    }
    case Qt::DecorationRole:
        return column == severity ? m_theme.icon(QStringLiteral("hint"), m_theme.colours().muted) : QVariant();
    case Qt::ForegroundRole: return column == severity ? m_theme.colours().muted : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(Qt::Alignment((column == line ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case lineRole: return finding.line;
    case columnRole: return finding.column;
    default: return {};
    }
}

QVariant DiagnosticsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid() || index.row() >= rowCount()) return {};
    if (const auto row = std::size_t(index.row()); row >= m_diagnostics.size())
        return adviceData(m_advice[row - m_diagnostics.size()], index.column(), role);
    const auto& d = m_diagnostics[std::size_t(index.row())];
    const bool own = d.file == ownFile || d.file.empty();
    switch (role) {
    case Qt::DisplayRole:
        if (index.column() == severity) return word(d.severity);
        if (index.column() == line)
            return !own ? QString::fromStdString(d.file) : d.line > 0 ? QString::number(d.line) : QString();
        return QString::fromStdString(d.text).simplified();
    case Qt::ToolTipRole: return QString::fromStdString(d.text);
    case Qt::DecorationRole:
        return index.column() == severity ? m_theme.icon(icon(d.severity), colour(m_theme.colours(), d.severity))
                                          : QVariant();
    case Qt::ForegroundRole: return index.column() == severity ? colour(m_theme.colours(), d.severity) : QVariant();
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((index.column() == line ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter));
    case lineRole: return own ? d.line : 0;
    case columnRole: return own ? d.column : 0;
    default: return {};
    }
}

QVariant DiagnosticsModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
    switch (section) {
    case severity: return tr("Severity");
    case line: return tr("Line");
    case text: return tr("Message");
    default: return {};
    }
}

} // namespace kernelarium::ui
