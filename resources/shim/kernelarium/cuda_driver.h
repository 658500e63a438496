// SPDX-License-Identifier: GPL-3.0-or-later
//
// <cuda.h>: what files that use the runtime take from it.
#pragma once
#include "kernelarium/cuda_api.h"

#define CUDA_VERSION CUDART_VERSION
enum CUresult { CUDA_SUCCESS = 0, CUDA_ERROR_INVALID_VALUE = 1, CUDA_ERROR_OUT_OF_MEMORY = 2, CUDA_ERROR_NOT_FOUND = 500, CUDA_ERROR_UNKNOWN = 999 };
typedef int CUdevice;
typedef cudaStream_t CUstream;
typedef unsigned long long CUdeviceptr;
#include "kernelarium/cuda_tensor_map.h"
