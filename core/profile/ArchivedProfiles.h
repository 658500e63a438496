// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/profile/ClangTidy.h"
#include "core/profile/NcuProfile.h"
#include "core/profile/TorchProfile.h"

namespace kernelarium::profile {

/// The three profiles that a row of the archive may carry, read. Nothing where the row has none; an error where its
/// text is of a form that is not known.
struct ArchivedProfiles {
    std::optional<Result<NcuProfile>> ncu;
    std::optional<Result<TorchProfile>> torch;
    std::optional<Result<ClangTidyReport>> tidy;

    [[nodiscard]] bool isEmpty() const { return !ncu && !torch && !tidy; }
};

/// The cells as the archive keeps them; empty for none.
ArchivedProfiles readProfiles(std::string_view ncu, std::string_view torch, std::string_view tidy);

} // namespace kernelarium::profile
