// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/cuda/CublasLtCalls.h"

#include "gpu/host/backend/Raised.h"

#include <array>
#include <fmt/format.h>

namespace kernelarium::host {

namespace {

constexpr int ltSuccess = 0, ltNotInitialized = 1, ltInvalidValue = 7;
// cublasComputeType_t, cudaDataType_t
constexpr std::int64_t computeHalf = 64, computeFloat = 68, computeFloatPedantic = 69, computeFloatLast = 77,
                       computeDouble = 70;
constexpr std::int64_t realFloat = 0, realDouble = 1, realHalf = 2;

/// cublasLtMatmulHeuristicResult_t
struct HeuristicResult {
    std::array<std::uint64_t, 8> algorithm{};
    std::uint64_t workspaceBytes = 0;
    std::int32_t state = ltSuccess;
    float waves = 1;
    std::array<std::int32_t, 4> reserved{};
};
static_assert(sizeof(HeuristicResult) == 96);

/// The only scale type that the library takes with a compute type; -1: it is not here.
std::int64_t scaleOf(std::int64_t compute) {
    if (compute == computeHalf) return realHalf;
    if (compute == computeDouble) return realDouble;
    if (compute == computeFloat || compute == computeFloatPedantic || (compute >= 74 && compute <= computeFloatLast))
        return realFloat;
    return -1;
}

} // namespace

template <class T> std::uint64_t CublasLtCalls::add(std::map<std::uint64_t, T>& to, T one, std::uint64_t where) {
    const std::uint64_t number = m_cuda.nextHandle++;
    to.emplace(number, std::move(one));
    m_cuda.host.write(where, number);
    return number;
}

std::int64_t CublasLtCalls::value(const ApiArguments& a) const {
    const std::uint64_t at = a.pointer(2);
    return a.integer(3) == 8 ? m_cuda.host.read<std::int64_t>(at) : m_cuda.host.read<std::int32_t>(at);
}

/// (operation, attribute, value, bytes)
int CublasLtCalls::setOperation(const ApiArguments& a) {
    const auto found = m_operations.find(a.pointer(0));
    if (found == m_operations.end()) return ltInvalidValue;
    Operation& o = found->second;
    constexpr std::int64_t computeType = 0, scaleType = 1, pointerMode = 2, transA = 3, transB = 4, transC = 5,
                           epilogue = 7, plainEpilogue = 1;
    switch (a.integer(1)) {
    case computeType: o.compute = value(a); break;
    case scaleType: o.scale = value(a); break;
    case pointerMode:
        if (value(a) > 1) refuse(fmt::format("cublasLtMatmul with pointer mode {}", value(a)));
        o.devicePointers = value(a) == 1;
        break;
    case transA: o.transposeA = value(a) != 0; break;
    case transB: o.transposeB = value(a) != 0; break;
    case transC:
        if (value(a) != 0) return ltInvalidValue; // C is never transposed
        break;
    case epilogue:
        if (value(a) != plainEpilogue) refuse(fmt::format("cublasLtMatmul with epilogue {}", value(a)));
        break;
    default: refuse(fmt::format("cublasLtMatmulDescSetAttribute with attribute {}", a.integer(1)));
    }
    return ltSuccess;
}

/// (layout, attribute, value, bytes)
int CublasLtCalls::setLayout(const ApiArguments& a) {
    const auto found = m_layouts.find(a.pointer(0));
    if (found == m_layouts.end()) return ltInvalidValue;
    Layout& l = found->second;
    switch (a.integer(1)) {
    case 0: l.type = value(a); break;
    case 1:
        if (value(a) > 1) refuse(fmt::format("cublasLtMatmul with order {}", value(a)));
        l.rowMajor = value(a) == 1;
        break;
    case 2: l.rows = value(a); break;
    case 3: l.columns = value(a); break;
    case 4: l.leading = value(a); break;
    case 5: l.batches = value(a); break;
    case 6: l.step = value(a); break;
    default: refuse(fmt::format("cublasLtMatrixLayoutSetAttribute with attribute {}", a.integer(1)));
    }
    return ltSuccess;
}

int CublasLtCalls::describe(const Operation& o, const Layout& a, const Layout& b, const Layout& c, const Layout& d,
                            const std::string& api, CublasCalls::Product& p) const {
    const std::int64_t scale = scaleOf(o.compute);
    if (scale < 0) refuse(fmt::format("{} with compute type {}", api, o.compute));
    if (o.scale != scale) return ltInvalidValue; // as the library says of CUBLAS_COMPUTE_32F with scales in float16
    if (c.rows != d.rows || c.columns != d.columns || c.type != d.type || c.rowMajor != d.rowMajor)
        return ltInvalidValue;
    if (a.batches != d.batches || b.batches != d.batches || c.batches != d.batches) return ltInvalidValue;
    p.byCublasLt = true;
    const auto matrixOf = [&](const Layout& l) {
        return CublasCalls::Matrix{0, CublasCalls::typeOf(l.type, api), l.leading};
    };
    // Rows that lie one after another are the columns of the transposed matrix.
    const bool turnsA = o.transposeA != a.rowMajor, turnsB = o.transposeB != b.rowMajor;
    const std::int64_t rows = o.transposeA ? a.columns : a.rows, inner = o.transposeA ? a.rows : a.columns;
    const std::int64_t innerB = o.transposeB ? b.columns : b.rows, columns = o.transposeB ? b.rows : b.columns;
    if (inner != innerB || rows != d.rows || columns != d.columns) return ltInvalidValue;
    p.k = inner;
    p.batches = d.batches;
    p.c = matrixOf(d);
    p.stepC = d.step;
    // By rows, D's transpose is computed: op(B)'s times op(A)'s.
    p.m = d.rowMajor ? columns : rows;
    p.n = d.rowMajor ? rows : columns;
    p.a = matrixOf(d.rowMajor ? b : a), p.stepA = d.rowMajor ? b.step : a.step;
    p.b = matrixOf(d.rowMajor ? a : b), p.stepB = d.rowMajor ? a.step : b.step;
    p.transposeA = d.rowMajor ? !turnsB : turnsA;
    p.transposeB = d.rowMajor ? !turnsA : turnsB;
    return ltSuccess;
}

/// (handle, operation, A, B, C, D, preference, wanted, results, found)
int CublasLtCalls::heuristic(const ApiArguments& a) {
    const auto operation = m_operations.find(a.pointer(1));
    std::array<const Layout*, 4> layouts{};
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        const auto found = m_layouts.find(a.pointer(2 + i));
        if (found == m_layouts.end()) return ltInvalidValue;
        layouts[i] = &found->second;
    }
    if (operation == m_operations.end() || !m_preferences.contains(a.pointer(6)) || a.integer(7) < 1)
        return ltInvalidValue;
    CublasCalls::Product product;
    const int status =
        describe(operation->second, *layouts[0], *layouts[1], *layouts[2], *layouts[3], a.api(), product);
    m_cuda.host.write(a.pointer(9), int(status == ltSuccess));
    if (status == ltSuccess) m_cuda.host.write(a.pointer(8), HeuristicResult{});
    return status;
}

