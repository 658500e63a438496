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
    e.measured = true;
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

LaboratoryEntry entryOf(const hgemm::BestRow& row) {
    LaboratoryEntry e;
    e.shape = row.shape;
    e.device = QString::fromStdString(row.device);
    e.configuration = row.configuration;
    e.fellBack = row.fallsBackIn(row.mode);
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

std::vector<LaboratoryEntry> laboratoryEntries(hgemm::Mode mode, std::span<const hgemm::BestRow> recorded,
                                               std::span<const hgemm::Comparison> measured,
                                               const HgemmDesk::Results& published) {
    std::vector<LaboratoryEntry> entries;
    for (const hgemm::Comparison& c : measured)
        if (c.mode == mode) entries.push_back(entryOf(c));
    const std::size_t fresh = entries.size();
    for (const hgemm::BestRow& row : recorded) {
        const auto same = [&](const LaboratoryEntry& e) { return e.shape == row.shape; };
        if (row.mode == mode && std::none_of(entries.begin(), entries.begin() + std::ptrdiff_t(fresh), same))
            entries.push_back(entryOf(row));
    }
    for (LaboratoryEntry& e : entries)
        e.claimed = claimIn(published, e.shape);
    return entries;
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
