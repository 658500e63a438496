// SPDX-License-Identifier: GPL-3.0-or-later
// Kernels one by one: ranks, rows behind a number, contradictions; errors and words by their kernels.
#include "ui/statistics/Figures.h"
#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"
#include "ui/words/Words.h"

#include <cmath>

namespace kernelarium::ui {

namespace {

using archive::KernelTable;

/// Our verdict on a row, as a cell.
FigureCell verdictCell(const FigureSource& source, std::uint32_t row) {
    const QString word = source.verdicts.value(QString::fromStdString(source.table->label(row)));
    FigureCell cell = textCell(word.isEmpty() ? QStringLiteral("–") : verdictWord(word));
    cell.toolTip = word.isEmpty() ? Words::tr("It was not verified here") : verdictExplanation(word);
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
        QString::fromStdString(table.label(row)) + QLatin1Char('\n') + Words::tr("Double click or Return opens it");
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
    return {{Words::tr("Task"), Words::tr("KernelBench level and task"), 60, false},
            {Words::tr("Kernel"), Words::tr("The kernel's name in the archive"), 240, false},
            {Words::tr("Speed-up"), Words::tr("Over PyTorch native, archived"), 84, true, true},
            {Words::tr("Over compile"), Words::tr("Over torch.compile, archived"), 92, true, true},
            {Words::tr("Time (ms)"), Words::tr("Archived"), 80},
            {Words::tr("Archive says"), Words::tr("Correct or not, as published, and where it failed"), 110, false},
            {Words::tr("Verified"), Words::tr("Our verdict on the archived text"), 110, false}};
}

/// A row of the table of errors: a kind, or what is known of kernels without an error.
struct ErrorRow {
    QString name;
    QString word; ///< in the titles of what lies behind
    QString search;
    std::int64_t before = 0;
    std::int64_t after = 0;
    std::function<bool(const KernelTable&, std::uint32_t)> has;
};

std::vector<ErrorRow> errorRows(const statistics::Findings& findings) {
    const auto& before = findings.archived.errors;
    const auto& after = findings.standing.errors;
    std::vector<ErrorRow> rows;
    for (std::size_t kind = 0; kind < before.byKind.size(); ++kind) {
        const auto value = static_cast<archive::ErrorKind>(kind);
        const bool isNone = value == archive::ErrorKind::none;
        const QString word = QLatin1String(archive::errorKindWords[kind].data());
        rows.push_back({isNone ? Words::tr("none: archived as correct") : claimText(KernelTable::Correct::no, value),
                        word, isNone ? QStringLiteral("error:none correct:yes") : QStringLiteral("error:") + word,
                        before.byKind[kind], after.byKind[kind], [value](const KernelTable& table, std::uint32_t row) {
                            return table.errorKind[row] == value && !statistics::isUnknown(table, row);
                        }});
        if (isNone)
            rows.push_back({Words::tr("not known: the archive neither calls it correct nor says how it failed"),
                            Words::tr("not known"), QStringLiteral("error:none -correct:yes -correct:no"),
                            before.unknown, after.unknown, statistics::isUnknown});
    }
    std::erase_if(rows, [](const ErrorRow& row) { return row.before == 0; });
    return rows;
}

} // namespace

FigureTable kernelFigures(const FigureSource& source, const QString& name, const std::vector<std::uint32_t>& rows) {
    FigureTable figures{name, kernelColumns(), {}};
    for (const auto row : rows)
        figures.rows.push_back(kernelRow(source, row));
    return figures;
}

FigureTable rankFigures(const FigureSource& source, int level, int task) {
    FigureTable figures{Words::tr("Ranks of task %1/%2").arg(level).arg(task), kernelColumns(), {}};
    figures.columns.front() = {
        Words::tr("Rank"),
        Words::tr("By archived speed-up over PyTorch native; without the kernels that fail our checks in brackets"), 72,
        true};
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
    return kernelFigures(source, Words::tr("Contradictions"), rows);
}

FigureTable errorFigures(const FigureSource& source) {
    const auto& findings = *source.findings;
    FigureTable figures{
        Words::tr("Errors by kind"),
        {{Words::tr("Where it failed"),
          Words::tr("Read from the archived error text; ran and wrong where there is none"), 280, false},
         {Words::tr("Kernels"), Words::tr("As archived"), 90},
         {Words::tr("Share"), Words::tr("Of all kernels"), 110},
         {Words::tr("Not failing here"), Words::tr("Kernels, without those that fail our checks"), 110},
         {Words::tr("Share"), Words::tr("Of the kernels that do not fail our checks"), 110}},
        {}};
    const double all = double(findings.archived.rows.size()), rest = double(findings.standing.rows.size());
    for (const ErrorRow& error : errorRows(findings)) {
        const auto behind = [&](bool standing) {
            return [source, has = error.has, standing] {
                const auto& from = standing ? source.findings->standing.rows : source.findings->archived.rows;
                std::vector<std::uint32_t> rows;
                for (const auto row : from)
                    if (has(*source.table, row)) rows.push_back(row);
                return rows;
            };
        };
        const auto share = [](std::int64_t part, double whole) {
            FigureCell cell = textCell(percentText(whole > 0 ? double(part) / whole : NAN));
            if (whole > 0)
                cell.sort = cell.bar = double(part) / whole;
            else
                cell.sort = {};
            return cell;
        };
        FigureRow row;
        row.cells = {textCell(error.name),
                     countCell(error.before,
                               drillTo(source, Words::tr("Errors: %1").arg(error.word), error.search, behind(false))),
                     share(error.before, all),
                     countCell(error.after,
                               drillTo(source, Words::tr("Errors, without those that fail here: %1").arg(error.word),
                                       findings.bothSame() ? std::optional(error.search) : std::nullopt, behind(true))),
                     share(error.after, rest)};
        figures.rows.push_back(std::move(row));
    }
    return figures;
}

FigureTable wordFigures(const FigureSource& source) {
    FigureTable figures{
        Words::tr("Words in names"),
        {{Words::tr("Word"), Words::tr("A part of kernels' names between '_'"), 140, false},
         {Words::tr("Kernels"), Words::tr("Correct kernels with a speed-up over native and the word"), 72},
         {Words::tr("Tasks"), Words::tr("Tasks that these are of"), 60},
         {Words::tr("In its task"),
          Words::tr("Median of the speed-up divided by the median of the task's correct kernels"), 84, true, true},
         {Words::tr("Speed-up"), Words::tr("Median speed-up over PyTorch native (archived)"), 84, true, true},
         {Words::tr("Not failing here"), Words::tr("\"In its task\", without the kernels that fail our checks"), 104,
          true, true}},
        {}};
    QHash<QString, double> rest;
    for (const auto& word : source.findings->standing.words)
        rest.insert(QString::fromStdString(word.word), word.medianRelative);
    for (const auto& word : source.findings->archived.words) {
        const QString text = QString::fromStdString(word.word);
        // A search cannot leave out kernels whose task has no median: there are none among correct ones over 0.
        const auto drill =
            drillTo(source, Words::tr("Word: %1").arg(text), QStringLiteral("word:%1 correct:yes speedup>=0").arg(text),
                    [source, name = word.word] {
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
