// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/Compiler.h"
#include "gpu/service/Server.h"

#include <memory>
#include <string>
#include <vector>

namespace kernelarium::service {

/// The compile child's work: one warm compiler, loaded with the first request (a missing toolkit is then the answer).
/// Methods "compile": see CompileParameters; "assemble": see AssembleParameters.
class CompileService : public Service {
public:
    /// `many`: see compile::Compiler::expectMany().
    explicit CompileService(bool many = false)
        : m_many(many) {}
    [[nodiscard]] std::string kind() const override { return "compile"; }
    [[nodiscard]] std::vector<std::string> capabilities() const override { return {"compile"}; }
    Result<nlohmann::json> handle(const protocol::Request& request, const Progress& progress,
                                  std::stop_token stop) override;
    void answered() override;

private:
    Result<void> ensureCompiler(const std::string& toolkitFolder);

    bool m_many;
    std::unique_ptr<compile::Compiler> m_compiler;
    compile::Toolkit m_toolkit;
    std::string m_folder;              ///< that m_compiler was made for
    std::vector<std::string> m_madeBy; ///< protocol::KeptUnits::makersOf, as it was then
};

} // namespace kernelarium::service
