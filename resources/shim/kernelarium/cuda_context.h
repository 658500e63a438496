// SPDX-License-Identifier: GPL-3.0-or-later
//
// <ATen/cuda/CUDAContext.h> and <ATen/cuda/Exceptions.h>.
#pragma once
#include "kernelarium/cublas.h"
#include "kernelarium/cuda_check.h"
#include "kernelarium/cuda_stream.h"

namespace at::cuda {
/// The handle of the current stream: "torch.cublas_handle"(&handle).
inline cublasHandle_t getCurrentCUDABlasHandle() {
    cublasHandle_t h = nullptr;
    kl::cuda("torch.cublas_handle", {&h});
    return h;
}
__noinline__ inline cudaDeviceProp* getDeviceProperties(int device) {
    cudaDeviceProp* p = static_cast<cudaDeviceProp*>(kl_alloc(sizeof(cudaDeviceProp)));
    cudaGetDeviceProperties(p, device);
    return p;
}
inline cudaDeviceProp* getCurrentDeviceProperties() { return getDeviceProperties(c10::cuda::current_device()); }
inline int warp_size() { return 32; }
inline bool is_available() { return true; }
} // namespace at::cuda

namespace kl {
inline void checkBlas(cublasStatus_t s, const char* call) {
    if (s != CUBLAS_STATUS_SUCCESS) kl::fail<c10::Error>("CUDA error: ", cublasGetStatusString(s), " when calling `", call, "`");
}
} // namespace kl
#define AT_CUDA_CHECK(expression) C10_CUDA_CHECK(expression)
#define TORCH_CUDABLAS_CHECK(expression) ::kl::checkBlas((expression), #expression)
