// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/Work.h"

#include "gpu/cluster/AuditArray.h"
#include "gpu/cluster/SweepArray.h"

#include <algorithm>
#include <fmt/format.h>
#include <fstream>

namespace kernelarium::cluster {

std::uint64_t GrowingLines::count(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    if (!file) return m_lines;
    if (std::uint64_t(file.tellg()) < m_read) m_read = m_lines = 0; // it was cut: what a killed process left unfinished
    file.seekg(std::streamoff(m_read));
    std::vector<char> part(std::size_t(1) << 16);
    while (file) {
        file.read(part.data(), std::streamsize(part.size()));
        const auto got = file.gcount();
        m_lines += std::uint64_t(std::count(part.begin(), part.begin() + got, '\n'));
        m_read += std::uint64_t(got);
    }
    return m_lines;
}

Result<std::unique_ptr<Work>> makeWork(const Plan& plan, const std::filesystem::path& folder) {
    if (plan.kind == sweepWork) return makeSweepWork(plan, folder);
    if (plan.kind == auditWork) return makeAuditWork(plan, folder);
    return Error{"newer_store", fmt::format("This array does `{}`, which is not known here.", plan.kind),
                 "Use the version of the program that submitted it."};
}

} // namespace kernelarium::cluster
