// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/memory/DevicePool.h"
#include "gpu/device/vendor/CudnnApi.h"
#include "gpu/operators/Machine.h"
#include "gpu/process/DynamicLibrary.h"

#include <memory>
#include <string>
#include <vector>

namespace kernelarium::device {

class CudnnConvolution;

/// How float32 is multiplied: as it is, or rounded to TF32 before (PyTorch's default for convolutions, not this
/// program's).
enum class CudnnPrecision { float32, tf32 };

/// cuDNN on a GPU, on the default stream: convolutions and their transposes, batch normalisations
/// (CudnnNormalisation.h) and recurrent layers (CudnnRecurrent.h), as PyTorch asks for them. Half precision is summed
/// in float32.
class Cudnn {
public:
    static constexpr int mostAlgorithms = 10;

    /// The first of vendorLibraries() that starts on this GPU and convolves; `library` that one alone. Errors:
    /// "missing_component" with what each one lacks, "out_of_memory".
    static Result<std::shared_ptr<Cudnn>> open(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool,
                                               const std::string& library = {});
    ~Cudnn();
    Cudnn(const Cudnn&) = delete;
    Cudnn& operator=(const Cudnn&) = delete;

    [[nodiscard]] const std::string& version() const { return m_version; } ///< "9.10.2"
    [[nodiscard]] DeviceContext& context() const { return *m_context; }
    [[nodiscard]] const CudnnApi& api() const { return m_api; }
    [[nodiscard]] CudnnHandle handle() const { return m_handle; }
    [[nodiscard]] DevicePool& pool() const { return *m_pool; }
    [[nodiscard]] bool hasRecurrentLayers() const { return m_recurrent; } ///< cuDNN 8 or newer, with that part of it
    [[nodiscard]] Error failure(CudnnStatus status, const std::string& doing) const;
    /// One for all that is queued: it runs one after another. Grows by waiting for whatever is under way. Errors:
    /// "out_of_memory", "device_lost".
    Result<std::uint64_t> workspace(std::size_t bytes);

    /// What PyTorch computes by cuDNN: types it knows, sizes below 2^31, and no depthwise convolution, for which
    /// PyTorch has kernels of its own.
    [[nodiscard]] static bool takes(const operators::ConvolutionShape& shape);
    /// Made ready with every algorithm that its heuristic offers, the best first. It keeps the library. Errors:
    /// "unsupported", "launch_failed".
    static Result<std::shared_ptr<CudnnConvolution>> prepare(std::shared_ptr<Cudnn> library,
                                                             const operators::ConvolutionShape& shape,
                                                             CudnnPrecision precision = CudnnPrecision::float32);

private:
    friend class CudnnConvolution;
    Cudnn() = default;
    Result<void> start(const std::string& library);
    Result<void> bind();
    static Result<void> warmUp(const std::shared_ptr<Cudnn>& made);
    void bindRecurrent();

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    process::DynamicLibrary m_library;
    CudnnApi m_api;
    CudnnHandle m_handle = nullptr;
    Slab m_workspace;
    bool m_recurrent = false;
    std::string m_version;
};

/// One convolution, ready to be queued with any of its algorithms and any tensors.
class CudnnConvolution {
public:
    ~CudnnConvolution();
    CudnnConvolution(const CudnnConvolution&) = delete;
    CudnnConvolution& operator=(const CudnnConvolution&) = delete;

    [[nodiscard]] std::size_t algorithms() const { return m_algorithms.size(); } ///< at least one
    /// The bias is added to what is there afterwards, as PyTorch does. Errors: "unsupported" (which some algorithms say
    /// only now), "launch_failed", "out_of_memory" (the algorithm's workspace), "device_lost".
    Result<void> queue(const operators::Convolution& convolution, std::size_t algorithm = 0) const;
    /// With the first algorithm that runs, and that one gives; "unsupported" where none does.
    Result<std::size_t> queueWhatRuns(const operators::Convolution& convolution);

private:
    friend class Cudnn;
    CudnnConvolution(std::shared_ptr<Cudnn> library, const operators::ConvolutionShape& shape)
        : m_library(std::move(library))
        , m_shape(shape) {}
    Result<void> describe(CudnnPrecision precision);
    [[nodiscard]] CudnnStatus describeConvolution(CudnnPrecision precision);
    [[nodiscard]] CudnnStatus findAlgorithms();
    void keepThoseThatFit();

    std::shared_ptr<Cudnn> m_library;
    operators::ConvolutionShape m_shape;
    CudnnTensor m_in = nullptr, m_out = nullptr, m_bias = nullptr;
    CudnnFilter m_weight = nullptr;
    CudnnConvolutionDescriptor m_convolution = nullptr;
    std::vector<CudnnAlgorithm> m_algorithms;
    std::size_t m_first = 0; ///< that has not yet failed
};

} // namespace kernelarium::device
