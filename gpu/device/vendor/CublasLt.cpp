// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/device/vendor/CublasLt.h"

#include "gpu/device/driver/FunctionFinder.h"
#include "gpu/device/vendor/VendorLibraries.h"

#include <algorithm>
#include <fmt/format.h>

namespace kernelarium::device {

bool CublasLt::takes(const operators::MatrixProduct& product) {
    return blasProduct(product).has_value();
}

Result<std::shared_ptr<CublasLt>> CublasLt::open(std::shared_ptr<DeviceContext> context,
                                                 std::shared_ptr<DevicePool> pool, const std::string& library) {
    std::string tried;
    if (Result<void> current = context->makeCurrent(); !current) return current.error();
    const auto files =
        library.empty() ? vendorLibraries({"libcublasLt.so.13", "libcublasLt.so.12"}) : std::vector{library};
    for (const std::string& file : files) {
        std::shared_ptr<CublasLt> made(new CublasLt);
        made->m_context = context;
        made->m_pool = pool;
        const Result<void> started = made->start(file);
        if (started) return made;
        if (started.error().code != "missing_component") return started.error();
        tried += fmt::format("{}: {} {}\n", file, started.error().message, started.error().detail);
    }
    return Error{"missing_component", "cuBLASLt was not found.",
                 "Install the CUDA Toolkit, or set CUDA_PATH to its folder.", tried};
}

Result<void> CublasLt::start(const std::string& library) {
    Result<process::DynamicLibrary> opened = process::DynamicLibrary::open(library);
    if (!opened) return opened.error();
    m_library = std::move(*opened);
    FunctionFinder find(m_library);
    find("cublasLtCreate", m_api.cublasLtCreate);
    find("cublasLtDestroy", m_api.cublasLtDestroy);
    find("cublasLtGetVersion", m_api.cublasLtGetVersion);
    find("cublasLtGetStatusString", m_api.cublasLtGetStatusString);
    find("cublasLtMatmulDescCreate", m_api.cublasLtMatmulDescCreate);
    find("cublasLtMatmulDescDestroy", m_api.cublasLtMatmulDescDestroy);
    find("cublasLtMatmulDescSetAttribute", m_api.cublasLtMatmulDescSetAttribute);
    find("cublasLtMatrixLayoutCreate", m_api.cublasLtMatrixLayoutCreate);
    find("cublasLtMatrixLayoutDestroy", m_api.cublasLtMatrixLayoutDestroy);
    find("cublasLtMatrixLayoutSetAttribute", m_api.cublasLtMatrixLayoutSetAttribute);
    find("cublasLtMatmulPreferenceCreate", m_api.cublasLtMatmulPreferenceCreate);
    find("cublasLtMatmulPreferenceDestroy", m_api.cublasLtMatmulPreferenceDestroy);
    find("cublasLtMatmulPreferenceSetAttribute", m_api.cublasLtMatmulPreferenceSetAttribute);
    find("cublasLtMatmulAlgoGetHeuristic", m_api.cublasLtMatmulAlgoGetHeuristic);
    find("cublasLtMatmul", m_api.cublasLtMatmul);
    if (!find.missing().empty()) return Error{"missing_component", "It lacks " + find.missing().front() + "."};
    if (const CublasStatus status = m_api.cublasLtCreate(&m_handle); status != cublasSuccess) {
        m_handle = nullptr;
        return Error{"missing_component", failure(status, "Starting it").message};
    }
    const std::size_t number = m_api.cublasLtGetVersion(); // 130100 is 13.1.0
    m_version = fmt::format("{}.{}.{}", number / 10000, number / 100 % 100, number % 100);
    Result<Slab> workspace = m_pool->take(workspaceBytes);
    if (!workspace) return workspace.error();
    m_workspace = *workspace;
    return {};
}

CublasLt::~CublasLt() {
    if (m_handle && !m_context->isLost()) m_api.cublasLtDestroy(m_handle);
    if (m_workspace.bytes) m_pool->giveBack(m_workspace);
}

Error CublasLt::failure(CublasStatus status, const std::string& doing) const {
    return {"launch_failed",
            fmt::format("{} failed: {} (status {}).", doing, m_api.cublasLtGetStatusString(status), status)};
}

Result<std::shared_ptr<LtProduct>> CublasLt::prepare(std::shared_ptr<CublasLt> library,
                                                     const operators::MatrixProduct& product, int algorithms) {
    if (!takes(product)) return Error{"unsupported", "cuBLASLt has no such product."};
    if (Result<void> current = library->m_context->makeCurrent(); !current) return current.error();
    std::shared_ptr<LtProduct> made(new LtProduct(std::move(library), product));
    if (Result<void> described = made->describe(std::clamp(algorithms, 1, mostAlgorithms)); !described)
        return described.error();
    return made;
}

LtProduct::~LtProduct() {
    const CublasLtApi& api = m_library->m_api;
    for (const LtLayout layout : {m_left, m_right, m_result})
        if (layout) api.cublasLtMatrixLayoutDestroy(layout);
    if (m_operation) api.cublasLtMatmulDescDestroy(m_operation);
}

CublasStatus LtProduct::makeLayout(LtLayout& layout, const BlasProduct& q, std::int64_t rows, std::int64_t columns,
                                   std::int64_t leading, std::int64_t step) const {
    const CublasLtApi& api = m_library->m_api;
    CublasStatus status =
        api.cublasLtMatrixLayoutCreate(&layout, q.type, std::uint64_t(rows), std::uint64_t(columns), leading);
    const auto batches = std::int32_t(m_product.batches);
    if (status == cublasSuccess && batches > 1)
        status = api.cublasLtMatrixLayoutSetAttribute(layout, ltBatchCount, &batches, sizeof batches);
    if (status == cublasSuccess && batches > 1)
        status = api.cublasLtMatrixLayoutSetAttribute(layout, ltBatchStep, &step, sizeof step);
    return status;
}

CublasStatus LtProduct::describeOperation(const BlasProduct& q) {
    const CublasLtApi& api = m_library->m_api;
    CublasStatus status = api.cublasLtMatmulDescCreate(&m_operation, q.compute, m_wide ? realDouble : realFloat);
    const auto set = [&](int attribute, const auto& value) {
        if (status == cublasSuccess)
            status = api.cublasLtMatmulDescSetAttribute(m_operation, attribute, &value, sizeof value);
    };
    set(ltTransposeA, std::int32_t(q.left.transposed ? transposition : plainOperation));
    set(ltTransposeB, std::int32_t(q.right.transposed ? transposition : plainOperation));
    if (m_product.bias == 0) return status;
    set(ltEpilogue, std::uint32_t(ltEpilogueBias));
    set(ltBiasPointer, m_product.bias);
    return status;
}

CublasStatus LtProduct::findAlgorithms(int wanted) {
    const CublasLtApi& api = m_library->m_api;
    LtPreference preference = nullptr;
    CublasStatus status = api.cublasLtMatmulPreferenceCreate(&preference);
    const std::uint64_t bytes = CublasLt::workspaceBytes;
    if (status == cublasSuccess)
        status = api.cublasLtMatmulPreferenceSetAttribute(preference, ltMostWorkspace, &bytes, sizeof bytes);
    m_algorithms.resize(std::size_t(wanted));
    int found = 0;
    if (status == cublasSuccess)
        status = api.cublasLtMatmulAlgoGetHeuristic(m_library->m_handle, m_operation, m_left, m_right, m_result,
                                                    m_result, preference, wanted, m_algorithms.data(), &found);
    m_algorithms.resize(std::size_t(std::max(found, 0)));
    std::erase_if(m_algorithms, [](const LtAlgorithm& one) { return one.state != cublasSuccess; });
    if (preference) api.cublasLtMatmulPreferenceDestroy(preference);
    return status;
}

Result<void> LtProduct::describe(int wanted) {
    const BlasProduct q = *blasProduct(m_product);
    const operators::MatrixProduct& p = m_product;
    m_wide = q.compute == computeDouble;
    CublasStatus status = describeOperation(q);
    // A matrix that is transposed is stored with its sides changed.
    const auto stored = [&](LtLayout& layout, const BlasMatrix& matrix, std::int64_t rows, std::int64_t columns,
                            std::int64_t step) {
        if (status != cublasSuccess) return;
        status = matrix.transposed ? makeLayout(layout, q, columns, rows, matrix.leading, step)
                                   : makeLayout(layout, q, rows, columns, matrix.leading, step);
    };
    stored(m_left, q.left, p.n, p.k, p.bBatch);
    stored(m_right, q.right, p.k, p.m, p.aBatch);
    stored(m_result, {q.leadingC, false}, p.n, p.m, p.cBatch);
    if (status == cublasSuccess) status = findAlgorithms(wanted);
    if (status != cublasSuccess) return m_library->failure(status, "Describing a product to cuBLASLt");
    if (m_algorithms.empty()) return Error{"unsupported", "cuBLASLt has no algorithm for this product."};
    return {};
}

Result<void> LtProduct::queue(std::size_t algorithm) const {
    const LtAlgorithm& chosen = m_algorithms.at(algorithm);
    if (Result<void> current = m_library->m_context->makeCurrent(); !current) return current;
    const auto pointer = [](std::uint64_t address) { return reinterpret_cast<void*>(address); };
    const float alpha = float(m_product.alpha), beta = float(m_product.beta);
    const void* scaleA = m_wide ? static_cast<const void*>(&m_product.alpha) : &alpha;
    const void* scaleC = m_wide ? static_cast<const void*>(&m_product.beta) : &beta;
    const CublasStatus status = m_library->m_api.cublasLtMatmul(
        m_library->m_handle, m_operation, scaleA, pointer(m_product.b), m_left, pointer(m_product.a), m_right, scaleC,
        pointer(m_product.c), m_result, pointer(m_product.c), m_result, chosen.algorithm.data(),
        pointer(m_library->m_workspace.address), CublasLt::workspaceBytes, nullptr);
    if (status == cublasSuccess) return {};
    return m_library->failure(status, "A product of cuBLASLt");
}

} // namespace kernelarium::device
