// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/archive/store/KernelTable.h"
#include "core/archive/store/Query.h"

#include <string>

namespace kernelarium::archive {

/// A filter made ready for the rows of a table; both outlive it.
class RowFilter {
public:
    RowFilter(const KernelTable& table, const KernelFilter& filter);
    [[nodiscard]] bool accepts(std::size_t row) const;

private:
    const KernelTable& m_table;
    const KernelFilter& m_filter;
    std::string m_op;
    std::string m_name;
    std::string m_word; ///< between its '_'
};

} // namespace kernelarium::archive
