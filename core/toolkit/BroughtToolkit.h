// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::toolkit {

/// Where this user's toolkits are: $XDG_DATA_HOME/kernelarium/toolkit, else ~/.local/share/kernelarium/toolkit; empty
/// without a home. In it: a folder for each that was brought, named by its version; "current", a link to the one in
/// use; "downloads", what came and what is on its way.
[[nodiscard]] std::filesystem::path toolkitFolder();

/// A toolkit that the program brought.
struct BroughtToolkit {
    std::string version;        ///< "13.0.2"
    std::filesystem::path root; ///< with bin, include, lib, licences
    std::uint64_t bytes = 0;    ///< of all its files
    std::string source;         ///< an index's address, or a folder
    struct Wheel {
        std::string file;
        std::string sha256;
    };
    std::vector<Wheel> wheels;
};

/// The one in use; empty where there is none, or what is there is none of ours.
[[nodiscard]] std::optional<BroughtToolkit> broughtToolkit(const std::filesystem::path& folder);

/// Takes away what was brought, with its downloads; how many bytes that were. 0 where there was nothing. Files of
/// others in the folder stay. Errors: "busy" (a toolkit is being brought), "unwritable_file".
Result<std::uint64_t> removeToolkit(const std::filesystem::path& folder);

/// What is being brought, until it is in use. One at a time; killed at any moment it leaves the toolkit in use as it
/// was.
class StagedToolkit {
public:
    /// Makes a new folder below `folder`, and takes away those that were left behind. Errors "busy", "unwritable_file".
    static Result<StagedToolkit> begin(const std::filesystem::path& folder);
    ~StagedToolkit(); ///< takes the folder away unless it is in use
    StagedToolkit(StagedToolkit&& other) noexcept;
    StagedToolkit& operator=(StagedToolkit&&) = delete;

    [[nodiscard]] const std::filesystem::path& root() const { return m_root; }
    /// Writes everything to the disk and makes it the one in use, in one step; then the one of before is taken away.
    /// Errors "unwritable_file", "disk_full".
    Result<BroughtToolkit> use(BroughtToolkit what);

private:
    StagedToolkit(int lock, std::filesystem::path folder)
        : m_lock(lock)
        , m_folder(std::move(folder)) {}
    int m_lock;
    std::filesystem::path m_folder;
    std::filesystem::path m_root;
};

} // namespace kernelarium::toolkit
