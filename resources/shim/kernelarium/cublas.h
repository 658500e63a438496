// SPDX-License-Identifier: GPL-3.0-or-later
//
// <cublas_v2.h>: the calls that archived kernels make, by name. Scalars alpha and beta are pointers to host storage.
#pragma once
#include "kernelarium/cuda_api.h"

struct __half;
typedef struct cublasContext* cublasHandle_t;
enum cublasStatus_t {
    CUBLAS_STATUS_SUCCESS = 0, CUBLAS_STATUS_NOT_INITIALIZED = 1, CUBLAS_STATUS_ALLOC_FAILED = 3, CUBLAS_STATUS_INVALID_VALUE = 7,
    CUBLAS_STATUS_ARCH_MISMATCH = 8, CUBLAS_STATUS_MAPPING_ERROR = 11, CUBLAS_STATUS_EXECUTION_FAILED = 13,
    CUBLAS_STATUS_INTERNAL_ERROR = 14, CUBLAS_STATUS_NOT_SUPPORTED = 15
};
enum cublasOperation_t { CUBLAS_OP_N = 0, CUBLAS_OP_T = 1, CUBLAS_OP_C = 2 };
enum cublasFillMode_t { CUBLAS_FILL_MODE_LOWER = 0, CUBLAS_FILL_MODE_UPPER = 1 };
enum cublasDiagType_t { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 };
enum cublasSideMode_t { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 };
enum cublasPointerMode_t { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 };
enum cublasAtomicsMode_t { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 };
enum cublasMath_t {
    CUBLAS_DEFAULT_MATH = 0, CUBLAS_TENSOR_OP_MATH = 1, CUBLAS_PEDANTIC_MATH = 2, CUBLAS_TF32_TENSOR_OP_MATH = 3
};
enum cublasGemmAlgo_t { CUBLAS_GEMM_DFALT = -1, CUBLAS_GEMM_DEFAULT = -1, CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99 };
enum cublasComputeType_t {
    CUBLAS_COMPUTE_16F = 64, CUBLAS_COMPUTE_32F = 68, CUBLAS_COMPUTE_32F_PEDANTIC = 69, CUBLAS_COMPUTE_32F_FAST_16F = 74,
    CUBLAS_COMPUTE_32F_FAST_16BF = 75, CUBLAS_COMPUTE_32F_FAST_TF32 = 77, CUBLAS_COMPUTE_64F = 70, CUBLAS_COMPUTE_32I = 72
};
typedef cudaDataType cublasDataType_t;

#define KL_BLAS(name, api, parameters, ...)                                                                            \
    inline cublasStatus_t name parameters { return cublasStatus_t(::kl::cuda(api, {__VA_ARGS__})); }
KL_BLAS(cublasCreate, "cublasCreate_v2", (cublasHandle_t* h), h)
KL_BLAS(cublasDestroy, "cublasDestroy_v2", (cublasHandle_t h), h)
KL_BLAS(cublasSetStream, "cublasSetStream_v2", (cublasHandle_t h, cudaStream_t s), h, s)
KL_BLAS(cublasGetStream, "cublasGetStream_v2", (cublasHandle_t h, cudaStream_t* s), h, s)
KL_BLAS(cublasSetMathMode, "cublasSetMathMode", (cublasHandle_t h, cublasMath_t m), h, m)
KL_BLAS(cublasSetPointerMode, "cublasSetPointerMode_v2", (cublasHandle_t h, cublasPointerMode_t m), h, m)
KL_BLAS(cublasGetMathMode, "cublasGetMathMode", (cublasHandle_t h, cublasMath_t* m), h, m)
KL_BLAS(cublasGetPointerMode, "cublasGetPointerMode_v2", (cublasHandle_t h, cublasPointerMode_t* m), h, m)
KL_BLAS(cublasSetAtomicsMode, "cublasSetAtomicsMode", (cublasHandle_t h, cublasAtomicsMode_t m), h, m)
KL_BLAS(cublasSetWorkspace, "cublasSetWorkspace_v2", (cublasHandle_t h, void* p, size_t n), h, p, n)
KL_BLAS(cublasGetVersion, "cublasGetVersion_v2", (cublasHandle_t h, int* version), h, version)
#define KL_GEMM(letter, T)                                                                                             \
    KL_BLAS(cublas##letter##gemm, "cublas" #letter "gemm_v2",                                                          \
            (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T* alpha, const T* a, \
             int lda, const T* b, int ldb, const T* beta, T* c, int ldc),                                              \
            h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc)                                                   \
    KL_BLAS(cublas##letter##gemmStridedBatched, "cublas" #letter "gemmStridedBatched",                                 \
            (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T* alpha, const T* a, \
             int lda, long long sa, const T* b, int ldb, long long sb, const T* beta, T* c, int ldc, long long sc, int batch), \
            h, ta, tb, m, n, k, alpha, a, lda, sa, b, ldb, sb, beta, c, ldc, sc, batch)                                \
    KL_BLAS(cublas##letter##gemmBatched, "cublas" #letter "gemmBatched",                                               \
            (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const T* alpha,        \
             const T* const a[], int lda, const T* const b[], int ldb, const T* beta, T* const c[], int ldc, int batch), \
            h, ta, tb, m, n, k, alpha, a, lda, b, ldb, beta, c, ldc, batch)
