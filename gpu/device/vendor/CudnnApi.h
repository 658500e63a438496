// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "core/tensor/DType.h"
#include "gpu/device/driver/DriverApi.h"

#include <array>
#include <cstddef>
#include <cstdint>

namespace kernelarium::device {

// What of cuDNN 8 and 9 is called here, declared as its ABI has it (cuDNN API reference), so that neither building nor
// starting the program needs it.
using CudnnStatus = int;
using CudnnHandle = struct OpaqueCudnn*;
using CudnnTensor = struct OpaqueCudnnTensor*;
using CudnnFilter = struct OpaqueCudnnFilter*;
using CudnnConvolutionDescriptor = struct OpaqueCudnnConvolution*;
using CudnnDropout = struct OpaqueCudnnDropout*;
using CudnnRecurrentLayers = struct OpaqueCudnnRecurrentLayers*;
using CudnnRecurrentData = struct OpaqueCudnnRecurrentData*;

inline constexpr CudnnStatus cudnnSuccess = 0;

// cudnnDataType_t, cudnnTensorFormat_t, cudnnConvolutionMode_t, cudnnMathType_t
inline constexpr int cudnnFloat = 0, cudnnDouble = 1, cudnnHalf = 2, cudnnBFloat = 9;
inline constexpr int cudnnRowMajor = 0, cudnnCrossCorrelation = 1;
inline constexpr int cudnnSpatial = 1; // cudnnBatchNormMode_t
inline constexpr int cudnnDefaultMath = 0, cudnnFmaMath = 3;
// cudnnRNNMode_t, cudnnRNNAlgo_t, cudnnRNNBiasMode_t, cudnnDirectionMode_t, cudnnRNNInputMode_t, cudnnRNNDataLayout_t,
// cudnnForwardMode_t
inline constexpr int cudnnRecurrentRelu = 0, cudnnRecurrentTanh = 1, cudnnRecurrentLstm = 2, cudnnRecurrentGru = 3;
inline constexpr int cudnnRecurrentStandard = 0, cudnnNoBias = 0, cudnnTwoBiases = 2, cudnnOneWay = 0,
                     cudnnBothWays = 1;
inline constexpr int cudnnLinearInput = 0, cudnnStepsPacked = 1, cudnnInference = 0;

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

inline int cudnnTypeOf(tensor::DType type) {
    switch (type) {
    case tensor::DType::Float64: return cudnnDouble;
    case tensor::DType::Float16: return cudnnHalf;
    case tensor::DType::BFloat16: return cudnnBFloat;
    default: return cudnnFloat;
    }
}
/// An address of the GPU as these functions take it.
inline void* cudnnPointer(std::uint64_t address) {
    return reinterpret_cast<void*>(address);
}

struct CudnnApi {
    CudnnStatus (*cudnnCreate)(CudnnHandle* handle) = nullptr;
    CudnnStatus (*cudnnDestroy)(CudnnHandle handle) = nullptr;
    std::size_t (*cudnnGetVersion)() = nullptr;
    const char* (*cudnnGetErrorString)(CudnnStatus status) = nullptr;
    CudnnStatus (*cudnnCreateTensorDescriptor)(CudnnTensor* tensor) = nullptr;
    CudnnStatus (*cudnnDestroyTensorDescriptor)(CudnnTensor tensor) = nullptr;
    CudnnStatus (*cudnnSetTensorNdDescriptor)(CudnnTensor tensor, int type, int dimensions, const int* sizes,
                                              const int* strides) = nullptr;
    CudnnStatus (*cudnnCreateFilterDescriptor)(CudnnFilter* filter) = nullptr;
    CudnnStatus (*cudnnDestroyFilterDescriptor)(CudnnFilter filter) = nullptr;
    CudnnStatus (*cudnnSetFilterNdDescriptor)(CudnnFilter filter, int type, int format, int dimensions,
                                              const int* sizes) = nullptr;
    CudnnStatus (*cudnnCreateConvolutionDescriptor)(CudnnConvolutionDescriptor* convolution) = nullptr;
    CudnnStatus (*cudnnDestroyConvolutionDescriptor)(CudnnConvolutionDescriptor convolution) = nullptr;
    CudnnStatus (*cudnnSetConvolutionNdDescriptor)(CudnnConvolutionDescriptor convolution, int dimensions,
                                                   const int* padding, const int* stride, const int* dilation, int mode,
                                                   int computeType) = nullptr;
    CudnnStatus (*cudnnSetConvolutionMathType)(CudnnConvolutionDescriptor convolution, int mathType) = nullptr;
    CudnnStatus (*cudnnSetConvolutionGroupCount)(CudnnConvolutionDescriptor convolution, int groups) = nullptr;
    CudnnStatus (*cudnnGetConvolutionForwardAlgorithm)(CudnnHandle handle, CudnnTensor in, CudnnFilter weight,
                                                       CudnnConvolutionDescriptor convolution, CudnnTensor out,
                                                       int wanted, int* found, CudnnAlgorithm* algorithms) = nullptr;
    CudnnStatus (*cudnnConvolutionForward)(CudnnHandle handle, const void* alpha, CudnnTensor inDescriptor,
                                           const void* in, CudnnFilter weightDescriptor, const void* weight,
                                           CudnnConvolutionDescriptor convolution, int algorithm, void* workspace,
                                           std::size_t workspaceBytes, const void* beta, CudnnTensor outDescriptor,
                                           void* out) = nullptr;
    CudnnStatus (*cudnnGetConvolutionBackwardDataAlgorithm)(CudnnHandle handle, CudnnFilter weight, CudnnTensor in,
                                                            CudnnConvolutionDescriptor convolution, CudnnTensor out,
                                                            int wanted, int* found,
                                                            CudnnAlgorithm* algorithms) = nullptr;
    CudnnStatus (*cudnnConvolutionBackwardData)(CudnnHandle handle, const void* alpha, CudnnFilter weightDescriptor,
                                                const void* weight, CudnnTensor inDescriptor, const void* in,
                                                CudnnConvolutionDescriptor convolution, int algorithm, void* workspace,
                                                std::size_t workspaceBytes, const void* beta, CudnnTensor outDescriptor,
                                                void* out) = nullptr;
    CudnnStatus (*cudnnAddTensor)(CudnnHandle handle, const void* alpha, CudnnTensor addedDescriptor, const void* added,
                                  const void* beta, CudnnTensor sumDescriptor, void* sum) = nullptr;
    CudnnStatus (*cudnnBatchNormalizationForwardTraining)(CudnnHandle handle, int mode, const void* alpha,
                                                          const void* beta, CudnnTensor inDescriptor, const void* in,
                                                          CudnnTensor outDescriptor, void* out, CudnnTensor channels,
                                                          const void* weight, const void* bias, double momentum,
                                                          void* runningMean, void* runningVariance, double eps,
                                                          void* savedMean, void* savedInverse) = nullptr;
    CudnnStatus (*cudnnBatchNormalizationForwardInference)(CudnnHandle handle, int mode, const void* alpha,
                                                           const void* beta, CudnnTensor inDescriptor, const void* in,
                                                           CudnnTensor outDescriptor, void* out, CudnnTensor channels,
                                                           const void* weight, const void* bias, const void* mean,
                                                           const void* variance, double eps) = nullptr;

