// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/DeviceWords.h"

#include "core/perf/DeviceSpec.h"

namespace kernelarium::cli {

std::string deviceWords() {
    std::string words;
    for (const perf::DeviceSpec& device : perf::deviceSpecs())
        words += (words.empty() ? "" : "|") + device.id;
    return words;
}

} // namespace kernelarium::cli
