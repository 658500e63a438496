// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/LaboratoryFigures.h"

#include "core/hgemm/laboratory/ShapeClass.h"
#include "ui/hgemm/HgemmFigures.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <cmath>

namespace kernelarium::ui {

namespace {

FigureCell none() {
    return {QStringLiteral("–"), {}, {}, {}, Tone::muted};
}

FigureCell secondsCell(const std::optional<double>& seconds) {
    return seconds ? FigureCell{secondsText(*seconds, 4), *seconds, {}, {}, Tone::plain} : none();
}

FigureCell ratioCell(const std::optional<double>& ratio) {
    return ratio ? FigureCell{hgemmRatio(*ratio), *ratio, {}, {}, Tone::plain} : none();
}

FigureCell joulesCell(const std::optional<double>& joules) {
    return joules ? FigureCell{siText(*joules, QStringLiteral("J")), *joules, {}, {}, Tone::plain} : none();
}

QString kernelText(const LaboratoryEntry& e) {
    if (!e.trouble.isEmpty()) return e.trouble;
    if (e.fellBack) return Words::tr("falls back to cuBLASLt");
    return e.configuration ? QString::fromStdString(e.configuration->title()) : QString();
}

QString originText(const LaboratoryEntry& e) {
    return (e.measured ? Words::tr("measured now on %1") : Words::tr("measured earlier on %1")).arg(e.device);
}

QString classText(const hgemm::Shape& shape) {
    const std::string_view name = hgemm::name(hgemm::classOf(shape));
    return QString::fromUtf8(name.data(), qsizetype(name.size()));
}

} // namespace

FigureTable laboratoryFigures(const std::vector<LaboratoryEntry>& entries) {
    FigureTable figures{
        Words::tr("HGEMM laboratory"),
        {{Words::tr("M × N × K"), Words::tr("C[M,N] = A[M,K] · B[K,N]; sorted by size"), 148},
         {Words::tr("Class"), Words::tr("What bounds it, by a rough model"), 104, false},
         {Words::tr("Ours"), Words::tr("Median of a call"), 76},
         {Words::tr("Noise"), Words::tr("Standard error of that median"), 58},
         {Words::tr("Autotuned"), Words::tr("cuBLASLt's fastest algorithm, the better layout"), 82},
         {Words::tr("Heuristic"), Words::tr("cuBLASLt's first choice, the better layout"), 82},
         {Words::tr("cuBLAS"), Words::tr("As cuBLAS chooses, the better layout"), 76},
         {Words::tr("× autotuned"), Words::tr("Its time over ours; 1 where we fall back to it"), 92, true, true},
         {Words::tr("× heuristic"), Words::tr("Its time over ours"), 88, true, true},
         {Words::tr("× cuBLAS"), Words::tr("Its time over ours"), 84, true, true},
         {Words::tr("Energy"), Words::tr("Of a call of ours, by the card's counter"), 76},
         {Words::tr("Energy, autotuned"), Words::tr("Of a call of cuBLASLt's fastest algorithm"), 118},
         {Words::tr("Claimed"), Words::tr("Archived: published kernels over cuBLASLt autotuned, H100, offline"), 76,
          true, true},
         {Words::tr("Kernel"), Words::tr("Of our family"), 280, false},
         {Words::tr("From"), {}, 190, false}},
        {}};
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const LaboratoryEntry& e = entries[i];
        FigureRow row;
        row.key = qint64(i);
        const QString kernel = kernelText(e), from = originText(e);
        row.cells = {{QStringLiteral("%1 × %2 × %3").arg(e.shape.m).arg(e.shape.n).arg(e.shape.k),
                      double(e.shape.m) * double(e.shape.n) * double(e.shape.k),
                      shapeText(e.shape),
                      {},
                      Tone::plain},
                     {classText(e.shape), int(hgemm::classOf(e.shape)), {}, {}, Tone::plain},
                     secondsCell(e.ours),
                     e.noise ? FigureCell{percentText(*e.noise), *e.noise, {}, {}, Tone::plain} : none(),
                     secondsCell(e.autotuned),
                     secondsCell(e.heuristic),
                     secondsCell(e.cublas),
                     ratioCell(e.speedup()),
                     ratioCell(e.over(e.heuristic)),
                     ratioCell(e.over(e.cublas)),
                     joulesCell(e.joules),
                     joulesCell(e.joulesAutotuned),
                     ratioCell(e.claimed),
                     {kernel, kernel, kernel, {}, e.trouble.isEmpty() ? Tone::plain : Tone::wrong},
                     {from, from, from, {}, e.measured ? Tone::plain : Tone::muted}};
        figures.rows.push_back(std::move(row));
    }
    return figures;
}

QString laboratorySentence(const std::vector<LaboratoryEntry>& entries, hgemm::Mode mode) {
    int shapes = 0, fallen = 0, faster = 0;
    double logarithms = 0;
    for (const LaboratoryEntry& e : entries)
        if (const auto speedup = e.speedup()) {
            ++shapes;
            fallen += e.fellBack ? 1 : 0;
            faster += *speedup > 1 ? 1 : 0;
            logarithms += std::log(*speedup);
        }
    if (shapes == 0) return Words::tr("%1: nothing was measured").arg(modeText(mode));
    return Words::tr("%1: ours over cuBLASLt autotuned %2 in the geometric mean of %3 shapes; %4 faster, %5 fall back "
                     "and count as 1")
        .arg(modeText(mode), hgemmRatio(std::exp(logarithms / shapes)), wholeText(shapes), wholeText(faster),
             wholeText(fallen));
}

Record laboratoryRecord(const LaboratoryEntry& e) {
    Record record;
    record.title = shapeText(e.shape);
    const auto add = [&](const QString& what, const std::optional<double>& seconds) {
        if (seconds) record.rows << qMakePair(what, secondsText(*seconds, 4));
    };
    add(Words::tr("Ours"), e.ours);
    add(Words::tr("cuBLASLt autotuned"), e.autotuned);
    add(Words::tr("cuBLASLt heuristic"), e.heuristic);
    add(Words::tr("cuBLAS"), e.cublas);
    if (const auto speedup = e.speedup()) record.rows << qMakePair(Words::tr("Over autotuned"), hgemmRatio(*speedup));
    if (e.claimed) record.rows << qMakePair(Words::tr("Claimed, archived"), hgemmRatio(*e.claimed));
    if (e.joules) record.rows << qMakePair(Words::tr("Energy of a call"), siText(*e.joules, QStringLiteral("J")));
    record.rows << qMakePair(Words::tr("Class"), classText(e.shape));
    record.explanation = kernelText(e) + QLatin1Char('\n') + originText(e);
    return record;
}

} // namespace kernelarium::ui
