// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/service/Assembly.h"

#include "core/text/AssemblerWords.h"
#include "gpu/compile/KernelExtract.h"
#include "gpu/compile/Ptxas.h"
#include "gpu/compile/ResourceReport.h"

#include <algorithm>
#include <cstdlib>

namespace kernelarium::service {

Result<compile::CompiledUnit> assemble(const compile::Toolkit& toolkit, const protocol::AssembleParameters& p,
                                       const std::stop_token& stop) {
    const Result<std::vector<std::string>> words = text::assemblerWords(p.words);
    if (!words) return words.error();
    if (toolkit.ptxas.empty())
        return Error{"missing_component", "There is no ptxas of the CUDA Toolkit, which other options are for.",
                     "Install the toolkit's compiler; nvJitLink makes relocatable code, which is another."};
    const std::string ptx = compile::extractKernels(p.ptx);
    if (ptx.find(".entry") == std::string::npos) return Error{"bad_request", "There is no kernel in the PTX."};
    if (ptx.find("__cudaCDP2") != std::string::npos)
        return Error{"unsupported", "Kernels that launch kernels are linked, and not assembled with other options."};
    const auto has = [&](const char* option) {
        return std::any_of(words->begin(), words->end(),
                           [&](const std::string& word) { return word.starts_with(option); });
    };
    std::vector<std::string> flags{"-arch=" + p.arch, "-lineinfo", "-v"};
    if (!has("-O")) flags.emplace_back("-O3");
    if (p.settings.maxRegisters > 0 && !has("-maxrregcount"))
        flags.push_back("-maxrregcount=" + std::to_string(p.settings.maxRegisters));
    flags.insert(flags.end(), words->begin(), words->end());
    std::optional<compile::NvJitLink::Output> out = compile::Ptxas(toolkit.ptxas, flags).assemble(ptx, stop);
    if (stop.stop_requested()) return Error{"cancelled", "Assembling was cancelled."};
    if (!out) return Error{"unsupported", "This ptxas does not take the kernel's PTX as a whole program."};
    if (!out->ok) return Error{"assembler", "ptxas refuses: " + out->errors.substr(0, 500)};
    compile::CompiledUnit unit;
    unit.ok = true;
    unit.arch = p.arch;
    unit.assembler = "ptxas";
    unit.cubin = std::move(out->cubin);
    unit.kernels = compile::readResources(out->info, ptx, unit.cubin, std::atoi(p.arch.c_str() + 3));
    return unit;
}

} // namespace kernelarium::service
