// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/worker/LineReader.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kernelarium::worker {

/// A child process that speaks lines over its standard input and output; its standard error is ours unless it is kept.
/// It is killed when this object goes and when this process dies. POSIX only, without Qt. One thread at a time.
class ChildProcess {
public:
    /// Error "missing_component" when the program cannot be started.
    enum class Errors { ours, kept }; ///< where its standard error goes
    static Result<ChildProcess> start(const std::vector<std::string>& command, Errors errors = Errors::ours);
    ~ChildProcess();
    ChildProcess(ChildProcess&& other) noexcept;
    ChildProcess& operator=(ChildProcess&& other) noexcept;

    enum class Read {
        line,    ///< `line` holds it
        timeout, ///< nothing came
        ended,   ///< the child closed its output
    };
    /// Queues a line (its end is added); it is sent while read() waits.
    void send(const std::string& line);
    Read read(std::string& line, std::chrono::milliseconds timeout);

    void kill(); ///< SIGKILL; the end is then seen by read() and waited for by howItEnded()
    /// Waits for the end: "was killed by SIGSEGV", "exited with code 3".
    [[nodiscard]] std::string howItEnded();
    /// Waits for the end likewise; -1 where a signal ended it.
    [[nodiscard]] int exitCode();
    /// What it said last on its standard error, where that is kept: some thousand bytes at most.
    [[nodiscard]] const std::string& errorText() const { return m_errorText; }
    [[nodiscard]] pid_t pid() const { return m_pid; }

private:
    ChildProcess() = default;
    void release();
    bool exchange(std::chrono::milliseconds timeout);
    void sendSome();
    bool receiveSome();
    void receiveErrors();
    void waitForEnd();

    pid_t m_pid = -1;
    int m_socket = -1; ///< both directions
    int m_errors = -1; ///< its standard error; -1: ours, or closed
    std::string m_errorText;
    std::optional<int> m_status; ///< of waitpid, once it has ended
    std::string m_outgoing;
    std::size_t m_sent = 0;
    LineBuffer m_incoming{std::size_t(1) << 30};
    bool m_ended = false;
};

} // namespace kernelarium::worker
