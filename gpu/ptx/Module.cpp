// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/ptx/Module.h"

#include <algorithm>

namespace kernelarium::ptx {

bool Instruction::has(std::string_view modifier) const {
    return std::find(modifiers.begin(), modifiers.end(), modifier) != modifiers.end();
}

int Module::userLine(int location, std::string_view userFile) const {
    const auto isUser = [&](int number) {
        for (const SourceFile& f : files)
            if (f.number == number) {
                const std::string_view path = f.path;
                return path.size() >= userFile.size() && path.substr(path.size() - userFile.size()) == userFile;
            }
        return false;
    };
    for (int depth = 0; location >= 0 && depth < 64; ++depth) {
        const Location& l = locations[std::size_t(location)];
        if (isUser(l.file)) return l.line;
        location = l.inlinedAt;
    }
    return 0;
}

} // namespace kernelarium::ptx
