// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/Comparison.h"
#include "ui/hgemm/HgemmDesk.h"

#include <QString>
#include <optional>
#include <span>
#include <vector>

namespace kernelarium::ui {

/// A product in one mode as the laboratory shows it.
struct LaboratoryEntry {
    hgemm::Shape shape;
    bool measured = false; ///< now, in this window; else recorded, in the table that comes with the program
    QString device;
    std::optional<hgemm::Configuration> configuration;               ///< of ours; none: it falls back, or has none
    bool fellBack = false;                                           ///< cuBLASLt is called, which counts as 1.00
    std::optional<double> ours, noise, cublas, heuristic, autotuned; ///< seconds; noise is a share
    std::optional<double> joules, joulesAutotuned;                   ///< of a call
    std::optional<double> claimed;                                   ///< archived
    QString trouble;                                                 ///< why ours has no time

    /// Over a library's time, 1 where it falls back; empty where either is not known.
    [[nodiscard]] std::optional<double> over(const std::optional<double>& library) const;
    [[nodiscard]] std::optional<double> speedup() const { return over(autotuned); }
};

/// Of one mode: what was measured, and what is recorded of other shapes. Claims are those of published tables of an
/// H100.
[[nodiscard]] std::vector<LaboratoryEntry> laboratoryEntries(hgemm::Mode mode, std::span<const hgemm::BestRow> recorded,
                                                             std::span<const hgemm::Comparison> measured,
                                                             const HgemmDesk::Results& published);

/// "Device time, hot"
[[nodiscard]] QString modeText(hgemm::Mode mode);

} // namespace kernelarium::ui
