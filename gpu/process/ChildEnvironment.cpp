// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/ChildEnvironment.h"

#include "gpu/process/Child.h"

#include <algorithm>
#include <iterator>
#include <string_view>

namespace kernelarium::process {

std::vector<std::string> neededEnvironment() {
    // What a loader, a toolkit, a driver, a Python and we ourselves look for.
    constexpr std::string_view whole[] = {"PATH",
                                          "HOME",
                                          "TMPDIR",
                                          "LANG",
                                          "TZ",
                                          "TERM",
                                          "LD_LIBRARY_PATH",
                                          "XDG_DATA_HOME",
                                          "XDG_CACHE_HOME",
                                          "XDG_CONFIG_HOME",
                                          "PYTHONPATH",
                                          "PYTHONHOME",
                                          "PYTHONUSERBASE",
                                          "PYENV_ROOT",
                                          "PYENV_VERSION",
                                          "CONDA_PREFIX",
                                          "VIRTUAL_ENV",
                                          "KERNELARIUM_ISA",
                                          "KERNELARIUM_PYTHON"};
    // Nsight Compute is told by NV_... what it injects into; without these its library ends the process that it is in.
    constexpr std::string_view starts[] = {"LC_",       "CUDA_", "NVIDIA_",          "NV_", "NVTX_", "NSIGHT_",
                                           "OPENBLAS_", "OMP_",  "KERNELARIUM_TEST_"};
    constexpr std::string_view ofSanitizers = "SAN_OPTIONS";
    std::vector<std::string> all = ownEnvironment();
    std::erase_if(all, [&](const std::string& variable) {
        const std::string_view name = std::string_view(variable).substr(0, variable.find('='));
        return std::find(std::begin(whole), std::end(whole), name) == std::end(whole) &&
               std::none_of(std::begin(starts), std::end(starts),
                            [&](auto start) { return name.starts_with(start); }) &&
               !name.ends_with(ofSanitizers);
    });
    return all;
}

std::vector<std::string> workerEnvironment(const std::vector<std::string>& command) {
    // Tensors and buffers of megabytes come and go in the run child, for a whole graph's time: in a heap they leave
    // holes, up to a third more than is ever in use. Each goes back when it is done with.
    constexpr const char* back = "GLIBC_TUNABLES=glibc.malloc.mmap_threshold=1048576";
    // A compiler fills its heap once: in large pages, where the system has them, most of that time is saved.
    constexpr const char* large = "GLIBC_TUNABLES=glibc.malloc.hugetlb=1";
    std::vector<std::string> all = neededEnvironment();
    all.emplace_back(command.size() > 2 && command[1] == "worker" && command[2] == "run" ? back : large);
    return all;
}

} // namespace kernelarium::process
