// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Toolkit.h"

#include "core/toolkit/FoundToolkits.h"

namespace kernelarium::compile {

Toolkit Toolkit::find(const std::string& folder) {
    using toolkit::Part;
    toolkit::Toolkits all = toolkit::findToolkits(folder);
    Toolkit kit;
    kit.nvrtc = of(all.used, Part::nvrtc);
    kit.nvJitLink = of(all.used, Part::nvJitLink);
    kit.deviceRuntime = of(all.used, Part::deviceRuntime);
    kit.include = of(all.used, Part::headers);
    kit.ptxas = of(all.used, Part::ptxas);
    kit.nvdisasm = of(all.used, Part::nvdisasm);
    kit.searched = std::move(all.searched);
    return kit;
}

Result<void> Toolkit::check() const {
    if (!nvrtc.empty() && !nvJitLink.empty()) return {};
    std::string missing = nvrtc.empty() ? "NVRTC (libnvrtc.so.12 or .13)" : "";
    if (nvJitLink.empty())
        missing += (missing.empty() ? "" : " and ") + std::string("nvJitLink (libnvJitLink.so.12 or .13)");
    std::string places;
    for (const std::string& place : searched)
        places += "  " + place + "\n";
    return Error{
        "missing_component", "Compiling needs " + missing + ", which was not found.",
        "Get the parts that are needed into your own folder: \"kernelarium-cli toolkit get\", or Edit, Preferences in the "
        "window. Or install the CUDA Toolkit 12.8 or newer, or set CUDA_PATH to its folder.",
        "Looked in:\n" + places};
}

} // namespace kernelarium::compile
