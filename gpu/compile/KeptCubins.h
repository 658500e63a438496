// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/compile/NvJitLink.h"

#include <cstddef>
#include <list>
#include <optional>
#include <string>
#include <vector>

namespace kernelarium::compile {

/// What ptxas made of the last few texts. Who edits host code, or what stands below the kernels, leaves the kernels'
/// PTX as it was, and the same ptxas makes the same of it.
class KeptCubins {
public:
    static constexpr std::size_t most = 8;                          ///< texts
    static constexpr std::size_t mostBytes = std::size_t(32) << 20; ///< of texts and cubins together

    [[nodiscard]] std::optional<NvJitLink::Output> find(const std::string& ptx,
                                                        const std::vector<std::string>& options);
    /// One that is too large, or not `ok`, is not kept.
    void keep(const std::string& ptx, const std::vector<std::string>& options, const NvJitLink::Output& output);

private:
    struct Entry {
        std::string ptx;
        std::vector<std::string> options;
        NvJitLink::Output output;
        [[nodiscard]] std::size_t bytes() const { return ptx.size() + output.cubin.size() + output.info.size(); }
    };
    std::list<Entry> m_entries; ///< the one used last stands first
    std::size_t m_bytes = 0;
};

} // namespace kernelarium::compile
