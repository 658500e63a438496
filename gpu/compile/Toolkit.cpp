// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Toolkit.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <dlfcn.h>

namespace kernelarium::compile {

namespace fs = std::filesystem;

namespace {

const std::vector<std::string> nvrtcNames{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
const std::vector<std::string> linkNames{"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"};

void addVariable(std::vector<fs::path>& roots, const char* name) {
    if (const char* value = std::getenv(name); value && *value) roots.emplace_back(value);
}

/// /usr/local/cuda-13.0 before cuda-12.8: names sorted downwards.
void addVersioned(std::vector<fs::path>& roots, const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code ignored;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored))
        if (entry.path().filename().string().starts_with("cuda-")) found.push_back(entry.path());
    std::sort(found.rbegin(), found.rend());
    roots.insert(roots.end(), found.begin(), found.end());
}

void addFromPath(std::vector<fs::path>& roots) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    std::error_code ignored;
    for (std::string folder; std::getline(folders, folder, ':');)
        if (fs::exists(fs::path(folder) / "nvcc", ignored)) roots.push_back(fs::path(folder).parent_path());
}

std::vector<fs::path> candidateRoots(const std::string& folder) {
    if (!folder.empty()) return {fs::path(folder)};
    std::vector<fs::path> roots;
    addVariable(roots, "CUDA_PATH");
    addVariable(roots, "CUDA_HOME");
    roots.emplace_back("/usr/local/cuda");
    addVersioned(roots, "/usr/local");
    roots.emplace_back("/opt/cuda");
    addFromPath(roots);
    return roots;
}

std::string firstExisting(const fs::path& folder, const std::vector<std::string>& names) {
    std::error_code ignored;
    for (const std::string& name : names)
        if (fs::exists(folder / name, ignored)) return (folder / name).string();
    return {};
}

std::string loadable(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        if (void* handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL)) {
            dlclose(handle);
            return name;
        }
    }
    return {};
}

void lookIn(Toolkit& kit, const fs::path& root) {
    for (const char* sub : {"lib64", "lib", "targets/x86_64-linux/lib", "bin"}) {
        const fs::path folder = root / sub;
        kit.searched.push_back(folder.string());
        if (kit.nvrtc.empty()) kit.nvrtc = firstExisting(folder, nvrtcNames);
        if (kit.nvJitLink.empty()) kit.nvJitLink = firstExisting(folder, linkNames);
        if (kit.deviceRuntime.empty()) kit.deviceRuntime = firstExisting(folder, {"libcudadevrt.a"});
    }
    std::error_code ignored;
    for (const char* sub : {"include", "targets/x86_64-linux/include"})
        if (kit.include.empty() && fs::exists(root / sub / "cuda_fp16.h", ignored)) kit.include = (root / sub).string();
    // An older ptxas would not know what this NVRTC writes.
    if (kit.ptxas.empty() && kit.nvrtc.starts_with(root.string() + "/"))
        kit.ptxas = firstExisting(root / "bin", {"ptxas"});
    if (kit.nvdisasm.empty()) kit.nvdisasm = firstExisting(root / "bin", {"nvdisasm"});
}

std::string onPath(const std::string& name) {
    const char* path = std::getenv("PATH");
    std::istringstream folders(path ? path : "");
    for (std::string folder; std::getline(folders, folder, ':');)
        if (std::string found = firstExisting(folder, {name}); !found.empty()) return found;
    return {};
}

} // namespace

Toolkit Toolkit::find(const std::string& folder) {
    Toolkit kit;
    for (const fs::path& root : candidateRoots(folder))
        lookIn(kit, root);
    if (folder.empty()) {
        if (kit.nvrtc.empty()) kit.nvrtc = loadable(nvrtcNames);
        if (kit.nvJitLink.empty()) kit.nvJitLink = loadable(linkNames);
        if (kit.nvdisasm.empty()) kit.nvdisasm = onPath("nvdisasm");
        kit.searched.emplace_back("the loader's own path");
    }
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
        "Install the CUDA Toolkit 12.8 or newer (only its compiler libraries are needed, no GPU and no driver), or "
        "set CUDA_PATH to its folder.",
        "Looked in:\n" + places};
}

} // namespace kernelarium::compile
