// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string>
#include <string_view>

namespace kernelarium::compile {

/// The part of a PTX module that a GPU runs: its kernels, and the functions and variables they reach. Host functions,
/// which call what no device has, stay behind. Order and text of what is kept are unchanged.
std::string extractKernels(std::string_view ptx);

} // namespace kernelarium::compile
