// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/kernel/CubinFile.h"
#include "core/text/CompilerSettings.h"
#include "gpu/protocol/KernelClient.h"

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace kernelarium::cli {

/// Whose native code a command looks at.
struct CubinChoice {
    std::string file; ///< FILE.cu, which is compiled, or a cubin
    std::string arch = "sm_90";
    bool fastMath = false;
    std::vector<std::string> compilerWords;
    std::string toolkit;
    std::string kernel; ///< part of a kernel's name; empty: all
};

/// FILE, --arch, --kernel and what the compiler takes.
void addCubinChoice(CLI::App& command, CubinChoice& choice);

/// Reads the cubin, or compiles the kernel file in the compile child. Errors: "bad_input" (unreadable, does not
/// compile, no such kernel), "unsupported" (code of another encoding), and those of the child.
Result<sass::Cubin> chosenCubin(const CubinChoice& choice);

/// Compiles the kernel file in the compile child, with these settings in place of the choice's own. Errors: as of
/// chosenCubin; "bad_input" for a cubin.
Result<protocol::KernelClient::Unit> compiledUnit(const CubinChoice& choice, const text::CompilerSettings& settings);

/// The one kernel that was chosen by name, or that there is. Error "bad_input" where there are several.
Result<const sass::KernelCode*> chosenKernel(const sass::Cubin& cubin, const CubinChoice& choice);

/// Whether the file is an ELF file, as cubins are.
[[nodiscard]] bool isElf(const std::string& file);

/// The kernels that were chosen by name, all where none was. Error "bad_input": no such kernel, or no kernel at all.
Result<std::vector<const sass::KernelCode*>> chosenKernels(const sass::Cubin& cubin, const CubinChoice& choice);

} // namespace kernelarium::cli
