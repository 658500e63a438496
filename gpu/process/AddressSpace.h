// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <optional>

namespace kernelarium::process {

/// The process's own limit of address space (RLIMIT_AS, the soft one), so that running out of memory costs one request
/// and not the machine. 0 leaves it as it is.
void limitAddressSpace(std::uint64_t bytes);
/// Empty where there is no limit.
[[nodiscard]] std::optional<std::uint64_t> addressSpaceLimit();
/// Bytes of addresses that the process takes now, used or not.
[[nodiscard]] std::uint64_t addressSpaceTaken();
/// Takes the limit away, as far as the one who started the process lets it.
void liftAddressSpaceLimit();

} // namespace kernelarium::process
