// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/hgemm/LaboratoryEntry.h"

#include "core/hgemm/laboratory/Claims.h"
#include "ui/words/Words.h"

#include <algorithm>

namespace kernelarium::ui {

namespace {

std::optional<double> claimIn(const HgemmDesk::Results& published, const hgemm::Shape& shape) {
    for (const HgemmResult& result : published)
        if (const auto claimed = hgemm::claimOf(result.table, "h100", shape)) return claimed;
    return {};
}

std::optional<double> secondsOf(const hgemm::Measured* m) {
    return m ? std::optional(m->time.median) : std::nullopt;
}

LaboratoryEntry entryOf(const hgemm::Comparison& c) {
    using Kind = hgemm::Subject::Kind;
    LaboratoryEntry e;
    e.shape = c.shape;
    e.origin = LaboratoryOrigin::now;
    e.device = QString::fromStdString(c.answer.device);
    e.fellBack = c.fellBack;
    const hgemm::Measured* ours = c.best(Kind::family);
    const hgemm::Measured* autotuned = c.best(Kind::ltFastest);
    if (ours) {
        e.configuration = ours->subject.configuration;
        e.ours = ours->time.median;
        e.noise = ours->time.relativeNoise;
        e.joules = ours->joules;
    }
    e.cublas = secondsOf(c.best(Kind::cublas));
    e.heuristic = secondsOf(c.best(Kind::ltFirst));
    e.autotuned = secondsOf(autotuned);
    if (autotuned) e.joulesAutotuned = autotuned->joules;
    for (const hgemm::Measured& m : c.answer.measured)
        if (m.subject.kind == Kind::family && !m.error.empty()) e.trouble = QString::fromStdString(m.error);
    return e;
}

/// `compared`: the same in a fresh process; null where the figures are the search's own.
LaboratoryEntry entryOf(const hgemm::BestRow& row, hgemm::Mode mode, const hgemm::ComparedRow* compared) {
    LaboratoryEntry e;
    e.shape = row.shape;
    e.device = QString::fromStdString(row.device);
    e.configuration = row.configuration;
    e.fellBack = row.fallsBackIn(mode);
    if (compared) {
        e.origin = LaboratoryOrigin::fresh;
        e.ours = compared->ours;
        e.autotuned = compared->autotuned;
        e.heuristic = compared->heuristic;
        e.cublas = compared->cublas;
        return e;
    }
    e.ours = row.seconds;
    if (row.autotuned > 0) e.autotuned = row.autotuned;
    return e;
}

} // namespace

std::optional<double> LaboratoryEntry::over(const std::optional<double>& library) const {
    const std::optional<double>& called = fellBack ? autotuned : ours;
    if (!called || !library) return {};
    return *library / *called;
}

std::vector<LaboratoryEntry> laboratoryEntries(const QString& device, hgemm::Mode mode,
                                               const LaboratorySources& sources, const HgemmDesk::Results& published) {
    std::vector<LaboratoryEntry> entries;
    const std::string name = device.toStdString();
    for (const hgemm::Comparison& c : sources.measured)
        if (c.mode == mode && c.answer.device == name) entries.push_back(entryOf(c));
    const std::size_t now = entries.size();
    for (const hgemm::BestRow& row : sources.chosen) {
        const auto same = [&](const LaboratoryEntry& e) { return e.shape == row.shape; };
        if (row.device != name || row.mode != hgemm::chosenIn(mode) ||
            std::any_of(entries.begin(), entries.begin() + std::ptrdiff_t(now), same))
            continue;
        const auto compared =
            std::find_if(sources.compared.begin(), sources.compared.end(), [&](const hgemm::ComparedRow& c) {
                return c.device == name && c.mode == mode && c.shape == row.shape;
            });
        if (compared != sources.compared.end())
            entries.push_back(entryOf(row, mode, &*compared));
        else if (row.mode == mode)
            entries.push_back(entryOf(row, mode, nullptr));
    }
    for (LaboratoryEntry& e : entries)
        e.claimed = claimIn(published, e.shape);
    return entries;
}

QStringList laboratoryDevices(const QString& gpu, const LaboratorySources& sources) {
    QStringList devices;
    if (!gpu.isEmpty()) devices << gpu;
    for (const hgemm::Comparison& c : sources.measured)
        devices << QString::fromStdString(c.answer.device);
    for (const hgemm::BestRow& row : sources.chosen)
        devices << QString::fromStdString(row.device);
    devices.removeDuplicates();
    return devices;
}

QString modeText(hgemm::Mode mode) {
    switch (mode) {
    case hgemm::Mode::hot: return Words::tr("Device time, hot");
    case hgemm::Mode::cold: return Words::tr("Device time, cold");
    case hgemm::Mode::offline: return Words::tr("Wall time, offline");
    case hgemm::Mode::server: return Words::tr("Wall time, server");
    }
    return {};
}

} // namespace kernelarium::ui
