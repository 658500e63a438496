// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/vendor/Cudnn.h"

#include "gpu/device/driver/FunctionFinder.h"
#include "gpu/device/vendor/VendorLibraries.h"

#include <fmt/format.h>
#include <limits>

namespace kernelarium::device {

namespace {

constexpr const char* withoutCudnn = "Install cuDNN 9 for this CUDA version; PyTorch's own packages have it, too.";

bool knows(tensor::DType type) {
    return type == tensor::DType::Float32 || type == tensor::DType::Float64 || type == tensor::DType::Float16 ||
           type == tensor::DType::BFloat16;
}

/// Of non-negative numbers; the largest number where it is beyond.
std::int64_t product(std::initializer_list<std::int64_t> factors) {
    std::int64_t all = 1;
    for (const std::int64_t factor : factors)
        if (__builtin_mul_overflow(all, factor, &all)) return std::numeric_limits<std::int64_t>::max();
    return all;
}

} // namespace

bool Cudnn::takes(const operators::ConvolutionShape& s) {
    if (!knows(s.dtype) || s.dimensions < 1 || s.dimensions > 3) return false;
    const bool depthwise =
        !s.transposed && s.groups > 1 && s.groups == s.channelsIn && s.channelsOut % s.channelsIn == 0;
    if (depthwise || s.groups < 1 || s.batch < 1 || s.channelsIn < 1 || s.channelsOut < 1) return false;
    for (std::size_t d = 0; d < 3; ++d)
        if (s.size[d] < 1 || s.kernel[d] < 1 || s.outSize[d] < 1 || s.stride[d] < 1 || s.dilation[d] < 1 ||
            s.padding[d] < 0 || s.padding[d] > std::numeric_limits<int>::max() ||
            s.stride[d] > std::numeric_limits<int>::max() || s.dilation[d] > std::numeric_limits<int>::max())
            return false;
    const std::int64_t most = std::max({product({s.batch, s.channelsIn, s.size[0], s.size[1], s.size[2]}),
                                        product({s.batch, s.channelsOut, s.outSize[0], s.outSize[1], s.outSize[2]}),
                                        product({s.channelsIn, s.channelsOut, s.kernel[0], s.kernel[1], s.kernel[2]})});
    return most <= std::numeric_limits<int>::max();
}

Result<std::shared_ptr<Cudnn>> Cudnn::open(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool,
                                           const std::string& library) {
    std::string tried;
    if (Result<void> current = context->makeCurrent(); !current) return current.error();
    const auto files = library.empty() ? vendorLibraries({"libcudnn.so.9", "libcudnn.so.8"}) : std::vector{library};
    for (const std::string& file : files) {
        std::shared_ptr<Cudnn> made(new Cudnn);
        made->m_context = context;
        made->m_pool = pool;
        Result<void> started = made->start(file);
        if (started) started = warmUp(made);
        if (started) return made;
        if (started.error().code != "missing_component") return started.error();
        tried += fmt::format("{}: {} {}\n", file, started.error().message, started.error().detail);
    }
    return Error{"missing_component", "cuDNN was not found.", withoutCudnn, tried};
}

Result<void> Cudnn::bind() {
    FunctionFinder find(m_library);
    find("cudnnCreate", m_api.cudnnCreate);
    find("cudnnDestroy", m_api.cudnnDestroy);
    find("cudnnGetVersion", m_api.cudnnGetVersion);
    find("cudnnGetErrorString", m_api.cudnnGetErrorString);
    find("cudnnCreateTensorDescriptor", m_api.cudnnCreateTensorDescriptor);
    find("cudnnDestroyTensorDescriptor", m_api.cudnnDestroyTensorDescriptor);
    find("cudnnSetTensorNdDescriptor", m_api.cudnnSetTensorNdDescriptor);
    find("cudnnCreateFilterDescriptor", m_api.cudnnCreateFilterDescriptor);
    find("cudnnDestroyFilterDescriptor", m_api.cudnnDestroyFilterDescriptor);
    find("cudnnSetFilterNdDescriptor", m_api.cudnnSetFilterNdDescriptor);
    find("cudnnCreateConvolutionDescriptor", m_api.cudnnCreateConvolutionDescriptor);
    find("cudnnDestroyConvolutionDescriptor", m_api.cudnnDestroyConvolutionDescriptor);
    find("cudnnSetConvolutionNdDescriptor", m_api.cudnnSetConvolutionNdDescriptor);
    find("cudnnSetConvolutionMathType", m_api.cudnnSetConvolutionMathType);
    find("cudnnSetConvolutionGroupCount", m_api.cudnnSetConvolutionGroupCount);
    find("cudnnGetConvolutionForwardAlgorithm_v7", m_api.cudnnGetConvolutionForwardAlgorithm);
    find("cudnnConvolutionForward", m_api.cudnnConvolutionForward);
    find("cudnnGetConvolutionBackwardDataAlgorithm_v7", m_api.cudnnGetConvolutionBackwardDataAlgorithm);
    find("cudnnConvolutionBackwardData", m_api.cudnnConvolutionBackwardData);
    find("cudnnAddTensor", m_api.cudnnAddTensor);
    find("cudnnBatchNormalizationForwardTraining", m_api.cudnnBatchNormalizationForwardTraining);
    find("cudnnBatchNormalizationForwardInference", m_api.cudnnBatchNormalizationForwardInference);
    if (!find.missing().empty())
        return Error{"missing_component", "It lacks " + find.missing().front() + ".", withoutCudnn};
    bindRecurrent();
    return {};
}

void Cudnn::bindRecurrent() {
    FunctionFinder find(m_library);
    find("cudnnCreateDropoutDescriptor", m_api.cudnnCreateDropoutDescriptor);
    find("cudnnDestroyDropoutDescriptor", m_api.cudnnDestroyDropoutDescriptor);
    find("cudnnSetDropoutDescriptor", m_api.cudnnSetDropoutDescriptor);
    find("cudnnCreateRNNDescriptor", m_api.cudnnCreateRNNDescriptor);
    find("cudnnDestroyRNNDescriptor", m_api.cudnnDestroyRNNDescriptor);
    find("cudnnSetRNNDescriptor_v8", m_api.cudnnSetRNNDescriptor);
    find("cudnnCreateRNNDataDescriptor", m_api.cudnnCreateRNNDataDescriptor);
    find("cudnnDestroyRNNDataDescriptor", m_api.cudnnDestroyRNNDataDescriptor);
    find("cudnnSetRNNDataDescriptor", m_api.cudnnSetRNNDataDescriptor);
    find("cudnnGetRNNWeightSpaceSize", m_api.cudnnGetRNNWeightSpaceSize);
    find("cudnnGetRNNTempSpaceSizes", m_api.cudnnGetRNNTempSpaceSizes);
    find("cudnnGetRNNWeightParams", m_api.cudnnGetRNNWeightParams);
    find("cudnnRNNForward", m_api.cudnnRNNForward);
    m_recurrent = find.missing().empty();
}

Result<void> Cudnn::start(const std::string& library) {
    Result<process::DynamicLibrary> opened = process::DynamicLibrary::open(library);
    if (!opened) return opened.error();
    m_library = std::move(*opened);
    if (Result<void> bound = bind(); !bound) return bound;
    if (const CudnnStatus status = m_api.cudnnCreate(&m_handle); status != cudnnSuccess) {
        m_handle = nullptr; // a driver that is older than the library, or parts of it that are not there
        return Error{"missing_component", failure(status, "Starting it").message, withoutCudnn};
    }
    const std::size_t number = m_api.cudnnGetVersion(); // 91002 is 9.10.2, 8907 is 8.9.7
    const std::size_t major = number >= 10000 ? 10000 : 1000;
    m_version = fmt::format("{}.{}.{}", number / major, number % major / 100, number % 100);
    return {};
}

/// The library maps parts of itself at its first convolution: better now than in the middle of a run.
Result<void> Cudnn::warmUp(const std::shared_ptr<Cudnn>& made) {
    operators::ConvolutionShape small;
    small.channelsIn = 2, small.channelsOut = 2;
    small.size = {1, 4, 4}, small.kernel = {1, 3, 3}, small.outSize = {1, 2, 2};
    const auto prepared = prepare(made, small);
    if (!prepared) return Error{"missing_component", prepared.error().message, withoutCudnn};
    Result<Slab> slab = made->m_pool->take(4096);
    if (!slab) return slab.error();
    const std::uint64_t at = slab->address;
    Result<void> queued = (*prepared)->queue({small, at, at + 1024, 0, at + 2048});
    if (queued) queued = made->m_context->check(made->m_context->api().cuCtxSynchronize(), "cuDNN's first convolution");
    made->m_pool->giveBack(*slab);
    if (!queued && (queued.error().code == "launch_failed" || queued.error().code == "unsupported"))
        return Error{"missing_component", queued.error().message, withoutCudnn};
    return queued;
}

Cudnn::~Cudnn() {
    if (m_handle && !m_context->isLost()) m_api.cudnnDestroy(m_handle);
    if (m_workspace.bytes) m_pool->giveBack(m_workspace);
}

Error Cudnn::failure(CudnnStatus status, const std::string& doing) const {
    // CUDNN_STATUS_NOT_SUPPORTED: 9 up to version 8, 3000 and its kin from version 9 on.
    const bool unsupported = status == 9 || (status >= 3000 && status < 4000);
    return {unsupported ? "unsupported" : "launch_failed",
            fmt::format("{} failed: {} (status {}).", doing, m_api.cudnnGetErrorString(status), status)};
}

Result<std::uint64_t> Cudnn::workspace(std::size_t bytes) {
    if (bytes <= m_workspace.bytes) return m_workspace.address;
    if (Result<void> done = m_context->check(m_context->api().cuCtxSynchronize(), "Waiting for cuDNN"); !done)
        return done.error();
    if (m_workspace.bytes) m_pool->giveBack(std::exchange(m_workspace, {}));
    Result<Slab> slab = m_pool->take(bytes);
    if (!slab) return slab.error();
    m_workspace = *slab;
    return m_workspace.address;
}

Result<std::shared_ptr<CudnnConvolution>>
Cudnn::prepare(std::shared_ptr<Cudnn> library, const operators::ConvolutionShape& shape, CudnnPrecision precision) {
    if (!takes(shape)) return Error{"unsupported", "cuDNN has no such convolution."};
    if (Result<void> current = library->m_context->makeCurrent(); !current) return current.error();
    std::shared_ptr<CudnnConvolution> made(new CudnnConvolution(std::move(library), shape));
    if (Result<void> described = made->describe(precision); !described) return described.error();
    return made;
}

} // namespace kernelarium::device
