// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/FoundToolkits.h"

#include "core/toolkit/BroughtToolkit.h"
#include "core/toolkit/SiteFolders.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <dlfcn.h>
#include <link.h>
#include <sstream>

namespace kernelarium::toolkit {
namespace {

namespace fs = std::filesystem;

const std::vector<std::string> nvrtcNames{"libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so"};
const std::vector<std::string> linkNames{"libnvJitLink.so.13", "libnvJitLink.so.12", "libnvJitLink.so"};

struct Place {
    Origin origin;
    fs::path root;
};

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value != nullptr ? value : "";
}

std::vector<std::string> foldersOfPath() {
    std::vector<std::string> folders;
    std::istringstream path(variable("PATH"));
    for (std::string folder; std::getline(path, folder, ':');)
        folders.push_back(folder);
    return folders;
}

bool isThere(const fs::path& path) {
    std::error_code ignored;
    return fs::exists(path, ignored);
}

std::string firstExisting(const fs::path& folder, const std::vector<std::string>& names) {
    for (const std::string& name : names)
        if (isThere(folder / name)) return (folder / name).string();
    return {};
}

/// /usr/local/cuda-13.0 before cuda-12.8: names sorted downwards.
std::vector<fs::path> versionedIn(const fs::path& folder) {
    std::vector<fs::path> found;
    for (const fs::path& entry : foldersIn(folder))
        if (entry.filename().string().starts_with("cuda-")) found.push_back(entry);
    std::sort(found.rbegin(), found.rend());
    return found;
}

std::vector<Place> placesFor(const fs::path& folder) {
    if (!folder.empty()) return {{Origin::named, folder}};
    std::vector<Place> places;
    for (const char* name : {"CUDA_PATH", "CUDA_HOME"})
        if (const std::string value = variable(name); !value.empty()) places.push_back({Origin::variable, value});
    if (const auto brought = broughtToolkit(toolkitFolder())) places.push_back({Origin::brought, brought->root});
    const std::string top = variable("KERNELARIUM_TEST_SYSTEM_ROOT");
    places.push_back({Origin::system, top + "/usr/local/cuda"});
    for (const fs::path& root : versionedIn(top + "/usr/local"))
        places.push_back({Origin::system, root});
    places.push_back({Origin::system, top + "/opt/cuda"});
    for (const std::string& bin : top.empty() ? foldersOfPath() : std::vector<std::string>())
        if (std::error_code code; isThere(fs::path(bin) / "nvcc")) {
            const fs::path real = fs::canonical(fs::path(bin) / "nvcc", code); // often a link to where the rest is
            places.push_back({Origin::system, (code ? fs::path(bin) : real.parent_path()).parent_path()});
        }
    for (const std::string& site : siteFolders(top))
        if (isThere(fs::path(site) / "nvidia")) places.push_back({Origin::wheels, fs::path(site) / "nvidia"});
    return places;
}

void take(std::string& path, std::string found) {
    if (path.empty()) path = std::move(found);
}

/// "13.0", of libnvrtc-builtins.so.13.0 beside it, whose name NVRTC knows it by.
std::string versionBeside(const std::string& nvrtc) {
    constexpr std::string_view prefix = "libnvrtc-builtins.so.";
    if (nvrtc.empty()) return {};
    std::string version;
    std::error_code problem;
    const fs::path library = fs::path(nvrtc);
    const std::string release = library.filename().string().substr(library.filename().string().rfind('.') + 1);
    for (fs::directory_iterator entry(library.parent_path(), problem), end; !problem && entry != end;
         entry.increment(problem)) {
        const std::string name = entry->path().filename().string();
        if (!name.starts_with(prefix)) continue;
        const std::string rest = name.substr(prefix.size());
        const auto second = rest.find('.', rest.find('.') == std::string::npos ? 0 : rest.find('.') + 1);
        const std::string found = rest.substr(0, rest.find('.') == std::string::npos ? rest.size() : second);
        const bool fits = release == "so" || found.starts_with(release + ".");
        if (fits && found.find('.') != std::string::npos) version = std::max(version, found);
    }
    return version;
}

void lookAt(FoundToolkit& kit, const fs::path& root, std::vector<std::string>& searched) {
    for (const char* sub : {"lib64", "lib", "targets/x86_64-linux/lib", "bin"}) {
        const fs::path folder = root / sub;
        searched.push_back(folder.string());
        take(of(kit.parts, Part::nvrtc), firstExisting(folder, nvrtcNames));
        take(of(kit.parts, Part::nvJitLink), firstExisting(folder, linkNames));
        take(of(kit.parts, Part::deviceRuntime), firstExisting(folder, {"libcudadevrt.a"}));
    }
    for (const char* sub : {"include", "targets/x86_64-linux/include"}) {
        const fs::path folder = root / sub;
        // PyTorch brings some of the headers along, without those that these include.
        if (isThere(folder / "cuda_fp16.h") &&
            (kit.origin != Origin::wheels || isThere(folder / "crt" / "host_defines.h")))
            take(of(kit.parts, Part::headers), folder.string());
    }
    take(of(kit.parts, Part::ptxas), firstExisting(root / "bin", {"ptxas"}));
    take(of(kit.parts, Part::nvdisasm), firstExisting(root / "bin", {"nvdisasm"}));
}

bool hasAny(const FoundToolkit& kit) {
    return std::any_of(kit.parts.begin(), kit.parts.end(), [](const std::string& path) { return !path.empty(); });
}

/// One with another name of a place that is known already is left out.
void add(Toolkits& all, FoundToolkit kit, std::vector<fs::path>& known) {
    if (!hasAny(kit)) return;
    std::error_code code;
    const fs::path real = fs::canonical(kit.root, code);
    if (!code && std::find(known.begin(), known.end(), real) != known.end()) return;
    if (!code) known.push_back(real);
    kit.version = versionBeside(of(kit.parts, Part::nvrtc));
    all.found.push_back(std::move(kit));
}

/// Where the loader finds one of these libraries.
std::string loaded(const std::vector<std::string>& names) {
    for (const std::string& name : names) {
        void* handle = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL);
        if (handle == nullptr) continue;
        link_map* map = nullptr;
        std::string path = name;
        if (dlinfo(handle, RTLD_DI_LINKMAP, &map) == 0 && map != nullptr && *map->l_name == '/') path = map->l_name;
        dlclose(handle);
        return path;
    }
    return {};
}

