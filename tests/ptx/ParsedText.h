// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Parser.h"

#include <QTest>
#include <string>

namespace kernelarium::test {

inline constexpr const char* ptxHeader = ".version 8.0\n.target sm_90\n.address_size 64\n";

/// The module that `body` (after the header's three lines) parses to; fails the test and gives an empty module
/// otherwise.
inline std::unique_ptr<ptx::Module> parsed(const std::string& body) {
    Result<std::unique_ptr<ptx::Module>> module = ptx::parse(ptxHeader + body);
    if (module.ok()) return std::move(module).value();
    QTest::qFail(module.error().message.c_str(), __FILE__, __LINE__);
    auto empty = std::make_unique<ptx::Module>();
    empty->functions.resize(4);
    for (ptx::Function& f : empty->functions)
        f.instructions.resize(16);
    empty->variables.resize(16);
    return empty;
}

/// The parser's complaint; empty when it has none.
inline std::string complaint(const std::string& body) {
    const Result<std::unique_ptr<ptx::Module>> module = ptx::parse(ptxHeader + body);
    if (module.ok()) return {};
    return module.error().code == "bad_ptx" ? module.error().message : "code " + module.error().code;
}

/// A kernel around the statements, which start at line 5 of the text.
inline std::string kernel(const std::string& statements) {
    return ".visible .entry k(.param .u64 a)\n{" + statements + "\n}\n";
}

} // namespace kernelarium::test
