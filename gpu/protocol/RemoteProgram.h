// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"
#include "gpu/protocol/RemoteHost.h"

#include <filesystem>
#include <functional>
#include <stop_token>
#include <string>

namespace kernelarium::protocol {

/// What is copied to a machine that does not have the program: a portable bundle's archive
/// (packaging/bundle), or the folder that such a bundle was unpacked to. On the other side it lies in
/// ~/.cache/kernelarium/remote/KEY, where KEY is of its content: another build is another folder, and what is
/// there already is not copied again.
class RemoteProgram {
public:
    /// `bundle` names an archive (.tar, .tar.gz, .tar.xz); empty: that of the environment variable
    /// KERNELARIUM_BUNDLE, else the unpacked bundle that `program` belongs to. Nothing where there is
    /// neither: then the other side's own kernelarium-cli is used. Errors: "unreadable_file".
    static Result<RemoteProgram> find(const std::filesystem::path& program, const std::filesystem::path& bundle);

    [[nodiscard]] bool canCopy() const { return !m_key.empty(); }
    [[nodiscard]] const std::string& key() const { return m_key; }

    /// Exits with this where the program is not on the other side.
    static constexpr int isMissing = 93;
    /// For the shell on the other side: becomes `kernelarium-cli worker WORDS`. The words need no quoting.
    [[nodiscard]] std::string startCommand(const std::string& words) const;
    /// Errors: those of remoteError(), "cancelled", "remote" (no space, no tar).
    Result<void> copyTo(const RemoteHost& host, const std::function<void(const std::string&)>& progress,
                        const std::stop_token& stop) const;

private:
    std::string m_key;               ///< empty: there is nothing to copy
    std::filesystem::path m_archive; ///< either this
    std::filesystem::path m_folder;  ///< or this
};

} // namespace kernelarium::protocol
