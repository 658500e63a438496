// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditPlan.h"

#include <vector>

namespace kernelarium::audit {

/// The order in which so many threads judge what is due: as it is, but the last ones in the order of their tasks' work,
/// the most first, so that at the end no thread waits long for another one's kernel. The pointers are into `due`.
[[nodiscard]] std::vector<const Candidate*> longFirst(const std::vector<Candidate>& due, unsigned jobs);

} // namespace kernelarium::audit
