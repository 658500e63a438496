// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/DynamicLibrary.h"

#include <string_view>
#include <vector>

namespace kernelarium::process {

/// A function that a library takes from another one by this name, and what it is to call in its place.
struct Redirect {
    std::string_view name;
    void* function;
};

/// Lets a loaded library call these functions where it calls others by their names: its entries of the global offset
/// table are rewritten, those of no other library. Gives the names that it imports; none where its tables are not those
/// of a 64-bit ELF library of glibc on x86-64 or ARM.
std::vector<std::string_view> redirectImports(const DynamicLibrary& library, const std::vector<Redirect>& redirects);

} // namespace kernelarium::process
