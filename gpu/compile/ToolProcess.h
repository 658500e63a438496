// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// How a program of the toolkit ended. `status` is its exit status, -1 when it could not be started, was stopped or
/// died of a signal.
struct ToolOutput {
    int status = -1;
    std::string text;     ///< standard output
    std::string messages; ///< standard error
};

/// Runs a program (no shell in between) to its end, which comes with this process's end or with `stop` at the latest.
ToolOutput runTool(const std::string& program, const std::vector<std::string>& arguments, std::stop_token stop = {});

/// A file in the temporary folder that goes with the object.
class TemporaryFile {
public:
    /// Holding `bytes`; an empty path where it cannot be made.
    TemporaryFile(const void* bytes, std::size_t size);
    ~TemporaryFile();
    TemporaryFile(const TemporaryFile&) = delete;
    TemporaryFile& operator=(const TemporaryFile&) = delete;
    [[nodiscard]] const std::string& path() const { return m_path; }
    /// What it holds now.
    [[nodiscard]] std::vector<std::byte> bytes() const;

private:
    std::string m_path;
};

} // namespace kernelarium::compile
