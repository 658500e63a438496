// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/worker/LineReader.h"

#include <chrono>
#include <deque>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kernelarium::worker {

/// A child process that speaks lines over its standard input and output; its standard error is ours. It is killed when
/// this object goes and when this process dies. POSIX only, without Qt. One thread at a time.
class ChildProcess {
public:
    /// Error "missing_component" when the program cannot be started.
    static Result<ChildProcess> start(const std::vector<std::string>& command);
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
    [[nodiscard]] pid_t pid() const { return m_pid; }

private:
    ChildProcess() = default;
    void release();
    bool exchange(std::chrono::milliseconds timeout);
    void sendSome();
    bool receiveSome();

    pid_t m_pid = -1;
    int m_socket = -1; ///< both directions
    std::string m_outgoing;
    std::size_t m_sent = 0;
    LineBuffer m_incoming{std::size_t(1) << 30};
    bool m_ended = false;
};

} // namespace kernelarium::worker
