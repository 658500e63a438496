// SPDX-License-Identifier: GPL-3.0-or-later
//
// <cublasLt.h>: descriptions of products, what the heuristic offers for them, and the product. One algorithm is offered;
// epilogues, scales of other types and a C apart from D are refused by name.
#pragma once
#include "kernelarium/cublas.h"

typedef struct cublasLtContext* cublasLtHandle_t;
typedef struct cublasLtMatmulDescription* cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayout* cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreference* cublasLtMatmulPreference_t;
struct cublasLtMatmulAlgo_t {
    uint64_t data[8];
};
struct cublasLtMatmulHeuristicResult_t {
    cublasLtMatmulAlgo_t algo;
    size_t workspaceSize;
    cublasStatus_t state;
    float wavesCount;
    int reserved[4];
};
enum cublasLtMatmulDescAttributes_t {
    CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0, CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1, CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
    CUBLASLT_MATMUL_DESC_TRANSA = 3, CUBLASLT_MATMUL_DESC_TRANSB = 4, CUBLASLT_MATMUL_DESC_TRANSC = 5,
    CUBLASLT_MATMUL_DESC_FILL_MODE = 6, CUBLASLT_MATMUL_DESC_EPILOGUE = 7, CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8
};
enum cublasLtMatrixLayoutAttribute_t {
    CUBLASLT_MATRIX_LAYOUT_TYPE = 0, CUBLASLT_MATRIX_LAYOUT_ORDER = 1, CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
    CUBLASLT_MATRIX_LAYOUT_COLS = 3, CUBLASLT_MATRIX_LAYOUT_LD = 4, CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
    CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6
};
enum cublasLtMatmulPreferenceAttributes_t {
    CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0, CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1
};
enum cublasLtOrder_t { CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1 };
enum cublasLtPointerMode_t { CUBLASLT_POINTER_MODE_HOST = 0, CUBLASLT_POINTER_MODE_DEVICE = 1 };
enum cublasLtEpilogue_t {
    CUBLASLT_EPILOGUE_DEFAULT = 1, CUBLASLT_EPILOGUE_RELU = 2, CUBLASLT_EPILOGUE_BIAS = 4,
    CUBLASLT_EPILOGUE_RELU_BIAS = 6, CUBLASLT_EPILOGUE_GELU = 32, CUBLASLT_EPILOGUE_GELU_BIAS = 36
};

#define KL_LT(name, parameters, ...)                                                                                   \
    inline cublasStatus_t name parameters { return cublasStatus_t(::kl::cuda(#name, {__VA_ARGS__})); }
KL_LT(cublasLtCreate, (cublasLtHandle_t* h), h)
KL_LT(cublasLtDestroy, (cublasLtHandle_t h), h)
KL_LT(cublasLtMatmulDescCreate, (cublasLtMatmulDesc_t* d, cublasComputeType_t compute, cudaDataType scale), d, compute, scale)
KL_LT(cublasLtMatmulDescDestroy, (cublasLtMatmulDesc_t d), d)
KL_LT(cublasLtMatmulDescSetAttribute,
      (cublasLtMatmulDesc_t d, cublasLtMatmulDescAttributes_t attribute, const void* value, size_t bytes), d, attribute, value,
      bytes)
KL_LT(cublasLtMatrixLayoutCreate,
      (cublasLtMatrixLayout_t* l, cudaDataType type, uint64_t rows, uint64_t columns, int64_t leading), l, type, (long long)rows,
      (long long)columns, (long long)leading)
KL_LT(cublasLtMatrixLayoutDestroy, (cublasLtMatrixLayout_t l), l)
KL_LT(cublasLtMatrixLayoutSetAttribute,
      (cublasLtMatrixLayout_t l, cublasLtMatrixLayoutAttribute_t attribute, const void* value, size_t bytes), l, attribute, value,
      bytes)
KL_LT(cublasLtMatmulPreferenceCreate, (cublasLtMatmulPreference_t* p), p)
KL_LT(cublasLtMatmulPreferenceDestroy, (cublasLtMatmulPreference_t p), p)
KL_LT(cublasLtMatmulPreferenceSetAttribute,
      (cublasLtMatmulPreference_t p, cublasLtMatmulPreferenceAttributes_t attribute, const void* value, size_t bytes), p,
      attribute, value, bytes)
KL_LT(cublasLtMatmulAlgoGetHeuristic,
      (cublasLtHandle_t h, cublasLtMatmulDesc_t d, cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b, cublasLtMatrixLayout_t c,
       cublasLtMatrixLayout_t result, cublasLtMatmulPreference_t p, int wanted, cublasLtMatmulHeuristicResult_t* found, int* count),
      h, d, a, b, c, result, p, wanted, found, count)
KL_LT(cublasLtMatmul,
      (cublasLtHandle_t h, cublasLtMatmulDesc_t d, const void* alpha, const void* a, cublasLtMatrixLayout_t aLayout, const void* b,
       cublasLtMatrixLayout_t bLayout, const void* beta, const void* c, cublasLtMatrixLayout_t cLayout, void* result,
       cublasLtMatrixLayout_t resultLayout, const cublasLtMatmulAlgo_t* algorithm, void* workspace, size_t bytes, cudaStream_t s),
      h, d, alpha, a, aLayout, b, bLayout, beta, c, cLayout, result, resultLayout, algorithm, workspace, bytes, s)
#undef KL_LT
inline size_t cublasLtGetVersion() {
    size_t version = 0;
    ::kl::cuda("cublasLtGetVersion", {&version});
    return version;
}
inline const char* cublasLtGetStatusString(cublasStatus_t s) { return cublasGetStatusString(s); }
inline const char* cublasLtGetStatusName(cublasStatus_t s) { return cublasGetStatusName(s); }
