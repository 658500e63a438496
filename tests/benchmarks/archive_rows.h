// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kernelarium::benchmarks {

inline constexpr int publishedRows = 30615;

struct RowsWritten {
    int rows = 0;
    std::uint64_t fileBytes = 0;
    std::uint64_t codeBytes = 0;
    std::uint64_t textBytes = 0; ///< code and all other texts
    bool fromSample = false;     ///< false: no sample was found, lines of our own were mixed
};

/// Writes about `count` rows as JSON lines: every published column, the published share of each level over 250 tasks,
/// the published share of correct kernels, 6 KB of code each. The texts are mixed from lines of the shared sample
/// (names and numbers changed, so that no two are alike), where there is one, else from lines of our own. Every name
/// begins with "synthetic_" and every code with "// synthetic". The same seed gives the same file.
RowsWritten writeRows(const std::filesystem::path& file, const std::filesystem::path& sampleFolder, int count,
                      std::uint64_t seed);

} // namespace kernelarium::benchmarks
