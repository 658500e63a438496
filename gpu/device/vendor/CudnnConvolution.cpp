// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/vendor/Cudnn.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::device {

namespace {

/// cuDNN has no convolution over one dimension: it becomes one of two, the first of size 1.
std::vector<int> spatial(const operators::ConvolutionShape& shape, const operators::ConvolutionShape::Three& values) {
    return {values.end() - std::max(shape.dimensions, 2), values.end()};
}

std::vector<int> sizes(const operators::ConvolutionShape& shape, std::int64_t first, std::int64_t second,
                       const operators::ConvolutionShape::Three& rest) {
    std::vector<int> all{int(first), int(second)};
    const std::vector<int> more = spatial(shape, rest);
    all.insert(all.end(), more.begin(), more.end());
    return all;
}

} // namespace

CudnnConvolution::~CudnnConvolution() {
    const CudnnApi& api = m_library->m_api;
    for (const CudnnTensor tensor : {m_in, m_out, m_bias})
        if (tensor) api.cudnnDestroyTensorDescriptor(tensor);
    if (m_weight) api.cudnnDestroyFilterDescriptor(m_weight);
    if (m_convolution) api.cudnnDestroyConvolutionDescriptor(m_convolution);
}

CudnnStatus CudnnConvolution::describeConvolution(CudnnPrecision precision) {
    const CudnnApi& api = m_library->m_api;
    const int compute = m_shape.dtype == tensor::DType::Float64 ? cudnnDouble : cudnnFloat;
    const bool exact = m_shape.dtype == tensor::DType::Float32 && precision == CudnnPrecision::float32;
    const std::vector<int> padding = spatial(m_shape, m_shape.padding), stride = spatial(m_shape, m_shape.stride),
                           dilation = spatial(m_shape, m_shape.dilation);
    CudnnStatus status = api.cudnnCreateConvolutionDescriptor(&m_convolution);
    if (status == cudnnSuccess)
        status = api.cudnnSetConvolutionNdDescriptor(m_convolution, int(padding.size()), padding.data(), stride.data(),
                                                     dilation.data(), cudnnCrossCorrelation, compute);
    if (status == cudnnSuccess)
        status = api.cudnnSetConvolutionMathType(m_convolution, exact ? cudnnFmaMath : cudnnDefaultMath);
    if (status == cudnnSuccess) status = api.cudnnSetConvolutionGroupCount(m_convolution, int(m_shape.groups));
    return status;
}

CudnnStatus CudnnConvolution::findAlgorithms() {
    const CudnnApi& api = m_library->m_api;
    m_algorithms.resize(Cudnn::mostAlgorithms);
    int found = 0;
    const CudnnStatus status =
        m_shape.transposed
            ? api.cudnnGetConvolutionBackwardDataAlgorithm(m_library->m_handle, m_weight, m_in, m_convolution, m_out,
                                                           Cudnn::mostAlgorithms, &found, m_algorithms.data())
            : api.cudnnGetConvolutionForwardAlgorithm(m_library->m_handle, m_in, m_weight, m_convolution, m_out,
                                                      Cudnn::mostAlgorithms, &found, m_algorithms.data());
    m_algorithms.resize(std::size_t(std::clamp(found, 0, Cudnn::mostAlgorithms)));
    std::erase_if(m_algorithms, [](const CudnnAlgorithm& one) { return one.status != cudnnSuccess; });
    return status;
}

/// The first that its workspace can be had for comes first.
void CudnnConvolution::keepThoseThatFit() {
    const std::uint64_t most = m_library->m_pool->capacity();
    std::erase_if(m_algorithms, [most](const CudnnAlgorithm& one) { return one.workspaceBytes > most; });
}

