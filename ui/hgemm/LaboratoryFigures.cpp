// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/LaboratoryFigures.h"

#include "core/hgemm/laboratory/ShapeClass.h"
#include "ui/hgemm/HgemmFigures.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

#include <algorithm>
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

QString originText(LaboratoryOrigin origin) {
    switch (origin) {
    case LaboratoryOrigin::now: return Words::tr("measured now");
    case LaboratoryOrigin::fresh: return Words::tr("recorded");
    case LaboratoryOrigin::searched: return Words::tr("of the search");
    }
    return {};
}

/// "recorded on an NVIDIA H200 in a process of its own after the search"
QString originSentence(const LaboratoryEntry& e) {
    switch (e.origin) {
    case LaboratoryOrigin::now: return Words::tr("measured now on an %1").arg(e.device);
    case LaboratoryOrigin::fresh:
        return Words::tr("recorded on an %1 in a process of its own after the search").arg(e.device);
    case LaboratoryOrigin::searched: return Words::tr("recorded on an %1: the search's own figures").arg(e.device);
    }
    return {};
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
         {Words::tr("From"), Words::tr("Measured now; recorded in a process of its own; or the search's own figures"),
          96, false},
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
         {Words::tr("Kernel"), Words::tr("Of our family"), 280, false}},
        {}};
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const LaboratoryEntry& e = entries[i];
        FigureRow row;
        row.key = qint64(i);
        const QString kernel = kernelText(e), from = originText(e.origin);
        row.cells = {{QStringLiteral("%1 × %2 × %3").arg(e.shape.m).arg(e.shape.n).arg(e.shape.k),
                      double(e.shape.m) * double(e.shape.n) * double(e.shape.k),
                      shapeText(e.shape),
                      {},
                      Tone::plain},
                     {classText(e.shape), int(hgemm::classOf(e.shape)), {}, {}, Tone::plain},
                     {from, from, originSentence(e), {}, e.origin == LaboratoryOrigin::now ? Tone::plain : Tone::muted},
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
                     {kernel, kernel, kernel, {}, e.trouble.isEmpty() ? Tone::plain : Tone::wrong}};
        figures.rows.push_back(std::move(row));
    }
    return figures;
}

QString laboratorySentence(const std::vector<LaboratoryEntry>& entries, const QString& device, hgemm::Mode mode) {
    const QString where = device.isEmpty() ? modeText(mode) : Words::tr("%1, on an %2").arg(modeText(mode), device);
    int shapes = 0, fallen = 0, faster = 0, slower = 0;
    double logarithms = 0;
    for (const LaboratoryEntry& e : entries)
        if (const auto speedup = e.speedup()) {
            ++shapes;
            fallen += e.fellBack ? 1 : 0;
            faster += *speedup > 1 ? 1 : 0;
            slower += *speedup < 1 ? 1 : 0;
            logarithms += std::log(*speedup);
        }
    if (shapes == 0) return Words::tr("%1: nothing was measured").arg(where);
    return Words::tr("%1: ours over cuBLASLt autotuned %2 in the geometric mean of %3 shapes; %4 faster, %5 slower, "
                     "%6 fall back and count as 1")
        .arg(where, hgemmRatio(std::exp(logarithms / shapes)), wholeText(shapes), wholeText(faster), wholeText(slower),
             wholeText(fallen));
}

QString laboratoryOrigins(const std::vector<LaboratoryEntry>& entries) {
    const std::pair<LaboratoryOrigin, QString> words[] = {
        {LaboratoryOrigin::now, Words::tr("measured now")},
        {LaboratoryOrigin::fresh, Words::tr("recorded in a process of its own after the search")},
        {LaboratoryOrigin::searched, Words::tr("the search's own figures")}};
    QStringList parts;
    for (const auto& [origin, text] : words) {
        const auto count = std::count_if(entries.begin(), entries.end(),
                                         [origin = origin](const LaboratoryEntry& e) { return e.origin == origin; });
        if (std::size_t(count) == entries.size() && count > 0) return text;
        if (count > 0) parts << Words::tr("%1 %2").arg(wholeText(std::int64_t(count)), text);
    }
    return parts.join(QStringLiteral(", "));
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
    record.explanation = kernelText(e) + QLatin1Char('\n') + originSentence(e);
    return record;
}

} // namespace kernelarium::ui
