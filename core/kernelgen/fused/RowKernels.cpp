// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/RowKernels.h"

#include "core/kernelgen/fused/SplitRows.h"
#include "core/kernelgen/fused/WholeRows.h"

namespace kernelarium::kernelgen {

int addRowKernels(KernelFile& file, const Plan& plan, std::size_t group) {
    return plan.groups[group].split ? addSplitRows(file, plan, group) : addWholeRows(file, plan, group);
}

} // namespace kernelarium::kernelgen
