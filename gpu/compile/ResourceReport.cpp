// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/ResourceReport.h"

#include "core/sass/cubin/CubinSections.h"
#include "core/text/KernelName.h"
#include "gpu/compile/Diagnostics.h"
#include "gpu/compile/MachineLoads.h"

#include <algorithm>
#include <charconv>
#include <map>

namespace kernelarium::compile {

namespace {

/// The number that stands before `unit` in the text, 0 when there is none: "28 registers".
int numberBefore(std::string_view text, std::string_view unit) {
    const std::size_t at = text.find(unit);
    if (at == std::string_view::npos || at == 0) return 0;
    std::size_t first = at;
    while (first > 0 && text[first - 1] == ' ')
        --first;
    const std::size_t end = first;
    while (first > 0 && text[first - 1] >= '0' && text[first - 1] <= '9')
        --first;
    int value = 0;
    std::from_chars(text.data() + first, text.data() + end, value);
    return value;
}

int maxThreadsOf(std::string_view ptx, const std::string& kernel) {
    const std::size_t at = ptx.find(".entry " + kernel + "(");
    if (at == std::string_view::npos) return 0;
    const std::string_view head = ptx.substr(at, ptx.find('{', at) - at);
    const std::size_t bound = head.find(".maxntid");
    if (bound == std::string_view::npos) return 0;
    int threads = 1;
    const char* p = head.data() + bound + 8;
    const char* const end = head.data() + std::min(head.size(), head.find('\n', bound));
    while (p < end) {
        int value = 0;
        const auto parsed = std::from_chars(p, end, value);
        if (parsed.ec == std::errc()) {
            threads *= value;
            p = parsed.ptr;
        } else {
            ++p;
        }
    }
    return threads;
}

} // namespace

std::vector<KernelResources> readResources(std::string_view linkerInfo, std::string_view ptx,
                                           const std::vector<std::byte>& cubin, int computeCapability) {
    // Kept by the system in every block from compute capability 8.0 on (CUDA C++ Programming Guide, "Shared Memory").
    const int reservedSharedBytes = computeCapability >= 80 ? 1024 : 0;
    std::map<std::string, KernelResources> kernels;
    std::vector<std::string> order;
    KernelResources* current = nullptr;
    bool linked = false;
    while (!linkerInfo.empty()) {
        const std::size_t end = std::min(linkerInfo.find('\n'), linkerInfo.size());
        const std::string_view line = linkerInfo.substr(0, end);
        linkerInfo.remove_prefix(std::min(end + 1, linkerInfo.size()));
        if (line.find("Compiling entry function") != std::string_view::npos) {
            const std::string name(quotedName(line));
            order.push_back(name);
            current = &kernels[name];
            current->mangled = name;
            current->name = text::kernelTitle(name);
            current->maxThreads = maxThreadsOf(ptx, name);
        } else if (line.find("Function properties for '") != std::string_view::npos) {
            const auto found = kernels.find(std::string(quotedName(line)));
            current = found == kernels.end() ? nullptr : &found->second;
            linked = true;
        } else if (!linked && line.find("Function properties for ") != std::string_view::npos) {
            // A kernel's own properties follow its name; those of a device function belong to no kernel.
            const std::string name(line.substr(line.rfind(' ') + 1));
            const auto found = kernels.find(name);
            current = found == kernels.end() ? nullptr : &found->second;
        } else if (current && line.find("bytes stack frame") != std::string_view::npos) {
            current->stackBytes = numberBefore(line, " bytes stack frame");
            current->spillStoreBytes = numberBefore(line, " bytes spill stores");
            current->spillLoadBytes = numberBefore(line, " bytes spill loads");
        } else if (current && line.find("Used ") != std::string_view::npos) {
            current->registers = numberBefore(line, " registers");
            current->barriers = numberBefore(line, " barriers");
            current->staticSharedBytes = numberBefore(line, " bytes smem");
        } else if (current && linked && line.find("used ") != std::string_view::npos) {
            current->registers = std::max(current->registers, numberBefore(line, " registers"));
            current->stackBytes = std::max(current->stackBytes, numberBefore(line, " stack"));
            current->staticSharedBytes =
                std::max(current->staticSharedBytes, numberBefore(line, " bytes smem") - reservedSharedBytes);
        }
    }
    const std::map<std::string, std::size_t> sections = sass::sectionSizes(cubin);
    const auto sizeOf = [&](const std::string& section) {
        const auto found = sections.find(section);
        return found == sections.end() ? 0 : int(found->second);
    };
    std::vector<KernelResources> list;
    for (const std::string& name : order) {
        list.push_back(kernels[name]);
        list.back().constantBytes = sizeOf(".nv.constant0." + name) + sizeOf(".nv.constant3");
        list.back().globalLoads = globalLoads(sass::sectionBytes(cubin, ".text." + name), computeCapability);
    }
    return list;
}

} // namespace kernelarium::compile
