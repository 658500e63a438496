// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace kernelarium::compile {

/// Headers that NVRTC may read keep host code from it with `#if !defined(__CUDACC_RTC__)`: there is no host to compile
/// for. Here there is one. In the texts (by the names that the #includes have) each such group is let through that
///
/// - names CUDA's host interface (cudaStream_t, cuTensorMapEncodeTiled, CUtensorMap) or a std::ostream,
/// - uses what only groups that are let through declare, or
/// - holds nothing but #includes, of headers that `isKnown` or in a file of which another group is let through.
///
/// All others stay as their authors left them, and so do #else branches: they are for device code, or for other hosts.
/// Lines and columns do not move.
void letHostGroupsThrough(std::map<std::string, std::string>& texts, bool (*isKnown)(std::string_view name));

} // namespace kernelarium::compile
