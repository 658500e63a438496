// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/lesson/Evaluation.h"
#include "core/lesson/StepTimes.h"

#include <string>
#include <vector>

namespace kernelarium::lesson {

/// One thing that a step changed, in words: of the starter, and of the reader's kernel.
struct Change {
    std::string what; ///< "time, modelled on NVIDIA H200", "sectors per load request"
    std::string before;
    std::string after;
};

/// What is known of both: the verdict where the starter is wrong, times, bytes to and from device memory, and the
/// counters and figures that the step asks for. `measured` is of the starter and the lesson's own solution, and its row
/// says so; null, or without times: there is no such row.
[[nodiscard]] std::vector<Change> changesOf(const Step& step, const StepEvidence& starter, const StepEvidence& reader,
                                            const StepTimes* measured);

/// The recorded measured times of this very starter and solution; null: nobody measured them.
[[nodiscard]] const StepTimes* recordedFor(const Step& step);

} // namespace kernelarium::lesson
