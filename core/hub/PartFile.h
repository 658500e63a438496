// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hub/DataSet.h"

#include <filesystem>
#include <functional>

namespace kernelarium::hub {

/// A file on its way: FILE.part, and beside it FILE.part.from, which says what it is a part of. Locked while it lives,
/// so that no two programs write to it.
class PartFile {
public:
    /// Opens what is there for `target`, or begins. Errors "busy", "unwritable_file", "disk_full".
    static Result<PartFile> open(const std::filesystem::path& target, const HubFile& file);
    ~PartFile();
    PartFile(PartFile&& other) noexcept;
    PartFile& operator=(PartFile&&) = delete;

    [[nodiscard]] std::uint64_t bytes() const { return m_bytes; }
    [[nodiscard]] const std::string& etag() const { return m_etag; } ///< of what is there; empty: not known

    Result<void> append(std::string_view bytes);
    Result<void> beginAnew();
    /// Notes of which content (a server's ETag) the next bytes are.
    Result<void> noteEtag(const std::string& etag);
    /// Gives the file its name.
    Result<void> finish();
    /// Takes it away: it is no use to anyone.
    void discard();

private:
    PartFile(int descriptor, std::filesystem::path target, std::string sha256)
        : m_descriptor(descriptor)
        , m_target(std::move(target))
        , m_sha256(std::move(sha256)) {}
    [[nodiscard]] std::filesystem::path part() const;
    [[nodiscard]] std::filesystem::path note() const;

    int m_descriptor;
    std::filesystem::path m_target;
    std::string m_sha256;
    std::string m_etag;
    std::uint64_t m_bytes = 0;
};

/// The SHA-256 of a file's content in hexadecimal digits. `read` is told of the bytes as they are read. Errors
/// "unreadable_file", "cancelled".
Result<std::string> sha256OfFile(const std::filesystem::path& path, const std::function<void(std::uint64_t)>& read,
                                 const std::stop_token& stop);

/// The bytes of FILE.part and of FILE that are there for `target`; 0 without.
std::uint64_t bytesPresent(const std::filesystem::path& target);

} // namespace kernelarium::hub
