// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/device/vendor/Cublas.h"

#include <span>
#include <vector>

namespace kernelarium::device {

class LtProduct;

/// cuBLASLt on a GPU: products with a bias, and a choice of algorithms. As Cublas in everything else.
class CublasLt {
public:
    static constexpr std::size_t workspaceBytes = 32u << 20;
    static constexpr int mostAlgorithms = 100;

    /// Errors: as of Cublas::open.
    static Result<std::shared_ptr<CublasLt>> open(std::shared_ptr<DeviceContext> context,
                                                  std::shared_ptr<DevicePool> pool, const std::string& library = {});
    ~CublasLt();
    CublasLt(const CublasLt&) = delete;
    CublasLt& operator=(const CublasLt&) = delete;

    [[nodiscard]] const std::string& version() const { return m_version; }
    [[nodiscard]] DeviceContext& context() const { return *m_context; }

    [[nodiscard]] static bool takes(const operators::MatrixProduct& product);
    /// Made ready with up to so many algorithms, the heuristic's best first. It keeps the library. Errors:
    /// "unsupported", "launch_failed".
    static Result<std::shared_ptr<LtProduct>> prepare(std::shared_ptr<CublasLt> library,
                                                      const operators::MatrixProduct& product, int algorithms);

private:
    friend class LtProduct;
    CublasLt() = default;
    Result<void> start(const std::string& library);
    [[nodiscard]] Error failure(CublasStatus status, const std::string& doing) const;

    std::shared_ptr<DeviceContext> m_context;
    std::shared_ptr<DevicePool> m_pool;
    process::DynamicLibrary m_library;
    CublasLtApi m_api;
    CublasLtHandle m_handle = nullptr;
    Slab m_workspace;
    std::string m_version;
};

/// One product, ready to be queued with any of its algorithms.
class LtProduct {
public:
    ~LtProduct();
    LtProduct(const LtProduct&) = delete;
    LtProduct& operator=(const LtProduct&) = delete;

    [[nodiscard]] std::size_t algorithms() const { return m_algorithms.size(); } ///< at least one
    Result<void> queue(std::size_t algorithm = 0) const;

private:
    friend class CublasLt;
    LtProduct(std::shared_ptr<CublasLt> library, const operators::MatrixProduct& product)
        : m_library(std::move(library))
        , m_product(product) {}
    Result<void> describe(int algorithms);
    [[nodiscard]] CublasStatus makeLayout(LtLayout& layout, const BlasProduct& q, std::int64_t rows,
                                          std::int64_t columns, std::int64_t leading, std::int64_t step) const;
    [[nodiscard]] CublasStatus describeOperation(const BlasProduct& q);
    [[nodiscard]] CublasStatus findAlgorithms(int wanted);

    std::shared_ptr<CublasLt> m_library;
    operators::MatrixProduct m_product;
    bool m_wide = false; ///< scales are float64
    LtOperation m_operation = nullptr;
    LtLayout m_left = nullptr, m_right = nullptr, m_result = nullptr;
    std::vector<LtAlgorithm> m_algorithms;
};

} // namespace kernelarium::device
