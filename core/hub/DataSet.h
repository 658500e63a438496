// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::hub {

/// Where the published archive is; the only place that says so.
inline constexpr std::string_view defaultHost = "https://huggingface.co";
inline constexpr std::string_view defaultDataSet = "SakanaAI/AI-CUDA-Engineer-Archive";
inline constexpr std::string_view defaultRevision = "main";

/// A data set on a hub, or on a mirror of it that answers alike.
struct DataSet {
    std::string host = std::string(defaultHost); ///< with its scheme, http or https
    std::string id = std::string(defaultDataSet);
    std::string revision = std::string(defaultRevision);

    [[nodiscard]] std::string listAddress() const;
    [[nodiscard]] std::string fileAddress(std::string_view path) const;
};

/// A file of a data set.
struct HubFile {
    std::string path; ///< in the data set; relative, without "..", as a file's name here
    std::uint64_t bytes = 0;
    std::string sha256;       ///< of its content, 64 lower-case hexadecimal digits
    std::string address = {}; ///< where it is; empty: in the data set
};

/// The data set's Parquet files by path, as the hub's public API lists them; all pages of it. Nothing that comes from
/// there is trusted: a path that leads elsewhere, a size or a checksum that is none is refused. Errors: "bad_input"
/// (the host's address), those of HttpClient::get, "bad_answer" (no list of files), "no_files".
Result<std::vector<HubFile>> listFiles(const DataSet& dataSet, const std::stop_token& stop = {});

} // namespace kernelarium::hub
