// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/Value.h"
#include "gpu/host/TensorTable.h"

#include <optional>
#include <vector>

namespace kernelarium::host {

/// Copies the tensors of a value onto the device; `handles` gets theirs, depth first. `label` names the
/// argument.
[[nodiscard]] PyValue importValue(const tensor::Value& value, const std::string& label, TensorTable& table,
                                  std::vector<std::int64_t>& handles);

/// Reads the tensors of a value back; `firstUnwritten` gets an entry for each, depth first.
/// Raises TypeError on what is no data (a bound method, a pointer).
[[nodiscard]] tensor::Value exportValue(const PyValue& value, const TensorTable& table,
                                        std::vector<std::optional<std::int64_t>>& firstUnwritten);

} // namespace kernelarium::host
