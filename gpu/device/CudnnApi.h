// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/DriverApi.h"

#include <array>
#include <cstddef>

namespace kernelarium::device {

// What of cuDNN 8 and 9 is called here, declared as its ABI has it (cuDNN API reference), so that neither building nor
// starting the program needs it.
using CudnnStatus = int;
using CudnnHandle = struct OpaqueCudnn*;
using CudnnTensor = struct OpaqueCudnnTensor*;
using CudnnFilter = struct OpaqueCudnnFilter*;
using CudnnConvolutionDescriptor = struct OpaqueCudnnConvolution*;

inline constexpr CudnnStatus cudnnSuccess = 0;

// cudnnDataType_t, cudnnTensorFormat_t, cudnnConvolutionMode_t, cudnnMathType_t
inline constexpr int cudnnFloat = 0, cudnnDouble = 1, cudnnHalf = 2, cudnnBFloat = 9;
inline constexpr int cudnnRowMajor = 0, cudnnCrossCorrelation = 1;
inline constexpr int cudnnSpatial = 1; // cudnnBatchNormMode_t
inline constexpr int cudnnDefaultMath = 0, cudnnFmaMath = 3;

/// cudnnConvolutionFwdAlgoPerf_t and cudnnConvolutionBwdDataAlgoPerf_t
struct CudnnAlgorithm {
    int algorithm = 0;
    CudnnStatus status = cudnnSuccess;
    float milliseconds = 0;
    std::size_t workspaceBytes = 0;
    int determinism = 0;
    int mathType = 0;
    std::array<int, 3> reserved{};
};
static_assert(sizeof(CudnnAlgorithm) == 48);

struct CudnnApi {
    CudnnStatus (*cudnnCreate)(CudnnHandle* handle) = nullptr;
    CudnnStatus (*cudnnDestroy)(CudnnHandle handle) = nullptr;
    std::size_t (*cudnnGetVersion)() = nullptr;
    const char* (*cudnnGetErrorString)(CudnnStatus status) = nullptr;
    CudnnStatus (*cudnnCreateTensorDescriptor)(CudnnTensor* tensor) = nullptr;
    CudnnStatus (*cudnnDestroyTensorDescriptor)(CudnnTensor tensor) = nullptr;
    CudnnStatus (*cudnnSetTensorNdDescriptor)(CudnnTensor tensor, int type, int dimensions, const int* sizes, const int* strides) = nullptr;
    CudnnStatus (*cudnnCreateFilterDescriptor)(CudnnFilter* filter) = nullptr;
    CudnnStatus (*cudnnDestroyFilterDescriptor)(CudnnFilter filter) = nullptr;
    CudnnStatus (*cudnnSetFilterNdDescriptor)(CudnnFilter filter, int type, int format, int dimensions, const int* sizes) = nullptr;
    CudnnStatus (*cudnnCreateConvolutionDescriptor)(CudnnConvolutionDescriptor* convolution) = nullptr;
    CudnnStatus (*cudnnDestroyConvolutionDescriptor)(CudnnConvolutionDescriptor convolution) = nullptr;
    CudnnStatus (*cudnnSetConvolutionNdDescriptor)(CudnnConvolutionDescriptor convolution, int dimensions, const int* padding, const int* stride,
                                                   const int* dilation, int mode, int computeType) = nullptr;
    CudnnStatus (*cudnnSetConvolutionMathType)(CudnnConvolutionDescriptor convolution, int mathType) = nullptr;
    CudnnStatus (*cudnnSetConvolutionGroupCount)(CudnnConvolutionDescriptor convolution, int groups) = nullptr;
    CudnnStatus (*cudnnGetConvolutionForwardAlgorithm)(CudnnHandle handle, CudnnTensor in, CudnnFilter weight,
                                                       CudnnConvolutionDescriptor convolution, CudnnTensor out, int wanted, int* found,
                                                       CudnnAlgorithm* algorithms) = nullptr;
    CudnnStatus (*cudnnConvolutionForward)(CudnnHandle handle, const void* alpha, CudnnTensor inDescriptor, const void* in,
                                           CudnnFilter weightDescriptor, const void* weight, CudnnConvolutionDescriptor convolution,
                                           int algorithm, void* workspace, std::size_t workspaceBytes, const void* beta,
                                           CudnnTensor outDescriptor, void* out) = nullptr;
    CudnnStatus (*cudnnGetConvolutionBackwardDataAlgorithm)(CudnnHandle handle, CudnnFilter weight, CudnnTensor in,
                                                            CudnnConvolutionDescriptor convolution, CudnnTensor out, int wanted, int* found,
                                                            CudnnAlgorithm* algorithms) = nullptr;
    CudnnStatus (*cudnnConvolutionBackwardData)(CudnnHandle handle, const void* alpha, CudnnFilter weightDescriptor, const void* weight,
                                                CudnnTensor inDescriptor, const void* in, CudnnConvolutionDescriptor convolution,
                                                int algorithm, void* workspace, std::size_t workspaceBytes, const void* beta,
                                                CudnnTensor outDescriptor, void* out) = nullptr;
    CudnnStatus (*cudnnAddTensor)(CudnnHandle handle, const void* alpha, CudnnTensor addedDescriptor, const void* added, const void* beta,
                                  CudnnTensor sumDescriptor, void* sum) = nullptr;
    CudnnStatus (*cudnnBatchNormalizationForwardTraining)(CudnnHandle handle, int mode, const void* alpha, const void* beta,
                                                          CudnnTensor inDescriptor, const void* in, CudnnTensor outDescriptor, void* out,
                                                          CudnnTensor channels, const void* weight, const void* bias, double momentum,
                                                          void* runningMean, void* runningVariance, double eps, void* savedMean,
                                                          void* savedInverse) = nullptr;
    CudnnStatus (*cudnnBatchNormalizationForwardInference)(CudnnHandle handle, int mode, const void* alpha, const void* beta,
                                                           CudnnTensor inDescriptor, const void* in, CudnnTensor outDescriptor, void* out,
                                                           CudnnTensor channels, const void* weight, const void* bias, const void* mean,
                                                           const void* variance, double eps) = nullptr;
};

} // namespace kernelarium::device
