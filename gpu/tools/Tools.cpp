// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/tools/Tools.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <sstream>

#include <unistd.h>

namespace kernelarium::tools {

std::vector<std::string> programsNamed(const std::string& name, const std::vector<std::string>& folders) {
    std::vector<std::string> places = folders;
    const char* path = std::getenv("PATH");
    std::istringstream parts(path ? path : "");
    for (std::string folder; std::getline(parts, folder, ':');)
        places.push_back(folder);
    std::vector<std::string> found;
    for (const std::string& folder : places) {
        if (folder.empty()) continue;
        const std::string file = (std::filesystem::path(folder) / name).string();
        std::error_code ignored;
        if (!std::filesystem::is_regular_file(file, ignored) || ::access(file.c_str(), X_OK) != 0) continue;
        if (std::find(found.begin(), found.end(), file) == found.end()) found.push_back(file);
    }
    return found;
}

std::string programNamed(const std::string& name, const std::vector<std::string>& folders) {
    const auto found = programsNamed(name, folders);
    return found.empty() ? std::string() : found.front();
}

} // namespace kernelarium::tools
