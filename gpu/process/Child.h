// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <chrono>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kernelarium::process {

class Confinement;
class FileRules;

/// This process's environment: "NAME=value".
[[nodiscard]] std::vector<std::string> ownEnvironment();

/// How a program is started.
struct Start {
    std::vector<std::string> words = {};                      ///< program (a path, or a name on PATH) and arguments
    std::optional<std::vector<std::string>> environment = {}; ///< "NAME=value": all of it; ours where there is none
    std::string folder = {};                                  ///< that it begins in; empty: ours
    Confinement* confinement = nullptr;                       ///< null: nothing is taken away from it
    /// A session of its own without a terminal, killed as one, with no other open files than the three below. Otherwise
    /// it is of our group and leaves Ctrl-C, which reaches everyone at a terminal, to us.
    bool apart = false;
    int input = -1; ///< open files that become its standard input, output and error; -1: ours
    int output = -1;
    int errors = -1;
    const FileRules* files = nullptr; ///< that it keeps to; null: all that we may use
};

/// How a program ended.
struct End {
    std::string how = "has ended"; ///< "exited with code 3", "was killed by SIGSEGV"
    int code = -1;                 ///< -1: a signal ended it
};

/// A program that was started: killed and waited for when this goes, killed when the thread that started it or this
/// process dies. POSIX only, without Qt. One thread at a time.
class Child {
public:
    /// Error "missing_component" when the program cannot be started or confined.
    static Result<Child> start(const Start& start);
    ~Child();
    Child(Child&& other) noexcept;
    Child& operator=(Child&& other) noexcept;

    /// -1 once its end has been seen.
    [[nodiscard]] pid_t pid() const { return m_pid; }
    void kill(); ///< SIGKILL, to its group where it has one of its own
    /// Waits for the end.
    const End& wait();
    /// Waits for the end so long; false when it has not come.
    bool endsWithin(std::chrono::milliseconds time);

private:
    Child() = default;
    void ended(int status);

    pid_t m_pid = -1;
    bool m_apart = false;
    End m_end;
};

} // namespace kernelarium::process
