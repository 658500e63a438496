// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/HgemmFigures.h"

#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <QLocale>
#include <cmath>

namespace kernelarium::ui {

namespace {

constexpr qint64 mostBaselines = 1000;

FigureCell ratioCell(double ratio) {
    if (std::isnan(ratio)) return {QStringLiteral("–"), {}, {}, {}, Tone::muted};
    return {hgemmRatio(ratio), ratio, {}, {}, Tone::plain};
}

FigureCell wordCell(const std::string& text) {
    const QString word = QString::fromStdString(text);
    return {word, word, word, {}, Tone::plain};
}

FigureCell placeCell(const hgemm::Shape& shape, bool there) {
    if (!there) return {QStringLiteral("–"), {}, {}, {}, Tone::muted};
    const QString text = QStringLiteral("%1 × %2 × %3").arg(shape.m).arg(shape.n).arg(shape.k);
    return {text, double(shape.m) * double(shape.n) * double(shape.k), shapeText(shape), {}, Tone::plain};
}

} // namespace

QString hgemmRatio(double ratio) {
    return std::isnan(ratio) ? Words::tr("no value") : QLocale().toString(ratio, 'f', 3) + QStringLiteral("×");
}

QString shapeText(const hgemm::Shape& shape) {
    return QStringLiteral("M %1 · N %2 · K %3").arg(shape.m).arg(shape.n).arg(shape.k);
}

std::pair<int, int> hgemmPlace(qint64 key) {
    return {int(key / mostBaselines), int(key % mostBaselines)};
}

FigureTable hgemmFigures(const HgemmDesk::Results& results) {
    FigureTable figures{
        Words::tr("Means of HGEMM tables"),
        {{Words::tr("Device"), Words::tr("As in the name of the table's file"), 64, false},
         {Words::tr("Precision"), Words::tr("Of the accumulator, A, B and C"), 116, false},
         {Words::tr("Mode"), Words::tr("offline: calls back to back; server: calls that arrive one by one"), 60, false},
         {Words::tr("Over"), Words::tr("The baseline"), 176, false},
         {Words::tr("Shapes"), Words::tr("Shapes with a value"), 60},
         {Words::tr("Geo. mean"), Words::tr("Geometric mean of the speed-ups"), 84, true, true},
         {Words::tr("Median"), {}, 76, true, true},
         {Words::tr("Slower"), Words::tr("Share of shapes with less than 1×"), 66},
         {Words::tr("Worst"), Words::tr("The smallest speed-up"), 72, true, true},
         {Words::tr("at M × N × K"), Words::tr("The first shape with it; sorted by size"), 140},
         {Words::tr("Best"), Words::tr("The largest speed-up"), 72, true, true},
         {Words::tr("at M × N × K"), Words::tr("The first shape with it; sorted by size"), 140}},
        {}};
    for (std::size_t t = 0; t < results.size(); ++t)
        for (std::size_t b = 0; b < results[t].summaries.size(); ++b) {
            const auto& table = results[t].table;
            const auto& s = results[t].summaries[b];
            FigureRow row;
            row.key = qint64(t) * mostBaselines + qint64(b);
            FigureCell slower{percentText(s.shareSlower),
                              std::isnan(s.shareSlower) ? QVariant() : QVariant(s.shareSlower),
                              {},
                              {},
                              Tone::plain,
                              s.shareSlower};
            row.cells = {wordCell(table.device),
                         wordCell(table.precision),
                         wordCell(table.mode),
                         wordCell(s.baseline),
                         {wholeText(std::int64_t(s.shapes)), double(s.shapes), {}, {}, Tone::plain},
                         ratioCell(s.geometricMean),
                         ratioCell(s.median),
                         slower,
                         ratioCell(s.worst),
                         placeCell(s.worstShape, s.shapes > 0),
                         ratioCell(s.best),
                         placeCell(s.bestShape, s.shapes > 0)};
            figures.rows.push_back(std::move(row));
        }
    return figures;
}

QString hgemmSentence(const HgemmResult& result, int baseline) {
    const auto& s = result.summaries[std::size_t(baseline)];
    const QString what = QString::fromStdString(result.table.title());
    if (s.shapes == 0) return Words::tr("%1 over %2: no value").arg(what, QString::fromStdString(s.baseline));
    return Words::tr("%1 over %2: geometric mean %3 of %4 shapes, %5 slower, worst %6 (%7).")
        .arg(what, QString::fromStdString(s.baseline), hgemmRatio(s.geometricMean), wholeText(std::int64_t(s.shapes)),
             percentText(s.shareSlower), hgemmRatio(s.worst), shapeText(s.worstShape));
}

Record hgemmRecord(const HgemmResult& result, const HeatSlices& slices, const hgemm::Shape& shape) {
    Record record;
    record.title = shapeText(shape);
    const int row = slices.rowOf(shape);
    if (row < 0) {
        record.explanation = Words::tr("The table does not have this shape.");
        return record;
    }
    for (std::size_t b = 0; b < result.table.baselines.size(); ++b)
        record.rows << qMakePair(QString::fromStdString(result.table.baselines[b]),
                                 hgemmRatio(result.table.speedups[b][std::size_t(row)]));
    record.explanation =
        Words::tr("Speed-up over each baseline, archived: %1").arg(QString::fromStdString(result.table.title()));
    return record;
}

QString hgemmNumbers(const HgemmResult& result, const HeatSlices& slices, const std::vector<hgemm::Shape>& shapes) {
    QStringList cells{QStringLiteral("M"), QStringLiteral("N"), QStringLiteral("K")};
    for (const auto& name : result.table.baselines)
        cells << QString::fromStdString(name);
    QString text = cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    for (const auto& shape : shapes) {
        const int row = slices.rowOf(shape);
        if (row < 0) continue;
        cells = {QString::number(shape.m), QString::number(shape.n), QString::number(shape.k)};
        for (const auto& column : result.table.speedups) {
            const double value = column[std::size_t(row)];
            cells << (std::isnan(value) ? QString()
                                        : QLocale::c().toString(value, 'g', QLocale::FloatingPointShortest));
        }
        text += cells.join(QLatin1Char('\t')) + QLatin1Char('\n');
    }
    return text;
}

} // namespace kernelarium::ui
