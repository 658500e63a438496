// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/Channel.h"
#include "gpu/process/LineBuffer.h"

#include <string>
#include <vector>

namespace kernelarium::process {

/// A child process that speaks lines over its standard input and output; its standard error is ours unless it is kept.
/// It is killed when this object goes and when this process dies. POSIX only, without Qt. One thread at a time.
class ChildProcess {
public:
    using Errors = process::Errors;
    /// It gets the variables `environment`, "NAME=value". Error "missing_component" when the program cannot be started.
    static Result<ChildProcess> start(const std::vector<std::string>& command, Errors errors = Errors::ours,
                                      std::vector<std::string> environment = ownEnvironment());

    enum class Read {
        line,    ///< `line` holds it
        timeout, ///< nothing came
        ended,   ///< the child closed its output
    };
    /// Queues a line (its end is added); it is sent while read() waits.
    void send(const std::string& line);
    Read read(std::string& line, std::chrono::milliseconds timeout);

    void kill() { m_channel.child().kill(); } ///< the end is then seen by read() and waited for by howItEnded()
    /// Waits for the end: "was killed by SIGSEGV", "exited with code 3".
    [[nodiscard]] std::string howItEnded() { return waitForEnd().how; }
    /// Waits for the end likewise; -1 where a signal ended it.
    [[nodiscard]] int exitCode() { return waitForEnd().code; }
    /// What it said last on its standard error, where that is kept: some thousand bytes at most.
    [[nodiscard]] const std::string& errorText() const { return m_channel.errors(); }
    [[nodiscard]] pid_t pid() const { return m_channel.child().pid(); }

private:
    explicit ChildProcess(Channel channel)
        : m_channel(std::move(channel)) {}
    const End& waitForEnd();

    Channel m_channel;
    LineBuffer m_incoming{std::size_t(1) << 30};
};

} // namespace kernelarium::process
