// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/toolkit/BroughtToolkit.h"

#include "core/files/FolderRemoval.h"
#include "core/text/UntrustedJson.h"

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fmt/format.h>
#include <fstream>
#include <nlohmann/json.hpp>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

namespace kernelarium::toolkit {
namespace {

namespace fs = std::filesystem;

constexpr const char* currentName = "current";
constexpr const char* manifestName = "toolkit.json";
constexpr const char* downloadsName = "downloads";
constexpr std::string_view stagedPrefix = ".new-";
constexpr std::string_view linkPrefix = ".current-";
constexpr std::string_view kindOfManifest = "kernelarium toolkit";
constexpr std::uintmax_t mostManifestBytes = 1u << 20;

Error cannotStage(const fs::path& path, int code) {
    if (code == ENOSPC || code == EDQUOT)
        return {"disk_full", fmt::format("The disk of {} is full.", path.string()),
                "Free some space; the toolkit that there was is as it was."};
    return {"unwritable_file", fmt::format("{} cannot be written: {}.", path.string(), std::strerror(code)),
            "The toolkit that there was is as it was."};
}

std::optional<BroughtToolkit> readManifest(const fs::path& root) {
    const fs::path path = root / manifestName;
    std::error_code code;
    const auto size = fs::file_size(path, code);
    if (code || size > mostManifestBytes) return std::nullopt;
    std::ifstream in(path, std::ios::binary);
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    const auto json = text::untrustedJson(text);
    if (!json.is_object() || json.value("kind", nlohmann::json()) != kindOfManifest) return std::nullopt;
    const auto word = [](const nlohmann::json& of, const char* key) {
        const auto found = of.find(key);
        return found != of.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    BroughtToolkit brought{word(json, "version"), root, 0, word(json, "source"), {}};
    if (const auto bytes = json.find("bytes"); bytes != json.end() && bytes->is_number_unsigned())
        brought.bytes = bytes->get<std::uint64_t>();
    if (const auto wheels = json.find("wheels"); wheels != json.end() && wheels->is_array())
        for (const auto& wheel : *wheels)
            if (wheel.is_object()) brought.wheels.push_back({word(wheel, "file"), word(wheel, "sha256")});
    if (brought.version.empty()) return std::nullopt;
    return brought;
}

/// What the link says, as a name in the folder; empty for one that leads elsewhere.
std::string currentTarget(const fs::path& folder) {
    std::error_code code;
    const fs::path target = fs::read_symlink(folder / currentName, code);
    return code || target.has_parent_path() || target == ".." || target == "." ? std::string() : target.string();
}

bool isOurs(const fs::path& folder, const std::string& name) {
    if (name.starts_with(stagedPrefix)) return true;
    std::error_code code;
    return !name.starts_with('.') && fs::is_directory(fs::symlink_status(folder / name, code)) &&
           readManifest(folder / name).has_value();
}

/// Of all files below it; no link is followed.
std::uint64_t bytesBelow(const fs::path& folder) {
    std::uint64_t bytes = 0;
    std::error_code code;
    if (!fs::is_directory(fs::symlink_status(folder, code))) return 0;
    for (fs::recursive_directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code)) {
        std::error_code ignored;
        if (!fs::is_regular_file(entry->symlink_status(ignored))) continue;
        if (const auto size = entry->file_size(ignored); !ignored) bytes += size;
    }
    return bytes;
}

/// Takes away every toolkit of ours but `kept`, and what was left behind.
bool clean(const fs::path& folder, const std::string& kept) {
    const int open = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (open < 0) return errno == ENOENT;
    bool all = true;
    for (const std::string& name : files::namesIn(open)) {
        if (name == kept) continue;
        if (name.starts_with(linkPrefix)) all = ::unlinkat(open, name.c_str(), 0) == 0 && all;
        if (!isOurs(folder, name)) continue;
        // One without a manifest is nobody's any more, should this end half-way.
        const std::string doomed = name.starts_with(stagedPrefix) ? name : std::string(stagedPrefix) + "old-" + name;
        if (doomed != name && ::renameat(open, name.c_str(), open, doomed.c_str()) != 0)
            all = false;
        else
            all = files::removeFolder(open, doomed) && all;
    }
    ::close(open);
    return all;
}

Result<int> lockFolder(const fs::path& folder) {
    std::error_code code;
    fs::create_directories(folder, code);
    if (code) return cannotStage(folder, code.value());
    const fs::path path = folder / ".lock";
    const int lock = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0644);
    if (lock < 0) return cannotStage(path, errno);
    if (::flock(lock, LOCK_EX | LOCK_NB) == 0) return lock;
    ::close(lock);
    return Error{"busy", "Another program is bringing or removing the toolkit.", "Wait until it has finished."};
}

void syncFolder(const fs::path& folder) {
    const int open = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (open < 0) return;
    (void)::fsync(open);
    ::close(open);
}

} // namespace

