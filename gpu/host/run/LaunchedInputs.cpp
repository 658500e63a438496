// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/run/LaunchedInputs.h"

#include "core/text/KernelName.h"

#include <algorithm>

namespace kernelarium::host {

namespace {

template <class T> std::vector<T> ofLaunched(const std::vector<T>& all, const std::vector<verify::Launch>& launches) {
    std::vector<T> found;
    for (T one : all) {
        one.kernel = text::kernelTitle(one.kernel);
        const bool launched = std::any_of(launches.begin(), launches.end(),
                                          [&](const verify::Launch& launch) { return launch.kernel == one.kernel; });
        if (launched) found.push_back(std::move(one));
    }
    return found;
}

} // namespace

std::vector<verify::HiddenInput> launchedInputs(const std::vector<verify::HiddenInput>& all,
                                                const std::vector<verify::Launch>& launches) {
    return ofLaunched(all, launches);
}

std::vector<verify::Fault> launchedFaults(const std::vector<verify::Fault>& all,
                                          const std::vector<verify::Launch>& launches) {
    return ofLaunched(all, launches);
}

} // namespace kernelarium::host
