// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/hgemm/HgemmTable.h"

#include <memory>

namespace kernelarium::hgemm {

/// The imported tables, in an SQLite file of their own. One table of each device, precision and mode. One
/// object per thread. Errors of every call: "busy", "disk_full", "damaged_hgemm", "unwritable_file",
/// "hgemm_failure".
class HgemmStore {
public:
    /// Made when absent. "not_hgemm", "newer_hgemm": refused and left as it is.
    static Result<HgemmStore> open(const std::filesystem::path& path);
    HgemmStore(HgemmStore&&) noexcept;
    HgemmStore& operator=(HgemmStore&&) noexcept;
    ~HgemmStore();

    /// All of them or none; each takes the place of the one of the same device, precision and mode.
    Result<void> put(const std::vector<HgemmTable>& tables);
    /// By device, precision and mode.
    Result<std::vector<HgemmTable>> tables();

private:
    struct State;
    explicit HgemmStore(std::unique_ptr<State> state);
    std::unique_ptr<State> m_state;
};

} // namespace kernelarium::hgemm
