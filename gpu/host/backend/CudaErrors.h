// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <string_view>

namespace kernelarium::host {

// CUDA runtime status codes that this room gives by itself.
inline constexpr int cudaSuccess = 0;
inline constexpr int cudaErrorInvalidValue = 1;
inline constexpr int cudaErrorMemoryAllocation = 2;
inline constexpr int cudaErrorInvalidConfiguration = 9;
inline constexpr int cudaErrorInvalidSymbol = 13;
inline constexpr int cudaErrorInvalidMemcpyDirection = 21;
inline constexpr int cudaErrorInvalidDeviceFunction = 98;
inline constexpr int cudaErrorInvalidDevice = 101;
inline constexpr int cudaErrorInvalidResourceHandle = 400;
inline constexpr int cudaErrorNotReady = 600;
inline constexpr int cudaErrorIllegalAddress = 700;
inline constexpr int cudaErrorLaunchOutOfResources = 701;
inline constexpr int cudaErrorLaunchTimeout = 702;
inline constexpr int cudaErrorAssert = 710;
inline constexpr int cudaErrorHostMemoryAlreadyRegistered = 712;
inline constexpr int cudaErrorHostMemoryNotRegistered = 713;
inline constexpr int cudaErrorMisalignedAddress = 716;
inline constexpr int cudaErrorLaunchFailure = 719;
inline constexpr int cudaErrorInvalidClusterSize = 912;
inline constexpr int cudaErrorCooperativeLaunchTooLarge = 720;

/// "cudaErrorInvalidConfiguration"; "unrecognized error code" for a number that CUDA does not have.
[[nodiscard]] std::string_view cudaErrorName(int code);
/// "invalid configuration argument"
[[nodiscard]] std::string_view cudaErrorText(int code);
/// Whether the context is lost with it: every later call gives the same error.
[[nodiscard]] bool isSticky(int code);

} // namespace kernelarium::host
