// SPDX-License-Identifier: GPL-3.0-or-later
#include "gpu/host/cuda/CublasCalls.h"

#include "gpu/host/backend/Raised.h"

#include <cctype>
#include <fmt/format.h>
#include <span>

namespace kernelarium::host {

namespace {

/// Type of alpha and beta: by cublasComputeType_t, or by cudaDataType_t as older code passes it.
DType scaleType(std::int64_t compute, const std::string& api) {
    switch (compute) {
    case 64:
    case 65: return DType::Float16;
    case 0:
    case 68:
    case 69:
    case 74:
    case 75:
    case 77: return DType::Float32;
    case 1:
    case 70:
    case 71: return DType::Float64;
    case 2: return DType::Float16;
    default: refuse(fmt::format("{} with compute type {}", api, compute));
    }
}

bool isTransposed(std::int64_t operation) {
    return operation != 0; // CUBLAS_OP_N; conjugation changes no real matrix
}

} // namespace

DType CublasCalls::typeOf(std::int64_t number, const std::string& api) {
    switch (number) {
    case 0: return DType::Float32;
    case 1: return DType::Float64;
    case 2: return DType::Float16;
    case 14: return DType::BFloat16;
    default: refuse(fmt::format("{} with cudaDataType {}", api, number));
    }
}

int CublasCalls::create(const ApiArguments& a) {
    const std::uint64_t handle = m_cuda.nextHandle++;
    m_handles[handle] = {};
    m_cuda.host.write(a.pointer(0), handle);
    return success;
}

double CublasCalls::scalar(const Handle& handle, std::uint64_t address, DType dtype) const {
    return scalarAt(handle.devicePointers, address, dtype);
}

double CublasCalls::scalarAt(bool onDevice, std::uint64_t address, DType dtype) const {
    tensor::Tensor one(dtype, {});
    if (!onDevice)
        m_cuda.host.readBytes(address, one.bytes());
    else if (auto done = m_cuda.device.read(address, one.bytes()); !done)
        raise("cuBLAS: " + done.error().text());
    return one.at(0);
}

void CublasCalls::noteFault(const std::string& api, const std::string& text) {
    verify::Fault fault;
    fault.kind = "out_of_bounds";
    fault.kernel = api;
    fault.message = api + ": " + text;
    fault.leavesAllocation = true;
    m_cuda.log.add(std::move(fault));
}

TensorView CublasCalls::matrix(const Matrix& m, std::int64_t rows, std::int64_t columns, bool rowsSideBySide) const {
    return strided(m.address, m.dtype, {rows, columns}, rowsSideBySide ? Shape{1, m.leading} : Shape{m.leading, 1});
}

TensorView CublasCalls::batched(TensorView view, std::int64_t batches, std::int64_t step) const {
    view.shape.insert(view.shape.begin(), batches);
    view.strides.insert(view.strides.begin(), step);
    return view;
}

bool CublasCalls::multiplyThere(const Product& p, const std::string& api) {
    DeviceOperators* device = m_aten.device();
    DeviceProduct product;
    product.a = batched(matrix(p.b, p.n, p.k, p.transposeB), p.batches, p.stepB);
    product.b = batched(matrix(p.a, p.k, p.m, p.transposeA), p.batches, p.stepA);
    product.c = batched(matrix(p.c, p.n, p.m, false), p.batches, p.stepC);
    product.alpha = p.alpha;
    product.beta = p.beta;
    product.byCublasLt = p.byCublasLt;
    const bool summed = p.k > 0 && p.alpha != 0;
    for (const TensorView* view : {&product.c, &product.a, &product.b}) {
        std::int64_t last = 0;
        for (std::size_t d = 0; d < view->shape.size(); ++d)
            last += (view->shape[d] - 1) * view->strides[d];
        const std::uint64_t end = view->address() + std::uint64_t(last) * tensor::byteSize(view->dtype);
        const bool inside = m_cuda.device.holds(view->address()) && m_cuda.device.holds(end);
        if (!inside && (summed || view == &product.c)) raise("an operand leaves its allocation");
    }
    const Result<void> done = device->multiply(product, api);
    if (done) return true;
    if (done.error().code != "unsupported") m_aten.failWith(done.error(), api);
    m_aten.noteComputedHere(api, done.error().message);
    return false;
}

/// Column-major C is row-major C transposed: C^T = op(B)^T op(A)^T, and its rows lie side by side.
void CublasCalls::multiplyHere(const Product& p, const std::string& api) {
    const DType work = p.c.dtype == DType::Float64 ? DType::Float64 : DType::Float32;
    const TensorView c = matrix(p.c, p.n, p.m, false);
    tensor::Tensor result(work, c.shape);
    if (p.k > 0 && p.alpha != 0) {
        tensor::Tensor b = m_table.gather(matrix(p.b, p.n, p.k, p.transposeB), api).to(work);
        tensor::Tensor a = m_table.gather(matrix(p.a, p.k, p.m, p.transposeA), api).to(work);
        const auto product = m_aten.evaluate("aten.mm.default", {std::move(b), std::move(a)});
        result = *product.at(0).as<tensor::Tensor>();
    }
    if (p.beta != 0 || p.alpha != 1) {
        // As in BLAS, C is not read where beta is zero.
        const tensor::Tensor old = p.beta != 0 ? m_table.gather(c, api) : tensor::Tensor(c.dtype, c.shape);
        tensor::Tensor scaled(work, c.shape);
        for (std::int64_t i = 0; i < scaled.count(); ++i)
            scaled.set(i, p.alpha * result.at(i) + (p.beta != 0 ? p.beta * old.at(i) : 0));
        result = scaled;
    }
    m_table.scatter(c, result.to(c.dtype));
}

int CublasCalls::multiply(const Handle& handle, const Product& p, const std::string& api) {
    if (p.m < 0 || p.n < 0 || p.k < 0) return invalidValue;
    if (p.a.leading < std::max<std::int64_t>(1, p.transposeA ? p.k : p.m)) return invalidValue;
    if (p.b.leading < std::max<std::int64_t>(1, p.transposeB ? p.n : p.k)) return invalidValue;
    if (p.c.leading < std::max<std::int64_t>(1, p.m)) return invalidValue;
    if (p.m == 0 || p.n == 0 || p.batches <= 0) return success;
    if (handle.mathMode == 3 && p.a.dtype == DType::Float32)
        m_cuda.log.remark(api + " asked for TF32; it was computed in full float32");
    if (m_aten.onlyCosts()) {
        const double elements = double(p.m) * double(p.k) + double(p.k) * double(p.n) + double(p.m) * double(p.n);
        m_aten.noteCost({api, 2.0 * double(p.m) * double(p.n) * double(p.k) * double(p.batches),
                         elements * double(p.batches) * double(tensor::byteSize(p.c.dtype))});
        m_aten.noteComputed(api);
        return success;
    }
    try {
        const bool there = m_aten.device() && multiplyThere(p, api);
        if (!m_aten.device()) m_aten.noteComputedHere(api, {});
        for (std::int64_t i = 0; !there && i < p.batches; ++i) {
            Product one = p;
            const auto moved = [i](const Matrix& m, std::int64_t step) {
                return Matrix{m.address + std::uint64_t(i * step * std::int64_t(tensor::byteSize(m.dtype))), m.dtype,
                              m.leading};
            };
            one.a = moved(p.a, p.stepA);
            one.b = moved(p.b, p.stepB);
            one.c = moved(p.c, p.stepC);
            multiplyHere(one, api);
        }
    } catch (const Raised& raised) {
        noteFault(api, raised.text);
        return executionFailed;
    }
    m_aten.noteComputed(api);
    return success;
}

CublasCalls::Product CublasCalls::shapeOf(const ApiArguments& a) {
    Product p;
    p.transposeA = isTransposed(a.integer(1));
    p.transposeB = isTransposed(a.integer(2));
    p.m = a.integer(3);
    p.n = a.integer(4);
    p.k = a.integer(5);
    return p;
}

/// (handle, opA, opB, m, n, k, alpha, A, lda, B, ldb, beta, C, ldc)
int CublasCalls::gemm(Handle& handle, const ApiArguments& a, DType dtype) {
    Product p = shapeOf(a);
    p.alpha = scalar(handle, a.pointer(6), dtype);
    p.beta = scalar(handle, a.pointer(11), dtype);
    p.a = {a.pointer(7), dtype, a.integer(8)};
    p.b = {a.pointer(9), dtype, a.integer(10)};
    p.c = {a.pointer(12), dtype, a.integer(13)};
    return multiply(handle, p, a.api());
}

/// (handle, opA, opB, m, n, k, alpha, A, lda, strideA, B, ldb, strideB, beta, C, ldc, strideC, batches)
int CublasCalls::gemmBatched(Handle& handle, const ApiArguments& a, DType dtype) {
    Product p = shapeOf(a);
    p.alpha = scalar(handle, a.pointer(6), dtype);
    p.beta = scalar(handle, a.pointer(13), dtype);
    p.a = {a.pointer(7), dtype, a.integer(8)};
    p.b = {a.pointer(10), dtype, a.integer(11)};
    p.c = {a.pointer(14), dtype, a.integer(15)};
    p.stepA = a.integer(9), p.stepB = a.integer(12), p.stepC = a.integer(16);
    p.batches = a.integer(17);
    return multiply(handle, p, a.api());
}

/// (handle, opA, opB, m, n, k, alpha, A[], lda, B[], ldb, beta, C[], ldc, batches): arrays of pointers on the device.
int CublasCalls::gemmPointers(Handle& handle, const ApiArguments& a, DType dtype) {
    Product p = shapeOf(a);
    p.alpha = scalar(handle, a.pointer(6), dtype);
    p.beta = scalar(handle, a.pointer(11), dtype);
    for (std::int64_t batch = 0; batch < a.integer(14); ++batch) {
        std::uint64_t addresses[3];
        for (const std::size_t i : {0, 1, 2}) {
            const std::uint64_t array = a.pointer(i == 0 ? 7 : i == 1 ? 9 : 12);
            auto bytes = std::as_writable_bytes(std::span(addresses + i, 1));
            if (auto read = m_cuda.device.read(array + std::uint64_t(batch) * 8, bytes); !read) {
                noteFault(a.api(), "an array of pointers: " + read.error().text());
                return executionFailed;
            }
        }
        p.a = {addresses[0], dtype, a.integer(8)};
        p.b = {addresses[1], dtype, a.integer(10)};
        p.c = {addresses[2], dtype, a.integer(13)};
        if (const int status = multiply(handle, p, a.api())) return status;
    }
    return success;
}

/// (handle, opA, opB, m, n, k, alpha, A, typeA, lda, strideA, B, typeB, ldb, strideB, beta, C, typeC, ldc,
/// strideC, batches, compute type, algorithm)
int CublasCalls::gemmBatchedEx(Handle& handle, const ApiArguments& a) {
    Product p = shapeOf(a);
    const DType scale = scaleType(a.integer(21), a.api());
    p.alpha = scalar(handle, a.pointer(6), scale);
    p.beta = scalar(handle, a.pointer(15), scale);
    p.a = {a.pointer(7), typeOf(a.integer(8), a.api()), a.integer(9)};
    p.b = {a.pointer(11), typeOf(a.integer(12), a.api()), a.integer(13)};
    p.c = {a.pointer(16), typeOf(a.integer(17), a.api()), a.integer(18)};
    p.stepA = a.integer(10), p.stepB = a.integer(14), p.stepC = a.integer(19);
    p.batches = a.integer(20);
    return multiply(handle, p, a.api());
}

/// (handle, opA, opB, m, n, k, alpha, A, typeA, lda, B, typeB, ldb, beta, C, typeC, ldc, compute type,
/// algorithm)
int CublasCalls::gemmEx(Handle& handle, const ApiArguments& a) {
    Product p = shapeOf(a);
    const DType scale = scaleType(a.integer(17), a.api());
    p.alpha = scalar(handle, a.pointer(6), scale);
    p.beta = scalar(handle, a.pointer(13), scale);
    p.a = {a.pointer(7), typeOf(a.integer(8), a.api()), a.integer(9)};
    p.b = {a.pointer(10), typeOf(a.integer(11), a.api()), a.integer(12)};
    p.c = {a.pointer(14), typeOf(a.integer(15), a.api()), a.integer(16)};
    return multiply(handle, p, a.api());
}

int CublasCalls::setting(Handle& handle, const ApiArguments& a, bool& known) {
    std::string_view name = a.api();
    if (name.ends_with("_v2")) name.remove_suffix(3);
    known = true;
    if (name == "cublasSetStream")
        handle.stream = a.pointer(1);
    else if (name == "cublasGetStream")
        m_cuda.host.write(a.pointer(1), handle.stream);
    else if (name == "cublasSetMathMode")
        handle.mathMode = a.integer(1);
    else if (name == "cublasGetMathMode")
        m_cuda.host.write(a.pointer(1), int(handle.mathMode));
    else if (name == "cublasSetPointerMode")
        handle.devicePointers = a.integer(1) == 1;
    else if (name == "cublasGetPointerMode")
        m_cuda.host.write(a.pointer(1), int(handle.devicePointers));
    else if (name == "cublasGetVersion")
        m_cuda.host.write(a.pointer(1), 130000); // that of CUDA 13.0
    else if (name != "cublasSetWorkspace" && name != "cublasSetAtomicsMode")
        known = false;
    return success;
}

/// PyTorch's own handle, made when it is first asked for.
int CublasCalls::currentHandle(const ApiArguments& a) {
    if (m_current == 0) {
        m_current = m_cuda.nextHandle++;
        m_handles[m_current] = {};
    }
    m_cuda.host.write(a.pointer(0), m_current);
    return success;
}

int CublasCalls::product(Handle& handle, const ApiArguments& a, std::string_view name, bool& known) {
    known = true;
    if (name == "cublasGemmEx") return gemmEx(handle, a);
    if (name == "cublasGemmStridedBatchedEx") return gemmBatchedEx(handle, a);
    using Typed = int (CublasCalls::*)(Handle&, const ApiArguments&, DType);
    static const std::map<std::string_view, Typed> table{
        {"gemm", &CublasCalls::gemm},        {"gemmStridedBatched", &CublasCalls::gemmBatched},
        {"gemv", &CublasCalls::gemv},        {"gemmBatched", &CublasCalls::gemmPointers},
        {"axpy", &CublasCalls::axpy},        {"scal", &CublasCalls::scale},
        {"copy", &CublasCalls::copyVector},  {"swap", &CublasCalls::swapVectors},
        {"dot", &CublasCalls::dot},          {"nrm2", &CublasCalls::norm},
        {"asum", &CublasCalls::absoluteSum}, {"ger", &CublasCalls::outerProduct},
        {"geam", &CublasCalls::addMatrices}, {"Iamax", &CublasCalls::extreme},
        {"Iamin", &CublasCalls::extreme},
    };
    // "cublasSgemm" and "cublasIsamax": the letter says the type.
    std::string bare(name.substr(6));
    const bool index = bare.size() > 2 && bare[0] == 'I';
    const char letter = char(std::toupper(bare.empty() ? 0 : bare[index ? 1 : 0]));
    if (!bare.empty()) bare.erase(index ? 1 : 0, 1);
    const auto found = table.find(bare);
    known = found != table.end() && (letter == 'S' || letter == 'D' || (letter == 'H' && bare.starts_with("gemm")));
    if (!known) return success;
    const DType dtype = letter == 'S' ? DType::Float32 : letter == 'D' ? DType::Float64 : DType::Float16;
    return (this->*found->second)(handle, a, dtype);
}

bool CublasCalls::answers(std::string_view api) {
    return api.starts_with("cublas") || api == "torch.cublas_handle";
}

int CublasCalls::call(const ApiArguments& a) {
    std::string_view name = a.api();
    if (name.ends_with("_v2")) name.remove_suffix(3);
    if (name == "torch.cublas_handle") return currentHandle(a);
    if (name == "cublasCreate") return create(a);
    if (name == "cublasDestroy") return m_handles.erase(a.pointer(0)) ? success : notInitialized;
    const auto found = m_handles.find(a.pointer(0));
    if (found == m_handles.end()) return notInitialized;
    bool known = false;
    int status = setting(found->second, a, known);
    if (!known) {
        status = product(found->second, a, name, known);
        const bool torchs = a.pointer(0) == m_current && found->second.stream == 0;
        if (known) m_cuda.order.work(torchs ? m_cuda.currentStream : found->second.stream, a.api());
    }
    if (!known) refuse(a.api());
    return status;
}

} // namespace kernelarium::host
