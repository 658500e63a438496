// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/compile/KeptCubins.h"

#include <algorithm>
#include <utility>

namespace kernelarium::compile {

std::optional<NvJitLink::Output> KeptCubins::find(const std::string& ptx, const std::vector<std::string>& options) {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [&](const Entry& e) { return e.ptx == ptx && e.options == options; });
    if (found == m_entries.end()) return std::nullopt;
    m_entries.splice(m_entries.begin(), m_entries, found);
    return m_entries.front().output;
}

void KeptCubins::keep(const std::string& ptx, const std::vector<std::string>& options,
                      const NvJitLink::Output& output) {
    Entry entry{ptx, options, output};
    if (!output.ok || entry.bytes() > mostBytes || find(ptx, options)) return;
    m_bytes += entry.bytes();
    m_entries.push_front(std::move(entry));
    while (m_entries.size() > most || m_bytes > mostBytes) {
        m_bytes -= m_entries.back().bytes();
        m_entries.pop_back();
    }
}

} // namespace kernelarium::compile
