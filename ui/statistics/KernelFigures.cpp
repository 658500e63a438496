// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels one by one: ranks, rows behind a number, contradictions; errors and words by their kernels.
#include "ui/statistics/Figures.h"

#include "ui/archive/Words.h"

#include <QCoreApplication>
#include <cmath>

namespace kernelarium::ui {

namespace {

using archive::KernelTable;

QString sayKernels(const char* text) {
    return QCoreApplication::translate("Statistics", text);
}

/// Our verdict on a row, as a cell.
FigureCell verdictCell(const FigureSource& source, std::uint32_t row) {
    const QString word = source.verdicts.value(QString::fromStdString(source.table->label(row)));
    FigureCell cell = textCell(word.isEmpty() ? QStringLiteral("–") : verdictWord(word));
    cell.toolTip = word.isEmpty() ? sayKernels("It was not verified here") : verdictExplanation(word);
    cell.tone = word.isEmpty() ? Tone::muted : word == QLatin1String("verified") ? Tone::ok : Tone::wrong;
    if (word == QLatin1String("unverifiable") || word == QLatin1String("unsupported") ||
        word == QLatin1String("timeout") || word == QLatin1String("failed"))
        cell.tone = Tone::muted;
    return cell;
}

FigureCell claimCell(const KernelTable& table, std::uint32_t row) {
    FigureCell cell = textCell(claimText(table.correct[row], table.errorKind[row]));
    if (table.correct[row] == KernelTable::Correct::no) cell.tone = Tone::wrong;
    return cell;
}

FigureRow kernelRow(const FigureSource& source, std::uint32_t row) {
    const KernelTable& table = *source.table;
    FigureRow made;
    made.kernel = table.id[row];
    made.level = table.level[row];
    made.task = table.task[row];
    FigureCell task = textCell(QStringLiteral("%1/%2").arg(made.level).arg(made.task));
    task.sort = double(made.level) * 1000000 + made.task;
    task.toolTip = operatorText(QString::fromStdString(table.opName[row]));
    FigureCell name = textCell(QString::fromStdString(table.name[row]));
    name.toolTip =
        QString::fromStdString(table.label(row)) + QLatin1Char('\n') + sayKernels("Double click or Return opens it");
    FigureCell runtime = textCell(millisecondsText(table.runtime[row]));
    runtime.sort = std::isnan(table.runtime[row]) ? QVariant() : QVariant(table.runtime[row]);
    made.cells = {task,
                  name,
                  speedupCell(table.speedupNative[row]),
                  speedupCell(table.speedupCompile[row]),
                  runtime,
                  claimCell(table, row),
                  verdictCell(source, row)};
    return made;
}

std::vector<FigureColumn> kernelColumns() {
    return {{sayKernels("Task"), sayKernels("KernelBench level and task"), 60, false},
            {sayKernels("Kernel"), sayKernels("The kernel's name in the archive"), 240, false},
            {sayKernels("Speed-up"), sayKernels("Over PyTorch native, archived"), 84, true, true},
            {sayKernels("Over compile"), sayKernels("Over torch.compile, archived"), 92, true, true},
            {sayKernels("Time (ms)"), sayKernels("Archived"), 80},
            {sayKernels("Archive says"), sayKernels("Correct or not, as published, and where it failed"), 110, false},
            {sayKernels("Verified"), sayKernels("Our verdict on the archived text"), 110, false}};
}

QString errorName(std::size_t kind) {
    const auto value = static_cast<archive::ErrorKind>(kind);
    if (value == archive::ErrorKind::none) return sayKernels("none: correct, or nothing is known against it");
    return claimText(KernelTable::Correct::no, value);
}

} // namespace

FigureTable kernelFigures(const FigureSource& source, const QString& name, const std::vector<std::uint32_t>& rows) {
    FigureTable figures{name, kernelColumns(), {}};
    for (const auto row : rows)
        figures.rows.push_back(kernelRow(source, row));
    return figures;
}

FigureTable rankFigures(const FigureSource& source, int level, int task) {
    FigureTable figures{sayKernels("Ranks of task %1/%2").arg(level).arg(task), kernelColumns(), {}};
    figures.columns.front() = {
        sayKernels("Rank"),
        sayKernels("By archived speed-up over PyTorch native; without the kernels that fail our checks in brackets"),
        72, true};
    const auto ranked = statistics::ranking(*source.table, source.findings->archived.rows, level, task);
    const auto standing = statistics::ranking(*source.table, source.findings->standing.rows, level, task);
    std::size_t place = 0;
    for (std::size_t i = 0; i < ranked.size(); ++i) {
        FigureRow row = kernelRow(source, ranked[i]);
        const bool stands = place < standing.size() && standing[place] == ranked[i];
        if (stands) ++place;
        FigureCell rank = textCell(QString::number(i + 1));
        rank.sort = double(i + 1);
        if (standing.size() < ranked.size())
            rank.text += stands ? QStringLiteral(" (%1)").arg(place) : QStringLiteral(" (–)");
        row.cells.front() = rank;
        figures.rows.push_back(std::move(row));
    }
    return figures;
}

FigureTable contradictionFigures(const FigureSource& source) {
    std::vector<std::uint32_t> rows;
    for (const auto& contradiction : source.findings->contradictions)
        rows.push_back(contradiction.row);
    return kernelFigures(source, sayKernels("Contradictions"), rows);
}

FigureTable errorFigures(const FigureSource& source) {
    const auto& findings = *source.findings;
    FigureTable figures{
        sayKernels("Errors by kind"),
        {{sayKernels("Where it failed"),
          sayKernels("Read from the archived error text; ran and wrong where there is none"), 280, false},
         {sayKernels("Kernels"), sayKernels("As archived"), 90},
         {sayKernels("Share"), sayKernels("Of all kernels"), 110},
         {sayKernels("Without failing"), sayKernels("Kernels, without those that fail our checks"), 110},
         {sayKernels("Share"), sayKernels("Of the kernels that do not fail our checks"), 110}},
        {}};
    const double all = double(findings.archived.rows.size()), rest = double(findings.standing.rows.size());
    for (std::size_t kind = 0; kind < findings.archived.errors.size(); ++kind) {
        if (findings.archived.errors[kind] == 0) continue;
        const QString word = QLatin1String(archive::errorKindWords[kind].data());
        const auto behind = [&](bool standing) {
            return [source, kind, standing] {
                const auto& from = standing ? source.findings->standing.rows : source.findings->archived.rows;
                std::vector<std::uint32_t> rows;
                for (const auto row : from)
                    if (std::size_t(source.table->errorKind[row]) == kind) rows.push_back(row);
                return rows;
            };
        };
        const auto share = [](std::int64_t part, double whole) {
            FigureCell cell = textCell(shareText(whole > 0 ? double(part) / whole : NAN));
            if (whole > 0)
                cell.sort = cell.bar = double(part) / whole;
            else
                cell.sort = {};
            return cell;
        };
        const std::int64_t before = findings.archived.errors[kind], after = findings.standing.errors[kind];
        FigureRow row;
        row.cells = {textCell(errorName(kind)),
                     countCell(before, drillTo(source, sayKernels("Errors: %1").arg(word),
                                               QStringLiteral("error:") + word, behind(false))),
                     share(before, all),
                     countCell(after, drillTo(source, sayKernels("Errors, without failing: %1").arg(word),
                                              findings.bothSame() ? std::optional(QStringLiteral("error:") + word)
                                                                  : std::nullopt,
                                              behind(true))),
                     share(after, rest)};
        figures.rows.push_back(std::move(row));
    }
    return figures;
}

FigureTable wordFigures(const FigureSource& source) {
    FigureTable figures{
        sayKernels("Words in names"),
        {{sayKernels("Word"), sayKernels("A part of kernels' names between '_'"), 140, false},
         {sayKernels("Kernels"), sayKernels("Correct kernels with a speed-up over native and the word"), 72},
         {sayKernels("Tasks"), sayKernels("Tasks that these are of"), 60},
         {sayKernels("In its task"),
          sayKernels("Median of the speed-up divided by the median of the task's correct kernels"), 84, true, true},
         {sayKernels("Speed-up"), sayKernels("Median speed-up over PyTorch native (archived)"), 84, true, true},
         {sayKernels("Without failing"), sayKernels("\"In its task\", without the kernels that fail our checks"), 104,
          true, true}},
        {}};
    QHash<QString, double> rest;
    for (const auto& word : source.findings->standing.words)
        rest.insert(QString::fromStdString(word.word), word.medianRelative);
    for (const auto& word : source.findings->archived.words) {
        const QString text = QString::fromStdString(word.word);
        // A search cannot leave out kernels whose task has no median: there are none among correct ones over 0.
        const auto drill =
            drillTo(source, sayKernels("Word: %1").arg(text),
                    QStringLiteral("word:%1 correct:yes speedup>=0").arg(text), [source, name = word.word] {
                        return statistics::rowsOfWord(*source.table, source.findings->archived.rows, name);
                    });
        FigureRow row;
        row.cells = {textCell(text),
                     countCell(word.kernels, drill),
                     countCell(word.tasks, drill),
                     speedupCell(word.medianRelative, drill),
                     speedupCell(word.medianSpeedup, drill),
                     speedupCell(rest.value(text, std::numeric_limits<double>::quiet_NaN()))};
        figures.rows.push_back(std::move(row));
    }
    return figures;
}

} // namespace kernelarium::ui
