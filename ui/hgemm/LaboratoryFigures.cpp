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

/// Of what was measured once, and was not kept.
FigureCell notRecorded() {
    const QString text = Words::tr("not recorded");
    return {text, {}, text, {}, Tone::muted};
}

using Time = std::optional<LaboratoryTime>;

FigureCell secondsCell(const Time& time) {
    return time ? FigureCell{secondsText(time->seconds, 4), time->seconds, {}, {}, Tone::plain} : none();
}

FigureCell noiseCell(const Time& time) {
    if (!time) return none();
    return time->noise ? FigureCell{percentText(*time->noise), *time->noise, {}, {}, Tone::plain} : notRecorded();
}

FigureCell joulesCell(const Time& time, LaboratoryOrigin origin) {
    if (!time) return none();
    if (!time->joules) return origin == LaboratoryOrigin::now ? none() : notRecorded();
    return {siText(*time->joules, QStringLiteral("J")), *time->joules, {}, {}, Tone::plain};
}

FigureCell ratioCell(const std::optional<double>& ratio) {
    return ratio ? FigureCell{hgemmRatio(*ratio), *ratio, {}, {}, Tone::plain} : none();
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

FigureTable laboratoryFigures(const std::vector<LaboratoryEntry>& entries, hgemm::Mode mode) {
    const bool energy = std::any_of(entries.begin(), entries.end(), [](const LaboratoryEntry& e) {
        return (e.ours && e.ours->joules) || (e.autotuned && e.autotuned->joules);
    });
    FigureTable figures{
        Words::tr("HGEMM laboratory"),
        {{Words::tr("M × N × K"), Words::tr("C[M,N] = A[M,K] · B[K,N]; sorted by size"), 148},
         {Words::tr("Class"), Words::tr("What bounds it, by a rough model"), 104, false},
         {Words::tr("From"), Words::tr("Measured now; recorded in a process of its own; or the search's own figures"),
          96, false}},
        {}};
    const auto addColumns = [&](const QString& title, const QString& name, const QString& what, const QString& ratio) {
        figures.columns.push_back({title, what, 82});
        figures.columns.push_back({Words::tr("Noise, %1").arg(name), Words::tr("Standard error of that median"), 92});
        if (energy)
            figures.columns.push_back(
                {Words::tr("Energy, %1").arg(name), Words::tr("Of a call, by the card's counter"), 104});
        if (!ratio.isEmpty()) figures.columns.push_back({Words::tr("× %1").arg(name), ratio, 92, true, true});
    };
    const QString over = Words::tr("Its time over ours");
    addColumns(Words::tr("Ours"), Words::tr("ours"), Words::tr("Median of a call"), {});
    addColumns(Words::tr("Autotuned"), Words::tr("autotuned"),
               Words::tr("cuBLASLt's fastest algorithm, the better layout"),
               Words::tr("Its time over ours; 1 where we fall back to it"));
    addColumns(Words::tr("Heuristic"), Words::tr("heuristic"), Words::tr("cuBLASLt's first choice, the better layout"),
               over);
    addColumns(Words::tr("cuBLAS"), Words::tr("cuBLAS"), Words::tr("As cuBLAS chooses, the better layout"), over);
    figures.columns.push_back({Words::tr("Claimed"),
                               Words::tr("Archived: published kernels over cuBLASLt autotuned, H100, offline"), 76,
                               true, true});
    figures.columns.push_back({Words::tr("Kernel"), Words::tr("Of our family"), 280, false});
    figures.columns.push_back({Words::tr("Mode"), Words::tr("Of which clock, and how calls came"), 120, false});
    figures.columns.push_back({Words::tr("Device"), Words::tr("Measured on which"), 170, false});
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const LaboratoryEntry& e = entries[i];
        FigureRow row;
        row.key = qint64(i);
        const QString kernel = kernelText(e), from = originText(e.origin);
        row.cells = {
            {QStringLiteral("%1 × %2 × %3").arg(e.shape.m).arg(e.shape.n).arg(e.shape.k),
             double(e.shape.m) * double(e.shape.n) * double(e.shape.k),
             shapeText(e.shape),
             {},
             Tone::plain},
            {classText(e.shape), int(hgemm::classOf(e.shape)), {}, {}, Tone::plain},
            {from, from, originSentence(e), {}, e.origin == LaboratoryOrigin::now ? Tone::plain : Tone::muted}};
        for (const Time* time : {&e.ours, &e.autotuned, &e.heuristic, &e.cublas}) {
            row.cells.push_back(secondsCell(*time));
            row.cells.push_back(noiseCell(*time));
            if (energy) row.cells.push_back(joulesCell(*time, e.origin));
            if (time != &e.ours) row.cells.push_back(ratioCell(e.over(*time)));
        }
        row.cells.push_back(ratioCell(e.claimed));
        row.cells.push_back({kernel, kernel, kernel, {}, e.trouble.isEmpty() ? Tone::plain : Tone::wrong});
        for (const QString& word : {modeText(mode), e.device})
            row.cells.push_back({word, word, {}, {}, Tone::muted});
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
    const auto add = [&](const QString& what, const Time& time) {
        if (!time) return;
        QString text = secondsText(time->seconds, 4);
        if (time->noise) text += QStringLiteral(" ± ") + percentText(*time->noise);
        if (time->joules) text += QStringLiteral(", ") + siText(*time->joules, QStringLiteral("J"));
        record.rows << qMakePair(what, text);
    };
    add(Words::tr("Ours"), e.ours);
    add(Words::tr("cuBLASLt autotuned"), e.autotuned);
    add(Words::tr("cuBLASLt heuristic"), e.heuristic);
    add(Words::tr("cuBLAS"), e.cublas);
    if (const auto speedup = e.speedup()) record.rows << qMakePair(Words::tr("Over autotuned"), hgemmRatio(*speedup));
    if (e.claimed) record.rows << qMakePair(Words::tr("Claimed, archived"), hgemmRatio(*e.claimed));
    record.rows << qMakePair(Words::tr("Class"), classText(e.shape));
    record.explanation = kernelText(e) + QLatin1Char('\n') + originSentence(e);
    return record;
}

} // namespace kernelarium::ui
