// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/verify/Explanation.h"

#include "core/verify/BothSizes.h"
#include "core/verify/Check.h"

namespace kernelarium::verify {

std::string_view explanationOf(std::string_view check) {
    static const std::vector<std::unique_ptr<Check>> checks = standardChecks();
    for (const std::unique_ptr<Check>& one : checks)
        if (one->name() == check) return one->explanation();
    return check == publishedSizeCheck ? publishedSizeExplanation() : std::string_view();
}

std::vector<Reason> everyReason() {
    std::vector<Reason> all = {{VerdictKind::compile_error, "nvrtc", {}}, {VerdictKind::compile_error, "ptxas", {}}};
    const auto add = [&](std::span<const Reason> more) { all.insert(all.end(), more.begin(), more.end()); };
    add(commonReasons());
    add(sizeReasons());
    for (const std::unique_ptr<Check>& check : standardChecks())
        add(check->reasons());
    return all;
}

} // namespace kernelarium::verify
