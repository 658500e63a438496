// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensorview/Query.h"
#include "gpu/service/RunService.h"

#include <string>
#include <vector>

namespace kernelarium::test {

/// A kernel file whose tensors are asked for, through one service as a child has it.
class RunQuestions {
public:
    /// `body` is bound as a module; arguments as text. Empty `reference`: there is none.
    RunQuestions(const std::string& body, const std::vector<std::string>& arguments, const std::string& reference = {});

    [[nodiscard]] const std::string& unavailable() const { return m_why; } ///< why nothing compiles here
    [[nodiscard]] protocol::RunParameters& parameters() { return m_parameters; }
    /// Number of the line with this text, from 1.
    [[nodiscard]] int lineOf(const std::string& text) const;

    Result<tensorview::Answer> ask(const tensorview::Query& query, std::stop_token stop = {});
    /// Fails the test where there is no answer.
    tensorview::Answer answered(const tensorview::Query& query);
    Result<nlohmann::json> call(const std::string& method); ///< another method of the same child
    [[nodiscard]] int runs() const { return m_runs; }       ///< of the kernel, for these questions

private:
    std::shared_ptr<const compile::CompiledUnit> compiled(const std::string& source);

    std::string m_source;
    std::string m_why;
    protocol::RunParameters m_parameters;
    service::RunService m_service{1ull << 30};
    int m_runs = 0;
};

} // namespace kernelarium::test
