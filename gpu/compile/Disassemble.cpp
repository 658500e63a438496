// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Compiler.h"
#include "gpu/compile/ToolProcess.h"

namespace kernelarium::compile {

Result<std::string> disassemble(const Toolkit& toolkit, const std::vector<std::byte>& cubin) {
    if (toolkit.nvdisasm.empty())
        return Error{"missing_component", "A SASS listing needs nvdisasm, which was not found in the CUDA toolkit or in PATH.",
                     "Install the CUDA Toolkit's nvdisasm (Debian package cuda-nvdisasm of NVIDIA's repository)."};
    const TemporaryFile file(cubin.data(), cubin.size());
    if (file.path().empty()) return Error{"internal", "No temporary file can be made.", "Check TMPDIR and the free space there."};
    ToolOutput out = runTool(toolkit.nvdisasm, {"-c", file.path()});
    if (out.status != 0) return Error{"internal", "nvdisasm failed on the cubin.", "", out.messages};
    return std::move(out.text);
}

} // namespace kernelarium::compile
