// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/ImportTable.h"

#include <algorithm>
#include <cstdint>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <sys/mman.h>
#include <unistd.h>

namespace kernelarium::process {

namespace {

#if defined(__x86_64__)
constexpr std::uint32_t functionEntry = R_X86_64_JUMP_SLOT, addressEntry = R_X86_64_GLOB_DAT;
#elif defined(__aarch64__)
constexpr std::uint32_t functionEntry = R_AARCH64_JUMP_SLOT, addressEntry = R_AARCH64_GLOB_DAT;
#else
constexpr std::uint32_t functionEntry = 0, addressEntry = 0; ///< not known: nothing is of this kind
#endif

/// What a library's dynamic section says of its imports. glibc has made its addresses absolute.
struct Tables {
    const ElfW(Sym) * symbols = nullptr;
    const char* names = nullptr;
    struct Relocations {
        const ElfW(Rela) * first = nullptr;
        std::size_t bytes = 0;
    } ofFunctions, ofData;

    explicit Tables(const ElfW(Dyn) * entry) {
        for (; entry->d_tag != DT_NULL; ++entry) {
            const auto address = entry->d_un.d_ptr;
            switch (entry->d_tag) {
            case DT_SYMTAB: symbols = reinterpret_cast<const ElfW(Sym)*>(address); break;
            case DT_STRTAB: names = reinterpret_cast<const char*>(address); break;
            case DT_JMPREL: ofFunctions.first = reinterpret_cast<const ElfW(Rela)*>(address); break;
            case DT_PLTRELSZ: ofFunctions.bytes = entry->d_un.d_val; break;
            case DT_RELA: ofData.first = reinterpret_cast<const ElfW(Rela)*>(address); break;
            case DT_RELASZ: ofData.bytes = entry->d_un.d_val; break;
            default: break;
            }
        }
    }
};

/// The entry is read only where the library asked for that after it was loaded.
bool rewrite(void** entry, void* function) {
    const auto page = std::uintptr_t(::sysconf(_SC_PAGESIZE));
    const std::uintptr_t start = reinterpret_cast<std::uintptr_t>(entry) & ~(page - 1);
    if (::mprotect(reinterpret_cast<void*>(start), page, PROT_READ | PROT_WRITE) != 0) return false;
    *entry = function;
    return true;
}

} // namespace

std::vector<std::string_view> redirectImports(const DynamicLibrary& library, const std::vector<Redirect>& redirects) {
    link_map* map = nullptr;
    if (functionEntry == 0 || !library.handle() || ::dlinfo(library.handle(), RTLD_DI_LINKMAP, &map) != 0) return {};
    const Tables tables(map->l_ld);
    if (!tables.symbols || !tables.names) return {};
    std::vector<std::string_view> found;
    for (const Tables::Relocations& part : {tables.ofFunctions, tables.ofData}) {
        for (std::size_t i = 0; part.first && i < part.bytes / sizeof(ElfW(Rela)); ++i) {
            const ElfW(Rela)& one = part.first[i];
            const auto type = std::uint32_t(ELF64_R_TYPE(one.r_info));
            if (type != functionEntry && type != addressEntry) continue;
            const std::string_view name = tables.names + tables.symbols[ELF64_R_SYM(one.r_info)].st_name;
            const auto redirect =
                std::find_if(redirects.begin(), redirects.end(), [&](const Redirect& r) { return r.name == name; });
            if (redirect != redirects.end() &&
                rewrite(reinterpret_cast<void**>(map->l_addr + one.r_offset), redirect->function))
                found.push_back(redirect->name);
        }
    }
    return found;
}

} // namespace kernelarium::process
