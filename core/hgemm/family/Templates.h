// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace kernelarium::hgemm {

/// The files of resources/hgemm as they were at build time: kernels without the constants that they are written in.
/// Defined in a source that the build generates.
[[nodiscard]] std::string_view mmaTemplate();
[[nodiscard]] std::string_view wgmmaTemplate();
/// Kernels that fill operands and judge results, as they are.
[[nodiscard]] std::string_view checkTemplate();
/// Of laboratory/BestTable.h.
[[nodiscard]] std::string_view bestTableCsv();
/// Of laboratory/ComparedTable.h.
[[nodiscard]] std::string_view comparedTableCsv();

} // namespace kernelarium::hgemm
