// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/toolkit/BroughtToolkit.h"
#include "core/toolkit/Offer.h"

#include <functional>

namespace kernelarium::toolkit {

/// What is to be brought, by somebody who has seen the offer.
struct BringRequest {
    Offer offer;
    std::filesystem::path folder = toolkitFolder();
    bool acceptsLicence = false; ///< nothing is fetched without
    /// Room on the disk of a folder, in bytes; empty: what the system says. For tests.
    std::function<std::uint64_t(const std::filesystem::path&)> room;
};

/// How far it has come.
struct BringProgress {
    enum class Step { downloading, checking, unpacking };
    Step step = Step::downloading;
    std::string file;
    std::uint64_t done = 0, total = 0; ///< bytes of the step
    double bytesPerSecond = 0;         ///< 0: not known
    double secondsLeft = -1;           ///< under 0: not known
    double waits = 0;                  ///< over 0: the server is busy, and is asked again in so many seconds

    [[nodiscard]] double fraction() const { return total > 0 ? double(done) / double(total) : -1; }
};

/// The progress in a line, for the command line and the window alike.
[[nodiscard]] std::string progressText(const BringProgress& progress);

/// Brings the offered wheels into `folder`: downloads what is missing (hub::get: partial downloads go on, what passes
/// by itself is tried again), holds each against its checksum, unpacks what the toolkit needs beside the one in use,
/// and makes that the one in use in a single step. Whoever cancels or kills it, or runs out of room, has what was in
/// use before; what was downloaded is kept for the next call, and taken away once it is unpacked.
///
/// Errors: "not_accepted"; those of hub::get; "disk_full" before anything is fetched; "checksum_mismatch" (a wheel of a
/// folder); "bad_archive"; "busy"; "unwritable_file"; "cancelled"; "no_home".
Result<BroughtToolkit> bring(const BringRequest& request,
                             const std::function<void(const BringProgress&)>& progress = {},
                             const std::stop_token& stop = {});

} // namespace kernelarium::toolkit
