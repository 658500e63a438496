// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/kernelgen/attention/AttentionForm.h"
#include "core/kernelgen/file/KernelFile.h"

#include <cstddef>

namespace kernelarium::kernelgen::attention {

/// What the file's launch number `first` does, an attention's: the scores' product and the values' one after the other
/// (see products::describeProduct), no score in memory.
void describeAttention(KernelFile& file, const AttentionUnit& unit, std::size_t first);

} // namespace kernelarium::kernelgen::attention
