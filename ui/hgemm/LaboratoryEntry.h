// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/ComparedTable.h"
#include "core/hgemm/laboratory/Comparison.h"
#include "ui/hgemm/HgemmDesk.h"

#include <QStringList>
#include <optional>
#include <span>
#include <vector>

namespace kernelarium::ui {

/// Where a product's figures are from.
enum class LaboratoryOrigin {
    now,     ///< measured in this window
    fresh,   ///< recorded: what the search chose, measured again in a process that did not search
    searched ///< recorded: the search's own
};

/// A call's time, with what stands beside it.
struct LaboratoryTime {
    double seconds = 0;           ///< median
    std::optional<double> noise;  ///< standard error of the median, a share of it
    std::optional<double> joules; ///< of a call
};

/// A product in one mode as the laboratory shows it.
struct LaboratoryEntry {
    hgemm::Shape shape;
    LaboratoryOrigin origin = LaboratoryOrigin::searched;
    QString device;
    std::optional<hgemm::Configuration> configuration; ///< of ours; none: it falls back, or has none
    bool fellBack = false;                             ///< cuBLASLt is called, which counts as 1.00
    std::optional<LaboratoryTime> ours, cublas, heuristic, autotuned;
    std::optional<double> claimed; ///< archived
    QString trouble;               ///< why ours has no time

    /// Over a library's time, 1 where it falls back; empty where either is not known.
    [[nodiscard]] std::optional<double> over(const std::optional<LaboratoryTime>& library) const;
    [[nodiscard]] std::optional<double> speedup() const { return over(autotuned); }
};

/// What there is to show, of any device and mode.
struct LaboratorySources {
    std::span<const hgemm::BestRow> chosen;       ///< recorded, of the search
    std::span<const hgemm::ComparedRow> compared; ///< recorded: its choice, in a fresh process
    std::span<const hgemm::Comparison> measured;  ///< now
};

/// Of one device and mode: what was measured, and what is recorded of other shapes. Claims are those of published
/// tables of an H100.
[[nodiscard]] std::vector<LaboratoryEntry> laboratoryEntries(const QString& device, hgemm::Mode mode,
                                                             const LaboratorySources& sources,
                                                             const HgemmDesk::Results& published);
/// Whose figures there are, each once: `gpu`, which is at hand (empty: none is known), then as they were measured.
[[nodiscard]] QStringList laboratoryDevices(const QString& gpu, const LaboratorySources& sources);

/// "Device time, hot"
[[nodiscard]] QString modeText(hgemm::Mode mode);

} // namespace kernelarium::ui
