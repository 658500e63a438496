// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstdint>
#include <filesystem>
#include <string>

namespace kernelarium::benchmarks {

struct RowsWritten {
    std::uint64_t fileBytes = 0;
    std::uint64_t codeBytes = 0;
    std::uint64_t textBytes = 0; ///< code and all other texts
    bool fromSample = false;     ///< false: no sample was found, lines of our own were mixed
};

/// Writes `count` rows in the published column set with about 6 KB of code each. The code is mixed from lines
/// of the shared sample (names and numbers changed, so that no two are alike), in 250 tasks of equal size;
/// two rows of three have profiles, one of four an error. The same seed gives the same file.
RowsWritten writeRows(const std::filesystem::path& file, const std::filesystem::path& sampleFolder, int count,
                      std::uint64_t seed);

} // namespace kernelarium::benchmarks
