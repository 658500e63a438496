// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/recording/Recording.h"
#include "gpu/emulator/warp/Warp.h"

#include <vector>

namespace kernelarium::emulator {

/// A block's shared memory as it was at the last look.
class SharedShadow {
public:
    void start(const Block& block, recording::Recording& recording);
    /// Words that changed, or were first written, since the last look.
    void look(const Block& block, std::vector<recording::SharedChange>& changes);

private:
    [[nodiscard]] bool isWritten(const Block& block, std::uint32_t word) const;

    std::vector<std::byte> m_bytes;
    std::vector<std::uint8_t> m_states; ///< empty where the launch has none
    std::vector<std::uint8_t> m_written;
};

} // namespace kernelarium::emulator
