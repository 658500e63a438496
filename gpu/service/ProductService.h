// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/service/GpuTarget.h"
#include "gpu/service/Server.h"

#include <memory>

namespace kernelarium::device {
class ProductBench;
}

namespace kernelarium::service {

/// The run child's methods "hgemm.prepare" ({"configurations": [key, ...]}: these kernels are compiled, all at the same
/// time; result: {}) and "hgemm.measure" (hgemm::MeasureRequest, hgemm::MeasureAnswer). Operands and kernels stay from
/// request to request. Errors: those of GpuTarget::open and device::ProductBench.
class ProductService {
public:
    explicit ProductService(GpuTarget& gpu);
    ~ProductService();
    ProductService(const ProductService&) = delete;
    ProductService& operator=(const ProductService&) = delete;

    [[nodiscard]] static bool takes(const std::string& method) { return method.starts_with("hgemm."); }
    Result<nlohmann::json> handle(const protocol::Request& request, const Service::Progress& progress,
                                  const std::stop_token& stop);
    void forget(); ///< operands and kernels: the card is wanted for something else

private:
    Result<void> open();

    GpuTarget& m_gpu;
    std::unique_ptr<device::ProductBench> m_bench;
};

} // namespace kernelarium::service
