// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/Launch.h"

#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::test {

/// A kernel k(int* a, int* b, int n) with a race, and the same kernel without: HONEST is 1. The lines that
/// race carry the comments "now" and "earlier", by the order in which the emulator comes to them.
struct RaceKernel {
    const char* name;
    emulator::Dim3 grid, block;
    const char* source;
};

const std::vector<RaceKernel>& raceKernels();

/// 1-based number of the line with this comment; 0 where there is none.
int markedLine(std::string_view source, std::string_view mark);

} // namespace kernelarium::test
