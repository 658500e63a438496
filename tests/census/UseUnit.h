// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/Compiler.h"
#include "tests/census/UseFile.h"

#include <memory>
#include <string>
#include <vector>

namespace kernelarium::test {

/// Compiles uses as one extension with one function for each of them, runs its `forward` in the emulator, and
/// compares what every use gave. Where a unit of several does not compile, each of its uses is tried by
/// itself, so that a complaint names the use that earned it.
class UseRunner {
public:
    /// Empty, or why nothing can be compiled here.
    [[nodiscard]] std::string unavailable();

    /// What is wrong with the uses, one line each; empty where all is well.
    std::vector<std::string> complaints(const std::vector<Use>& uses);

    /// What the compiler says of a source; empty where it compiles.
    std::string errorsOf(const std::string& source);

private:
    std::vector<std::string> complaintsOfOne(const Use& use);
    std::vector<std::string> complaintsOfUnit(const std::vector<Use>& uses);
    std::vector<std::string> run(const std::vector<Use>& uses, const compile::CompiledUnit& unit);

    std::unique_ptr<compile::Compiler> m_compiler;
};

} // namespace kernelarium::test
