// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/process/CallFilter.h"
#include "gpu/process/Descriptor.h"
#include "gpu/process/FileRules.h"

#include <cstdint>
#include <optional>
#include <string>
#include <sys/types.h>
#include <vector>

namespace kernelarium::process {

/// What a confined process may use; 0 is no limit.
struct ConfinementLimits {
    std::uint64_t memory = 0;       ///< bytes of its own data
    std::uint64_t addressSpace = 0; ///< bytes of all that it maps, used or not: programs and reservations count
    std::uint64_t fileSize = 0;     ///< of any file it writes
    std::uint64_t written = 0;      ///< bytes of all that it writes, see WriteWatch.h
    std::uint64_t seconds = 0;      ///< of processor time
    /// Threads that it may start beside those that the user has at its start. The kernel counts all of a user's
    /// together, so what other programs start meanwhile goes off this; it does not hold root to it.
    std::uint64_t threads = 0;
};

/// Takes away what code that nobody read must not do, from this process and for good:
/// - A list of system calls is let, and no other (seccomp, CallFilter.h): no network and no talking to services of this
///   machine, no processes (threads are allowed) and no second program, no signals to others, no tracing, no memory
///   that is shared or outlasts it, no changing of modes, owners, times, links, of others' processors or limits, no
///   typing into terminals.
/// - Where the kernel has Landlock (Linux 5.13 on) nothing is written but below `scratch` and to /dev/null, and where a
///   list of files is given, nothing else is read (ReadableFiles.h). Whether a file exists can still be found out.
/// - It has no capabilities, also where it is root's.
/// None of this needs privileges, and it works inside containers. There are no namespaces of its own: what those of
/// network, processes and IPC would hide, the filter refuses already, containers and many systems refuse to make them,
/// and making them takes capabilities that open more of the kernel than they close.
class Confinement {
public:
    /// Prepares it, in the parent. `scratch` is a folder that exists; `readable` are files and folders besides the
    /// system's, nothing: all stays readable. Error "missing_component" on kernels and machines without seccomp filters
    /// (x86-64 and 64-bit ARM have them).
    static Result<Confinement> prepare(const std::string& scratch, const ConfinementLimits& limits,
                                       const std::optional<std::vector<std::string>>& readable = {});

    /// In the parent, once the child is there: makes its filter of system calls, which apply() waits for; false (errno
    /// says why): end it. One child for each confinement.
    [[nodiscard]] bool admit(pid_t child);
    /// In the child, between fork and exec: only calls that are safe there. False (errno says why): do not go on.
    /// Afterwards a program is started by execWith() and `pass`, once.
    [[nodiscard]] bool apply(ExecPass& pass) const;

private:
    Confinement(const ConfinementLimits& limits, DescriptorPair filter, FileRules rules)
        : m_limits(limits)
        , m_filter(std::move(filter))
        , m_rules(std::move(rules)) {}

    ConfinementLimits m_limits;
    DescriptorPair m_filter; ///< a pipe
    FileRules m_rules;
};

} // namespace kernelarium::process
