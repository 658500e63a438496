// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/process/WriteWatch.h"

#include <fmt/format.h>
#include <fstream>
#include <optional>
#include <string>

namespace kernelarium::process {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t mostEntries = 10'000;

std::optional<std::uint64_t> bytesWritten(pid_t process) {
    std::ifstream counters("/proc/" + std::to_string(process) + "/io");
    std::uint64_t value = 0;
    for (std::string key; counters >> key >> value;)
        if (key == "wchar:") return value;
    return std::nullopt;
}

struct Contents {
    std::size_t entries = 0;
    std::uint64_t bytes = 0;
    bool tooDeep = false;

    [[nodiscard]] bool tooMany() const { return tooDeep || entries > mostEntries; }
};

/// What lies below a folder that changes meanwhile, until it is too much.
void countBelow(const fs::path& folder, int depth, Contents& all) {
    constexpr int mostDepth = 64;
    all.tooDeep = all.tooDeep || depth > mostDepth;
    std::error_code problem;
    for (auto it = fs::directory_iterator(folder, problem);
         !all.tooMany() && !problem && it != fs::directory_iterator(); it.increment(problem)) {
        ++all.entries;
        std::error_code gone;
        const fs::file_type type = it->symlink_status(gone).type();
        if (type == fs::file_type::directory) {
            countBelow(it->path(), depth + 1, all);
        } else if (type == fs::file_type::regular) {
            const std::uintmax_t size = it->file_size(gone);
            if (!gone) all.bytes += size;
        }
    }
}

} // namespace

Result<void> WriteWatch::look(pid_t process) const {
    Contents contents;
    countBelow(m_folder, 0, contents);
    const std::optional<std::uint64_t> counted = bytesWritten(process);
    if (counted.value_or(contents.bytes) > m_mostBytes)
        return Error{"too_large", fmt::format("It wrote more than {} MB and was ended.", m_mostBytes >> 20)};
    if (contents.tooMany())
        return Error{"too_large", fmt::format("It made more than {} files and folders, or nested them too deeply, and "
                                              "was ended.",
                                              mostEntries)};
    return {};
}

} // namespace kernelarium::process
