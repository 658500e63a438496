// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/cubin/CubinSections.h"

#include "core/sass/cubin/Elf.h"

namespace kernelarium::sass {

namespace {

bool isForDebuggers(const std::string& section) {
    for (const char* prefix :
         {".debug_", ".nv_debug_", ".rel.debug_", ".rela.debug_", ".rel.nv_debug_", ".rela.nv_debug_"})
        if (section.rfind(prefix, 0) == 0) return true;
    return false;
}

} // namespace

std::map<std::string, std::size_t> sectionSizes(const std::vector<std::byte>& cubin) {
    std::map<std::string, std::size_t> sizes;
    for (const ElfSection& one : elfSections(cubin))
        sizes[one.name] = one.header.sh_size;
    return sizes;
}

std::span<const std::byte> sectionBytes(const std::vector<std::byte>& cubin, const std::string& section) {
    for (const ElfSection& one : elfSections(cubin))
        if (one.name == section && isWithin(cubin, one.header))
            return std::span(cubin).subspan(one.header.sh_offset, one.header.sh_size);
    return {};
}

std::string loadedSections(const std::vector<std::byte>& cubin) {
    std::string all;
    for (const ElfSection& one : elfSections(cubin)) {
        if (one.header.sh_type == SHT_NOTE || isForDebuggers(one.name)) continue;
        // Sizes, too: shared memory has no bytes in the file, and no two lists read alike.
        all += one.name + '\0' + std::to_string(one.header.sh_size) + '\0';
        if (isWithin(cubin, one.header))
            all.append(reinterpret_cast<const char*>(cubin.data()) + one.header.sh_offset, one.header.sh_size);
    }
    return all;
}

} // namespace kernelarium::sass
