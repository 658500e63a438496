// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/driver/DriverApi.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace kernelarium::device {

// What of cuBLAS and cuBLASLt is called here, declared as their ABI has it (cuBLAS library manual), so that neither
// building nor starting the program needs them.
using CublasStatus = int;
using CublasHandle = struct OpaqueCublas*;
using CublasLtHandle = struct OpaqueCublasLt*;
using LtOperation = struct OpaqueLtOperation*;
using LtLayout = struct OpaqueLtLayout*;
using LtPreference = struct OpaqueLtPreference*;

inline constexpr CublasStatus cublasSuccess = 0;

// cudaDataType_t, cublasComputeType_t, cublasOperation_t
inline constexpr int realFloat = 0, realDouble = 1, realHalf = 2, realBFloat = 14;
inline constexpr int computeFloat = 68, computeDouble = 70;
inline constexpr int plainOperation = 0, transposition = 1;
inline constexpr int defaultAlgorithm = -1, defaultMath = 0;

// cublasLtMatmulDescAttributes_t, cublasLtMatrixLayoutAttribute_t, cublasLtMatmulPreferenceAttributes_t,
// cublasLtEpilogue_t
inline constexpr int ltTransposeA = 3, ltTransposeB = 4, ltEpilogue = 7, ltBiasPointer = 8, ltBatchCount = 5,
                     ltBatchStep = 6;
inline constexpr int ltMostWorkspace = 1, ltEpilogueBias = 4;

/// cublasLtMatmulHeuristicResult_t
struct LtAlgorithm {
    std::array<std::uint64_t, 8> algorithm{};
    std::size_t workspaceBytes = 0;
    CublasStatus state = cublasSuccess;
    float waves = 0;
    std::array<int, 4> reserved{};
};
static_assert(sizeof(LtAlgorithm) == 96);

struct CublasApi {
    CublasStatus (*cublasCreate)(CublasHandle* handle) = nullptr;
    CublasStatus (*cublasDestroy)(CublasHandle handle) = nullptr;
    CublasStatus (*cublasSetStream)(CublasHandle handle, StreamHandle stream) = nullptr;
    CublasStatus (*cublasSetWorkspace)(CublasHandle handle, void* workspace, std::size_t bytes) = nullptr;
    CublasStatus (*cublasSetMathMode)(CublasHandle handle, int mode) = nullptr;
    CublasStatus (*cublasGetProperty)(int property, int* value) = nullptr;
    const char* (*cublasGetStatusString)(CublasStatus status) = nullptr;
    CublasStatus (*cublasGemmStridedBatchedEx)(CublasHandle handle, int transposeA, int transposeB, int m, int n, int k,
                                               const void* alpha, const void* a, int typeA, int leadingA,
                                               long long stepA, const void* b, int typeB, int leadingB, long long stepB,
                                               const void* beta, void* c, int typeC, int leadingC, long long stepC,
                                               int batches, int computeType, int algorithm) = nullptr;
};

struct CublasLtApi {
    CublasStatus (*cublasLtCreate)(CublasLtHandle* handle) = nullptr;
    CublasStatus (*cublasLtDestroy)(CublasLtHandle handle) = nullptr;
    std::size_t (*cublasLtGetVersion)() = nullptr;
    const char* (*cublasLtGetStatusString)(CublasStatus status) = nullptr;
    CublasStatus (*cublasLtMatmulDescCreate)(LtOperation* operation, int computeType, int scaleType) = nullptr;
    CublasStatus (*cublasLtMatmulDescDestroy)(LtOperation operation) = nullptr;
    CublasStatus (*cublasLtMatmulDescSetAttribute)(LtOperation operation, int attribute, const void* value,
                                                   std::size_t bytes) = nullptr;
    CublasStatus (*cublasLtMatrixLayoutCreate)(LtLayout* layout, int type, std::uint64_t rows, std::uint64_t columns,
                                               std::int64_t leading) = nullptr;
    CublasStatus (*cublasLtMatrixLayoutDestroy)(LtLayout layout) = nullptr;
    CublasStatus (*cublasLtMatrixLayoutSetAttribute)(LtLayout layout, int attribute, const void* value,
                                                     std::size_t bytes) = nullptr;
    CublasStatus (*cublasLtMatmulPreferenceCreate)(LtPreference* preference) = nullptr;
    CublasStatus (*cublasLtMatmulPreferenceDestroy)(LtPreference preference) = nullptr;
    CublasStatus (*cublasLtMatmulPreferenceSetAttribute)(LtPreference preference, int attribute, const void* value,
                                                         std::size_t bytes) = nullptr;
    CublasStatus (*cublasLtMatmulAlgoGetHeuristic)(CublasLtHandle handle, LtOperation operation, LtLayout a, LtLayout b,
                                                   LtLayout c, LtLayout d, LtPreference preference, int wanted,
                                                   LtAlgorithm* found, int* count) = nullptr;
    CublasStatus (*cublasLtMatmul)(CublasLtHandle handle, LtOperation operation, const void* alpha, const void* a,
                                   LtLayout layoutA, const void* b, LtLayout layoutB, const void* beta, const void* c,
                                   LtLayout layoutC, void* d, LtLayout layoutD, const void* algorithm, void* workspace,
                                   std::size_t workspaceBytes, StreamHandle stream) = nullptr;
};

} // namespace kernelarium::device
