// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/backend/KernelNames.h"

#include <cstdlib>
#include <cxxabi.h>
#include <memory>

namespace kernelarium::host {

std::string demangle(std::string_view mangled) {
    const std::string name(mangled);
    int status = 0;
    const std::unique_ptr<char, void (*)(void*)> text(abi::__cxa_demangle(name.c_str(), nullptr, nullptr, &status),
                                                      std::free);
    return status == 0 && text ? std::string(text.get()) : name;
}

std::string kernelTitle(std::string_view mangled) {
    std::string text = demangle(mangled);
    // The parameter list is the last parenthesis at depth 0 of the template brackets; "(anonymous namespace)"
    // is none.
    int depth = 0;
    std::size_t end = text.size();
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text.compare(i, 21, "(anonymous namespace)") == 0) {
            i += 20;
            continue;
        }
        if (text[i] == '<') ++depth;
        if (text[i] == '>' && depth > 0) --depth;
        if (text[i] == '(' && depth == 0) {
            end = i;
            break;
        }
    }
    text.resize(end);
    depth = 0;
    for (std::size_t i = text.size(); i-- > 0;) { // a return type ends at a space outside the brackets
        if (text[i] == '>') ++depth;
        if (text[i] == '<') --depth;
        if (text[i] == ' ' && depth == 0 && text.compare(i + 1, 10, "namespace)") != 0) return text.substr(i + 1);
    }
    return text;
}

} // namespace kernelarium::host
