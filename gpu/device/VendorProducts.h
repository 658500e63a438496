// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/CublasLt.h"

#include <functional>
#include <memory>
#include <utility>

namespace kernelarium::device {

/// NVIDIA's libraries for matrix products, those that are there. They are large, and opened by the first that asks for one.
class VendorProducts {
public:
    struct Found {
        std::shared_ptr<Cublas> cublas;     ///< null where it was not found
        std::shared_ptr<CublasLt> cublasLt; ///< the same
    };
    explicit VendorProducts(std::function<Found()> open)
        : m_open(std::move(open)) {}
    /// On this GPU, whichever are found.
    static std::shared_ptr<VendorProducts> on(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool);

    [[nodiscard]] const std::shared_ptr<Cublas>& cublas() { return found().cublas; }
    [[nodiscard]] const std::shared_ptr<CublasLt>& cublasLt() { return found().cublasLt; }

private:
    const Found& found() {
        if (const auto open = std::exchange(m_open, nullptr)) m_found = open();
        return m_found;
    }
    std::function<Found()> m_open; ///< empty once it was called
    Found m_found;
};

} // namespace kernelarium::device
