// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/verify/Verdict.h"

#include <memory>
#include <string>

namespace kernelarium::ui {

/// A verdict and the JSON that attempts and the archive's verdicts keep of it: read and written where it comes from,
/// and not in the GUI thread.
struct WrittenVerdict : verify::Verdict {
    std::string json; ///< core/verify/VerdictJson.h
};
using VerdictPointer = std::shared_ptr<const WrittenVerdict>;

/// What was kept. Error "bad_input". Call it off the GUI thread.
[[nodiscard]] Result<VerdictPointer> readVerdict(std::string json);

} // namespace kernelarium::ui
