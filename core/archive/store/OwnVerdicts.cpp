// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/archive/store/OwnVerdicts.h"

#include <cstring>
#include <ctime>
#include <fmt/format.h>
#include <fmt/ranges.h>

namespace kernelarium::archive {

std::string OwnVerdict::reasonText() const {
    return fmt::format("{}", fmt::join(reasons, ", "));
}

std::string OwnVerdict::remarkText() const {
    return fmt::format("{}", fmt::join(remarks, ", "));
}

std::string utcText(std::int64_t timeMs) {
    const std::time_t seconds = timeMs / 1000;
    std::tm parts{};
    if (timeMs == 0 || gmtime_r(&seconds, &parts) == nullptr) return {};
    return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday,
                       parts.tm_hour, parts.tm_min, parts.tm_sec);
}

std::size_t OwnVerdicts::Hash::operator()(const View& key) const {
    std::size_t beginning = 0; // of a digest: as good as any hash of all of it
    std::memcpy(&beginning, key.code.data(), sizeof(beginning));
    return beginning ^ (std::size_t(key.level) << 32) ^ std::size_t(key.task);
}

void OwnVerdicts::put(std::int64_t level, std::int64_t task, const std::string& name, const files::Digest& code,
                      OwnVerdict verdict) {
    m_verdicts.insert_or_assign(Key{level, task, name, code}, std::make_shared<const OwnVerdict>(std::move(verdict)));
}

const OwnVerdict* OwnVerdicts::find(const View& key) const {
    const auto found = m_verdicts.find(key);
    return found == m_verdicts.end() ? nullptr : found->second.get();
}

const OwnVerdict* OwnVerdicts::of(const KernelTable& table, std::size_t row) const {
    return find({table.level[row], table.task[row], table.name[row], table.codeHash[row]});
}

const OwnVerdict* OwnVerdicts::of(const KernelSummary& kernel) const {
    return find({kernel.level, kernel.task, kernel.name, kernel.codeHash});
}

} // namespace kernelarium::archive
