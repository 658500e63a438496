// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/plots/LineagePanel.h"

#include "core/archive/store/Statistics.h"
#include "core/audit/AuditSummary.h"
#include "core/numbers/Median.h"
#include "core/statistics/Ranking.h"
#include "ui/desks/ArchiveDesk.h"
#include "ui/desks/VerdictDesk.h"
#include "ui/words/GeneratedKernels.h"
#include "ui/words/ParentWords.h"
#include "ui/words/VerdictWords.h"
#include "ui/workspace/Assignment.h"
#include "ui/workspace/Bench.h"
#include "ui/workspace/Notices.h"
#include "ui/workspace/PastTrials.h"

#include <QVBoxLayout>
#include <cmath>
#include <numeric>

namespace kernelarium::ui {

namespace {

using archive::KernelTable;

LineageEntry::Standing standingOf(KernelTable::Correct claimed, const QString& verdict) {
    if (claimed == KernelTable::Correct::no) return LineageEntry::Standing::wrong;
    if (claimed == KernelTable::Correct::unknown) return LineageEntry::Standing::unknown;
    const bool refuted = !verdict.isEmpty() && audit::bearingOf(verdict.toStdString()) == audit::Bearing::refutes;
    return refuted ? LineageEntry::Standing::refuted : LineageEntry::Standing::correct;
}

std::optional<double> middleOf(std::vector<double> values) {
    std::erase_if(values, [](double value) { return !std::isfinite(value) || value <= 0; });
    return values.empty() ? std::nullopt : std::optional(numbers::medianOf(values));
}

/// Attempts at this task that have a change of another kernel, or were generated from its card, behind all others.
void addAttempts(LineageData& data, const QHash<QString, qint64>& byKey,
                 const std::vector<session::AttemptSummary>& attempts) {
    for (const session::AttemptSummary& attempt : attempts) {
        if (attempt.takenFrom.empty() && !generatedFrom(QString::fromStdString(attempt.kernelKey))) continue;
        LineageEntry entry;
        entry.id = -attempt.id;
        entry.order = int(data.entries.size()) + 1;
        entry.name = kernelWithParents(attempt);
        entry.verdict = QString::fromStdString(attempt.verdict);
        entry.parents = parentsSentence(attempt);
        const auto addParent = [&](const std::string& key) {
            const qint64 id = byKey.value(QString::fromStdString(key));
            if (id != 0 && std::find(entry.parentIds.begin(), entry.parentIds.end(), id) == entry.parentIds.end())
                entry.parentIds.push_back(id);
        };
        addParent(attempt.kernelKey);
        for (const session::OtherParent& other : attempt.takenFrom)
            addParent(other.kernelKey);
        data.entries.push_back(std::move(entry));
    }
}

LineageData lineageOf(const KernelTable& table, task::TaskKey task, const QHash<QString, QString>& verdicts,
                      const std::vector<session::AttemptSummary>& attempts) {
    QHash<QString, qint64> byKey;
    std::vector<std::uint32_t> rows(table.size());
    std::iota(rows.begin(), rows.end(), 0U);
    LineageData data;
    std::vector<double> native, compile;
    for (const auto& step : statistics::lineage(table, rows, task.level, task.task)) {
        const auto row = std::size_t(step.row);
        LineageEntry entry;
        entry.id = table.id[row];
        entry.order = int(data.entries.size()) + 1;
        entry.name = QString::fromStdString(table.name[row]);
        entry.milliseconds = table.runtime[row];
        const QString label = QString::fromStdString(table.label(row));
        byKey[QStringLiteral("archive:") + label] = entry.id;
        entry.verdict = verdicts.value(label);
        entry.standing = standingOf(table.correct[row], entry.verdict);
        entry.claim = claimText(table.correct[row], table.errorKind[row]);
        entry.speedup = table.speedupNative[row];
        native.push_back(table.nativeRuntime[row]);
        compile.push_back(table.compileRuntime[row]);
        data.entries.push_back(std::move(entry));
    }
    if (!data.entries.empty()) addAttempts(data, byKey, attempts);
    data.nativeMilliseconds = middleOf(std::move(native));
    data.compileMilliseconds = middleOf(std::move(compile));
    return data;
}

} // namespace

LineagePanel::LineagePanel(const Around& around, Theme& theme, QWidget* parent)
    : QWidget(parent)
    , m_with(around)
    , m_plot(new LineagePlot(theme)) {
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->addWidget(m_plot);
    setFocusProxy(m_plot);
    connect(&around.bench, &Bench::kernelChanged, this, &LineagePanel::refresh);
    connect(&around.assignment, &Assignment::changed, this, &LineagePanel::refresh);
    connect(&around.verdicts, &VerdictDesk::changed, this, &LineagePanel::refresh);
    connect(&around.archive, &ArchiveDesk::changed, this, &LineagePanel::refresh);
    connect(&around.past, &PastTrials::knownChanged, this, &LineagePanel::refresh);
    connect(m_plot, &LineagePlot::kernelActivated, this, [this](qint64 id) { m_with.bench.openArchived(id); });
    connect(m_plot, &LineagePlot::compareRequested, this, &LineagePanel::compareRequested);
    connect(m_plot, &LineagePlot::likeRequested, this, &LineagePanel::likeRequested);
    connect(m_plot, &LineagePlot::attemptActivated, this, [this](qint64 attempt) { m_with.past.show(attempt); });
    connect(m_plot, &LineagePlot::attemptCompareRequested, this, &LineagePanel::attemptCompareRequested);
    connect(m_plot, &PlotPanel::failed, this, [this](const QString& text) { m_with.notices.post(text, true); });
    refresh();
}

void LineagePanel::refresh() {
    const quint64 generation = ++m_generation;
    const auto table = m_with.archive.table();
    const auto& task = m_with.bench.kernel().task;
    if (!table || !task) {
        m_thread.cancel("lineage");
        m_plot->setData({});
        return;
    }
    ask<LineageData>(
        m_thread, this, "lineage",
        [table, task = *task, verdicts = m_with.verdicts.words(), attempts = m_with.past.known()](
            const std::stop_token&) -> Result<LineageData> { return lineageOf(*table, task, verdicts, attempts); },
        [this, generation](Result<LineageData> data) {
            if (generation != m_generation || !data) return; // replaced: the newer one comes
            if (const auto& row = m_with.bench.kernel().row) data->selected = row->id;
            m_plot->setData(std::move(*data));
        });
}

} // namespace kernelarium::ui
