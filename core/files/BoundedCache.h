// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <atomic>
#include <cstdint>
#include <filesystem>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

namespace kernelarium::files {

/// Texts that took time to make, kept by name in a folder of this user's for the next process that wants them.
///
/// Several processes and threads use one folder at the same time. What does not belong to this user, is a link or no
/// ordinary file, or was damaged (every text carries its digest) is not there for it. When the texts take more than the
/// limit, those go whose last use is longest ago. Files of other names are left alone. Nothing here fails loudly:
/// whoever keeps nothing makes it again.
class BoundedCache {
public:
    static constexpr std::uint64_t megabyte = 1'000'000; ///< bytes, as quantities::bytes() counts them
    static constexpr std::uint64_t standardLimit = 256 * megabyte;
    static constexpr std::uint64_t largestText = std::uint64_t(32) << 20; ///< longer ones are not kept

    /// The folder is made with the first text, for this user alone (mode 0700).
    explicit BoundedCache(std::filesystem::path folder);
    BoundedCache(const BoundedCache&) = delete;
    BoundedCache& operator=(const BoundedCache&) = delete;

    /// `name`: lower-case letters and digits, as toHex() gives. Counts as a use. A damaged text is removed.
    [[nodiscard]] std::optional<std::string> find(const std::string& name);
    void keep(const std::string& name, std::string_view text);

    /// Bytes that all texts may take; 0: nothing is kept. It is kept in the folder, for all processes.
    [[nodiscard]] std::uint64_t limit() const;
    /// Removes what is beyond it. Error "unwritable_file", also where something of it cannot be removed.
    Result<void> setLimit(std::uint64_t bytes);
    /// Error "unwritable_file" where something of this folder cannot be removed.
    Result<void> clear();

    /// Error "unwritable_file" where nothing can be kept here: no folder is named, or it is none of this user's alone.
    /// A folder that is not there yet is fine.
    [[nodiscard]] Result<void> check() const;

    struct Contents {
        std::uint64_t texts = 0;
        std::uint64_t bytes = 0;
    };
    [[nodiscard]] Contents contents() const;
    [[nodiscard]] const std::filesystem::path& folder() const { return m_folder; }

private:
    [[nodiscard]] bool isOurs() const;
    Result<void> haveFolder();
    std::filesystem::path unfinishedFile(const std::string& name);
    int removeBeyond(std::uint64_t bytes);

    std::filesystem::path m_folder;
    std::mutex m_mutex;                ///< of what follows
    std::uint64_t m_keptSinceLook = 0; ///< bytes since the folder was last looked through
    bool m_looked = false;
    std::atomic<unsigned> m_serial{0}; ///< of unfinished files
};

} // namespace kernelarium::files
