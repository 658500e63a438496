// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/ptx/Module.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::emulator {

/// Basic blocks of a function and where diverged lanes meet again.
struct Flow {
    static constexpr int none = -1;
    struct Block {
        std::uint32_t first = 0;
        std::uint32_t count = 0;
        std::vector<int> successors;
        int postDominator = none;     ///< immediate; none where only the function's end is
        bool isReconvergence = false; ///< some block that branches has it as post-dominator
    };
    std::vector<Block> blocks;
    std::vector<int> blockOf; ///< by instruction

    [[nodiscard]] int blockAt(std::uint32_t instruction) const { return blockOf[instruction]; }
};

/// Thrown while decoding; Module::codeFor turns it into an Error.
struct DecodeFailure {
    std::string code; ///< "bad_ptx" or "unsupported"
    std::string message;
};

/// `labelTarget` of each label name is found in the function; unknown labels throw DecodeFailure.
Flow analyseFlow(const ptx::Function& function);

/// Instruction index that a label names.
std::uint32_t labelTarget(const ptx::Function& function, std::string_view label, int textLine);

} // namespace kernelarium::emulator