#define KL_VECTORS(letter, small, T)                                                                                       \
    KL_BLAS(cublas##letter##gemv, "cublas" #letter "gemv_v2",                                                          \
            (cublasHandle_t h, cublasOperation_t t, int m, int n, const T* alpha, const T* a, int lda, const T* x, int incx, \
             const T* beta, T* y, int incy),                                                                           \
            h, t, m, n, alpha, a, lda, x, incx, beta, y, incy)                                                         \
    KL_BLAS(cublas##letter##ger, "cublas" #letter "ger_v2",                                                            \
            (cublasHandle_t h, int m, int n, const T* alpha, const T* x, int incx, const T* y, int incy, T* a, int lda), \
            h, m, n, alpha, x, incx, y, incy, a, lda)                                                                  \
    KL_BLAS(cublas##letter##geam, "cublas" #letter "geam",                                                             \
            (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, const T* alpha, const T* a, int lda, \
             const T* beta, const T* b, int ldb, T* c, int ldc),                                                       \
            h, ta, tb, m, n, alpha, a, lda, beta, b, ldb, c, ldc)                                                      \
    KL_BLAS(cublas##letter##axpy, "cublas" #letter "axpy_v2",                                                          \
            (cublasHandle_t h, int n, const T* alpha, const T* x, int incx, T* y, int incy), h, n, alpha, x, incx, y, incy) \
    KL_BLAS(cublas##letter##scal, "cublas" #letter "scal_v2", (cublasHandle_t h, int n, const T* alpha, T* x, int incx), \
            h, n, alpha, x, incx)                                                                                      \
    KL_BLAS(cublas##letter##copy, "cublas" #letter "copy_v2", (cublasHandle_t h, int n, const T* x, int incx, T* y, int incy), \
            h, n, x, incx, y, incy)                                                                                    \
    KL_BLAS(cublas##letter##swap, "cublas" #letter "swap_v2", (cublasHandle_t h, int n, T* x, int incx, T* y, int incy), \
            h, n, x, incx, y, incy)                                                                                    \
    KL_BLAS(cublas##letter##dot, "cublas" #letter "dot_v2",                                                            \
            (cublasHandle_t h, int n, const T* x, int incx, const T* y, int incy, T* result), h, n, x, incx, y, incy, result) \
    KL_BLAS(cublas##letter##nrm2, "cublas" #letter "nrm2_v2", (cublasHandle_t h, int n, const T* x, int incx, T* result), \
            h, n, x, incx, result)                                                                                     \
    KL_BLAS(cublas##letter##asum, "cublas" #letter "asum_v2", (cublasHandle_t h, int n, const T* x, int incx, T* result), \
            h, n, x, incx, result)                                                                                     \
    KL_BLAS(cublasI##small##amax, "cublasI" #small "amax_v2", (cublasHandle_t h, int n, const T* x, int incx, int* result), \
            h, n, x, incx, result)                                                                                     \
    KL_BLAS(cublasI##small##amin, "cublasI" #small "amin_v2", (cublasHandle_t h, int n, const T* x, int incx, int* result), \
            h, n, x, incx, result)
