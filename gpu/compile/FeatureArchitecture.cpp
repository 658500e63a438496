// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/FeatureArchitecture.h"

namespace kernelarium::compile {

std::string featureArchitecture(const std::string& arch, std::string_view source) {
    if (arch != "sm_90") return arch;
    for (const std::string_view sign : {"wgmma.", "setmaxnreg.", "<cute/", "\"cute/", "<cutlass/", "\"cutlass/"})
        if (source.find(sign) != std::string_view::npos) return "sm_90a";
    return arch;
}

} // namespace kernelarium::compile