    // Recurrent layers: a part of cuDNN's own, which may be missing.
    CudnnStatus (*cudnnCreateDropoutDescriptor)(CudnnDropout* dropout) = nullptr;
    CudnnStatus (*cudnnDestroyDropoutDescriptor)(CudnnDropout dropout) = nullptr;
    CudnnStatus (*cudnnSetDropoutDescriptor)(CudnnDropout dropout, CudnnHandle handle, float probability, void* states,
                                             std::size_t bytes, unsigned long long seed) = nullptr;
    CudnnStatus (*cudnnCreateRNNDescriptor)(CudnnRecurrentLayers* layers) = nullptr;
    CudnnStatus (*cudnnDestroyRNNDescriptor)(CudnnRecurrentLayers layers) = nullptr;
    CudnnStatus (*cudnnSetRNNDescriptor)(CudnnRecurrentLayers layers, int algorithm, int mode, int biases,
                                         int directions, int input, int type, int computeType, int mathType,
                                         std::int32_t features, std::int32_t hidden, std::int32_t projection,
                                         std::int32_t layerCount, CudnnDropout dropout, std::uint32_t flags) = nullptr;
    CudnnStatus (*cudnnCreateRNNDataDescriptor)(CudnnRecurrentData* data) = nullptr;
    CudnnStatus (*cudnnDestroyRNNDataDescriptor)(CudnnRecurrentData data) = nullptr;
    CudnnStatus (*cudnnSetRNNDataDescriptor)(CudnnRecurrentData data, int type, int layout, int longest, int batch,
                                             int features, const int* lengths, void* padding) = nullptr;
    CudnnStatus (*cudnnGetRNNWeightSpaceSize)(CudnnHandle handle, CudnnRecurrentLayers layers,
                                              std::size_t* bytes) = nullptr;
    CudnnStatus (*cudnnGetRNNTempSpaceSizes)(CudnnHandle handle, CudnnRecurrentLayers layers, int mode,
                                             CudnnRecurrentData in, std::size_t* workspaceBytes,
                                             std::size_t* reserveBytes) = nullptr;
    CudnnStatus (*cudnnGetRNNWeightParams)(CudnnHandle handle, CudnnRecurrentLayers layers, std::int32_t cell,
                                           std::size_t weightBytes, const void* weights, std::int32_t part,
                                           CudnnTensor matrixDescriptor, void** matrix, CudnnTensor biasDescriptor,
                                           void** bias) = nullptr;
    CudnnStatus (*cudnnRNNForward)(CudnnHandle handle, CudnnRecurrentLayers layers, int mode,
                                   const std::int32_t* lengths, CudnnRecurrentData inDescriptor, const void* in,
                                   CudnnRecurrentData outDescriptor, void* out, CudnnTensor states, const void* state,
                                   void* lastState, CudnnTensor memories, const void* memory, void* lastMemory,
                                   std::size_t weightBytes, const void* weights, std::size_t workspaceBytes,
                                   void* workspace, std::size_t reserveBytes, void* reserve) = nullptr;
};

} // namespace kernelarium::device
