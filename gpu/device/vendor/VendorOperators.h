// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/vendor/CublasLt.h"
#include "gpu/device/vendor/Cudnn.h"

#include <functional>
#include <memory>
#include <utility>

namespace kernelarium::device {

/// NVIDIA's libraries for matrix products and convolutions, those that are there. They are large, and opened by the
/// first that asks for one.
class VendorOperators {
public:
    struct Products {
        std::shared_ptr<Cublas> cublas;     ///< null where it was not found
        std::shared_ptr<CublasLt> cublasLt; ///< the same
    };
    using OpenProducts = std::function<Products()>;
    using OpenConvolutions = std::function<std::shared_ptr<Cudnn>()>; ///< null where it was not found
    VendorOperators(OpenProducts products, OpenConvolutions convolutions)
        : m_openProducts(std::move(products))
        , m_openConvolutions(std::move(convolutions)) {}

    static Products productsOn(const std::shared_ptr<DeviceContext>& context, const std::shared_ptr<DevicePool>& pool);
    static std::shared_ptr<Cudnn> convolutionsOn(const std::shared_ptr<DeviceContext>& context,
                                                 const std::shared_ptr<DevicePool>& pool);
    /// On this GPU, whichever are found.
    static std::shared_ptr<VendorOperators> on(std::shared_ptr<DeviceContext> context,
                                               std::shared_ptr<DevicePool> pool);

    [[nodiscard]] const std::shared_ptr<Cublas>& cublas() { return products().cublas; }
    [[nodiscard]] const std::shared_ptr<CublasLt>& cublasLt() { return products().cublasLt; }
    [[nodiscard]] const std::shared_ptr<Cudnn>& cudnn() {
        if (const auto open = std::exchange(m_openConvolutions, nullptr)) m_cudnn = open();
        return m_cudnn;
    }

private:
    const Products& products() {
        if (const auto open = std::exchange(m_openProducts, nullptr)) m_products = open();
        return m_products;
    }
    OpenProducts m_openProducts; ///< empty once it was called
    OpenConvolutions m_openConvolutions;
    Products m_products;
    std::shared_ptr<Cudnn> m_cudnn;
};

} // namespace kernelarium::device
