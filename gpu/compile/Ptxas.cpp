// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/Ptxas.h"

#include "gpu/compile/ToolProcess.h"

namespace kernelarium::compile {

namespace {
/// The name of a temporary file says nothing to a reader.
std::string renamed(std::string text, const std::string& path) {
    for (std::size_t at = 0; (at = text.find(path, at)) != std::string::npos;)
        text.replace(at, path.size(), "kernel.ptx");
    return text;
}
} // namespace

std::optional<NvJitLink::Output> assembleWholeProgram(const std::string& ptxas, const std::string& ptx,
                                                      const std::vector<std::string>& options, std::stop_token stop) {
    if (ptxas.empty()) return std::nullopt;
    const TemporaryFile input(ptx.data(), ptx.size());
    const TemporaryFile output("", 0);
    if (input.path().empty() || output.path().empty()) return std::nullopt;
    std::vector<std::string> arguments = options;
    arguments.insert(arguments.end(), {input.path(), "-o", output.path()});
    const ToolOutput done = runTool(ptxas, arguments, stop);
    NvJitLink::Output out;
    out.ok = done.status == 0;
    (out.ok ? out.info : out.errors) = renamed(done.messages + done.text, input.path());
    if (out.ok) {
        out.cubin = output.bytes();
        return out;
    }
    for (const char* foreign : {"Unresolved extern", "nsupported .version", "is not defined for option 'gpu-name'"})
        if (out.errors.find(foreign) != std::string::npos) return std::nullopt;
    // Ended by a signal, or not a program that runs here (a library of its own is missing): nothing is known about the
    // PTX.
    const bool refused =
        out.errors.find("error   :") != std::string::npos || out.errors.find("fatal   :") != std::string::npos;
    if (!refused && !stop.stop_requested()) return std::nullopt;
    return out;
}

} // namespace kernelarium::compile
