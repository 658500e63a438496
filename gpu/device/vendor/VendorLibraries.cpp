// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/vendor/VendorLibraries.h"

#include "core/toolkit/SiteFolders.h"
#include "gpu/compile/Toolkit.h"

#include <algorithm>
#include <filesystem>

namespace kernelarium::device {

namespace fs = std::filesystem;

std::vector<std::string> vendorLibrariesIn(const std::vector<std::string>& folders,
                                           const std::vector<std::string>& site,
                                           const std::vector<std::string>& names) {
    std::vector<fs::path> places(folders.begin(), folders.end());
    for (const std::string& packages : site)
        for (const fs::path& part : toolkit::foldersIn(fs::path(packages) / "nvidia"))
            places.push_back(part / "lib");
    std::vector<std::string> found;
    std::error_code ignored;
    for (const fs::path& place : places)
        for (const std::string& name : names) {
            const std::string file = (place / name).string();
            if (fs::exists(file, ignored) && std::find(found.begin(), found.end(), file) == found.end())
                found.push_back(file);
        }
    found.insert(found.end(), names.begin(), names.end());
    return found;
}

std::vector<std::string> vendorLibraries(const std::vector<std::string>& names) {
    return vendorLibrariesIn(compile::Toolkit::find().searched, toolkit::siteFolders(), names);
}

} // namespace kernelarium::device
