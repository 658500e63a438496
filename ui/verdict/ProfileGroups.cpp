// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/archive/Words.h"
#include "ui/verdict/RunPanels.h"

#include <QCoreApplication>

namespace kernelarium::ui {

namespace {

QString sayProfile(const char* text) {
    return QCoreApplication::translate("Profile", text);
}
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
    return f.line > 0 ? sayProfile("line %1: %2").arg(f.line).arg(kind) : kind;
}

/// What costs time, most first; a click goes to the line.
VerdictModel::Group findingsOfCall(const protocol::ProfileSummary& profile) {
    VerdictModel::Group group{
        sayProfile("What costs time"), sayProfile("modelled gain, were this one thing as it could be"), {}};
    for (const perf::Finding& f : profile.findings) {
        QString detail = textOf(f.what) + QLatin1Char('.');
        if (!f.advice.empty()) detail += QLatin1Char('\n') + textOf(f.advice);
        const QString about =
            f.launches > 1 ? sayProfile("%1, in %2 launches").arg(textOf(f.kernel)).arg(f.launches) : textOf(f.kernel);
        const QString gain =
            f.gainSeconds > 0 ? sayProfile("%1 %, %2").arg(100 * f.gainShare, 0, 'f', 0).arg(secondsText(f.gainSeconds))
                              : QString();
        group.rows.push_back({titleOfFinding(f),
                              gain,
                              detail,
                              {},
                              nullptr,
                              f.line,
                              sayProfile("%1\nconfidence: %2").arg(about, textOf(perf::name(f.confidence)))});
    }
    return group;
}

VerdictModel::Group launchList(const protocol::ProfileSummary& profile) {
    constexpr std::size_t shown = 100;
    VerdictModel::Group group{sayProfile("Launches"),
                              sayProfile("%1, %2 of device memory at most at a time")
                                  .arg(profile.counters.size())
                                  .arg(bytesText(double(profile.peakBytes))),
                              {}};
    for (std::size_t i = 0; i < std::min({shown, profile.counters.size(), profile.time.launches.size()}); ++i) {
        const auto& c = profile.counters[i];
        const auto& t = profile.time.launches[i];
        group.rows.push_back(
            {sayProfile("%1: %2").arg(i + 1).arg(textOf(c.kernel)), secondsText(t.seconds),
             sayProfile("grid %1 block %2, %3 waves, occupancy %4 %, stream %5, %6 registers, %7 of shared memory")
                 .arg(extentOf(c.grid), extentOf(c.block))
                 .arg(t.waves, 0, 'g', 3)
                 .arg(100 * t.occupancy.share, 0, 'f', 0)
                 .arg(c.stream)
                 .arg(c.registers)
                 .arg(bytesText(c.sharedBytes()))});
    }
    if (profile.counters.size() > shown)
        group.rows.push_back({sayProfile("and %1 more").arg(profile.counters.size() - shown), {}, {}});
    return group;
}

VerdictModel::Group timeOf(const protocol::ProfileSummary& profile) {
    VerdictModel::Group group{sayProfile("Modelled time"), sayProfile("what each part would take, were it alone"), {}};
    for (const auto& launch : profile.time.launches) {
        group.rows.push_back({textOf(launch.kernel), secondsText(launch.seconds), textOf(launch.why)});
        for (const auto& term : launch.terms)
            if (term.seconds > 0)
                group.rows.push_back(
                    {QStringLiteral("    ") + textOf(term.name).replace(QLatin1Char('_'), QLatin1Char(' ')),
                     secondsText(term.seconds), term.name == launch.limiter ? sayProfile("limits") : QString()});
        group.rows.push_back({sayProfile("    occupancy"),
                              QStringLiteral("%1 %").arg(100 * launch.occupancy.share, 0, 'f', 0),
                              textOf(launch.occupancy.oneMore)});
    }
    for (const auto& call : profile.libraryCalls)
        group.rows.push_back(
            {textOf(call.name), countText(call.flops) + sayProfile("FLOP"), sayProfile("left to a library")});
    return group;
}

VerdictModel::Group countersOfLaunch(const perf::LaunchCounters& launch) {
    VerdictModel::Group group{textOf(launch.kernel),
                              sayProfile("grid %1 block %2, %3 % of the blocks counted")
                                  .arg(extentOf(launch.grid), extentOf(launch.block))
                                  .arg(100 * launch.sampling.share(), 0, 'g', 3),
                              {}};
    const auto ratio = [&group](const QString& title, const std::optional<double>& value, const QString& detail) {
        if (value) group.rows.push_back({title, QString::number(*value, 'f', 2), detail});
    };
    ratio(sayProfile("Sectors per global request"), perf::sectorsPerRequest(launch.totals),
          perf::idealSectorsPerRequest(launch.totals)
              ? sayProfile("%1 would do").arg(*perf::idealSectorsPerRequest(launch.totals), 0, 'f', 2)
              : QString());
    ratio(sayProfile("Bank conflict degree"), perf::bankConflictDegree(launch.totals),
          sayProfile("1 is without conflicts"));
    ratio(sayProfile("Active lanes"), perf::activeLanes(launch.totals), sayProfile("of 32"));
    for (const perf::Metric& metric : perf::metrics())
        if (const double value = launch.totals.*metric.field; value > 0)
            group.rows.push_back(
                {QString::fromUtf8(metric.title), countText(value), QString::fromUtf8(metric.ncuName)});
    group.rows.push_back({sayProfile("Distinct device memory"), bytesText(launch.uniqueBytes),
                          sayProfile("sectors read or written, each once")});
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
    VerdictModel::Group notes{sayProfile("Notes"), {}, {}};
    for (const auto& note : profile.notes)
        notes.rows.push_back({sayProfile("Note"), {}, textOf(note)});
    if (!notes.rows.empty()) groups.push_back(std::move(notes));
    return groups;
}

} // namespace kernelarium::ui
