// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/Descriptor.h"

#include <cstdint>
#include <string>

namespace kernelarium::process {

/// Which files a process may still use, kept by the kernel (Landlock, Linux 5.13 on; no privileges are needed). What is
/// not allowed below fails with EACCES, wherever a link or a ".." leads; what is open already stays so. Rules hold for
/// the thread that applies them and for all that it starts afterwards, threads and programs, for good. They do not hold
/// back what needs no open file: looking whether a file exists (stat), changing its mode or its times.
///
///     FileRules rules(FileRules::Fence::all);
///     rules.allowReading("/usr/lib");
///     rules.allowWriting(scratch);
///     if (!rules.restrictSelf()) ...
class FileRules {
public:
    enum class Fence {
        writing, ///< everything stays readable, and programs may be started
        all,     ///< reading and starting programs are refused as well
    };
    /// Nothing is allowed yet. Signals and abstract sockets of processes outside are out of reach where the kernel
    /// knows that (6.12 on).
    explicit FileRules(Fence fence);

    /// Whether this kernel has Landlock and lets us use it. Without it the rules are empty and hold nothing back.
    [[nodiscard]] static bool known();

    // Each holds for the folder and all below it, or for the one file. A path that does not exist is passed over; a
    // link stands for what it leads to.
    void allowReading(const std::string& path); ///< its files, and lists of its folders
    void allowRunning(const std::string& path); ///< reading, and starting it as a program
    void allowWriting(const std::string& path); ///< reading, writing, making, renaming, removing; no devices' ioctl
    void allowDevices(const std::string& path); ///< reading, writing, ioctl (refused elsewhere from Linux 6.10 on)

    /// Only calls that are safe between fork and exec. It takes away gaining rights by a program (no_new_privs), too.
    /// True without Landlock; false (errno says why): do not go on.
    [[nodiscard]] bool restrictSelf() const;

private:
    void allow(const std::string& path, std::uint64_t access);

    std::uint64_t m_handled = 0; ///< what the rules are about
    Descriptor m_rules;          ///< none without Landlock
    int m_failure = 0;           ///< errno where the kernel has Landlock, but did not take the rules
};

} // namespace kernelarium::process
