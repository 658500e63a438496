// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/CubinSections.h"

#include <cstring>
#include <optional>

#include <elf.h>

namespace kernelarium::compile {

namespace {
template <class T> std::optional<T> at(const std::vector<std::byte>& bytes, std::size_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

std::string nameAt(const std::vector<std::byte>& bytes, std::size_t offset) {
    std::string name;
    while (offset < bytes.size() && bytes[offset] != std::byte(0))
        name += char(bytes[offset++]);
    return name;
}

/// Each section that has a header within the file, by name.
template <class Take> void eachSection(const std::vector<std::byte>& cubin, const Take& take) {
    const auto header = at<Elf64_Ehdr>(cubin, 0);
    if (!header || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 || header->e_ident[EI_CLASS] != ELFCLASS64)
        return;
    const auto section = [&](std::size_t i) { return at<Elf64_Shdr>(cubin, header->e_shoff + i * sizeof(Elf64_Shdr)); };
    const auto names = section(header->e_shstrndx);
    if (!names) return;
    for (std::size_t i = 0; i < header->e_shnum; ++i)
        if (const auto one = section(i)) take(nameAt(cubin, names->sh_offset + one->sh_name), *one);
}
} // namespace

std::map<std::string, std::size_t> sectionSizes(const std::vector<std::byte>& cubin) {
    std::map<std::string, std::size_t> sizes;
    eachSection(cubin, [&](const std::string& name, const Elf64_Shdr& one) { sizes[name] = one.sh_size; });
    return sizes;
}

std::span<const std::byte> sectionBytes(const std::vector<std::byte>& cubin, const std::string& section) {
    std::span<const std::byte> bytes;
    eachSection(cubin, [&](const std::string& name, const Elf64_Shdr& one) {
        if (name != section || one.sh_type == SHT_NOBITS) return;
        if (one.sh_offset > cubin.size() || cubin.size() - one.sh_offset < one.sh_size) return;
        bytes = std::span(cubin).subspan(one.sh_offset, one.sh_size);
    });
    return bytes;
}

} // namespace kernelarium::compile
