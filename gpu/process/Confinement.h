// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include "gpu/process/Descriptor.h"

#include <cstdint>
#include <string>
#include <sys/types.h>

namespace kernelarium::process {

/// What a confined process may use.
struct ConfinementLimits {
    std::uint64_t memory = 0;   ///< bytes of its own data; 0 is no limit
    std::uint64_t fileSize = 0; ///< of any file it writes; 0 is no limit
    std::uint64_t seconds = 0;  ///< of processor time; 0 is no limit
};

/// Takes away what code that nobody read must not do, from this process and for good:
/// - no sockets of any kind, hence no network and no talking to services of this machine;
/// - no processes (threads are allowed), no signals to others, no tracing, no changing of others' limits or priorities;
/// - no io_uring, keys, BPF, mounts, modules, namespaces;
/// - where the kernel has Landlock (5.13 on), nothing is written but below `scratch` and to /dev/null.
/// It uses seccomp (a filter on the numbers of system calls, CallFilter.h), which needs no privileges and works inside
/// containers, where namespaces are often refused. What may be read stays readable.
class Confinement {
public:
    /// Prepares it, in the parent. `scratch` is a folder that exists. Error "missing_component" on kernels and machines
    /// without seccomp filters (x86-64 and 64-bit ARM have them).
    static Result<Confinement> prepare(const std::string& scratch, const ConfinementLimits& limits);

    /// In the parent, once the child is there: makes its filter of system calls, which apply() waits for; false (errno
    /// says why): end it. One child at a time.
    [[nodiscard]] bool admit(pid_t child) const;
    /// In the child, between fork and exec: only calls that are safe there. False (errno says why): do not go on.
    [[nodiscard]] bool apply() const;

private:
    Confinement(const ConfinementLimits& limits, DescriptorPair filter, Descriptor rules)
        : m_limits(limits)
        , m_filter(std::move(filter))
        , m_rules(std::move(rules)) {}

    ConfinementLimits m_limits;
    DescriptorPair m_filter; ///< a pipe
    Descriptor m_rules;      ///< of Landlock; none without it
};

} // namespace kernelarium::process
