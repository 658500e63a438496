// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/desks/WrittenVerdict.h"

#include "core/verify/VerdictJson.h"

namespace kernelarium::ui {

Result<VerdictPointer> readVerdict(std::string json) {
    auto verdict = verify::verdictFromText(json);
    if (!verdict) return verdict.error();
    return VerdictPointer(std::make_shared<const WrittenVerdict>(std::move(*verdict), std::move(json)));
}

} // namespace kernelarium::ui
