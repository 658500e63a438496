// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/text/Wrapped.h"

#include <sstream>

namespace kernelarium::kernelgen {

std::string wrappedList(const std::string& head, const std::vector<std::string>& items, const std::string& tail) {
    const std::string below(head.size(), ' ');
    std::string out, line = head;
    for (std::size_t i = 0; i < items.size(); ++i) {
        const bool isLast = i + 1 == items.size();
        const std::string item = items[i] + (isLast ? "" : ",");
        const bool isFirst = line.size() == below.size();
        const std::size_t needed = line.size() + (isFirst ? 0 : 1) + item.size() + (isLast ? tail.size() : 0);
        if (!isFirst && needed > columns) {
            out += line + "\n";
            line = below + item;
        } else {
            line += (isFirst ? "" : " ") + item;
        }
    }
    return out + line + tail;
}

std::string filled(const std::string& first, const std::string& rest, const std::string& words) {
    std::istringstream in(words);
    std::string out, line = first, word;
    bool isFirst = true;
    while (in >> word) {
        if (!isFirst && line.size() + 1 + word.size() > columns) {
            out += line + "\n";
            line = rest + word;
        } else {
            line += (isFirst ? "" : " ") + word;
        }
        isFirst = false;
    }
    return out + line + "\n";
}

} // namespace kernelarium::kernelgen
