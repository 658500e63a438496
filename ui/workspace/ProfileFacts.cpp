// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/workspace/ProfileFacts.h"

#include "core/perf/DeviceSpec.h"

#include <QCoreApplication>
#include <algorithm>
#include <nlohmann/json.hpp>

namespace kernelarium::ui {

namespace {

QString tr(const char* text) { return QCoreApplication::translate("Heat", text); }

QString tipOf(const perf::LineCounters& line, double share) {
    QString tip = tr("line %1: %2 % of the instructions issued").arg(line.line).arg(100 * share, 0, 'f', 1);
    if (const auto active = perf::activeLanes(line)) tip += tr("\n%1 of 32 lanes active").arg(*active, 0, 'f', 1);
    if (const auto sectors = perf::sectorsPerRequest(line)) {
        tip += tr("\n%1 sectors per request to global memory").arg(*sectors, 0, 'f', 1);
        if (const auto ideal = perf::idealSectorsPerRequest(line)) tip += tr(" (%1 would do)").arg(*ideal, 0, 'f', 1);
    }
    if (const auto degree = perf::bankConflictDegree(line); degree && *degree > 1.01)
        tip += tr("\nshared memory takes %1 times as long as without bank conflicts").arg(*degree, 0, 'f', 1);
    return tip + tr("\n(counted by the emulator)");
}

} // namespace

session::Timing timingOf(const worker::ProfileSummary& profile, const QString& device) {
    session::Timing timing;
    timing.origin = session::Timing::Origin::modelled;
    timing.milliseconds = profile.time.seconds * 1e3;
    const perf::DeviceSpec* spec = perf::findDeviceSpec(device.toStdString());
    timing.device = spec ? spec->name : device.toStdString();
    timing.size = profile.size;
    timing.flops = perf::totalFlops(perf::mergedTotals(profile.counters));
    for (const auto& launch : profile.time.launches)
        timing.bytes += launch.deviceMemoryBytes;
    for (const auto& call : profile.libraryCalls) {
        timing.flops += call.flops;
        timing.bytes += call.bytes;
    }
    timing.byteSource = "emulator sectors";
    timing.detailJson = perf::toJson(profile.time).dump();
    return timing;
}

std::string countersJsonOf(const worker::ProfileSummary& profile) {
    nlohmann::json launches = nlohmann::json::array();
    for (const auto& launch : profile.counters)
        launches.push_back(perf::toJson(launch));
    return nlohmann::json{{"size", profile.size}, {"launches", std::move(launches)}, {"notes", profile.notes}}.dump();
}

std::vector<LineHeat> heatOf(const std::vector<perf::LaunchCounters>& launches) {
    const auto lines = perf::mergedLines(launches);
    double all = 0, most = 0;
    for (const auto& line : lines) {
        all += line.issueSlots;
        if (line.line > 0) most = std::max(most, line.issueSlots);
    }
    std::vector<LineHeat> heat;
    if (most <= 0) return heat;
    for (const auto& line : lines)
        if (line.line > 0 && line.issueSlots > 0)
            heat.push_back({line.line, line.issueSlots / most, tipOf(line, line.issueSlots / all)});
    return heat;
}

} // namespace kernelarium::ui
