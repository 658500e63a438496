// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "core/toolkit/PinnedWheels.h"

#include <filesystem>
#include <stop_token>

namespace kernelarium::toolkit {

/// $KERNELARIUM_TOOLKIT_INDEX, for those with a mirror; else defaultIndex.
[[nodiscard]] std::string usualIndex();

/// Where the wheels come from.
struct Source {
    std::string index = usualIndex(); ///< of Python packages, or a mirror of one
    std::filesystem::path folder;     ///< of wheels on this machine; when not empty, the index is not asked
};

/// A wheel as a source has it.
struct OfferedWheel {
    PinnedWheel wheel;
    std::string file;
    std::string address;        ///< of an index's
    std::filesystem::path path; ///< of a folder's
    std::uint64_t bytes = 0;
    std::string sha256; ///< that it has to have: the index's, of the folder's SHA256SUMS, or the published one

    /// Whether that is the checksum of what NVIDIA published.
    [[nodiscard]] bool isPublished() const { return sha256 == wheel.sha256; }
};

/// What is shown before anything is brought: sizes, checksums, licence.
struct Offer {
    std::string version;
    Source source;
    std::vector<OfferedWheel> wheels;

    [[nodiscard]] bool isDownload() const { return source.folder.empty(); }
    /// The index's address, without a password, or the folder.
    [[nodiscard]] std::string sourceText() const;
    /// Of all wheels.
    [[nodiscard]] std::uint64_t wheelBytes() const;
    /// What they take once they are unpacked, about.
    [[nodiscard]] std::uint64_t unpackedBytes() const { return pinnedBytes(); }
};

/// Asks a source for the pinned wheels. An index's word for a checksum is taken (it may be a mirror with wheels built
/// elsewhere), but not at the public index, which has to have the published one. In a folder a wheel's checksum is that
/// of the published file, or the one that a file SHA256SUMS in it (of sha256sum) has for it. Sizes that an index does
/// not say are asked of the server.
///
/// Errors: those of hub::HttpClient and hub::errorOf; "bad_answer" (the page); "not_found" (a wheel, by name);
/// "no_checksum"; "checksum_mismatch" (the public index has another than the published one); "unreadable_folder";
/// "unsupported" (this machine is no x86-64 Linux).
Result<Offer> askSource(const Source& source, const std::stop_token& stop = {});

} // namespace kernelarium::toolkit
