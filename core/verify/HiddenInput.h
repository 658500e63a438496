// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <string>

namespace kernelarium::verify {

/// Something that a kernel can decide by and that no choice of inputs changes.
struct HiddenInput {
    enum class Kind : std::uint8_t {
        clock,   ///< %clock, %clock64, %globaltimer
        place,   ///< %smid, %nsmid, %warpid, %nwarpid: where on the device it runs
        address, ///< the bits of an address, other than its alignment
        state,   ///< a __device__ variable that is found as an earlier call left it
        machine, ///< what host code asks the machine: the time, random numbers, free memory, the device
    } kind = Kind::clock;
    std::string kernel; ///< demangled; empty for a variable and for host code
    std::string what;   ///< the register, the variable or the function, where there is a name
    int line = 0;       ///< in the user's source; 0 when unknown
};

} // namespace kernelarium::verify
