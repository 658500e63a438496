// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/process/ImportTable.h"

#include <vector>

namespace kernelarium::compile {

/// What NVRTC is to call for mmap, so that its heap costs little.
///
/// It reserves 256 MB and puts its heap there by a private mapping of a file for every 64 KB: of a temporary file, or
/// of a precompiled header. Each page of a header (44 MB with PyTorch's part) then costs a fault and a copy of its own,
/// half of the time that a short kernel takes. With these the reserved range asks for huge pages, and what would be
/// mapped over it is read into it, which gives the same bytes; where that fails it is mapped as before. Only in threads
/// with a WithinReach.
std::vector<process::Redirect> heapRedirects();

/// Between two runs: has the system give pages of zeros to the ranges, in a thread of its own, where the next run would
/// otherwise wait for each. What a range holds is no other for that.
void readyHeaps();

} // namespace kernelarium::compile
