// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstring>
#include <elf.h>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::sass {

/// A value of the file; nothing where the file is too short.
template <class T> std::optional<T> valueAt(const std::vector<std::byte>& bytes, std::size_t offset) {
    if (offset > bytes.size() || bytes.size() - offset < sizeof(T)) return std::nullopt;
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof value);
    return value;
}

struct ElfSection {
    std::string name;
    Elf64_Shdr header;
};

/// The sections whose headers are within the file, by their numbers; empty where it is no ELF file of 64 bits.
[[nodiscard]] std::vector<ElfSection> elfSections(const std::vector<std::byte>& file);

/// Is what the section holds within the file?
[[nodiscard]] inline bool isWithin(const std::vector<std::byte>& file, const Elf64_Shdr& section) {
    return section.sh_type != SHT_NOBITS && section.sh_offset <= file.size() &&
           file.size() - section.sh_offset >= section.sh_size;
}

} // namespace kernelarium::sass
