// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <cstddef>
#include <span>

namespace kernelarium::compile {

/// How many instructions of a kernel's machine code load from device memory as such (LDG); 0 also where the code is in
/// an encoding that is not known. From compute capability 7.0 on an instruction has 16 bytes, and its low 9 bits are
/// its operation: Z. Jia and others, "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking", 2018.
[[nodiscard]] int globalLoads(std::span<const std::byte> code, int computeCapability);

} // namespace kernelarium::compile
