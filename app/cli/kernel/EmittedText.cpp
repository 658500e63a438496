// SPDX-License-Identifier: GPL-3.0-or-later
#include "app/cli/kernel/EmittedText.h"

#include "gpu/tools/Disassembly.h"

namespace kernelarium::cli {

Result<std::string> emitted(const compile::CompiledUnit& unit, Emit emit, const compile::Toolkit& toolkit) {
    switch (emit) {
    case Emit::ptx: return unit.ptx;
    case Emit::cubin: return std::string(reinterpret_cast<const char*>(unit.cubin.data()), unit.cubin.size());
    case Emit::sass: return tools::disassemble(toolkit, unit.cubin, tools::SassForm::plain);
    case Emit::summary: break;
    }
    return std::string();
}

} // namespace kernelarium::cli
