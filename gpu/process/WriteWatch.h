// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <filesystem>
#include <sys/types.h>
#include <utility>

namespace kernelarium::process {

/// Bounds what a confined process leaves in its folder. The kernel limits the size of each file (RLIMIT_FSIZE), but
/// neither their number nor their sum, and what a file holds that has no name any more is not seen from outside. So the
/// bytes that the process has written in all are counted, wherever to and whether they are still there; the filter
/// (CallFilter.h) lets nothing write that the kernel would not count. Files and folders count as well, as each takes
/// room. Between two looks more can be written, about what a disk takes in a twentieth of a second.
class WriteWatch {
public:
    WriteWatch(std::filesystem::path folder, std::uint64_t mostBytes)
        : m_folder(std::move(folder))
        , m_mostBytes(mostBytes) {}

    /// Error "too_large" once the process has written more, or made more than 10,000 files and folders, or
    /// folders in folders 64 deep. On kernels that
    /// do not count what a process writes (CONFIG_TASK_IO_ACCOUNTING), the bytes are those that the files hold.
    [[nodiscard]] Result<void> look(pid_t process) const;

private:
    std::filesystem::path m_folder;
    std::uint64_t m_mostBytes;
};

} // namespace kernelarium::process
