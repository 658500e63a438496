// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/hgemm/laboratory/Claims.h"

#include <algorithm>
#include <cmath>

namespace kernelarium::hgemm {

std::optional<double> claimOf(const HgemmTable& table, std::string_view device, const Shape& shape) {
    if (table.device != device || table.mode != "offline" || table.precision.substr(0, 3) != "F32") return {};
    const auto baseline = std::find(table.baselines.begin(), table.baselines.end(), "cuBLASLt-auto-tuning-max");
    const auto at = std::find(table.shapes.begin(), table.shapes.end(), shape);
    if (baseline == table.baselines.end() || at == table.shapes.end()) return {};
    const double claimed =
        table.speedups[std::size_t(baseline - table.baselines.begin())][std::size_t(at - table.shapes.begin())];
    return std::isnan(claimed) ? std::nullopt : std::optional(claimed);
}

} // namespace kernelarium::hgemm
