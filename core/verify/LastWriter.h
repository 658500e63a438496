// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Evidence.h"

namespace kernelarium::verify {

/// Runs a compared case once more to see who last wrote an element that is wrong. Empty where the machine cannot tell,
/// checks are off, the time limit leaves no room for another run, or that run did not end as the first one did.
/// Throws Interrupted when cancelled.
[[nodiscard]] std::optional<WriterInfo> findLastWriter(Evidence& evidence, const Case& judged, const Mismatch& wrong);

/// "kernel softmax, block (0, 0, 0), thread (3, 0, 0), line 58", "aten.zeros, line 12", "nobody".
[[nodiscard]] std::string describe(const WriterInfo& writer);
/// "Element [0, 3] of output 0 was last written by kernel softmax, ..., line 58."
[[nodiscard]] std::string writerSentence(const Mismatch& wrong, const WriterInfo& writer);

} // namespace kernelarium::verify
