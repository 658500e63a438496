// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/LaunchedInputs.h"

#include "core/text/KernelName.h"

#include <algorithm>

namespace kernelarium::host {

std::vector<verify::HiddenInput> launchedInputs(const std::vector<verify::HiddenInput>& all,
                                                const std::vector<verify::Launch>& launches) {
    std::vector<verify::HiddenInput> found;
    for (verify::HiddenInput input : all) {
        input.kernel = text::kernelTitle(input.kernel);
        const bool launched = std::any_of(launches.begin(), launches.end(),
                                          [&](const verify::Launch& launch) { return launch.kernel == input.kernel; });
        if (launched) found.push_back(std::move(input));
    }
    return found;
}

} // namespace kernelarium::host
