// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "gpu/host/aten/AtenCalls.h"
#include "gpu/host/cuda/CudaContext.h"

#include <cstdint>
#include <functional>
#include <map>
#include <string>

namespace kernelarium::host {

/// cuBLAS: matrix products on column-major matrices, on the device where it computes operators, else through
/// core/task's operators with sums in float64. Gives cuBLAS's own status codes; stops the run as unsupported on a call
/// or data type that is not here, by name.
class CublasCalls {
public:
    CublasCalls(CudaContext& cuda, TensorTable& table, AtenCalls& aten)
        : m_cuda(cuda)
        , m_table(table)
        , m_aten(aten) {}

    [[nodiscard]] static bool answers(std::string_view api);
    int call(const ApiArguments& arguments);

    // What cuBLASLt's calls come down to (CublasLtCalls.h).
    struct Matrix {
        std::uint64_t address = 0;
        DType dtype = DType::Float32;
        std::int64_t leading = 0;
    };
    /// C = alpha * op(A) op(B) + beta * C, m x n with k summed over; op is transposition where set.
    struct Product {
        bool transposeA = false;
        bool transposeB = false;
        std::int64_t m = 0, n = 0, k = 0;
        double alpha = 1, beta = 0;
        Matrix a, b, c;
        /// Several products whose matrices lie so many elements apart.
        std::int64_t batches = 1, stepA = 0, stepB = 0, stepC = 0;
        bool byCublasLt = false; ///< where there is a choice of libraries
    };
    /// Of a cudaDataType_t; stops the run as unsupported on others, by name.
    [[nodiscard]] static DType typeOf(std::int64_t number, const std::string& api);
    [[nodiscard]] double scalarAt(bool onDevice, std::uint64_t address, DType dtype) const;
    [[nodiscard]] bool holds(std::uint64_t handle) const { return m_handles.contains(handle); }
    int multiply(const Product& product, const std::string& api) { return multiply(Handle{}, product, api); }

private:
    // cublasStatus_t
    static constexpr int success = 0, notInitialized = 1, invalidValue = 7, executionFailed = 13;

    struct Handle {
        std::uint64_t stream = 0;
        std::int64_t mathMode = 0;
        bool devicePointers = false; ///< alpha and beta lie on the device
    };
    [[nodiscard]] static Product shapeOf(const ApiArguments& a);
    int create(const ApiArguments& a);
    int gemm(Handle& handle, const ApiArguments& a, DType dtype);
    int gemmBatched(Handle& handle, const ApiArguments& a, DType dtype);
    int gemmPointers(Handle& handle, const ApiArguments& a, DType dtype);
    int gemmEx(Handle& handle, const ApiArguments& a);
    int gemmBatchedEx(Handle& handle, const ApiArguments& a);
    int scale(Handle& handle, const ApiArguments& a, DType dtype);
    int axpy(Handle& handle, const ApiArguments& a, DType dtype);
    int combine(Handle& handle, const ApiArguments& a, DType dtype, std::uint64_t x, std::int64_t strideX,
                std::uint64_t y, std::int64_t strideY);
    int copyVector(Handle& handle, const ApiArguments& a, DType dtype);
    int swapVectors(Handle& handle, const ApiArguments& a, DType dtype);
    int dot(Handle& handle, const ApiArguments& a, DType dtype);
    int norm(Handle& handle, const ApiArguments& a, DType dtype);
    int absoluteSum(Handle& handle, const ApiArguments& a, DType dtype);
    int extreme(Handle& handle, const ApiArguments& a, DType dtype);
    int outerProduct(Handle& handle, const ApiArguments& a, DType dtype);
    int addMatrices(Handle& handle, const ApiArguments& a, DType dtype);
    [[nodiscard]] TensorView strided(std::uint64_t address, DType dtype, Shape sizes, Shape strides) const;
    void answer(const Handle& handle, std::uint64_t address, const tensor::Tensor& value);
    int guarded(const ApiArguments& a, const std::function<void()>& work);
    void noteFault(const std::string& api, const std::string& text);
    int currentHandle(const ApiArguments& a);
    int product(Handle& handle, const ApiArguments& a, std::string_view name, bool& known);
    int gemv(Handle& handle, const ApiArguments& a, DType dtype);
    int multiply(const Handle& handle, const Product& product, const std::string& api);
    void multiplyHere(const Product& product, const std::string& api);
    /// False where the device has no kernel for it.
    bool multiplyThere(const Product& product, const std::string& api);
    [[nodiscard]] TensorView matrix(const Matrix& matrix, std::int64_t rows, std::int64_t columns,
                                    bool rowsSideBySide) const;
    [[nodiscard]] TensorView batched(TensorView view, std::int64_t batches, std::int64_t step) const;
    [[nodiscard]] double scalar(const Handle& handle, std::uint64_t address, DType dtype) const;
    [[nodiscard]] int setting(Handle& handle, const ApiArguments& a, bool& known);

    CudaContext& m_cuda;
    TensorTable& m_table;
    AtenCalls& m_aten;
    std::map<std::uint64_t, Handle> m_handles;
    std::uint64_t m_current = 0; ///< PyTorch's own handle, made when first asked for
};

} // namespace kernelarium::host
