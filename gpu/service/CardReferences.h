// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/verify/CardSubject.h"
#include "core/verify/Workplace.h"

#include <memory>
#include <string>

namespace kernelarium::service {

class GpuTarget;

/// What evaluates a card's graph, and where.
struct ChosenReference {
    std::unique_ptr<verify::Reference> reference;
    verify::Workplace* place =
        nullptr;        ///< where the tensors of its verification lie: the GPU; null: this process's memory
    std::string remark; ///< why the GPU does not evaluate it although it should; empty otherwise
};

/// What evaluates a card's graph: the GPU (open; null where kernels are emulated) where that pays, else the CPU with
/// `jobs` threads. Errors: as verify::planOf.
Result<ChosenReference> referenceFor(task::Card card, const std::string& size, unsigned jobs, GpuTarget* gpu);

/// Whether the CPU would take longer for one evaluation than a GPU takes to be made ready.
[[nodiscard]] bool isWorkForGpu(const task::Card& card, const std::string& size, unsigned jobs);

} // namespace kernelarium::service
