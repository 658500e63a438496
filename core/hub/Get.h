// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hub/DataSet.h"

#include <chrono>
#include <filesystem>
#include <functional>
#include <optional>

namespace kernelarium::hub {

/// What is downloaded, and where to.
struct GetRequest {
    DataSet dataSet;
    std::vector<HubFile> files;
    std::filesystem::path into; ///< a folder, made when absent
};

/// How far a download has come.
struct GetProgress {
    std::string file;           ///< the one on its way
    std::size_t fileNumber = 0; ///< from 1
    std::size_t fileCount = 0;
    std::uint64_t bytesDone = 0;    ///< of all files, those from before included
    std::uint64_t bytesTotal = 0;   ///< of all files
    std::uint64_t bytesFetched = 0; ///< since this run began
    double seconds = 0;             ///< likewise
    std::chrono::seconds waits{0};  ///< over 0: the hub is busy, and is asked again in so long
    bool isChecking = false;        ///< the file is there; its checksum is being computed

    [[nodiscard]] double bytesPerSecond() const { return seconds > 0 ? double(bytesFetched) / seconds : 0; }
    /// At the rate so far; empty while that is not known.
    [[nodiscard]] std::optional<double> secondsLeft() const {
        const double rate = bytesPerSecond();
        if (rate <= 0 || bytesDone > bytesTotal) return std::nullopt;
        return double(bytesTotal - bytesDone) / rate;
    }
};

/// Downloads the files to `into`, under their paths in the data set, and returns where they are, in order. A file that
/// is there already with the right content is left alone. One on its way is FILE.part; it stays where this is
/// cancelled, killed or fails, and the next call goes on with it where the server still has the same content. A file
/// takes its name once its size and its checksum are those of the list. Room on the disk is looked for before anything
/// is fetched.
///
/// What passes by itself (a busy server, a connection that breaks off) is tried again a few times. Errors: those of
/// HttpClient::get and errorOf, "size_mismatch", "checksum_mismatch" (what came is thrown away), "disk_full",
/// "unwritable_file", "busy" (another program downloads to the same place), "cancelled".
Result<std::vector<std::filesystem::path>> get(const GetRequest& request,
                                               const std::function<void(const GetProgress&)>& progress = {},
                                               const std::stop_token& stop = {});

} // namespace kernelarium::hub
