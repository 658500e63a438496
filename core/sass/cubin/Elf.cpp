// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/cubin/Elf.h"

#include <optional>

namespace kernelarium::sass {

namespace {

constexpr std::size_t longestName = 8192; // a mangled kernel's

/// Nothing where it is longer: each of a file's sections may name the same bytes.
std::optional<std::string> nameAt(const std::vector<std::byte>& bytes, std::size_t offset) {
    std::string name;
    while (offset < bytes.size() && bytes[offset] != std::byte(0)) {
        if (name.size() == longestName) return std::nullopt;
        name += char(bytes[offset++]);
    }
    return name;
}

} // namespace

std::vector<ElfSection> elfSections(const std::vector<std::byte>& file) {
    std::vector<ElfSection> all;
    const auto header = valueAt<Elf64_Ehdr>(file, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return all;
    const auto section = [&](std::size_t i) {
        return valueAt<Elf64_Shdr>(file, header->e_shoff + i * sizeof(Elf64_Shdr));
    };
    const auto names = section(header->e_shstrndx);
    if (!names) return all;
    for (std::size_t i = 0; i < header->e_shnum; ++i) {
        const auto one = section(i);
        if (!one) break;
        std::optional<std::string> name = nameAt(file, names->sh_offset + one->sh_name);
        if (!name) return {};
        all.push_back({*std::move(name), *one});
    }
    return all;
}

} // namespace kernelarium::sass
