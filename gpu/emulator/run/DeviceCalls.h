// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/emulator/warp/Warp.h"

#include <functional>
#include <string>

namespace kernelarium::emulator {

/// Reads (writes) `bytes` at a generic address as the lane sees it. False when the address is not readable.
bool readLane(const Warp& warp, std::uint32_t lane, std::uint64_t address, void* out, std::size_t bytes);
bool writeLane(Warp& warp, std::uint32_t lane, std::uint64_t address, const void* from, std::size_t bytes);
std::string readStringLane(const Warp& warp, std::uint32_t lane, std::uint64_t address, std::size_t limit);

/// C's printf over a buffer as CUDA's vprintf packs it: 4-byte integers, 8-byte integers, pointers and doubles, each
/// aligned to its size. `read(offset, out, bytes)` fetches from the buffer; `string(address)` a string argument.
/// Unknown conversions are copied as they are.
std::string formatPacked(const std::string& format, const std::function<bool(std::size_t, void*, std::size_t)>& read,
                         const std::function<std::string(std::uint64_t)>& string);

/// Functions that kernels call and the device runtime supplies: vprintf, __assertfail, the launches of
/// dynamic parallelism. False for any other.
bool callDeviceFunction(Warp& warp, const Inst* call, const ExternFunction& function);

} // namespace kernelarium::emulator
