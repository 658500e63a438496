// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/toolkit/Offer.h"

namespace kernelarium::toolkit {

/// The licence as it comes with the smallest of the offered wheels, which an index's is downloaded for (some hundred
/// kilobytes, kept for bring()). Errors: those of hub::get, "checksum_mismatch", "bad_archive", "not_found" (it has
/// none), "no_home".
Result<std::string> licenceText(const Offer& offer, const std::filesystem::path& folder,
                                const std::stop_token& stop = {});

} // namespace kernelarium::toolkit