/// (handle, operation, alpha, A, layout, B, layout, beta, C, layout, D, layout, algorithm, workspace, bytes, stream)
int CublasLtCalls::multiply(const ApiArguments& a) {
    const auto operation = m_operations.find(a.pointer(1));
    std::array<const Layout*, 4> layouts{};
    for (std::size_t i = 0; i < layouts.size(); ++i) {
        const auto found = m_layouts.find(a.pointer(i < 2 ? 4 + 2 * i : 5 + 2 * i));
        if (found == m_layouts.end()) return ltInvalidValue;
        layouts[i] = &found->second;
    }
    if (operation == m_operations.end()) return ltInvalidValue;
    CublasCalls::Product p;
    const Operation& o = operation->second;
    if (const int status = describe(o, *layouts[0], *layouts[1], *layouts[2], *layouts[3], a.api(), p)) return status;
    const tensor::DType scale = CublasCalls::typeOf(o.scale, a.api());
    p.alpha = m_products.scalarAt(o.devicePointers, a.pointer(2), scale);
    p.beta = m_products.scalarAt(o.devicePointers, a.pointer(7), scale);
    const Layout &c = *layouts[2], &d = *layouts[3];
    if (p.beta != 0 && (a.pointer(8) != a.pointer(10) || c.leading != d.leading || c.step != d.step))
        refuse("cublasLtMatmul with a C apart from D");
    p.a.address = a.pointer(layouts[3]->rowMajor ? 5 : 3);
    p.b.address = a.pointer(layouts[3]->rowMajor ? 3 : 5);
    p.c.address = a.pointer(10);
    const int status = m_products.multiply(p, a.api());
    m_cuda.order.work(a.pointer(15), a.api());
    return status;
}

int CublasLtCalls::create(const ApiArguments& a) {
    if (a.api() == "cublasLtCreate")
        add(m_handles, true, a.pointer(0));
    else if (a.api() == "cublasLtMatmulDescCreate")
        add(m_operations, Operation{a.integer(1), a.integer(2)}, a.pointer(0));
    else if (a.api() == "cublasLtMatrixLayoutCreate")
        add(m_layouts, Layout{a.integer(1), a.integer(2), a.integer(3), a.integer(4)}, a.pointer(0));
    else
        add(m_preferences, true, a.pointer(0));
    return ltSuccess;
}

int CublasLtCalls::call(const ApiArguments& a) {
    const std::string_view api = a.api();
    if (api.ends_with("Create")) return create(a);
    const auto forget = [&](auto& from) { return from.erase(a.pointer(0)) ? ltSuccess : ltNotInitialized; };
    if (api == "cublasLtDestroy") return forget(m_handles);
    if (api == "cublasLtMatmulDescDestroy") return forget(m_operations);
    if (api == "cublasLtMatrixLayoutDestroy") return forget(m_layouts);
    if (api == "cublasLtMatmulPreferenceDestroy") return forget(m_preferences);
    if (api == "cublasLtMatmulDescSetAttribute") return setOperation(a);
    if (api == "cublasLtMatrixLayoutSetAttribute") return setLayout(a);
    // Of a preference nothing matters to the one algorithm that is offered.
    if (api == "cublasLtMatmulPreferenceSetAttribute")
        return m_preferences.contains(a.pointer(0)) ? ltSuccess : ltInvalidValue;
    if (api == "cublasLtGetVersion") {
        m_cuda.host.write(a.pointer(0), std::uint64_t(130000)); // that of CUDA 13.0
        return ltSuccess;
    }
    const bool known = m_handles.contains(a.pointer(0)) || m_products.holds(a.pointer(0)); // a handle of cuBLAS does
    if (!known) return ltNotInitialized;
    if (api == "cublasLtMatmulAlgoGetHeuristic") return heuristic(a);
    if (api == "cublasLtMatmul") return multiply(a);
    refuse(a.api());
}

} // namespace kernelarium::host
