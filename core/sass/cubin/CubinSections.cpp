// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/cubin/CubinSections.h"

#include "core/sass/cubin/Elf.h"

namespace kernelarium::sass {

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

} // namespace kernelarium::sass