fs::path toolkitFolder() {
    if (const char* xdg = std::getenv("XDG_DATA_HOME"); xdg != nullptr && *xdg == '/')
        return fs::path(xdg) / "kernelarium" / "toolkit";
    if (const char* home = std::getenv("HOME"); home != nullptr && *home == '/')
        return fs::path(home) / ".local/share/kernelarium/toolkit";
    return {};
}

std::optional<BroughtToolkit> broughtToolkit(const fs::path& folder) {
    const std::string name = folder.empty() ? std::string() : currentTarget(folder);
    return name.empty() ? std::nullopt : readManifest(folder / name);
}

Result<std::uint64_t> removeToolkit(const fs::path& folder) {
    std::error_code code;
    if (folder.empty() || !fs::exists(folder, code)) return std::uint64_t(0);
    auto lock = lockFolder(folder);
    if (!lock) return lock.error();
    // Also what a removal or a bringing that was killed has left.
    std::uint64_t bytes = bytesBelow(folder / downloadsName);
    for (fs::directory_iterator entry(folder, code), end; !code && entry != end; entry.increment(code))
        if (const fs::path& place = entry->path(); isOurs(folder, place.filename().string()))
            bytes += bytesBelow(place);
    // From here on no program finds it.
    if (::unlink((folder / currentName).c_str()) != 0 && errno != ENOENT) {
        const int why = errno;
        ::close(*lock);
        return cannotStage(folder / currentName, why);
    }
    bool all = clean(folder, {});
    if (const int open = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC); open >= 0) {
        if (fs::is_directory(fs::symlink_status(folder / downloadsName, code)))
            all = files::removeFolder(open, downloadsName) && all;
        ::close(open);
    }
    ::close(*lock);
    if (!all)
        return Error{"unwritable_file", fmt::format("Not all of {} could be removed.", folder.string()),
                     "It is not used any more; remove the rest by hand."};
    return bytes;
}

Result<StagedToolkit> StagedToolkit::begin(const fs::path& folder) {
    auto lock = lockFolder(folder);
    if (!lock) return lock.error();
    StagedToolkit staged(*lock, folder);
    clean(folder, currentTarget(folder));
    std::string name = (folder / (std::string(stagedPrefix) + "XXXXXX")).string();
    if (::mkdtemp(name.data()) == nullptr) return cannotStage(folder, errno);
    staged.m_root = name;
    if (::chmod(name.c_str(), 0755) != 0) return cannotStage(name, errno);
    return staged;
}

StagedToolkit::StagedToolkit(StagedToolkit&& other) noexcept
    : m_lock(std::exchange(other.m_lock, -1))
    , m_folder(std::move(other.m_folder))
    , m_root(std::exchange(other.m_root, {})) {}

StagedToolkit::~StagedToolkit() {
    if (m_lock < 0) return;
    if (!m_root.empty()) {
        std::error_code ignored;
        fs::remove_all(m_root, ignored);
    }
    ::close(m_lock);
}

Result<BroughtToolkit> StagedToolkit::use(BroughtToolkit what) {
    auto wheels = nlohmann::json::array();
    for (const auto& wheel : what.wheels)
        wheels.push_back({{"file", wheel.file}, {"sha256", wheel.sha256}});
    std::ofstream out(m_root / manifestName, std::ios::binary);
    out << nlohmann::json{{"kind", kindOfManifest},
                          {"version", what.version},
                          {"bytes", what.bytes},
                          {"source", what.source},
                          {"wheels", wheels}}
               .dump(2, ' ', false, nlohmann::json::error_handler_t::replace)
        << '\n';
    out.close();
    if (!out) return cannotStage(m_root / manifestName, errno);
    const int open = ::open(m_root.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    const bool synced = open >= 0 && ::syncfs(open) == 0; // all files at once: there are thousands
    const int why = errno;
    if (open >= 0) ::close(open);
    if (!synced) return cannotStage(m_root, why);

    std::string name = what.version;
    std::error_code code;
    for (int i = 2; fs::exists(fs::symlink_status(m_folder / name, code)); ++i)
        name = fmt::format("{}+{}", what.version, i); // the one in use may be of the same version
    if (::rename(m_root.c_str(), (m_folder / name).c_str()) != 0) return cannotStage(m_folder / name, errno);
    m_root = m_folder / name;
    const fs::path link = m_folder / fmt::format("{}{}", linkPrefix, ::getpid());
    ::unlink(link.c_str());
    if (::symlink(name.c_str(), link.c_str()) != 0) return cannotStage(link, errno);
    if (::rename(link.c_str(), (m_folder / currentName).c_str()) != 0) { // the step that counts
        const int problem = errno;
        ::unlink(link.c_str());
        return cannotStage(m_folder / currentName, problem);
    }
    syncFolder(m_folder);
    what.root = std::exchange(m_root, {});
    clean(m_folder, name);
    return what;
}

} // namespace kernelarium::toolkit
