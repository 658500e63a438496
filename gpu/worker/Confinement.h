// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <string>

namespace kernelarium::worker {

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
/// It uses seccomp (prctl, a filter on the numbers of system calls), which needs no privileges and works inside
/// containers, where namespaces are often refused. What may be read stays readable.
class Confinement {
public:
    /// Prepares it, in the parent. `scratch` is a folder that exists. Error "missing_component" on kernels and machines
    /// without seccomp filters (x86-64 and 64-bit ARM have them).
    static Result<Confinement> prepare(const std::string& scratch, const ConfinementLimits& limits);
    ~Confinement();
    Confinement(Confinement&& other) noexcept;
    Confinement& operator=(Confinement&&) = delete;

    /// In the child, between fork and exec: only calls that are safe there. False (errno says why): do not go on.
    [[nodiscard]] bool apply() const;

private:
    explicit Confinement(const ConfinementLimits& limits)
        : m_limits(limits) {}

    ConfinementLimits m_limits;
    int m_rules = -1; ///< of Landlock; -1 without it
};

} // namespace kernelarium::worker
