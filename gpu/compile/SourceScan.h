// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/CompiledUnit.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::compile {

struct SourceTokens;

/// What a source asks for, seen from its directives and names.
struct SourceScan {
    bool includesTorch = false;        ///< a header that brings torch:: or at::
    bool definesModule = false;        ///< PYBIND11_MODULE
    bool definesLibrary = false;       ///< TORCH_LIBRARY
    bool includesToolkit = false;      ///< a header that comes from the toolkit's include folder
    bool writesCxx20 = false;          ///< designated initialisers, <=>, concepts
    std::vector<std::string> includes; ///< names of all headers, or macros that stand for them, in their order
    std::vector<Diagnostic> warnings;  ///< host code hidden under __CUDA_ARCH__
};
SourceScan scan(const SourceTokens& source);

} // namespace kernelarium::compile
