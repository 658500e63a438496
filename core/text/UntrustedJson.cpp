// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/UntrustedJson.h"

namespace kernelarium::text {

bool nestsTooDeeply(std::string_view json) {
    int depth = 0;
    bool quoted = false;
    for (std::size_t at = 0; at < json.size(); ++at) {
        switch (json[at]) {
        case '"': quoted = !quoted; break;
        case '\\': at += quoted ? 1 : 0; break;
        case '[':
        case '{':
            if (!quoted && ++depth > deepestJson) return true;
            break;
        case ']':
        case '}': depth -= quoted ? 0 : 1; break;
        default: break;
        }
    }
    return false;
}

} // namespace kernelarium::text
