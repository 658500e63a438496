// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/vendor/VendorOperators.h"

namespace kernelarium::device {

VendorOperators::Products VendorOperators::productsOn(const std::shared_ptr<DeviceContext>& context,
                                                      const std::shared_ptr<DevicePool>& pool) {
    Products found;
    if (auto cublas = Cublas::open(context, pool)) found.cublas = std::move(*cublas);
    if (auto cublasLt = CublasLt::open(context, pool)) found.cublasLt = std::move(*cublasLt);
    return found;
}

std::shared_ptr<Cudnn> VendorOperators::convolutionsOn(const std::shared_ptr<DeviceContext>& context,
                                                       const std::shared_ptr<DevicePool>& pool) {
    auto cudnn = Cudnn::open(context, pool);
    return cudnn ? *cudnn : nullptr;
}

std::shared_ptr<VendorOperators> VendorOperators::on(std::shared_ptr<DeviceContext> context,
                                                     std::shared_ptr<DevicePool> pool) {
    return std::make_shared<VendorOperators>([context, pool] { return productsOn(context, pool); },
                                             [context, pool] { return convolutionsOn(context, pool); });
}

} // namespace kernelarium::device
