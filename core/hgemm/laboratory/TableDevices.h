// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/laboratory/BestTable.h"

namespace kernelarium::hgemm {

// A table may have rows of several devices: whoever chooses from it chooses one of them first.

/// The devices of a table, in the order of their first rows.
[[nodiscard]] std::vector<std::string> devicesOf(std::span<const BestRow> rows);

/// Whose rows count on a GPU of this name: its own; where the table has none of it, those of the device that shares
/// most of the name's first words ("NVIDIA H100 PCIe" has those of an "NVIDIA H100 80GB HBM3"), the first among equals.
/// An empty name is that of no GPU: the table's first device. Empty where the table is.
[[nodiscard]] std::string deviceFor(std::span<const BestRow> rows, std::string_view gpu);

/// The device that a person names: by its whole name, or by a part of it that no other has ("h200"), in upper or lower
/// case. Error "bad_usage" names those that there are.
[[nodiscard]] Result<std::string> deviceNamed(std::span<const BestRow> rows, std::string_view words);

[[nodiscard]] std::vector<BestRow> rowsOf(std::span<const BestRow> rows, std::string_view device);

} // namespace kernelarium::hgemm
