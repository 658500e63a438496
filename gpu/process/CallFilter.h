// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <array>
#include <cstdint>
#include <linux/filter.h>
#include <optional>
#include <sys/types.h>
#include <vector>

namespace kernelarium::process {

/// What lets one exec through the filter and no second one: three random numbers, which execve() is called with as its
/// fourth to sixth argument. The kernel has no use for those, the filter compares them. They are known to the filter,
/// which nobody can read, to the parent, whose memory the program cannot read, and to the child until it becomes the
/// program: exec leaves neither memory nor registers of what was before. So the program cannot know them, and 192 bits
/// are not guessed. (Addresses of the first exec's arguments would not do: the program could map its own there.)
struct ExecPass {
    std::array<std::uint64_t, 3> numbers{};

    /// Empty where the system has no random numbers.
    [[nodiscard]] static std::optional<ExecPass> make();
};

/// Whether this machine's system calls are known here: x86-64 and 64-bit ARM.
[[nodiscard]] bool knowsCallsOfThisMachine();

/// The program for the kernel's filter of system calls (seccomp) that a confined process gets; `self` is the process.
/// It is a list of what is let: whatever else there is fails with EPERM, and with ENOSYS what came with Linux 5.3 or
/// later, so that a newer C library goes on by its older way (clone for clone3, whose flags can be looked at). Empty
/// where it cannot be made.
[[nodiscard]] std::vector<sock_filter> callFilter(pid_t self, const ExecPass& pass);

/// execve() with a pass: safe between fork and exec. Returns where it fails, with errno.
void execWith(const ExecPass& pass, const char* program, char* const* arguments, char* const* environment);

} // namespace kernelarium::process
