// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/worker/Confinement.h"

#include <chrono>
#include <filesystem>
#include <stop_token>
#include <string>
#include <vector>

namespace kernelarium::worker {

/// A folder below the system's for temporary files, ours alone, removed with all that is in it.
class ScratchFolder {
public:
    /// Error "unwritable_file".
    static Result<ScratchFolder> make();
    ~ScratchFolder();
    ScratchFolder(ScratchFolder&& other) noexcept;
    ScratchFolder& operator=(ScratchFolder&&) = delete;
    [[nodiscard]] const std::filesystem::path& path() const { return m_path; }

private:
    ScratchFolder() = default;
    std::filesystem::path m_path;
};

struct ConfinedCommand {
    std::vector<std::string> words;       ///< program (found on PATH) and arguments
    std::vector<std::string> environment; ///< "NAME=value": all of it
    std::string input;                    ///< for its standard input
    std::size_t longestOutput = 0;        ///< bytes of standard output; more is an error
    std::chrono::milliseconds timeLimit{0};
    ConfinementLimits limits;
    /// A tool that needs devices, sockets or processes of its own and reads nothing that nobody read: nothing is taken
    /// away from it, and only the limits of time and output hold.
    bool trusted = false;
};

struct ConfinedEnd {
    std::string output;
    std::string how; ///< "exited with code 0", "was killed by SIGKILL"
    int code = -1;   ///< -1: killed
};

/// Runs a program to its end in `scratch`, confined, its standard error thrown away. It is a process group of its own
/// and is killed as one when the time is over, when it says too much, when stopped and when our process dies.
/// Errors: "missing_component" (the program cannot be started or confined), "timeout", "too_large", "cancelled".
Result<ConfinedEnd> runConfined(const ConfinedCommand& command, const ScratchFolder& scratch,
                                const std::stop_token& stop);

} // namespace kernelarium::worker
