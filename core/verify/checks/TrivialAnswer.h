// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Check.h"

#include <string>
#include <vector>

namespace kernelarium::verify {

/// An answer that needs no work and is yet within the tolerance.
struct TrivialAnswer {
    std::string what;    ///< "all zeros", "the mean everywhere", "a copy of x"
    double rmsError = 0; ///< of it against the reference
};

/// Those of zeros, the mean of each output and copies of inputs that would pass with these inputs.
[[nodiscard]] std::vector<TrivialAnswer> passingTrivialAnswers(const Evidence& evidence, const CallInputs& inputs,
                                                               const tensor::Value& expected);

/// Whether a right kernel can be told from one that gives a trivial answer, although both are within the tolerance: a
/// plain float32 evaluation is ten times nearer to the reference than the answer is. Where the reference has no such
/// evaluation, rounding is taken as 1e-5 of its RMS.
struct Contrast {
    bool told = false;
    double float32Rms = 0; ///< RMS error of the float32 evaluation
};
[[nodiscard]] Contrast contrastOf(Evidence& evidence, const CallInputs& inputs, const tensor::Value& expected,
                                  const TrivialAnswer& answer);

/// Notes a kernel whose error, although within the tolerance, is more than half that of a trivial answer, where the two
/// can be told apart. Errors that half precision explains are left alone. True when it stands.
bool noteSkill(const Case& c, const TrivialAnswer& answer, const Contrast& contrast, CheckNotes& notes);

} // namespace kernelarium::verify
