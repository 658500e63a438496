// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/vendor/Cublas.h"

#include "gpu/device/driver/FunctionFinder.h"
#include "gpu/device/vendor/VendorLibraries.h"

#include <algorithm>
#include <fmt/format.h>
#include <limits>

namespace kernelarium::device {

namespace {

constexpr const char* withoutCublas =
    "Install the CUDA Toolkit, or set CUDA_PATH to its folder; PyTorch's own packages have it, too.";

std::optional<std::pair<int, int>> typesOf(tensor::DType type) {
    switch (type) {
    case tensor::DType::Float32: return std::pair(realFloat, computeFloat);
    case tensor::DType::Float64: return std::pair(realDouble, computeDouble);
    case tensor::DType::Float16: return std::pair(realHalf, computeFloat);
    case tensor::DType::BFloat16: return std::pair(realBFloat, computeFloat);
    default: return std::nullopt;
    }
}

bool fitsInt(std::int64_t value) {
    return value >= 0 && value <= std::numeric_limits<int>::max();
}

} // namespace

std::optional<BlasMatrix> blasMatrix(std::int64_t rows, std::int64_t columns, std::int64_t rowStep,
                                     std::int64_t columnStep) {
    if ((columnStep == 1 || columns == 1) && (rowStep >= columns || rows == 1))
        return BlasMatrix{rows == 1 ? std::max<std::int64_t>(columns, 1) : rowStep, false};
    if ((rowStep == 1 || rows == 1) && (columnStep >= rows || columns == 1))
        return BlasMatrix{columns == 1 ? std::max<std::int64_t>(rows, 1) : columnStep, true};
    return std::nullopt;
}

std::optional<BlasProduct> blasProduct(const operators::MatrixProduct& p) {
    const auto types = typesOf(p.dtype);
    const auto left = blasMatrix(p.k, p.n, p.bRow, p.bColumn), right = blasMatrix(p.m, p.k, p.aRow, p.aColumn);
    if (!types || !left || !right || p.m < 1 || p.n < 1 || p.k < 1 || p.batches < 1) return std::nullopt;
    const std::int64_t leadingC = p.m == 1 ? p.n : p.cRow;
    if (leadingC < p.n) return std::nullopt;
    for (const std::int64_t value : {p.m, p.n, p.k, p.batches, left->leading, right->leading, leadingC})
        if (!fitsInt(value)) return std::nullopt;
    return BlasProduct{types->first, types->second, *left, *right, leadingC};
}

bool Cublas::takes(const operators::MatrixProduct& product) {
    return product.bias == 0 && blasProduct(product).has_value();
}

Result<std::unique_ptr<Cublas>> Cublas::open(std::shared_ptr<DeviceContext> context, std::shared_ptr<DevicePool> pool,
                                             const std::string& library) {
    std::string tried;
    if (Result<void> current = context->makeCurrent(); !current) return current.error();
    const auto files = library.empty() ? vendorLibraries({"libcublas.so.13", "libcublas.so.12"}) : std::vector{library};
    for (const std::string& file : files) {
        std::unique_ptr<Cublas> made(new Cublas);
        made->m_context = context;
        made->m_pool = pool;
        const Result<void> started = made->start(file);
        if (started) return made;
        if (started.error().code != "missing_component") return started.error();
        tried += fmt::format("{}: {} {}\n", file, started.error().message, started.error().detail);
    }
    return Error{"missing_component", "cuBLAS was not found.", withoutCublas, tried};
}

Result<void> Cublas::start(const std::string& library) {
    Result<process::DynamicLibrary> opened = process::DynamicLibrary::open(library);
    if (!opened) return opened.error();
    m_library = std::move(*opened);
    m_path = library;
    FunctionFinder find(m_library);
    find("cublasCreate_v2", m_api.cublasCreate);
    find("cublasDestroy_v2", m_api.cublasDestroy);
    find("cublasSetStream_v2", m_api.cublasSetStream);
    find("cublasSetWorkspace_v2", m_api.cublasSetWorkspace);
    find("cublasSetMathMode", m_api.cublasSetMathMode);
    find("cublasGetProperty", m_api.cublasGetProperty);
    find("cublasGetStatusString", m_api.cublasGetStatusString);
    find("cublasGemmStridedBatchedEx", m_api.cublasGemmStridedBatchedEx);
    if (!find.missing().empty())
        return Error{"missing_component", "It lacks " + find.missing().front() + ".", withoutCublas};
    if (const CublasStatus status = m_api.cublasCreate(&m_handle); status != cublasSuccess) {
        m_handle = nullptr; // a driver that is older than the library, mostly
        return Error{"missing_component", failure(status, "Starting it").message, withoutCublas};
    }
    Result<Slab> workspace = m_pool->take(workspaceBytes);
    if (!workspace) return workspace.error();
    m_workspace = *workspace;
    std::array<int, 3> parts{};
    for (int i = 0; i < 3; ++i)
        m_api.cublasGetProperty(i, &parts[std::size_t(i)]);
    m_version = fmt::format("{}.{}.{}", parts[0], parts[1], parts[2]);
    CublasStatus status = m_api.cublasSetStream(m_handle, nullptr);
    if (status == cublasSuccess) // setting a stream takes the workspace away
        status = m_api.cublasSetWorkspace(m_handle, reinterpret_cast<void*>(m_workspace.address), workspaceBytes);
    if (status == cublasSuccess) status = m_api.cublasSetMathMode(m_handle, defaultMath);
    if (status == cublasSuccess) return {};
    return failure(status, "Setting cuBLAS up");
}

Cublas::~Cublas() {
    if (m_handle && !m_context->isLost()) m_api.cublasDestroy(m_handle);
    if (m_workspace.bytes) m_pool->giveBack(m_workspace);
}

Error Cublas::failure(CublasStatus status, const std::string& doing) const {
    return {"launch_failed",
            fmt::format("{} failed: {} (status {}).", doing, m_api.cublasGetStatusString(status), status)};
}

Result<void> Cublas::multiply(const operators::MatrixProduct& p) {
    if (!takes(p)) return Error{"unsupported", "cuBLAS has no such product."};
    if (Result<void> current = m_context->makeCurrent(); !current) return current;
    const BlasProduct q = *blasProduct(p);
    const auto operation = [](const BlasMatrix& matrix) { return matrix.transposed ? transposition : plainOperation; };
    const auto pointer = [](std::uint64_t address) { return reinterpret_cast<void*>(address); };
    const float alpha = float(p.alpha), beta = float(p.beta);
    const bool wide = q.compute == computeDouble;
    const CublasStatus status = m_api.cublasGemmStridedBatchedEx(
        m_handle, operation(q.left), operation(q.right), int(p.n), int(p.m), int(p.k),
        wide ? static_cast<const void*>(&p.alpha) : &alpha, pointer(p.b), q.type, int(q.left.leading), p.bBatch,
        pointer(p.a), q.type, int(q.right.leading), p.aBatch, wide ? static_cast<const void*>(&p.beta) : &beta,
        pointer(p.c), q.type, int(q.leadingC), p.cBatch, int(p.batches), q.compute, defaultAlgorithm);
    if (status == cublasSuccess) return {};
    return failure(status, fmt::format("cuBLAS's product of {} x {} x {}", p.m, p.n, p.k));
}

} // namespace kernelarium::device
