// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/text/Shortened.h"

namespace kernelarium::text {

std::string shortened(std::string text, std::size_t most) {
    if (text.size() <= most) return text;
    const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(text[at]) & 0xc0) == 0x80; };
    std::size_t end = most;
    for (int k = 0; k < 3 && end > 0 && continues(end); ++k)
        --end;
    const std::size_t more = text.size() - end;
    text.resize(end);
    return text + "... (" + std::to_string(more) + " more bytes)";
}

} // namespace kernelarium::text
