// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/emulator/code/FunctionInfo.h"
#include "gpu/ptx/Module.h"

#include <memory>
#include <mutex>
#include <string_view>
#include <vector>

namespace kernelarium::emulator {

struct Code; // decoded instructions; private to the emulator

/// A PTX module, parsed once for all the memories that it is placed in (Program::place). Thread-safe.
class Module {
public:
    /// Error "bad_ptx" (with line).
    static Result<std::shared_ptr<Module>> parse(std::string_view ptx);

    [[nodiscard]] const ptx::Module& parsed() const { return *m_parsed; }

    /// Its code where the variables are these. Decoded anew only where they lie elsewhere than they did the last time,
    /// which in fresh memories they never do. Errors: "bad_ptx", "unsupported" (the instruction or directive by name).
    Result<std::shared_ptr<const Code>> codeFor(const std::vector<SymbolInfo>& variables);

private:
    explicit Module(std::unique_ptr<ptx::Module> parsed)
        : m_parsed(std::move(parsed)) {}

    std::unique_ptr<ptx::Module> m_parsed;
    std::mutex m_mutex;
    std::shared_ptr<const Code> m_code; ///< null: not decoded so far
};

} // namespace kernelarium::emulator
