// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/CompiledUnit.h"
#include "gpu/compile/SourceTokens.h"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::compile {

/// The `main` of a program without a module. Device code may have no function of that name, so it is called kl_main
/// while it is compiled; behind the source comes programEntry, which calls it and exit() with what it returned.
class ProgramEntry {
public:
    ProgramEntry(std::string_view source, const SourceTokens& tokens);

    [[nodiscard]] bool found() const { return m_found; }
    /// Where `main` may reach its end without a return: offsets of the braces that close it. What C++ makes of that, 0
    /// returned, stands in the language for `main` alone.
    [[nodiscard]] const std::vector<std::size_t>& open() const { return m_open; }
    static constexpr std::string_view addedReturn = " return 0; "; ///< before such a brace

    /// What to put before and behind the source; empty where there is no main.
    [[nodiscard]] std::string before() const;
    [[nodiscard]] std::string behind() const;
    /// Whether a message is about what was added.
    [[nodiscard]] bool causes(const Diagnostic& found) const;

private:
    bool m_found = false;
    std::vector<std::size_t> m_open;
    std::vector<int> m_lines; ///< of m_open
};

/// Takes `__device__` and `__host__` from lambdas, which nvcc has behind --extended-lambda and NVRTC has not: here each
/// lambda can be called in kernels. The text is as long as the source.
void plainLambdas(std::string& text, const SourceTokens& tokens);

} // namespace kernelarium::compile
