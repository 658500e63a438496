// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/audit/AuditPlan.h"

#include <functional>
#include <string>
#include <vector>

namespace kernelarium::audit {

/// A kernel's source, empty where it cannot be read.
using SourceOf = std::function<std::string(const Candidate&)>;

/// The order in which so many threads judge what is due: as it is, but the last ones by the time that they will take,
/// the most first, so that at the end no thread waits long for another one's kernel. That is what each took last time,
/// or is guessed from its task's work and from what its source unrolls. The pointers are into `due`.
[[nodiscard]] std::vector<const Candidate*> longFirst(const std::vector<Candidate>& due, unsigned jobs,
                                                      const SourceOf& sourceOf);

} // namespace kernelarium::audit
