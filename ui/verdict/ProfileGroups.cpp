// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/verdict/RunPanels.h"
#include "ui/words/Quantities.h"
#include "ui/words/Words.h"

namespace kernelarium::ui {

namespace {

QString textOf(const std::string& text) {
    return QString::fromStdString(text);
}
QString textOf(std::string_view text) {
    return QString::fromUtf8(text.data(), qsizetype(text.size()));
}

QString extentOf(const std::array<std::uint32_t, 3>& t) {
    return QStringLiteral("(%1, %2, %3)").arg(t[0]).arg(t[1]).arg(t[2]);
}

QString titleOfFinding(const perf::Finding& f) {
    const QString kind = textOf(perf::name(f.kind)).replace(QLatin1Char('_'), QLatin1Char(' '));
    return f.line > 0 ? Words::tr("line %1: %2").arg(f.line).arg(kind) : kind;
}

/// What costs time, most first; a click goes to the line.
VerdictModel::Group findingsOfCall(const protocol::ProfileSummary& profile) {
    VerdictModel::Group group{Words::tr("What costs time"), Words::tr("modelled gain of fixing this one thing"), {}};
    for (const perf::Finding& f : profile.findings) {
        QString detail = textOf(f.what) + QLatin1Char('.');
        if (!f.advice.empty()) detail += QLatin1Char('\n') + textOf(f.advice);
        const QString about =
            f.launches > 1 ? Words::tr("%1, in %2 launches").arg(textOf(f.kernel)).arg(f.launches) : textOf(f.kernel);
        const QString gain = f.gainSeconds > 0
                                 ? Words::tr("%1, %2").arg(percentText(f.gainShare), secondsText(f.gainSeconds))
                                 : QString();
        group.rows.push_back({titleOfFinding(f),
                              gain,
                              detail,
                              {},
                              nullptr,
                              f.line,
                              Words::tr("%1\nconfidence: %2").arg(about, textOf(perf::name(f.confidence)))});
    }
    return group;
}

VerdictModel::Group launchList(const protocol::ProfileSummary& profile) {
    constexpr std::size_t shown = 100;
    VerdictModel::Group group{Words::tr("Launches"),
                              Words::tr("%1, at most %2 of device memory")
                                  .arg(profile.counters.size())
                                  .arg(bytesText(double(profile.peakBytes))),
                              {}};
    for (std::size_t i = 0; i < std::min({shown, profile.counters.size(), profile.time.launches.size()}); ++i) {
        const auto& c = profile.counters[i];
        const auto& t = profile.time.launches[i];
        group.rows.push_back(
            {Words::tr("%1: %2").arg(i + 1).arg(textOf(c.kernel)), secondsText(t.seconds),
             Words::tr("grid %1 block %2, %3 waves, occupancy %4, stream %5, %6 registers, %7 of shared memory")
                 .arg(extentOf(c.grid), extentOf(c.block), numberText(t.waves), percentText(t.occupancy.share))
                 .arg(c.stream)
                 .arg(c.registers)
                 .arg(bytesText(c.sharedBytes()))});
    }
    if (profile.counters.size() > shown)
        group.rows.push_back({Words::tr("and %1 more").arg(profile.counters.size() - shown), {}, {}});
    return group;
}

VerdictModel::Group timeOf(const protocol::ProfileSummary& profile) {
    VerdictModel::Group group{Words::tr("Modelled time"), Words::tr("what each part would take alone"), {}};
    for (const auto& launch : profile.time.launches) {
        group.rows.push_back({textOf(launch.kernel), secondsText(launch.seconds), textOf(launch.why)});
        for (const auto& term : launch.terms)
            if (term.seconds > 0)
                group.rows.push_back(
                    {QStringLiteral("    ") + textOf(term.name).replace(QLatin1Char('_'), QLatin1Char(' ')),
                     secondsText(term.seconds), term.name == launch.limiter ? Words::tr("limits") : QString()});
        group.rows.push_back(
            {Words::tr("    occupancy"), percentText(launch.occupancy.share), textOf(launch.occupancy.oneMore)});
    }
    for (const auto& call : profile.libraryCalls)
        group.rows.push_back(
            {textOf(call.name), siText(call.flops, QStringLiteral("FLOP")), Words::tr("left to a library")});
    return group;
}

VerdictModel::Group countersOfLaunch(const perf::LaunchCounters& launch) {
    VerdictModel::Group group{
        textOf(launch.kernel),
        Words::tr("grid %1 block %2, %3 of the blocks counted")
            .arg(extentOf(launch.grid), extentOf(launch.block), percentText(launch.sampling.share())),
        {}};
    const auto ratio = [&group](const QString& title, const std::optional<double>& value, const QString& detail) {
        if (value) group.rows.push_back({title, numberText(*value), detail});
    };
    ratio(Words::tr("Sectors per global request"), perf::sectorsPerRequest(launch.totals),
          perf::idealSectorsPerRequest(launch.totals)
              ? Words::tr("%1 needed").arg(numberText(*perf::idealSectorsPerRequest(launch.totals)))
              : QString());
    ratio(Words::tr("Bank conflict degree"), perf::bankConflictDegree(launch.totals),
          Words::tr("1 is without conflicts"));
    ratio(Words::tr("Active lanes"), perf::activeLanes(launch.totals), Words::tr("of 32"));
    for (const perf::Metric& metric : perf::metrics())
        if (const double value = launch.totals.*metric.field; value > 0)
            group.rows.push_back({QString::fromUtf8(metric.title), siText(value), QString::fromUtf8(metric.ncuName)});
    group.rows.push_back({Words::tr("Distinct device memory"), bytesText(launch.uniqueBytes),
                          Words::tr("sectors read or written, each once")});
    if (launch.bytesInFlight > 0)
        group.rows.push_back({Words::tr("Bytes of asynchronous copies in flight"), bytesText(launch.bytesInFlight),
                              textOf(perf::copiesInFlightText(launch))});
    return group;
}

} // namespace

std::vector<VerdictModel::Group> profileGroups(const protocol::ProfileSummary& profile) {
    std::vector<VerdictModel::Group> groups;
    if (!profile.findings.empty()) groups.push_back(findingsOfCall(profile));
    groups.push_back(timeOf(profile));
    groups.push_back(launchList(profile));
    for (const auto& launch : profile.counters)
        if (groups.size() < 40) groups.push_back(countersOfLaunch(launch));
    VerdictModel::Group notes{Words::tr("Notes"), {}, {}};
    for (const auto& note : profile.notes)
        notes.rows.push_back({Words::tr("Note"), {}, textOf(note)});
    if (!notes.rows.empty()) groups.push_back(std::move(notes));
    return groups;
}

} // namespace kernelarium::ui
