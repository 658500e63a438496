// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/cluster/Book.h"

#include <memory>
#include <stop_token>

namespace kernelarium::cluster {

/// What the tasks of an array do together. Each has a part of it, in files of its own in the array's folder. Used by
/// one thread at a time.
class Work {
public:
    virtual ~Work() = default;
    /// Points or kernels that a task's part has by now; cheap, since only what is new is read.
    [[nodiscard]] virtual std::uint64_t done(unsigned task) = 0;
    /// Those that all parts have: each once.
    [[nodiscard]] virtual std::uint64_t doneOf(std::uint64_t sum) const { return sum; }
    /// Brings the parts together into the plan's target, also while tasks write to them, and any number of times.
    [[nodiscard]] virtual Result<void> collect(const std::stop_token& stop) = 0;
};

/// Lines of a file that another process appends to.
class GrowingLines {
public:
    /// Whole lines by now; 0 where there is no such file. Reads what came since the last call.
    [[nodiscard]] std::uint64_t count(const std::filesystem::path& path);

private:
    std::uint64_t m_read = 0;  ///< bytes
    std::uint64_t m_lines = 0; ///< ends of lines in them
};

} // namespace kernelarium::cluster
