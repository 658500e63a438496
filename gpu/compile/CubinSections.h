// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// The sections of a cubin (an ELF file of 64 bits) with their sizes in bytes; empty where it is none.
/// ".nv.constant0.KERNEL" holds a kernel's parameters, ".nv.constant3" the module's __constant__ variables.
std::map<std::string, std::size_t> sectionSizes(const std::vector<std::byte>& cubin);

} // namespace kernelarium::compile
