// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/vendor/Cudnn.h"

namespace kernelarium::device {

/// One batch normalisation by cuDNN, ready to be queued.
class CudnnNormalisation {
public:
    /// What PyTorch computes by cuDNN: float32 or float64 with weights and biases, three dimensions or more, and an
    /// epsilon of at least 1e-5.
    [[nodiscard]] static bool takes(const operators::BatchNormalisation& normalisation);
    /// It keeps the library. Errors: "unsupported", "launch_failed".
    static Result<std::shared_ptr<CudnnNormalisation>> prepare(std::shared_ptr<Cudnn> library,
                                                               const operators::BatchNormalisation& normalisation);
    ~CudnnNormalisation();
    CudnnNormalisation(const CudnnNormalisation&) = delete;
    CudnnNormalisation& operator=(const CudnnNormalisation&) = delete;

    /// Errors: "launch_failed", "device_lost".
    Result<void> queue() const;

private:
    CudnnNormalisation(std::shared_ptr<Cudnn> library, const operators::BatchNormalisation& normalisation)
        : m_library(std::move(library))
        , m_call(normalisation) {}
    [[nodiscard]] CudnnStatus describe();

    std::shared_ptr<Cudnn> m_library;
    operators::BatchNormalisation m_call;
    CudnnTensor m_elements = nullptr, m_channels = nullptr;
};

} // namespace kernelarium::device