bool hasBoth(const FoundToolkit& kit) {
    return !of(kit.parts, Part::nvrtc).empty() && !of(kit.parts, Part::nvJitLink).empty();
}

std::pair<int, int> numbersOf(std::string_view version) {
    int major = 0, minor = 0;
    const char* end = version.data() + version.size();
    const auto read = std::from_chars(version.data(), end, major);
    if (read.ptr != end && *read.ptr == '.') std::from_chars(read.ptr + 1, end, minor);
    return {major, minor};
}

bool isTooOld(const FoundToolkit& kit) {
    return !kit.version.empty() && numbersOf(kit.version) < numbersOf(oldestVersion);
}

void choose(Toolkits& all) {
    const auto use = [&all](Part part, std::size_t index) {
        if (all.usedOf[std::size_t(part)] || of(all.found[index].parts, part).empty()) return;
        all.usedOf[std::size_t(part)] = index;
        of(all.used, part) = of(all.found[index].parts, part);
    };
    const auto first = [&all](auto fits) -> std::optional<std::size_t> {
        for (std::size_t i = 0; i < all.found.size(); ++i)
            if (fits(all.found[i])) return i;
        return std::nullopt;
    };
    auto best = first([](const FoundToolkit& kit) { return hasBoth(kit) && !isTooOld(kit); });
    if (!best) best = first(hasBoth);
    if (best)
        for (const Part part : allParts)
            use(part, *best);
    for (std::size_t i = 0; i < all.found.size(); ++i)
        for (const Part part : allParts)
            if (part != Part::ptxas) use(part, i);
    // An older ptxas would not know what this NVRTC writes.
    if (const auto compiler = all.usedOf[std::size_t(Part::nvrtc)]) use(Part::ptxas, *compiler);
}

} // namespace

std::string_view partName(Part part) {
    switch (part) {
    case Part::nvrtc: return "NVRTC";
    case Part::nvJitLink: return "nvJitLink";
    case Part::ptxas: return "ptxas";
    case Part::headers: return "headers";
    case Part::deviceRuntime: return "libcudadevrt.a";
    case Part::nvdisasm: return "nvdisasm";
    }
    return {};
}

std::string_view partUse(Part part) {
    switch (part) {
    case Part::nvrtc: return "compiling";
    case Part::nvJitLink: return "linking";
    case Part::ptxas: return "assembling";
    case Part::headers: return "headers";
    case Part::deviceRuntime: return "nested launches";
    case Part::nvdisasm: return "SASS listings";
    }
    return {};
}

