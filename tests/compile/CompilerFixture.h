// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/Compiler.h"

#include <QTest>

#include <algorithm>
#include <memory>
#include <string>

/// One warm compiler for all tests; null where the toolkit is absent, and `why` says so.
struct CompilerFixture {
    static kernelarium::compile::Compiler* compiler(std::string& why) {
        using namespace kernelarium::compile;
        static kernelarium::Result<std::unique_ptr<Compiler>> made = Compiler::create(Toolkit::find());
        if (!made) why = made.error().text();
        return made ? made.value().get() : nullptr;
    }
};

#define COMPILER_OR_SKIP(variable)                                                                                     \
    std::string absent;                                                                                                \
    kernelarium::compile::Compiler* variable = CompilerFixture::compiler(absent);                                      \
    if (!variable) QSKIP(absent.c_str())

inline std::string describe(const kernelarium::compile::CompiledUnit& unit) {
    std::string text = unit.failedStage + ":";
    for (const auto& d : unit.diagnostics)
        text += "\n  " + d.file + ":" + std::to_string(d.line) + ":" + std::to_string(d.column) + ": " + d.text;
    return text;
}

inline const kernelarium::compile::Diagnostic* firstError(const kernelarium::compile::CompiledUnit& unit) {
    const auto found = std::find_if(unit.diagnostics.begin(), unit.diagnostics.end(),
                                    [](const auto& d) { return d.severity == kernelarium::compile::Severity::error; });
    return found == unit.diagnostics.end() ? nullptr : &*found;
}
