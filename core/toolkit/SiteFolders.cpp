// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/SiteFolders.h"

#include <algorithm>
#include <cstdlib>
#include <sstream>

namespace kernelarium::toolkit {

namespace fs = std::filesystem;

namespace {

std::string environmentText(const char* name) {
    const char* value = std::getenv(name);
    return value ? value : "";
}

/// Where Pythons of this machine may be installed: the folders above their bin.
std::vector<fs::path> pythonPrefixes() {
    std::vector<fs::path> prefixes;
    if (const std::string chosen = environmentText("KERNELARIUM_PYTHON"); chosen.find('/') != std::string::npos)
        prefixes.push_back(fs::path(chosen).parent_path().parent_path());
    for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX"})
        if (const std::string folder = environmentText(name); !folder.empty()) prefixes.emplace_back(folder);
    std::istringstream path(environmentText("PATH"));
    std::error_code ignored;
    for (std::string folder; std::getline(path, folder, ':');)
        if (fs::exists(fs::path(folder) / "python3", ignored)) prefixes.push_back(fs::path(folder).parent_path());
    const std::string home = environmentText("HOME");
    if (!home.empty()) prefixes.push_back(fs::path(home) / ".local");
    const std::string pyenv = environmentText("PYENV_ROOT");
    for (const fs::path& version :
         foldersIn((pyenv.empty() ? fs::path(home) / ".pyenv" : fs::path(pyenv)) / "versions"))
        prefixes.push_back(version);
    prefixes.emplace_back("/usr");
    prefixes.emplace_back("/usr/local");
    return prefixes;
}

} // namespace

std::vector<fs::path> foldersIn(const fs::path& folder) {
    std::vector<fs::path> found;
    std::error_code problem;
    for (fs::directory_iterator entry(folder, problem), end; !problem && entry != end; entry.increment(problem))
        if (std::error_code ignored; entry->is_directory(ignored)) found.push_back(entry->path());
    std::sort(found.begin(), found.end());
    return found;
}

std::vector<std::string> siteFolders(const std::string& top) {
    std::vector<std::string> found;
    const auto prefixes = top.empty() ? pythonPrefixes() : std::vector<fs::path>{top + "/usr", top + "/usr/local"};
    for (const fs::path& prefix : prefixes)
        for (const fs::path& version : foldersIn(prefix / "lib")) {
            if (!version.filename().string().starts_with("python3")) continue;
            for (const char* packages : {"site-packages", "dist-packages"})
                found.push_back((version / packages).string());
        }
    return found;
}

} // namespace kernelarium::toolkit
