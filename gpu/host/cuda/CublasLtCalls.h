// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/cuda/CublasCalls.h"

namespace kernelarium::host {

/// cuBLASLt: products by description, computed where cuBLAS's are (on a GPU by cuBLASLt itself). The heuristic offers
/// one algorithm, its first. Gives the library's own status codes; stops the run as unsupported on what is not here, by
/// name.
class CublasLtCalls {
public:
    CublasLtCalls(CudaContext& cuda, CublasCalls& products)
        : m_cuda(cuda)
        , m_products(products) {}

    [[nodiscard]] static bool answers(std::string_view api) { return api.starts_with("cublasLt"); }
    int call(const ApiArguments& arguments);

private:
    /// As cublasLtMatmulDesc_t.
    struct Operation {
        std::int64_t compute = 0, scale = 0;
        bool devicePointers = false;
        bool transposeA = false, transposeB = false;
    };
    /// As cublasLtMatrixLayout_t.
    struct Layout {
        std::int64_t type = 0, rows = 0, columns = 0, leading = 0;
        bool rowMajor = false;
        std::int64_t batches = 1, step = 0;
    };

    int create(const ApiArguments& a);
    int setOperation(const ApiArguments& a);
    int setLayout(const ApiArguments& a);
    int heuristic(const ApiArguments& a);
    int multiply(const ApiArguments& a);
    /// An attribute's value, which the call names by address and size.
    [[nodiscard]] std::int64_t value(const ApiArguments& a) const;
    template <class T> std::uint64_t add(std::map<std::uint64_t, T>& to, T one, std::uint64_t where);
    /// The product but for addresses and scales; a status that is not success where the library has none such.
    [[nodiscard]] int describe(const Operation& operation, const Layout& a, const Layout& b, const Layout& c,
                               const Layout& d, const std::string& api, CublasCalls::Product& product) const;

    CudaContext& m_cuda;
    CublasCalls& m_products;
    std::map<std::uint64_t, bool> m_handles;
    std::map<std::uint64_t, Operation> m_operations;
    std::map<std::uint64_t, Layout> m_layouts;
    std::map<std::uint64_t, bool> m_preferences;
};

} // namespace kernelarium::host
