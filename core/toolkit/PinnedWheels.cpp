// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/PinnedWheels.h"

#include <algorithm>
#include <cctype>

namespace kernelarium::toolkit {
namespace {

std::vector<std::string_view> partsOf(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    for (std::size_t at = 0; at <= text.size();) {
        const auto end = std::min(text.find(separator, at), text.size());
        parts.push_back(text.substr(at, end - at));
        at = end + 1;
    }
    return parts;
}

} // namespace

const std::string& pinnedVersion() {
    static const std::string version = "13.0.2";
    return version;
}

const std::vector<PinnedWheel>& pinnedWheels() {
    static const std::vector<PinnedWheel> wheels{
        {"nvidia-cuda-nvrtc",
         "13.0.88",
         "nvidia_cuda_nvrtc-13.0.88-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
         "ad9b6d2ead2435f11cbb6868809d2adeeee302e9bb94bcf0539c7a40d80e8575",
         "NVRTC, which compiles CUDA C++",
         {"lib/libnvrtc.so.13", "lib/libnvrtc-builtins.so.13.0"},
         {"lib/libnvrtc.so.13", "lib/libnvrtc-builtins.so.13.0"},
         113'718'680},
        {"nvidia-nvjitlink",
         "13.0.88",
         "nvidia_nvjitlink-13.0.88-py3-none-manylinux2010_x86_64.manylinux_2_12_x86_64.whl",
         "13a74f429e23b921c1109976abefacc69835f2f433ebd323d3946e11d804e47b",
         "nvJitLink, which links and assembles",
         {"lib/libnvJitLink.so.13"},
         {"lib/libnvJitLink.so.13"},
         98'806'736},
        {"nvidia-cuda-nvcc",
         "13.0.88",
         "nvidia_cuda_nvcc-13.0.88-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
         "56fe502eb77625a12f25172caa3cdddb4e4c8ba2c8c17dba44b164761b380f03",
         "ptxas, which assembles whole programs",
         {"bin/ptxas"},
         {"bin/ptxas"},
         37'741'528},
        {"nvidia-cuda-runtime",
         "13.0.96",
         "nvidia_cuda_runtime-13.0.96-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
         "7f82250d7782aa23b6cfe765ecc7db554bd3c2870c43f3d1821f1d18aebf0548",
         "CUDA's headers, and the device runtime for kernels that launch kernels",
         {"include/", "lib/libcudadevrt.a"},
         {"include/cuda_fp16.h", "lib/libcudadevrt.a"},
         5'115'662},
        {"nvidia-cuda-crt",
         "13.0.88",
         "nvidia_cuda_crt-13.0.88-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
         "2c8043c7c9e02492716426e9919fc78d2c5b3b2a7a768a88e952676b08aa55a4",
         "the headers that CUDA's headers include",
         {"include/"},
         {"include/crt/host_defines.h"},
         874'259},
        {"nvidia-cuda-cccl",
         "13.0.85",
         "nvidia_cuda_cccl-13.0.85-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.whl",
         "e0da7ad981f3a8aff08241b5bfc1af868742a63e2762f53a5171c492ef242649",
         "the headers of libcu++, CUB and Thrust",
         {"include/"},
         {"include/cccl/cuda/atomic"},
         13'731'132}};
    return wheels;
}

std::uint64_t pinnedBytes() {
    std::uint64_t bytes = 0;
    for (const PinnedWheel& wheel : pinnedWheels())
        bytes += wheel.keptBytes;
    return bytes;
}

std::string normalizedName(std::string_view name) {
    std::string text;
    for (const char c : name) {
        const bool separates = c == '-' || c == '_' || c == '.';
        if (separates && !text.empty() && text.back() == '-') continue;
        text += separates ? '-' : char(std::tolower(static_cast<unsigned char>(c)));
    }
    return text;
}

bool isFileOf(const PinnedWheel& wheel, std::string_view file) {
    if (!file.ends_with(".whl")) return false;
    file.remove_suffix(4);
    const auto parts = partsOf(file, '-'); // name-version[-build]-python-abi-platform
    if (parts.size() != 5 && parts.size() != 6) return false;
    if (normalizedName(parts[0]) != wheel.project || parts[1] != wheel.version) return false;
    for (const std::string_view platform : partsOf(parts.back(), '.'))
        if (platform.ends_with("linux_x86_64") || (platform.starts_with("manylinux") && platform.ends_with("_x86_64")))
            return true;
    return false;
}

} // namespace kernelarium::toolkit
