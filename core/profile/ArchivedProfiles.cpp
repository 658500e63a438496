// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/profile/ArchivedProfiles.h"

namespace kernelarium::profile {

ArchivedProfiles readProfiles(std::string_view ncu, std::string_view torch, std::string_view tidy) {
    ArchivedProfiles read;
    if (!ncu.empty()) read.ncu = parseNcuProfile(ncu);
    if (!torch.empty()) read.torch = parseTorchProfile(torch);
    if (!tidy.empty()) read.tidy = parseClangTidy(tidy);
    return read;
}

} // namespace kernelarium::profile
