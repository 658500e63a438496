// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/files/CacheFolder.h"

#include <cstdlib>

namespace kernelarium::files {

std::filesystem::path cacheFolder() {
    namespace fs = std::filesystem;
    if (const char* xdg = std::getenv("XDG_CACHE_HOME"); xdg != nullptr && *xdg == '/')
        return fs::path(xdg) / "kernelarium";
    const char* home = std::getenv("HOME");
    return home != nullptr && *home == '/' ? fs::path(home) / ".cache" / "kernelarium" : fs::path();
}

} // namespace kernelarium::files
