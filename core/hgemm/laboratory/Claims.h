// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/HgemmTable.h"

#include <optional>
#include <string_view>

namespace kernelarium::hgemm {

/// What a published table claims of a shape over cuBLASLt autotuned, the better layout: where it is of that device, of
/// calls back to back (offline) and of sums in float32. Archived.
[[nodiscard]] std::optional<double> claimOf(const HgemmTable& table, std::string_view device, const Shape& shape);

} // namespace kernelarium::hgemm
