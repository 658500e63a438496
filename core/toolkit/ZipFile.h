// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/Result.h"

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <stop_token>
#include <string>
#include <string_view>
#include <vector>

namespace kernelarium::toolkit {

/// What may be in an archive at most.
struct ZipLimits {
    std::size_t members = 20'000;
    std::uint64_t bytes = 2ull << 30; ///< of all members, unpacked
};

/// A zip archive that nobody vouches for. Opening it reads its directory alone, and refuses the whole of it for one
/// member that is no plain file or folder below the place where it is unpacked: absolute, with "..", a backslash, a
/// control character or a drive in its name, a link or a device, encrypted, of a compression that is not known here,
/// twice there (also in another case), a file where another needs a folder; or for more than the limits.
class ZipFile {
public:
    struct Member {
        std::string name;
        std::uint64_t bytes = 0;              ///< unpacked; read() gives no more
        std::uint64_t offset = 0, number = 0; ///< where in the directory
    };

    /// Errors: "bad_archive" with the reason, "unreadable_file".
    static Result<ZipFile> open(const std::filesystem::path& path, const ZipLimits& limits = {});
    ~ZipFile();
    ZipFile(ZipFile&&) noexcept;
    ZipFile& operator=(ZipFile&&) = delete;

    [[nodiscard]] const std::vector<Member>& files() const { return m_files; } ///< folders are left out
    [[nodiscard]] const Member* find(std::string_view name) const;

    /// Hands over a file piece by piece. Errors: "bad_archive" (another length or CRC than the directory says), that of
    /// `take`, "cancelled".
    Result<void> read(const Member& member, const std::function<Result<void>(std::string_view)>& take,
                      const std::stop_token& stop);
    /// A file of at most `mostBytes` as text.
    Result<std::string> text(const Member& member, std::size_t mostBytes, const std::stop_token& stop);

private:
    struct Closes {
        void operator()(void* handle) const;
    };
    ZipFile(void* handle, std::string name);
    Result<void> readDirectory(const ZipLimits& limits);
    [[nodiscard]] Error bad(const std::string& what) const;

    std::unique_ptr<void, Closes> m_handle;
    std::string m_name;
    std::vector<Member> m_files;
};

/// Whether a name leads to a place below the folder that it is taken in.
[[nodiscard]] bool staysBelow(std::string_view name);

} // namespace kernelarium::toolkit
