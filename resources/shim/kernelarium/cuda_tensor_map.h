// SPDX-License-Identifier: GPL-3.0-or-later
//
// Of <cuda.h> and <cudaTypedefs.h>: tensor maps, and how files come by the function that makes them.
#pragma once
#include "kernelarium/cuda_api.h"

typedef uint32_t cuuint32_t;
typedef cudaLaunchAttribute CUlaunchAttribute; // as large, with its parts at the same places
typedef uint64_t cuuint64_t;
/// By the tag that headers declare it with beforehand, <cuda/barrier> among them.
struct alignas(64) CUtensorMap_st {
    cuuint64_t opaque[16];
};
typedef CUtensorMap_st CUtensorMap;
enum CUtensorMapDataType {
    CU_TENSOR_MAP_DATA_TYPE_UINT8,
    CU_TENSOR_MAP_DATA_TYPE_UINT16,
    CU_TENSOR_MAP_DATA_TYPE_UINT32,
    CU_TENSOR_MAP_DATA_TYPE_INT32,
    CU_TENSOR_MAP_DATA_TYPE_UINT64,
    CU_TENSOR_MAP_DATA_TYPE_INT64,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT64,
    CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
    CU_TENSOR_MAP_DATA_TYPE_FLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32,
    CU_TENSOR_MAP_DATA_TYPE_TFLOAT32_FTZ,
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN8B, // from here on refused by who makes the map
    CU_TENSOR_MAP_DATA_TYPE_16U4_ALIGN16B,
    CU_TENSOR_MAP_DATA_TYPE_16U6_ALIGN16B
};
enum CUtensorMapInterleave { CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_INTERLEAVE_16B, CU_TENSOR_MAP_INTERLEAVE_32B };
enum CUtensorMapSwizzle {
    CU_TENSOR_MAP_SWIZZLE_NONE,
    CU_TENSOR_MAP_SWIZZLE_32B,
    CU_TENSOR_MAP_SWIZZLE_64B,
    CU_TENSOR_MAP_SWIZZLE_128B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B, // from here on refused by who makes the map
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_32B_FLIP_8B,
    CU_TENSOR_MAP_SWIZZLE_128B_ATOM_64B
};
enum CUtensorMapL2promotion {
    CU_TENSOR_MAP_L2_PROMOTION_NONE,
    CU_TENSOR_MAP_L2_PROMOTION_L2_64B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
    CU_TENSOR_MAP_L2_PROMOTION_L2_256B
};
enum CUtensorMapFloatOOBfill {
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE,
    CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA
};
enum CUdriverProcAddressQueryResult {
    CU_GET_PROC_ADDRESS_SUCCESS,
    CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND,
    CU_GET_PROC_ADDRESS_VERSION_NOT_SUFFICIENT
};
enum {
    CU_GET_PROC_ADDRESS_DEFAULT = 0,
    CU_GET_PROC_ADDRESS_LEGACY_STREAM = 1,
    CU_GET_PROC_ADDRESS_PER_THREAD_DEFAULT_STREAM = 2
};

__noinline__ inline CUresult cuTensorMapEncodeTiled(CUtensorMap* map, CUtensorMapDataType type, cuuint32_t rank,
                                                    void* address, const cuuint64_t* extents, const cuuint64_t* strides,
                                                    const cuuint32_t* box, const cuuint32_t* elementStrides,
                                                    CUtensorMapInterleave interleave, CUtensorMapSwizzle swizzle,
                                                    CUtensorMapL2promotion promotion, CUtensorMapFloatOOBfill fill) {
    return CUresult(kl::cuda("cuTensorMapEncodeTiled", {map, type, rank, address, extents, strides, box, elementStrides,
                                                        interleave, swizzle, promotion, fill}));
}
typedef CUresult (*PFN_cuTensorMapEncodeTiled_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                      const cuuint64_t*, const cuuint64_t*, const cuuint32_t*,
                                                      const cuuint32_t*, CUtensorMapInterleave, CUtensorMapSwizzle,
                                                      CUtensorMapL2promotion, CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeTiled_v12000 PFN_cuTensorMapEncodeTiled;
/// Named so that files which ask for it compile; klr_driverFunction does not find it.
typedef CUresult (*PFN_cuTensorMapEncodeIm2col_v12000)(CUtensorMap*, CUtensorMapDataType, cuuint32_t, void*,
                                                       const cuuint64_t*, const cuuint64_t*, const int*, const int*,
                                                       cuuint32_t, cuuint32_t, const cuuint32_t*, CUtensorMapInterleave,
                                                       CUtensorMapSwizzle, CUtensorMapL2promotion,
                                                       CUtensorMapFloatOOBfill);
typedef PFN_cuTensorMapEncodeIm2col_v12000 PFN_cuTensorMapEncodeIm2col;

/// Of the driver's functions the one that there is; others come back null and "not found", as from an older driver.
inline void* klr_driverFunction(const char* name) {
    const char* known = "cuTensorMapEncodeTiled";
    while (*known && *known == *name) {
        ++known;
        ++name;
    }
    return *known == *name ? reinterpret_cast<void*>(&cuTensorMapEncodeTiled) : nullptr;
}
inline CUresult cuGetProcAddress(const char* name, void** found, int, cuuint64_t = 0,
                                 CUdriverProcAddressQueryResult* result = nullptr) {
    *found = klr_driverFunction(name);
    if (result) *result = *found ? CU_GET_PROC_ADDRESS_SUCCESS : CU_GET_PROC_ADDRESS_SYMBOL_NOT_FOUND;
    return *found ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}
inline CUresult cuGetErrorString(CUresult error, const char** text) {
    *text = error == CUDA_SUCCESS               ? "no error"
            : error == CUDA_ERROR_INVALID_VALUE ? "invalid argument"
            : error == CUDA_ERROR_NOT_FOUND     ? "named symbol not found"
                                                : "unknown error";
    return CUDA_SUCCESS;
}

inline cudaError_t cudaGetDriverEntryPoint(const char* name, void** found, unsigned long long = 0,
                                           cudaDriverEntryPointQueryResult* result = nullptr) {
    *found = klr_driverFunction(name);
    if (result) *result = *found ? cudaDriverEntryPointSuccess : cudaDriverEntryPointSymbolNotFound;
    return cudaSuccess;
}
template <class F>
inline cudaError_t cudaGetDriverEntryPoint(const char* name, F** found, unsigned long long flags = 0,
                                           cudaDriverEntryPointQueryResult* result = nullptr) {
    return cudaGetDriverEntryPoint(name, reinterpret_cast<void**>(found), flags, result);
}
inline cudaError_t cudaGetDriverEntryPointByVersion(const char* name, void** found, unsigned, unsigned long long = 0,
                                                    cudaDriverEntryPointQueryResult* result = nullptr) {
    return cudaGetDriverEntryPoint(name, found, 0, result);
}
