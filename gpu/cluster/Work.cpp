// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/cluster/Work.h"

#include <algorithm>
#include <fstream>
#include <vector>

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

} // namespace kernelarium::cluster
