// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"

#include <vector>

namespace kernelarium::host {

/// Of what the kernels of a module read (emulator::hiddenInputs, by mangled name): that of those which were launched.
[[nodiscard]] std::vector<verify::HiddenInput> launchedInputs(const std::vector<verify::HiddenInput>& all,
                                                              const std::vector<verify::Launch>& launches);

/// The same of what their texts show to be wrong (emulator::productRegisterFaults).
[[nodiscard]] std::vector<verify::Fault> launchedFaults(const std::vector<verify::Fault>& all,
                                                        const std::vector<verify::Launch>& launches);

} // namespace kernelarium::host
