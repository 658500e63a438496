// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <linux/filter.h>
#include <sys/types.h>
#include <vector>

namespace kernelarium::process {

/// Whether this machine's system calls are known here: x86-64 and 64-bit ARM.
[[nodiscard]] bool knowsCallsOfThisMachine();

/// The program for the kernel's filter of system calls (seccomp) that a confined process gets; `self` is the process.
/// Empty where it cannot be made.
[[nodiscard]] std::vector<sock_filter> callFilter(pid_t self);

} // namespace kernelarium::process
