// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/toolkit/PinnedWheels.h"
#include "core/toolkit/ZipFile.h"

#include <map>

namespace kernelarium::toolkit {

/// A wheel whose own checksum was found right, opened to take out of it what the toolkit needs. Its members have to be
/// those of its RECORD, with their lengths and checksums (PEP 427).
class WheelFile {
public:
    struct Kept {
        const ZipFile::Member* member = nullptr;
        std::string target; ///< below the toolkit's folder: "lib/libnvrtc.so.13"
        std::string digest; ///< SHA-256, 64 hexadecimal digits, of the RECORD
    };

    /// Errors: those of ZipFile::open; "bad_archive" also for a RECORD that is missing, does not list a member or lists
    /// it with another length, and for a wheel without the files that the pin needs.
    static Result<WheelFile> open(const std::filesystem::path& path, const PinnedWheel& wheel,
                                  const std::stop_token& stop = {});

    [[nodiscard]] const std::vector<Kept>& kept() const { return m_kept; }
    [[nodiscard]] std::uint64_t keptBytes() const;
    /// Its licence, as it comes with it; empty without one.
    [[nodiscard]] Result<std::string> licence(const std::stop_token& stop = {});

    /// Writes a kept file below `root`, with the folders that it needs; programs may be executed. Errors: "bad_archive"
    /// (what comes is not what the RECORD says), "disk_full", "unwritable_file", "cancelled".
    Result<void> unpack(const Kept& kept, const std::filesystem::path& root,
                        const std::function<void(std::uint64_t)>& wrote, const std::stop_token& stop);

private:
    explicit WheelFile(ZipFile zip)
        : m_zip(std::make_unique<ZipFile>(std::move(zip))) {}
    std::unique_ptr<ZipFile> m_zip; ///< where it stays: `m_kept` points into it
    std::vector<Kept> m_kept;
};

/// Length and checksum (64 hexadecimal digits) by name, as a RECORD has them. Entries without them, as its own, are
/// left out.
struct RecordedFile {
    std::string sha256;
    std::uint64_t bytes = 0;
};
[[nodiscard]] std::map<std::string, RecordedFile> readRecord(std::string_view text);

} // namespace kernelarium::toolkit
