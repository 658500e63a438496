// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/run/Launch.h"

#include <QString>
#include <optional>
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

struct Ran {
    emulator::LaunchResult result;
    std::vector<int> b;
};

/// k over a = 1, 2, ..., 256 and a zero word; b has 512 words, all zero. Empty, and `why` set, without a compiler.
std::optional<Ran> runKernel(const RaceKernel& kernel, bool honest, std::uint64_t schedule, QString& why);

/// 1-based number of the line with this comment; 0 where there is none.
int markedLine(std::string_view source, std::string_view mark);

} // namespace kernelarium::test
