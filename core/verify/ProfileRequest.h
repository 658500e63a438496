// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/Runner.h"
#include "core/verify/inputs/InputPlan.h"

namespace kernelarium::verify {

/// The run of a plan's call for its counters alone (RunRequest::profile): tensors without elements of their own, a
/// short tile of elements like theirs instead. Time limit and stop token are the caller's to set.
[[nodiscard]] RunRequest profileRequest(const InputPlan& plan, std::uint64_t seed, ProfileOptions options);

} // namespace kernelarium::verify
