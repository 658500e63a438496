// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict/VerdictGroups.h"

#include "core/verify/Explanation.h"
#include "ui/archive/Words.h"
#include "ui/workspace/Workspace.h"

#include <QCoreApplication>
#include <QDateTime>
#include <QHash>
#include <QLocale>

namespace kernelarium::ui {

namespace {

using Group = EvidenceGroup;
using Row = EvidenceRow;
using verify::CheckState;
using verify::Verdict;

QString tr(const char* text) {
    return QCoreApplication::translate("Verdict", text);
}
QString qt(const std::string& text) {
    return QString::fromStdString(text);
}

QString triple(const std::array<std::uint32_t, 3>& t) {
    return QStringLiteral("(%1, %2, %3)").arg(t[0]).arg(t[1]).arg(t[2]);
}

/// Who wrote the first wrong element, for its row.
QString writerText(const verify::WriterInfo& w) {
    using Kind = verify::WriterInfo::Kind;
    if (w.kind == Kind::never) return tr("never written");
    const QString line = w.line > 0 ? tr(", line %1").arg(w.line) : QString();
    if (w.kind == Kind::call) return tr("last written by %1%2").arg(qt(w.call), line);
    return tr("last written by %1, block %2, thread %3%4").arg(qt(w.kernel), triple(w.block), triple(w.thread), line);
}

Group figures(const Verdict& v) {
    Group group{tr("Comparison"), v.reference.empty() ? QString() : tr("against %1").arg(qt(v.reference)), {}};
    if (v.firstMismatch) {
        const auto& m = *v.firstMismatch;
        QString detail = tr("expected %1, got %2").arg(m.expected, 0, 'g', 9).arg(m.got, 0, 'g', 9);
        if (v.lastWriter) detail += QStringLiteral("; ") + writerText(*v.lastWriter);
        group.rows.push_back({tr("First wrong element"),
                              tr("output %1 %2").arg(m.output).arg(qt(tensor::toString(m.index))), detail,
                              QStringLiteral("wrong"), &Palette::wrong, v.lastWriter ? v.lastWriter->line : 0});
    }
    if (v.mismatchShare)
        group.rows.push_back({tr("Wrong elements"), QStringLiteral("%1 %").arg(100 * *v.mismatchShare, 0, 'g', 4),
                              tr("beyond the tolerance of %1").arg(v.tolerance.legacy)});
    if (v.maxRelativeError)
        group.rows.push_back({tr("Largest relative error"), errorText(*v.maxRelativeError),
                              tr("relative to the larger of |expected| and the reference's RMS; strict tolerance %1")
                                  .arg(v.tolerance.strict)});
    if (v.maxAbsoluteError) group.rows.push_back({tr("Largest absolute error"), errorText(*v.maxAbsoluteError), {}});
    if (v.rmsError && v.referenceRms)
        group.rows.push_back({tr("RMS error"), errorText(*v.rmsError),
                              tr("of a reference whose RMS is %1").arg(*v.referenceRms, 0, 'g', 4)});
    return group;
}

Row checkRow(const verify::CheckReport& check) {
    Row row{checkTitle(check.name), {}, qt(check.detail)};
    switch (check.state) {
    case CheckState::passed:
        row.result = tr("passed");
        row.icon = QStringLiteral("verdict");
        row.colour = &Palette::ok;
        break;
    case CheckState::failed:
        row.result = tr("failed");
        row.icon = QStringLiteral("wrong");
        row.colour = &Palette::wrong;
        break;
    case CheckState::remarked:
        row.result = tr("remark");
        row.icon = QStringLiteral("suspicious");
        row.colour = &Palette::suspicious;
        break;
    case CheckState::skipped:
        row.result = tr("not made");
        row.icon = QStringLiteral("more");
        row.colour = &Palette::muted;
        break;
    }
    if (check.state != CheckState::skipped && check.seconds >= 0.001)
        row.result += QStringLiteral(", ") + secondsText(check.seconds);
    row.about = qt(std::string(verify::explanationOf(check.name)));
    if (check.runs > 0)
        row.about += check.runs == 1 ? tr(" It took one run of the kernel.")
                                     : tr(" It took %1 runs of the kernel.").arg(check.runs);
    return row;
}

Group checks(const Verdict& v) {
    Group group{tr("Checks"), {}, {}};
    int passed = 0;
    for (const auto& check : v.checks) {
        group.rows.push_back(checkRow(check));
        passed += check.state == CheckState::passed ? 1 : 0;
    }
    group.summary = tr("%1 of %2 passed").arg(passed).arg(v.checks.size());
    return group;
}

Group faults(const Verdict& v) {
    Group group{tr("Faults"), {}, {}};
    for (std::size_t number = 0; number < v.faults.size(); ++number) {
        const auto& f = v.faults[number];
        const QString where =
            tr("block %1 thread %2%3")
                .arg(triple(f.block), triple(f.thread), f.kernel.empty() ? QString() : tr(" of %1").arg(qt(f.kernel)));
        group.rows.push_back(
            {QString::fromStdString(f.kind).replace(QLatin1Char('_'), QLatin1Char(' ')),
             f.line > 0 ? tr("line %1, %2 times").arg(f.line).arg(f.count) : tr("%1 times").arg(f.count),
             qt(f.message) + QLatin1Char('\n') + where,
             QStringLiteral("suspicious"),
             &Palette::wrong,
             f.line,
             {},
             int(number)});
        if (!f.other) continue;
        group.rows.push_back(
            {tr("  against"),
             f.other->line > 0 ? tr("line %1").arg(f.other->line) : QString(),
             tr("the earlier access: block %1 thread %2").arg(triple(f.other->block), triple(f.other->thread)),
             {},
             nullptr,
             f.other->line});
    }
    return group;
}

Group launches(const Verdict& v) {
    constexpr std::size_t most = 200;
    Group group{tr("Launches"), tr("%1 of the first run").arg(v.launches.size()), {}};
    for (std::size_t i = 0; i < v.launches.size() && i < most; ++i) {
        const auto& l = v.launches[i];
        QString result = tr("grid %1 block %2").arg(triple(l.grid), triple(l.block));
        QString detail = tr("%1 thread instructions").arg(countText(double(l.threadInstructions)));
        if (l.dynamicSharedBytes) detail += tr(", %1 dynamic shared memory").arg(bytesText(l.dynamicSharedBytes));
        detail += tr(", %1 in the emulator").arg(secondsText(l.seconds));
        group.rows.push_back({qt(l.kernel), result, detail});
    }
    if (!v.libraryCalls.empty()) {
        QStringList calls;
        for (const auto& call : v.libraryCalls)
            calls << qt(call);
        group.rows.push_back(
            {tr("Library calls"), QString::number(v.libraryCalls.size()), calls.join(QStringLiteral(", "))});
    }
    return group;
}

Group notes(const Verdict& v) {
    Group group{tr("How it was run"), {}, {}};
    group.rows.push_back(
        {tr("Backend"), qt(v.backend),
         tr("%1 size, seed %2%3").arg(qt(v.size)).arg(v.seed).arg(v.fastMath ? tr(", fast math") : QString())});
    for (const auto& note : v.notes)
        group.rows.push_back({tr("Note"), {}, qt(note)});
    QStringList times;
    for (const auto& [stage, seconds] : v.seconds)
        times << QStringLiteral("%1 %2").arg(qt(stage), secondsText(seconds));
    if (!times.isEmpty()) group.rows.push_back({tr("Time"), {}, times.join(QStringLiteral(", "))});
    if (!v.printed.empty()) group.rows.push_back({tr("Printed"), {}, qt(v.printed)});
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
    static const QHash<QString, const char*> titles = {
        {QStringLiteral("finishes"), QT_TR_NOOP("Comes to its end")},
        {QStringLiteral("output_written"), QT_TR_NOOP("Every output written")},
        {QStringLiteral("values"), QT_TR_NOOP("Values as the reference's")},
        {QStringLiteral("inputs_unchanged"), QT_TR_NOOP("Inputs left alone")},
        {QStringLiteral("guard_bands"), QT_TR_NOOP("No write beyond allocations")},
        {QStringLiteral("memory_faults"), QT_TR_NOOP("No memory fault")},
        {QStringLiteral("library_calls"), QT_TR_NOOP("Kernels of its own")},
        {QStringLiteral("trivial_answers"), QT_TR_NOOP("No constant answer")},
        {QStringLiteral("precision"), QT_TR_NOOP("Full precision")},
        {QStringLiteral("second_seed"), QT_TR_NOOP("Right with other inputs")},
        {QStringLiteral("poison_influence"), QT_TR_NOOP("Old memory has no say")},
        {QStringLiteral("perturbation"), QT_TR_NOOP("Every input counts")},
        {QStringLiteral("other_shape"), QT_TR_NOOP("Right at an odd size")},
        {QStringLiteral("cached_result"), QT_TR_NOOP("No result kept from before")},
        {QStringLiteral("idle_kernels"), QT_TR_NOOP("Kernels do the work")},
        {QStringLiteral("side_streams"), QT_TR_NOOP("No work left on side streams")},
        {QStringLiteral("stream_order"), QT_TR_NOOP("Streams are in order")},
        {QStringLiteral("races"), QT_TR_NOOP("No race that matters")},
        {QStringLiteral("stronger_inputs"), QT_TR_NOOP("Right where it shows")},
        {QStringLiteral("uneven_inputs"), QT_TR_NOOP("Right with uneven inputs")},
        {QStringLiteral("physical_floor"), QT_TR_NOOP("Claimed time is possible")},
    };
    const auto found = titles.find(qt(name));
    return found == titles.end() ? qt(name).replace(QLatin1Char('_'), QLatin1Char(' ')) : tr(*found);
}

QString reasonText(const std::string& reason) {
    return qt(reason).replace(QLatin1Char('_'), QLatin1Char(' '));
}

QString verdictTitle(const Verdict& verdict) {
    if (verdict.kind == verify::VerdictKind::compile_error && verdict.stage == "import") return tr("cannot be loaded");
    if (verdict.kind == verify::VerdictKind::compile_error && verdict.stage == "launch")
        return tr("cannot be launched");
    const std::string_view name = verify::name(verdict.kind);
    return verdictWord(QString::fromUtf8(name.data(), qsizetype(name.size()))).section(QLatin1Char(' '), 1);
}

QString earlierText(const EarlierVerdict& earlier) {
    const QString when =
        QLocale().toString(QDateTime::fromMSecsSinceEpoch(earlier.timeMs), QStringLiteral("d MMM yyyy, hh:mm"));
    const QString text = tr("%1 earlier, on %2").arg(verdictWord(earlier.kind), when);
    return earlier.stale ? text + tr(" (stale: by another version or other settings)") : text;
}

} // namespace kernelarium::ui
