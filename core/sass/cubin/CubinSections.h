// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace kernelarium::sass {

/// The sections of a cubin (an ELF file of 64 bits) with their sizes in bytes; empty where it is none.
/// ".nv.constant0.KERNEL" holds a kernel's parameters, ".nv.constant3" the module's __constant__ variables.
std::map<std::string, std::size_t> sectionSizes(const std::vector<std::byte>& cubin);

/// The bytes of a section, within the cubin: ".text.KERNEL" is a kernel's machine code. Empty where there is none.
std::span<const std::byte> sectionBytes(const std::vector<std::byte>& cubin, const std::string& section);

/// Names and bytes of the sections that a GPU is given, in their order: all but those for debuggers (which have the
/// folder in it that the compiler ran in) and notes. Cubins that agree in it run alike.
std::string loadedSections(const std::vector<std::byte>& cubin);

} // namespace kernelarium::sass
