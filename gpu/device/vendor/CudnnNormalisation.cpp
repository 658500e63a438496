// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/vendor/CudnnNormalisation.h"

#include <limits>

namespace kernelarium::device {

bool CudnnNormalisation::takes(const operators::BatchNormalisation& n) {
    constexpr double leastEpsilon = 1e-5;
    constexpr std::int64_t mostInTraining = 880801, mostElsewhere = 65535; // samples, as PyTorch has it
    const bool known = n.dtype == tensor::DType::Float32 || n.dtype == tensor::DType::Float64;
    if (!known || n.dimensions < 3 || n.eps < leastEpsilon || n.batch < 1 || n.channels < 1 || n.run < 1) return false;
    std::int64_t count = 0;
    if (__builtin_mul_overflow(n.batch, n.channels, &count) || __builtin_mul_overflow(count, n.run, &count))
        return false;
    return count <= std::numeric_limits<int>::max() && n.batch <= (n.training ? mostInTraining : mostElsewhere);
}

Result<std::shared_ptr<CudnnNormalisation>>
CudnnNormalisation::prepare(std::shared_ptr<Cudnn> library, const operators::BatchNormalisation& normalisation) {
    if (!takes(normalisation)) return Error{"unsupported", "cuDNN has no such batch normalisation."};
    if (Result<void> current = library->context().makeCurrent(); !current) return current.error();
    std::shared_ptr<CudnnNormalisation> made(new CudnnNormalisation(library, normalisation));
    if (const CudnnStatus status = made->describe(); status != cudnnSuccess)
        return library->failure(status, "Describing a batch normalisation to cuDNN");
    return made;
}

CudnnNormalisation::~CudnnNormalisation() {
    for (const CudnnTensor tensor : {m_elements, m_channels})
        if (tensor) m_library->api().cudnnDestroyTensorDescriptor(tensor);
}

CudnnStatus CudnnNormalisation::describe() {
    const CudnnApi& api = m_library->api();
    const int type = cudnnTypeOf(m_call.dtype);
    const int batch = int(m_call.batch), channels = int(m_call.channels), run = int(m_call.run);
    const std::array<int, 4> sizes{batch, channels, run, 1}, strides{channels * run, run, 1, 1};
    const std::array<int, 4> vector{1, channels, 1, 1}, vectorStrides{channels, 1, 1, 1};
    CudnnStatus status = api.cudnnCreateTensorDescriptor(&m_elements);
    if (status == cudnnSuccess) status = api.cudnnCreateTensorDescriptor(&m_channels);
    if (status == cudnnSuccess)
        status = api.cudnnSetTensorNdDescriptor(m_elements, type, 4, sizes.data(), strides.data());
    if (status == cudnnSuccess)
        status = api.cudnnSetTensorNdDescriptor(m_channels, type, 4, vector.data(), vectorStrides.data());
    return status;
}

Result<void> CudnnNormalisation::queue() const {
    if (Result<void> current = m_library->context().makeCurrent(); !current) return current;
    const CudnnApi& api = m_library->api();
    const float one = 1, zero = 0;
    const double wideOne = 1, wideZero = 0;
    const bool wide = m_call.dtype == tensor::DType::Float64;
    const void* keep = wide ? static_cast<const void*>(&wideOne) : &one;
    const void* drop = wide ? static_cast<const void*>(&wideZero) : &zero;
    const CudnnStatus status =
        m_call.training
            ? api.cudnnBatchNormalizationForwardTraining(
                  m_library->handle(), cudnnSpatial, keep, drop, m_elements, cudnnPointer(m_call.in), m_elements,
                  cudnnPointer(m_call.out), m_channels, cudnnPointer(m_call.weight), cudnnPointer(m_call.bias),
                  m_call.momentum, cudnnPointer(m_call.mean), cudnnPointer(m_call.variance), m_call.eps, nullptr,
                  nullptr)
            : api.cudnnBatchNormalizationForwardInference(
                  m_library->handle(), cudnnSpatial, keep, drop, m_elements, cudnnPointer(m_call.in), m_elements,
                  cudnnPointer(m_call.out), m_channels, cudnnPointer(m_call.weight), cudnnPointer(m_call.bias),
                  cudnnPointer(m_call.mean), cudnnPointer(m_call.variance), m_call.eps);
    if (status == cudnnSuccess) return {};
    return m_library->failure(status, "A batch normalisation of cuDNN");
}

} // namespace kernelarium::device
