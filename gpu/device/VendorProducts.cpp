// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/VendorProducts.h"

namespace kernelarium::device {

std::shared_ptr<VendorProducts> VendorProducts::on(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool) {
    return std::make_shared<VendorProducts>([context = std::move(context), pool = std::move(pool)] {
        Found found;
        if (auto cublas = Cublas::open(context, pool)) found.cublas = std::move(*cublas);
        if (auto cublasLt = CublasLt::open(context, pool)) found.cublasLt = std::move(*cublasLt);
        return found;
    });
}

} // namespace kernelarium::device