KL_GEMM(S, float) KL_GEMM(D, double) KL_GEMM(H, __half)
KL_VECTORS(S, s, float) KL_VECTORS(D, d, double)
#undef KL_GEMM
#undef KL_VECTORS
KL_BLAS(cublasGemmEx, "cublasGemmEx",
        (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void* alpha, const void* a,
         cudaDataType at, int lda, const void* b, cudaDataType bt, int ldb, const void* beta, void* c, cudaDataType ct, int ldc,
         cublasComputeType_t compute, cublasGemmAlgo_t algo),
        h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc, compute, algo)
KL_BLAS(cublasGemmEx, "cublasGemmEx",
        (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void* alpha, const void* a,
         cudaDataType at, int lda, const void* b, cudaDataType bt, int ldb, const void* beta, void* c, cudaDataType ct, int ldc,
         cudaDataType compute, cublasGemmAlgo_t algo),
        h, ta, tb, m, n, k, alpha, a, at, lda, b, bt, ldb, beta, c, ct, ldc,
        compute == CUDA_R_64F ? CUBLAS_COMPUTE_64F : compute == CUDA_R_16F ? CUBLAS_COMPUTE_16F : CUBLAS_COMPUTE_32F, algo)
KL_BLAS(cublasGemmStridedBatchedEx, "cublasGemmStridedBatchedEx",
        (cublasHandle_t h, cublasOperation_t ta, cublasOperation_t tb, int m, int n, int k, const void* alpha, const void* a,
         cudaDataType at, int lda, long long sa, const void* b, cudaDataType bt, int ldb, long long sb, const void* beta, void* c,
         cudaDataType ct, int ldc, long long sc, int batch, cublasComputeType_t compute, cublasGemmAlgo_t algo),
        h, ta, tb, m, n, k, alpha, a, at, lda, sa, b, bt, ldb, sb, beta, c, ct, ldc, sc, batch, compute, algo)
#undef KL_BLAS
inline const char* cublasGetStatusString(cublasStatus_t s) {
    switch (s) {
    case CUBLAS_STATUS_SUCCESS: return "the operation completed successfully";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "the library was not initialized";
    case CUBLAS_STATUS_ALLOC_FAILED: return "the resource allocation failed";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "the function failed to launch on the GPU";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "an internal operation failed";
    case CUBLAS_STATUS_INVALID_VALUE: return "an unsupported value or parameter was passed to the function";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "the functionality requested is not supported";
    default: return "unknown error";
    }
}
inline const char* cublasGetStatusName(cublasStatus_t s) {
    switch (s) {
    case CUBLAS_STATUS_SUCCESS: return "CUBLAS_STATUS_SUCCESS";
    case CUBLAS_STATUS_NOT_INITIALIZED: return "CUBLAS_STATUS_NOT_INITIALIZED";
    case CUBLAS_STATUS_ALLOC_FAILED: return "CUBLAS_STATUS_ALLOC_FAILED";
    case CUBLAS_STATUS_INVALID_VALUE: return "CUBLAS_STATUS_INVALID_VALUE";
    case CUBLAS_STATUS_ARCH_MISMATCH: return "CUBLAS_STATUS_ARCH_MISMATCH";
    case CUBLAS_STATUS_MAPPING_ERROR: return "CUBLAS_STATUS_MAPPING_ERROR";
    case CUBLAS_STATUS_EXECUTION_FAILED: return "CUBLAS_STATUS_EXECUTION_FAILED";
    case CUBLAS_STATUS_INTERNAL_ERROR: return "CUBLAS_STATUS_INTERNAL_ERROR";
    case CUBLAS_STATUS_NOT_SUPPORTED: return "CUBLAS_STATUS_NOT_SUPPORTED";
    }
    return "unknown";
}
#define cublasCreate_v2 cublasCreate
#define cublasDestroy_v2 cublasDestroy
#define cublasSetStream_v2 cublasSetStream
#define cublasSgemm_v2 cublasSgemm
#define cublasDgemm_v2 cublasDgemm
#define cublasSgemv_v2 cublasSgemv
#define cublasSetPointerMode_v2 cublasSetPointerMode
