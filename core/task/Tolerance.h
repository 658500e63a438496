// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace kernelarium::task {

/// How far an element may be from the reference's, in parts of the greater of its magnitude and the output's root mean
/// square.
struct Tolerance {
    static constexpr double smallestScale = 1e-4; ///< instead of a root mean square below it
    double strict = 1e-4;                         ///< of float32; see core/verify/VERIFIER.md, row 9
    double legacy = 1e-2;                         ///< the archive's own
};

} // namespace kernelarium::task
