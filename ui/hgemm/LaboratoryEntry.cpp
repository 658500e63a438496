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

std::optional<LaboratoryTime> timeOf(const hgemm::Measured* m) {
    if (!m) return {};
    return LaboratoryTime{m->time.median, m->time.relativeNoise, m->joules};
}

std::optional<LaboratoryTime> timeOf(const std::optional<hgemm::ComparedTime>& recorded) {
    if (!recorded) return {};
    return LaboratoryTime{recorded->seconds, recorded->noise, {}};
}

LaboratoryEntry entryOf(const hgemm::Comparison& c) {
    using Kind = hgemm::Subject::Kind;
    LaboratoryEntry e;
    e.shape = c.shape;
    e.origin = LaboratoryOrigin::now;
    e.device = QString::fromStdString(c.answer.device);
    e.fellBack = c.fellBack;
    if (const hgemm::Measured* ours = c.best(Kind::family)) e.configuration = ours->subject.configuration;
    e.ours = timeOf(c.best(Kind::family));
    e.cublas = timeOf(c.best(Kind::cublas));
    e.heuristic = timeOf(c.best(Kind::ltFirst));
    e.autotuned = timeOf(c.best(Kind::ltFastest));
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
        e.ours = timeOf(compared->ours);
        e.autotuned = timeOf(compared->autotuned);
        e.heuristic = timeOf(compared->heuristic);
        e.cublas = timeOf(compared->cublas);
        return e;
    }
    e.ours = LaboratoryTime{row.seconds, {}, {}};
    if (row.autotuned > 0) e.autotuned = LaboratoryTime{row.autotuned, {}, {}};
    return e;
}

} // namespace

std::optional<double> LaboratoryEntry::over(const std::optional<LaboratoryTime>& library) const {
    const std::optional<LaboratoryTime>& called = fellBack ? autotuned : ours;
    if (!called || !library) return {};
    return library->seconds / called->seconds;
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
        if (row.device != name || row.mode != hgemm::chosenIn(mode) || row.configuration.halfSums ||
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
