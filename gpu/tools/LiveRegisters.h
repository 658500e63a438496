// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::tools {

/// nvdisasm prints source lines or live registers, never both ("--print-line-info and its variants are ignored when
/// printing register life range"). This brings two listings of one cubin together: behind each instruction of `listing`
/// the number of general registers that `lives` (--print-life-ranges, in any mode) gives at the same offset of the same
/// section, as
/// "// |  4  |". What `lives` does not tell stays as it is.
[[nodiscard]] std::string withLiveRegisters(std::string_view listing, std::string_view lives);

} // namespace kernelarium::tools
