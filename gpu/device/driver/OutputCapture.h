// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>

namespace kernelarium::device {

/// While it lives, what this process writes to its standard output (file descriptor 1) is kept: the driver prints what
/// kernels printed there, when they are waited for. One at a time, and no other thread may print meanwhile.
class OutputCapture {
public:
    OutputCapture();
    ~OutputCapture();
    OutputCapture(const OutputCapture&) = delete;
    OutputCapture& operator=(const OutputCapture&) = delete;

    /// What was written so far, at most so many bytes; standard output is itself again.
    [[nodiscard]] std::string finish(std::size_t limit);

private:
    void restore();
    int m_file = -1;  ///< in memory
    int m_saved = -1; ///< the real standard output
};

} // namespace kernelarium::device
