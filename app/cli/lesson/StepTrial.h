// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "app/cli/lesson/StepWork.h"
#include "core/lesson/Evaluation.h"

#include <map>
#include <string>

namespace kernelarium::cli {

/// Tries a text on a step as the window's Check does: verified at the small size, then counted and timed where the step
/// asks for that and the text runs. Errors: those of StepWork; a text that does not compile is a verdict.
Result<lesson::StepEvidence> tryStep(StepWork& work, const lesson::Step& step, const std::string& text);

/// The step's starter counted and timed where the step asks for that, without a verdict; nothing of one that does not
/// run. Errors: those of StepWork.
Result<lesson::StepEvidence> countStarter(StepWork& work, const lesson::Step& step);

/// What the step's own starter and solution come to.
struct StepSelfTest {
    std::vector<std::string> problems; ///< a sentence each; empty: the starter lacks something, the solution nothing
};
[[nodiscard]] StepSelfTest selfTest(StepWork& work, const lesson::Step& step);

} // namespace kernelarium::cli
