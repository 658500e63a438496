// SPDX-License-Identifier: GPL-3.0-or-later
//
// <c10/cuda/CUDAException.h>: C10_CUDA_CHECK and C10_CUDA_KERNEL_LAUNCH_CHECK.
#pragma once
#include "kernelarium/c10_check.h"
#include "kernelarium/cuda_api.h"

namespace kl {
inline void checkCuda(cudaError_t status) {
    if (status != cudaSuccess) kl_cuda_failed(TypesOf<c10::Error>::keys(), int(status));
}
} // namespace kl
#define C10_CUDA_CHECK(expression) ::kl::checkCuda(expression)
#define C10_CUDA_CHECK_WARN(expression) ((void)(expression))
#define C10_CUDA_IGNORE_ERROR(expression) ((void)(expression))
#define C10_CUDA_CLEAR_ERROR() ((void)cudaGetLastError())
#define C10_CUDA_KERNEL_LAUNCH_CHECK() C10_CUDA_CHECK(cudaGetLastError())