Result<void> CudnnConvolution::describe(CudnnPrecision precision) {
    const CudnnApi& api = m_library->m_api;
    const int type = cudnnTypeOf(m_shape.dtype);
    CudnnStatus status = cudnnSuccess;
    const auto tensor = [&](CudnnTensor& descriptor, const std::vector<int>& all) {
        std::vector<int> strides(all.size(), 1);
        for (std::size_t d = all.size() - 1; d-- > 0;)
            strides[d] = strides[d + 1] * all[d + 1];
        if (status == cudnnSuccess) status = api.cudnnCreateTensorDescriptor(&descriptor);
        if (status == cudnnSuccess)
            status = api.cudnnSetTensorNdDescriptor(descriptor, type, int(all.size()), all.data(), strides.data());
    };
    tensor(m_in, sizes(m_shape, m_shape.batch, m_shape.channelsIn, m_shape.size));
    tensor(m_out, sizes(m_shape, m_shape.batch, m_shape.channelsOut, m_shape.outSize));
    if (m_shape.biased) tensor(m_bias, sizes(m_shape, 1, m_shape.channelsOut, {1, 1, 1}));
    const std::vector<int> weight =
        m_shape.transposed ? sizes(m_shape, m_shape.channelsIn, m_shape.channelsOut / m_shape.groups, m_shape.kernel)
                           : sizes(m_shape, m_shape.channelsOut, m_shape.channelsIn / m_shape.groups, m_shape.kernel);
    if (status == cudnnSuccess) status = api.cudnnCreateFilterDescriptor(&m_weight);
    if (status == cudnnSuccess)
        status = api.cudnnSetFilterNdDescriptor(m_weight, type, cudnnRowMajor, int(weight.size()), weight.data());
    if (status == cudnnSuccess) status = describeConvolution(precision);
    if (status == cudnnSuccess) status = findAlgorithms();
    if (status != cudnnSuccess) return m_library->failure(status, "Describing a convolution to cuDNN");
    keepThoseThatFit();
    if (m_algorithms.empty()) return Error{"unsupported", "cuDNN has no algorithm for this convolution."};
    return {};
}

Result<std::size_t> CudnnConvolution::queueWhatRuns(const operators::Convolution& c) {
    Error last{"unsupported", "cuDNN has no algorithm for this convolution."};
    for (; m_first < m_algorithms.size(); ++m_first) {
        Result<void> queued = queue(c, m_first);
        if (queued) return m_first;
        last = queued.error();
        if (last.code != "unsupported" && last.code != "out_of_memory") return last; // of a workspace
    }
    last.code = "unsupported";
    return last;
}

Result<void> CudnnConvolution::queue(const operators::Convolution& c, std::size_t algorithm) const {
    const CudnnAlgorithm& chosen = m_algorithms.at(algorithm);
    if (Result<void> current = m_library->m_context->makeCurrent(); !current) return current;
    const Result<std::uint64_t> workspace = m_library->workspace(chosen.workspaceBytes);
    if (!workspace) return workspace.error();
    const CudnnApi& api = m_library->m_api;
    const float one = 1, zero = 0;
    const double wideOne = 1, wideZero = 0;
    const bool wide = m_shape.dtype == tensor::DType::Float64;
    const void* keep = wide ? static_cast<const void*>(&wideOne) : &one;
    const void* drop = wide ? static_cast<const void*>(&wideZero) : &zero;
    CudnnStatus status =
        m_shape.transposed ? api.cudnnConvolutionBackwardData(m_library->m_handle, keep, m_weight,
                                                              cudnnPointer(c.weight), m_in, cudnnPointer(c.in),
                                                              m_convolution, chosen.algorithm, cudnnPointer(*workspace),
                                                              chosen.workspaceBytes, drop, m_out, cudnnPointer(c.out))
                           : api.cudnnConvolutionForward(m_library->m_handle, keep, m_in, cudnnPointer(c.in), m_weight,
                                                         cudnnPointer(c.weight), m_convolution, chosen.algorithm,
                                                         cudnnPointer(*workspace), chosen.workspaceBytes, drop, m_out,
                                                         cudnnPointer(c.out));
    if (status == cudnnSuccess && m_bias)
        status = api.cudnnAddTensor(m_library->m_handle, keep, m_bias, cudnnPointer(c.bias), keep, m_out,
                                    cudnnPointer(c.out));
    if (status == cudnnSuccess) return {};
    return m_library->failure(status, "A convolution of cuDNN");
}

} // namespace kernelarium::device