std::string_view originName(Origin origin) {
    switch (origin) {
    case Origin::named: return "named";
    case Origin::variable: return "environment";
    case Origin::brought: return "brought by Kernelarium";
    case Origin::system: return "system";
    case Origin::wheels: return "Python packages";
    case Origin::loader: return "the loader's own path";
    }
    return {};
}

Toolkits findToolkits(const fs::path& folder) {
    Toolkits all;
    std::vector<fs::path> known;
    for (const Place& place : placesFor(folder)) {
        if (place.origin != Origin::wheels) {
            FoundToolkit kit{place.origin, place.root.string(), {}, {}};
            lookAt(kit, place.root, all.searched);
            add(all, std::move(kit), known);
            continue;
        }
        // One folder for all from CUDA 13 on ("cu13"), one for each package before.
        FoundToolkit older{Origin::wheels, place.root.string(), {}, {}};
        for (const fs::path& part : foldersIn(place.root)) {
            FoundToolkit kit{Origin::wheels, part.string(), {}, {}};
            const bool isWhole = part.filename().string().starts_with("cu1");
            lookAt(isWhole ? kit : older, part, all.searched);
            if (isWhole) add(all, std::move(kit), known);
        }
        add(all, std::move(older), known);
    }
    if (folder.empty() && variable("KERNELARIUM_TEST_SYSTEM_ROOT").empty()) {
        const bool compiles = std::any_of(all.found.begin(), all.found.end(), hasBoth);
        FoundToolkit kit{Origin::loader, {}, {}, {}};
        if (!compiles) {
            of(kit.parts, Part::nvrtc) = loaded(nvrtcNames);
            of(kit.parts, Part::nvJitLink) = loaded(linkNames);
        }
        const bool disassembles = std::any_of(all.found.begin(), all.found.end(), [](const FoundToolkit& found) {
            return !of(found.parts, Part::nvdisasm).empty();
        });
        for (const std::string& bin : foldersOfPath())
            if (!disassembles) take(of(kit.parts, Part::nvdisasm), firstExisting(bin, {"nvdisasm"}));
        for (const Part part : {Part::nvdisasm, Part::nvJitLink, Part::nvrtc})
            if (const std::string& path = of(kit.parts, part); !path.empty())
                kit.root = fs::path(path).parent_path().string();
        add(all, std::move(kit), known);
        all.searched.emplace_back("the loader's own path");
    }
    choose(all);
    return all;
}

std::string useText(const Toolkits& toolkits, std::size_t index) {
    std::string uses;
    for (const Part part : allParts)
        if (toolkits.usedOf[std::size_t(part)] == index)
            uses += (uses.empty() ? "" : ", ") + std::string(partUse(part));
    if (!uses.empty()) return uses;
    const FoundToolkit& kit = toolkits.found[index];
    if (isTooOld(kit)) return "not used: older than " + std::string(oldestVersion);
    if (!hasBoth(kit)) {
        std::string has;
        for (const Part part : allParts)
            if (!of(kit.parts, part).empty()) has += (has.empty() ? "" : ", ") + std::string(partName(part));
        return "not used: it only has " + has;
    }
    return "not used: another one comes first";
}

std::vector<std::string> missingTexts(const Toolkits& toolkits) {
    std::vector<std::string> texts;
    const auto missing = [&](Part part) { return of(toolkits.used, part).empty(); };
    if (missing(Part::nvrtc)) texts.emplace_back("NVRTC is missing: no kernel can be compiled.");
    if (missing(Part::nvJitLink)) texts.emplace_back("nvJitLink is missing: no kernel can be linked.");
    if (!toolkits.canCompile()) return texts;
    if (const auto from = toolkits.usedOf[std::size_t(Part::nvrtc)]; from && isTooOld(toolkits.found[*from]))
        texts.push_back("The toolkit is older than " + std::string(oldestVersion) + ": kernels may not compile.");
    if (missing(Part::ptxas))
        texts.emplace_back("ptxas is missing: nvJitLink assembles in its place, as relocatable code.");
    if (missing(Part::headers))
        texts.emplace_back("CUDA's headers are missing: kernels that include them do not compile.");
    if (missing(Part::deviceRuntime))
        texts.emplace_back("libcudadevrt.a is missing: kernels that launch kernels do not compile.");
    if (missing(Part::nvdisasm))
        texts.emplace_back(
            "nvdisasm is missing: there are no SASS listings. NVIDIA publishes no wheel with it; it comes "
            "with the CUDA Toolkit (package cuda-nvdisasm of NVIDIA's repository).");
    return texts;
}

} // namespace kernelarium::toolkit
