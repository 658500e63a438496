// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/PreludeCache.h"

#include <chrono>
#include <fcntl.h>
#include <filesystem>
#include <sys/file.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::compile {

namespace fs = std::filesystem;

namespace {

constexpr const char* folderStart = "kernelarium-pch-";
/// A folder is locked right after it was made: one this old without a lock has lost its process.
constexpr std::chrono::seconds settled{60};

/// Locks a folder of precompiled headers; the lock goes with the process, however that ends. -1: another one has it.
int lockFolder(const fs::path& folder) {
    const int file = ::open((folder / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC | O_NOFOLLOW, 0600);
    if (file >= 0 && ::flock(file, LOCK_EX | LOCK_NB) != 0) {
        ::close(file);
        return -1;
    }
    return file;
}

/// A killed process leaves its folder, 170 MB of it: whoever comes next takes it away.
void removeAbandoned(const fs::path& temporary) {
    std::error_code ignored;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator it(temporary, fs::directory_options::skip_permission_denied, ignored), end;
         !ignored && it != end; it.increment(ignored)) {
        if (!it->path().filename().string().starts_with(folderStart)) continue;
        std::error_code unreadable;
        const auto changed = fs::last_write_time(it->path(), unreadable);
        if (unreadable || now - changed < settled) continue;
        const int lock = lockFolder(it->path());
        if (lock < 0) continue; // in use, or another user's
        fs::remove_all(it->path(), unreadable);
        ::close(lock);
    }
}

} // namespace

PreludeCache::PreludeCache() {
    removeAbandoned(files::ScratchFolder::parent());
}

PreludeCache::~PreludeCache() {
    m_folder.reset(); // while it is locked
    if (m_lock >= 0) ::close(m_lock);
}

bool PreludeCache::haveFolder() {
    if (m_folderTried) return m_folder.has_value();
    m_folderTried = true;
    Result<files::ScratchFolder> folder = files::ScratchFolder::make(folderStart);
    if (!folder) return false;
    m_folder.emplace(std::move(*folder));
    m_lock = lockFolder(m_folder->path());
    return true;
}

std::string PreludeCache::prepared(const Nvrtc& nvrtc, const std::vector<std::string>& options,
                                   const std::string& prelude) {
    std::string key = prelude;
    for (const std::string& option : options)
        key += "\n" + option;
    const auto [known, isFirst] = m_names.try_emplace(key);
    if (isFirst || (!known->second && !haveFolder())) return {};
    if (known->second) return *known->second;
    const std::string name = "prelude" + std::to_string(m_names.size()) + ".pch";
    std::vector<std::string> making = options;
    making.push_back("--pch-dir=" + m_folder->path().string());
    making.push_back("--create-pch=" + name);
    making.emplace_back("--pch-messages=false");
    const bool made = nvrtc.compile(prelude, making).ok;
    return *(known->second = made ? name : std::string());
}

Nvrtc::Output PreludeCache::compile(const Nvrtc& nvrtc, const std::string& source,
                                    const std::vector<std::string>& options, Prelude kind,
                                    const std::map<std::string, std::string>& headers) {
    const char* header = kind == Prelude::torch     ? "unit_torch.h"
                         : kind == Prelude::program ? "unit_program.h"
                                                    : "unit_plain.h";
    const std::string prelude = std::string("#include \"kernelarium/") + header + "\"\n#pragma nv_hdrstop\n";
    std::vector<std::string> all = options;
    if (const std::string name = prepared(nvrtc, options, prelude); !name.empty()) {
        all.push_back("--pch-dir=" + m_folder->path().string());
        all.push_back("--use-pch=" + name);
        all.emplace_back("--pch-messages=false");
    }
    return nvrtc.compile(prelude + "#line 1 \"kernel.cu\"\n" + source, all, headers);
}

} // namespace kernelarium::compile
