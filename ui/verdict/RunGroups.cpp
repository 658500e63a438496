// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict/RunPanels.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

namespace kernelarium::ui {

namespace {

using Group = VerdictModel::Group;

QString fromUtf8(const std::string& text) {
    return QString::fromStdString(text);
}

QString threeOf(const std::array<std::uint32_t, 3>& t) {
    return QStringLiteral("(%1, %2, %3)").arg(t[0]).arg(t[1]).arg(t[2]);
}

QString figure(double value) {
    return numberText(value, 7);
}

Group outputsOf(const protocol::RunSummary& run) {
    Group group{Words::tr("Outputs"), {}, {}};
    for (std::size_t i = 0; i < run.outputs.size(); ++i) {
        const auto& t = run.outputs[i];
        QStringList first;
        for (const double value : t.first)
            first << figure(value);
        group.rows.push_back({Words::tr("output %1").arg(i),
                              fromUtf8(t.dtype) + QLatin1Char(' ') + fromUtf8(tensor::toString(t.shape)),
                              Words::tr("%1 to %2, mean %3, RMS %4; first %5")
                                  .arg(figure(t.smallest), figure(t.largest), figure(t.mean), figure(t.rms),
                                       first.join(QStringLiteral(", ")))});
        if (t.nans > 0 || t.infinities > 0)
            group.rows.push_back({Words::tr("not finite"),
                                  Words::tr("%1 NaN, %2 infinite").arg(t.nans).arg(t.infinities),
                                  {},
                                  QStringLiteral("suspicious"),
                                  &Palette::suspicious});
        if (i < run.firstUnwritten.size() && run.firstUnwritten[i])
            group.rows.push_back({Words::tr("never written"), Words::tr("element %1").arg(*run.firstUnwritten[i]),
                                  Words::tr("and maybe more"), QStringLiteral("wrong"), &Palette::wrong});
    }
    return group;
}

Group faultsOf(const protocol::RunSummary& run) {
    Group group{Words::tr("Faults"), {}, {}};
    for (const auto& f : run.faults)
        group.rows.push_back(
            {fromUtf8(f.kind).replace(QLatin1Char('_'), QLatin1Char(' ')),
             f.line > 0 ? Words::tr("line %1, %2 times").arg(f.line).arg(f.count) : Words::tr("%1 times").arg(f.count),
             fromUtf8(f.message), QStringLiteral("suspicious"), &Palette::wrong, f.line});
    for (const auto& violation : run.guardViolations)
        group.rows.push_back(
            {Words::tr("guard band"), {}, fromUtf8(violation), QStringLiteral("wrong"), &Palette::wrong});
    return group;
}

Group launchesOf(const protocol::RunSummary& run) {
    Group group{Words::tr("Launches"), {}, {}};
    for (const auto& l : run.launches)
        group.rows.push_back({fromUtf8(l.kernel), Words::tr("grid %1 block %2").arg(threeOf(l.grid), threeOf(l.block)),
                              Words::tr("%1 thread instructions, %2 in the emulator")
                                  .arg(siText(double(l.threadInstructions)), secondsText(l.seconds))});
    return group;
}

} // namespace

std::vector<Group> runGroups(const protocol::RunSummary& run) {
    std::vector<Group> groups;
    for (Group group : {faultsOf(run), outputsOf(run), launchesOf(run)})
        if (!group.rows.empty()) groups.push_back(std::move(group));
    Group how{Words::tr("How it was run"), {}, {}};
    how.rows.push_back(
        {Words::tr("Backend"), fromUtf8(run.backend),
         run.exitCode ? Words::tr("%1, %2 of memory").arg(secondsText(run.seconds), bytesText(double(run.peakBytes)))
                      : Words::tr("%1 size, seed %2, %3, %4 of memory")
                            .arg(fromUtf8(run.size))
                            .arg(run.seed)
                            .arg(secondsText(run.seconds), bytesText(double(run.peakBytes)))});
    if (!run.printed.empty()) how.rows.push_back({Words::tr("Printed"), {}, fromUtf8(run.printed)});
    groups.push_back(std::move(how));
    return groups;
}

} // namespace kernelarium::ui
