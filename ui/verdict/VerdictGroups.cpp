// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict/VerdictGroups.h"

#include "core/verify/BothSizes.h"
#include "core/verify/Explanation.h"
#include "ui/words/Quantities.h"
#include "ui/words/VerdictWords.h"
#include "ui/words/Words.h"
#include "ui/workspace/Workspace.h"

#include <QDateTime>
#include <QHash>
#include <QLocale>

namespace kernelarium::ui {

namespace {

using Group = EvidenceGroup;
using Row = EvidenceRow;
using verify::CheckState;
using verify::Verdict;

QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

QString triple(const std::array<std::uint32_t, 3>& t) {
    return QStringLiteral("(%1, %2, %3)").arg(t[0]).arg(t[1]).arg(t[2]);
}

/// Who wrote the first wrong element, for its row.
QString writerText(const verify::WriterInfo& w) {
    using Kind = verify::WriterInfo::Kind;
    if (w.kind == Kind::never) return Words::tr("never written");
    const QString line = w.line > 0 ? Words::tr(", line %1").arg(w.line) : QString();
    if (w.kind == Kind::call) return Words::tr("last written by %1%2").arg(qt(w.call), line);
    return Words::tr("last written by %1, block %2, thread %3%4")
        .arg(qt(w.kernel), triple(w.block), triple(w.thread), line);
}

Group figures(const Verdict& v) {
    Group group{
        Words::tr("Comparison"), v.reference.empty() ? QString() : Words::tr("against %1").arg(qt(v.reference)), {}};
    if (v.firstMismatch) {
        const auto& m = *v.firstMismatch;
        QString detail = Words::tr("expected %1, got %2").arg(numberText(m.expected, 9), numberText(m.got, 9));
        if (v.lastWriter) detail += QStringLiteral("; ") + writerText(*v.lastWriter);
        group.rows.push_back({Words::tr("First wrong element"),
                              Words::tr("output %1 %2").arg(m.output).arg(qt(tensor::toString(m.index))), detail,
                              QStringLiteral("wrong"), &Palette::wrong, v.lastWriter ? v.lastWriter->line : 0});
    }
    if (v.mismatchShare)
        group.rows.push_back({Words::tr("Wrong elements"), percentText(*v.mismatchShare),
                              Words::tr("beyond the tolerance of %1").arg(v.tolerance.legacy)});
    if (v.maxRelativeError)
        group.rows.push_back(
            {Words::tr("Largest relative error"), numberText(*v.maxRelativeError),
             Words::tr("relative to the larger of |expected| and the reference's RMS; strict tolerance %1")
                 .arg(v.tolerance.strict)});
    if (v.maxAbsoluteError)
        group.rows.push_back({Words::tr("Largest absolute error"), numberText(*v.maxAbsoluteError), {}});
    if (v.rmsError && v.referenceRms)
        group.rows.push_back({Words::tr("RMS error"), numberText(*v.rmsError),
                              Words::tr("of a reference whose RMS is %1").arg(numberText(*v.referenceRms, 4))});
    return group;
}

Row checkRow(const Verdict& v, const verify::CheckReport& check) {
    Row row{checkTitle(check.name), {}, qt(check.detail)};
    const bool isUndecided = verify::leftOpen(v, check);
    switch (check.state) {
    case CheckState::passed:
        row.result = Words::tr("passed");
        row.icon = QStringLiteral("verdict");
        row.colour = &Palette::ok;
        break;
    case CheckState::failed:
        row.result = isUndecided ? Words::tr("undecided") : Words::tr("failed");
        row.icon = isUndecided ? verdictIcon(QStringLiteral("unverifiable")) : QStringLiteral("wrong");
        row.colour = isUndecided ? &Palette::muted : &Palette::wrong;
        break;
    case CheckState::remarked:
        row.result = Words::tr("remark");
        row.icon = QStringLiteral("suspicious");
        row.colour = &Palette::suspicious;
        break;
    case CheckState::skipped:
        row.result = Words::tr("not run");
        row.icon = QStringLiteral("more");
        row.colour = &Palette::muted;
        break;
    }
    if (check.state != CheckState::skipped && check.seconds >= 0.001)
        row.result += QStringLiteral(", ") + secondsText(check.seconds);
    row.about = qt(std::string(verify::explanationOf(check.name)));
    if (check.runs > 0)
        row.about += check.runs == 1 ? Words::tr(" It took one run of the kernel.")
                                     : Words::tr(" It took %1 runs of the kernel.").arg(check.runs);
    return row;
}

Group checks(const Verdict& v) {
    Group group{Words::tr("Checks"), {}, {}};
    int passed = 0;
    for (const auto& check : v.checks) {
        group.rows.push_back(checkRow(v, check));
        passed += check.state == CheckState::passed ? 1 : 0;
    }
    group.summary = Words::tr("%1 of %2 passed").arg(passed).arg(v.checks.size());
    return group;
}

Group faults(const Verdict& v) {
    Group group{Words::tr("Faults"), {}, {}};
    for (std::size_t number = 0; number < v.faults.size(); ++number) {
        const auto& f = v.faults[number];
        const QString where = Words::tr("block %1 thread %2%3")
                                  .arg(triple(f.block), triple(f.thread),
                                       f.kernel.empty() ? QString() : Words::tr(" of %1").arg(qt(f.kernel)));
        group.rows.push_back(
            {QString::fromStdString(f.kind).replace(QLatin1Char('_'), QLatin1Char(' ')),
             f.line > 0 ? Words::tr("line %1, %2 times").arg(f.line).arg(f.count) : Words::tr("%1 times").arg(f.count),
             qt(f.message) + QLatin1Char('\n') + where,
             QStringLiteral("suspicious"),
             &Palette::wrong,
             f.line,
             {},
             int(number)});
        if (!f.other) continue;
        group.rows.push_back(
            {Words::tr("  against"),
             f.other->line > 0 ? Words::tr("line %1").arg(f.other->line) : QString(),
             Words::tr("the earlier access: block %1 thread %2").arg(triple(f.other->block), triple(f.other->thread)),
             {},
             nullptr,
             f.other->line});
    }
    return group;
}

Group launches(const Verdict& v) {
    constexpr std::size_t most = 200;
    Group group{Words::tr("Launches"), Words::tr("%1 of the first run").arg(v.launches.size() + v.unsaid.launches), {}};
    for (std::size_t i = 0; i < v.launches.size() && i < most; ++i) {
        const auto& l = v.launches[i];
        QString result = Words::tr("grid %1 block %2").arg(triple(l.grid), triple(l.block));
        QString detail = Words::tr("%1 thread instructions").arg(siText(double(l.threadInstructions)));
        if (l.dynamicSharedBytes)
            detail += Words::tr(", %1 dynamic shared memory").arg(bytesText(l.dynamicSharedBytes));
        detail += Words::tr(", %1 in the emulator").arg(secondsText(l.seconds));
        group.rows.push_back({qt(l.kernel), result, detail});
    }
    if (!v.libraryCalls.empty()) {
        QStringList calls;
        for (const auto& call : v.libraryCalls)
            calls << qt(call);
        group.rows.push_back(
            {Words::tr("Library calls"), QString::number(v.libraryCalls.size()), calls.join(QStringLiteral(", "))});
    }
    return group;
}

Group notes(const Verdict& v) {
    Group group{Words::tr("How it was run"), {}, {}};
    group.rows.push_back({Words::tr("Backend"), qt(v.backend),
                          Words::tr("%1 size, seed %2%3")
                              .arg(qt(v.size))
                              .arg(v.seed)
                              .arg(v.fastMath ? Words::tr(", fast math") : QString())});
    for (const auto& note : v.notes)
        group.rows.push_back({Words::tr("Note"), {}, qt(note)});
    QStringList times;
    for (const auto& [stage, seconds] : v.seconds)
        times << QStringLiteral("%1 %2").arg(qt(stage), secondsText(seconds));
    if (!times.isEmpty()) group.rows.push_back({Words::tr("Time"), {}, times.join(QStringLiteral(", "))});
    if (!v.printed.empty()) group.rows.push_back({Words::tr("Printed"), {}, qt(v.printed)});
    return group;
}

} // namespace

std::vector<Group> verdictGroups(const Verdict& v) {
    std::vector<Group> groups;
    for (Group group : {faults(v), figures(v), checks(v), launches(v), notes(v)})
        if (!group.rows.empty()) groups.push_back(std::move(group));
    return groups;
}

QString checkTitle(const std::string& name) {
    static const QHash<QString, QString> titles = {
        {QStringLiteral("finishes"), Words::tr("Runs to completion")},
        {QStringLiteral("output_written"), Words::tr("Every output written")},
        {QStringLiteral("values"), Words::tr("Values match the reference")},
        {QStringLiteral("inputs_unchanged"), Words::tr("Inputs unchanged")},
        {QStringLiteral("guard_bands"), Words::tr("No write beyond allocations")},
        {QStringLiteral("memory_faults"), Words::tr("No memory fault")},
        {QStringLiteral("library_calls"), Words::tr("Kernels of its own")},
        {QStringLiteral("trivial_answers"), Words::tr("No constant answer")},
        {QStringLiteral("precision"), Words::tr("Full precision")},
        {QStringLiteral("second_seed"), Words::tr("Right with other inputs")},
        {QStringLiteral("poison_influence"), Words::tr("Old memory has no influence")},
        {QStringLiteral("perturbation"), Words::tr("Every input counts")},
        {QStringLiteral("other_shape"), Words::tr("Right at an odd size")},
        {QStringLiteral("cached_result"), Words::tr("No result kept from before")},
        {QStringLiteral("earlier_results"), Words::tr("Earlier results stay")},
        {QStringLiteral("host_work"), Words::tr("No work on the host")},
        {QStringLiteral("host_reads"), Words::tr("Host waits for copies")},
        {QStringLiteral("idle_kernels"), Words::tr("Kernels do the work")},
        {QStringLiteral("published_size"), Words::tr("Right at the published size")},
        {QStringLiteral("copy_kinds"), Words::tr("Copies say where they go")},
        {QStringLiteral("side_streams"), Words::tr("No work left on side streams")},
        {QStringLiteral("stream_order"), Words::tr("Streams are in order")},
        {QStringLiteral("races"), Words::tr("No race that matters")},
        {QStringLiteral("stronger_inputs"), Words::tr("Right with telling inputs")},
        {QStringLiteral("uneven_inputs"), Words::tr("Right with uneven inputs")},
        {QStringLiteral("physical_floor"), Words::tr("Claimed time is possible")},
    };
    const auto found = titles.find(qt(name));
    return found == titles.end() ? qt(name).replace(QLatin1Char('_'), QLatin1Char(' ')) : *found;
}

QString reasonText(const std::string& reason) {
    return qt(reason).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString verdictTitle(const Verdict& verdict) {
    if (verdict.kind == verify::VerdictKind::compile_error && verdict.stage == "import")
        return Words::tr("cannot be loaded");
    const std::string_view name = verify::name(verdict.kind);
    return verdictWord(QString::fromUtf8(name.data(), qsizetype(name.size())), false, verify::smallSizeOnly(verdict))
        .section(QLatin1Char(' '), 1);
}

QString earlierText(const EarlierVerdict& earlier) {
    const QString when =
        QLocale().toString(QDateTime::fromMSecsSinceEpoch(earlier.timeMs), QStringLiteral("d MMM yyyy, hh:mm"));
    const QString text = Words::tr("%1 earlier, on %2").arg(verdictWord(earlier.kind), when);
    return earlier.stale ? text + Words::tr(" (stale: by another version or other settings)") : text;
}

} // namespace kernelarium::ui
