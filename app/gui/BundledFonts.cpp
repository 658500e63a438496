// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/gui/BundledFonts.h"

#include <cstdlib>
#include <filesystem>

void useBundledFonts() {
    namespace fs = std::filesystem;
    std::error_code ignored;
    if (std::getenv("FONTCONFIG_FILE") || std::getenv("FONTCONFIG_PATH") ||
        fs::exists("/etc/fonts/fonts.conf", ignored))
        return;
    const fs::path program = fs::read_symlink("/proc/self/exe", ignored);
    const fs::path fonts = program.parent_path().parent_path() / "share/fonts/fonts.conf";
    if (fs::exists(fonts, ignored)) ::setenv("FONTCONFIG_FILE", fonts.c_str(), 1);
}
