// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/sass/cubin/Cubin.h"

#include "core/sass/cubin/CubinSections.h"
#include "core/sass/cubin/Elf.h"

#include <algorithm>

namespace kernelarium::sass {

namespace {

constexpr Elf64_Half cudaMachine = 190;
constexpr std::size_t instructionSize = 16;

/// CUDA 13 gave the file another ABI version and moved the compute capability within the flags.
int capabilityOf(const Elf64_Ehdr& header) {
    constexpr unsigned char firstOfCuda13 = 8;
    const auto flags = header.e_flags;
    return int(header.e_ident[EI_ABIVERSION] >= firstOfCuda13 ? (flags >> 8) & 0xff : flags & 0xff);
}

/// The entries of a kernel's .nv.info that list places in its code, by their numbers.
bool listsPlaces(unsigned attribute) {
    switch (attribute) {
    case 0x1c: // exits
    case 0x1d:
    case 0x28: // shuffles and other collectives
    case 0x31:
    case 0x39: // mbarriers
    case 0x46: return true;
    default: return false;
    }
}

/// Entries: a format byte, an attribute byte, and 2 bytes that are the value, or (format 4) the length of what follows.
void addListed(const std::vector<std::byte>& file, const Elf64_Shdr& info, std::set<std::int64_t>& places) {
    constexpr unsigned char sized = 4;
    const std::size_t end = info.sh_offset + info.sh_size;
    for (std::size_t at = info.sh_offset; at + 4 <= end;) {
        const auto format = std::to_integer<unsigned char>(file[at]);
        const auto attribute = std::to_integer<unsigned>(file[at + 1]);
        const std::size_t length = format == sized ? *valueAt<std::uint16_t>(file, at + 2) : 0;
        at += 4;
        if (listsPlaces(attribute))
            for (std::size_t k = 0; k + 4 <= length && at + k + 4 <= end; k += 4)
                places.insert(std::int64_t(*valueAt<std::uint32_t>(file, at + k)));
        at += length;
    }
}

void addRelocated(const std::vector<std::byte>& file, const std::vector<ElfSection>& sections, std::size_t code,
                  std::set<std::int64_t>& places) {
    for (const ElfSection& one : sections) {
        const bool hasAddends = one.header.sh_type == SHT_RELA;
        if ((!hasAddends && one.header.sh_type != SHT_REL) || one.header.sh_info != code) continue;
        if (!isWithin(file, one.header)) continue;
        const std::size_t step = hasAddends ? sizeof(Elf64_Rela) : sizeof(Elf64_Rel);
        for (std::size_t at = 0; at + step <= one.header.sh_size; at += step) {
            const auto place = *valueAt<std::uint64_t>(file, one.header.sh_offset + at);
            places.insert(std::int64_t(place / instructionSize * instructionSize));
        }
    }
}

/// The section whose code a symbol of the symbol table names; 0: none.
std::size_t sectionOfSymbol(const std::vector<std::byte>& file, const std::vector<ElfSection>& sections,
                            std::uint32_t symbol) {
    for (const ElfSection& one : sections) {
        if (one.header.sh_type != SHT_SYMTAB || !isWithin(file, one.header)) continue;
        if (std::uint64_t(symbol) >= one.header.sh_size / sizeof(Elf64_Sym)) return 0;
        return valueAt<Elf64_Sym>(file, one.header.sh_offset + symbol * sizeof(Elf64_Sym))->st_shndx;
    }
    return 0;
}

/// Registers a thread of the code in a section: .nv.info has pairs of a symbol and a count; before CUDA 13 the
/// section's own header said it as well.
int registersOf(const std::vector<std::byte>& file, const std::vector<ElfSection>& sections, std::size_t code) {
    constexpr unsigned registerCount = 0x2f, sized = 4;
    for (const ElfSection& info : sections) {
        if (info.name != ".nv.info" || !isWithin(file, info.header)) continue;
        const std::size_t end = info.header.sh_offset + info.header.sh_size;
        for (std::size_t at = info.header.sh_offset; at + 4 <= end;) {
            const bool hasMore = std::to_integer<unsigned>(file[at]) == sized;
            const std::size_t length = hasMore ? *valueAt<std::uint16_t>(file, at + 2) : 0;
            if (std::to_integer<unsigned>(file[at + 1]) == registerCount && length == 8 && at + 12 <= end &&
                sectionOfSymbol(file, sections, *valueAt<std::uint32_t>(file, at + 4)) == code)
                return int(std::min(*valueAt<std::uint32_t>(file, at + 8), 255U));
            at += 4 + length;
        }
    }
    return int(sections[code].header.sh_info >> 24);
}

} // namespace

Result<Cubin> Cubin::read(std::vector<std::byte> bytes) {
    Cubin cubin;
    const std::vector<ElfSection> sections = elfSections(bytes);
    const auto header = valueAt<Elf64_Ehdr>(bytes, 0);
    if (sections.empty() || header->e_machine != cudaMachine)
        return Error{"bad_input", "This is no cubin.",
                     "Give a file that ptxas, nvcc -cubin or compile --emit cubin wrote."};
    cubin.m_computeCapability = capabilityOf(*header);
    if (cubin.m_computeCapability < 80 || cubin.m_computeCapability > 90)
        return Error{"unsupported",
                     "The cubin is for compute capability " + std::to_string(cubin.m_computeCapability / 10) + "." +
                         std::to_string(cubin.m_computeCapability % 10) +
                         ", whose instructions are encoded in another way than those of 8.0 to 9.0.",
                     "Compile for sm_80, sm_86, sm_89 or sm_90."};
    constexpr std::string_view prefix = ".text.";
    for (std::size_t i = 0; i < sections.size(); ++i) {
        const ElfSection& one = sections[i];
        if (one.name.rfind(prefix, 0) != 0 || one.header.sh_size == 0) continue;
        if (!isWithin(bytes, one.header) || one.header.sh_size % instructionSize != 0)
            return Error{"bad_input", "The cubin is cut off: " + one.name + " is not within the file.", ""};
        KernelCode code;
        code.name = one.name.substr(prefix.size());
        code.offset = one.header.sh_offset;
        code.size = one.header.sh_size;
        code.registers = registersOf(bytes, sections, i);
        addRelocated(bytes, sections, i, code.listed);
        for (const ElfSection& info : sections)
            if (info.name == ".nv.info." + code.name && isWithin(bytes, info.header))
                addListed(bytes, info.header, code.listed);
        cubin.m_kernels.push_back(std::move(code));
    }
    cubin.m_bytes = std::move(bytes);
    return cubin;
}

const KernelCode* Cubin::find(const std::string& kernel) const {
    const auto found =
        std::find_if(m_kernels.begin(), m_kernels.end(), [&](const KernelCode& one) { return one.name == kernel; });
    return found == m_kernels.end() ? nullptr : &*found;
}

void Cubin::replace(const KernelCode& kernel, std::span<const std::byte> code) {
    assert(code.size() == kernel.size);
    std::copy(code.begin(), code.end(), m_bytes.begin() + std::ptrdiff_t(kernel.offset));
}

} // namespace kernelarium::sass
