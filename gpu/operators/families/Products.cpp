// SPDX-License-Identifier: GPL-3.0-or-later
// Products of matrices and vectors, and attention.
#include "gpu/operators/DeviceCall.h"

#include <cmath>
#include <limits>

#include <fmt/format.h>

namespace kernelarium::operators {

using tensor::DType;
using tensor::Shape;

namespace {

/// The largest tile of which the results still give every multiprocessor one, and its threads.
struct TileChoice {
    std::string name;
    std::int64_t side;
    std::uint32_t threads;
};
TileChoice tileFor(Device& device, const ProductArguments& a, DType type) {
    const TileChoice choices[] = {{"LargeTile", 128, 256}, {"MediumTile", 64, 256}, {"SmallTile", 32, 64}};
    for (const TileChoice& c : choices) {
        if (type == DType::Float64 && c.side == 128) continue; // its sums would not fit the registers
        const std::int64_t tiles = (a.m + c.side - 1) / c.side * ((a.n + c.side - 1) / c.side) * a.batches;
        if (tiles >= std::int64_t(device.machine().facts().multiprocessors)) return c;
    }
    return choices[2];
}

/// Products of a few rows, which tiles would mostly leave empty.
bool launchThin(Device& device, const ProductArguments& p, DType type) {
    constexpr std::int64_t mostRows = 8; // thinRows of product.cuh
    if (p.m > mostRows) return false;
    const bool warps = p.bRow == 1 && p.k >= 32;
    device.launchOver(
        {"product", fmt::format("{}<{}>", warps ? "thinWarps" : "thinColumns", cudaName(type)), "ProductArguments"},
        p.batches * p.n * (warps ? 32 : 1), p);
    return true;
}

/// Batch dimensions that both operands run through with one stride each are rows of one tall product.
DeviceTensor tall(Device& device, const DeviceTensor& a) {
    const Shape rows(a.shape.begin(), a.shape.end() - 1);
    return reshaped(device, a, {tensor::elementCount(rows), a.shape.back()});
}

/// Whether every place in both matrices and the result, and a tile beyond it, can be counted in 32 bits.
bool countsInInt(const ProductArguments& p) {
    constexpr Long most = std::numeric_limits<int>::max() - 256;
    const auto reach = [](Long rows, Long row, Long columns, Long column) {
        return std::abs((rows + 128) * row) + std::abs((columns + 128) * column);
    };
    return reach(p.m, p.aRow, p.k, p.aColumn) < most && reach(p.k, p.bRow, p.n, p.bColumn) < most &&
           reach(p.m, p.n, p.n, 1) < most;
}

void launchTiles(Device& device, const ProductArguments& p, DType dtype) {
    const TileChoice tile = tileFor(device, p, dtype);
    const std::int64_t across = (p.n + tile.side - 1) / tile.side, down = (p.m + tile.side - 1) / tile.side;
    if (down > 65535) throw Failure{{"unsupported", fmt::format("Products of {} rows have no kernel of ours.", p.m)}};
    const std::string type = cudaName(dtype);
    const std::string function =
        fmt::format("product<{}, {}<{}>, {}>", type, tile.name, type, countsInInt(p) ? "int" : "Long");
    device.launch({"product", function, "ProductArguments"},
                  {std::uint32_t(across), std::uint32_t(down), std::uint32_t(std::min<std::int64_t>(p.batches, 65535))},
                  tile.threads, p);
}

/// The batch dimensions that both broadcast to.
Shape commonBatch(const DeviceTensor& a, const DeviceTensor& b) {
    const auto batchOf = [](const DeviceTensor& t) { return Shape(t.shape.begin(), t.shape.end() - 2); };
    return tensor::broadcastShape(std::array{batchOf(a), batchOf(b)});
}

ProductArguments argumentsOf(const DeviceTensor& a, const DeviceTensor& b, const Shape& batch) {
    ProductArguments p{};
    p.m = a.shape[a.shape.size() - 2];
    p.n = b.shape.back();
    p.k = a.shape.back();
    p.batches = tensor::elementCount(batch);
    p.a = a.address();
    p.b = b.address();
    p.aRow = a.strides[a.strides.size() - 2];
    p.aColumn = a.strides.back();
    p.bRow = b.strides[b.strides.size() - 2];
    p.bColumn = b.strides.back();
    const auto batchStrides = [&](const DeviceTensor& x) {
        Shape full = batch;
        full.insert(full.end(), x.shape.end() - 2, x.shape.end());
        Shape strides = expanded(x, full).strides;
        strides.resize(batch.size());
        return strides;
    };
    p.batch = walkOf(batch, std::array{batchStrides(a), batchStrides(b)});
    return p;
}

bool isNarrow(DType type) {
    return type == DType::Float16 || type == DType::BFloat16;
}

/// The product as the machine's own library takes it; nothing where it does not.
std::optional<MatrixProduct> libraryProduct(Device& device, const ProductArguments& p, DType type) {
    if (p.batches > 1 && p.batch.rank > 1) return std::nullopt;
    const bool several = p.batches > 1;
    MatrixProduct q{type, p.m, p.n, p.k, p.batches, p.a, p.b, p.out, p.biasStep == 1 ? p.bias : 0};
    q.aRow = p.aRow, q.aColumn = p.aColumn, q.aBatch = several ? p.batch.strides[0][0] : 0;
    q.bRow = p.bRow, q.bColumn = p.bColumn, q.bBatch = several ? p.batch.strides[1][0] : 0;
    q.cRow = p.n, q.cBatch = p.m * p.n;
    if ((p.bias && p.biasStep != 1) || !device.machine().multiplies(q)) return std::nullopt;
    return q;
}

/// One behind another for every place of the batch, where they are not copied yet.
DeviceTensor asDense(const DeviceTensor& t, const Shape& batch) {
    Shape full = batch;
    full.insert(full.end(), t.shape.end() - 2, t.shape.end());
    return seen(t, {full, tensor::denseStrides(full), t.offset});
}

/// Whether the machine's own library did it: with the operands as they lie, or as PyTorch does, with copies in one
/// piece.
bool launchLibrary(Device& device, const DeviceTensor& a, const DeviceTensor& b, const Shape& batch,
                   const ProductArguments& p) {
    if (const auto asTheyLie = libraryProduct(device, p, a.dtype)) {
        valueOf(device.machine().multiply(*asTheyLie));
        return true;
    }
    const DeviceTensor denseA = asDense(a, batch), denseB = asDense(b, batch);
    ProductArguments copied = argumentsOf(denseA, denseB, batch);
    copied.out = p.out, copied.bias = p.bias, copied.biasStep = p.biasStep;
    std::optional<MatrixProduct> q = libraryProduct(device, copied, a.dtype);
    if (!q) return false;
    const DeviceTensor ownA = dense(device, expanded(a, denseA.shape)), ownB = dense(device, expanded(b, denseB.shape));
    q->a = ownA.address(), q->b = ownB.address();
    valueOf(device.machine().multiply(*q));
    return true;
}

} // namespace

DeviceTensor multiplied(Device& device, const DeviceTensor& a, const DeviceTensor& b,
                        const std::optional<DeviceTensor>& bias) {
    if (a.dtype != b.dtype || !isFloating(a.dtype))
        throw Failure{{"unsupported", fmt::format("Products of {} and {} have no kernel of ours.",
                                                  tensor::name(a.dtype), tensor::name(b.dtype))}};
    const Shape batch = commonBatch(a, b);
    Shape shape = batch;
    shape.push_back(a.shape[a.shape.size() - 2]);
    shape.push_back(b.shape.back());
    const bool oneMatrix = b.count() == b.shape[b.shape.size() - 2] * b.shape.back();
    if (oneMatrix && tensor::elementCount(batch) > 1) {
        DeviceTensor matrix = b;
        while (matrix.dim() > 2)
            matrix = selected(matrix, 0, 0);
        return reshaped(device, multiplied(device, tall(device, a), matrix, bias), shape);
    }
    DeviceTensor out = device.make(a.dtype, shape);
    if (out.count() == 0) return out;
    ProductArguments p = argumentsOf(a, b, batch);
    p.out = out.address();
    if (bias) {
        p.bias = bias->address();
        p.biasStep = bias->count() == 1 ? 0 : bias->strides.back();
    }
    if (launchLibrary(device, a, b, batch, p)) return out;
    if (isNarrow(a.dtype)) { // ours are of float32: one rounding at the end
        std::optional<DeviceTensor> wideBias;
        if (bias) wideBias = converted(device, *bias, DType::Float32);
        const DeviceTensor wide =
            multiplied(device, converted(device, a, DType::Float32), converted(device, b, DType::Float32), wideBias);
        return converted(device, wide, a.dtype);
    }
    if (!launchThin(device, p, a.dtype)) launchTiles(device, p, a.dtype);
    return out;
}

namespace {

DeviceResults matmul(const DeviceCall& call) {
    const bool vector = call.host.name() == "aten.mv.default", dot = call.host.name() == "aten.dot.default";
    DeviceTensor a = call.tensor(0, "self");
    DeviceTensor b = call.tensor(1, vector                                      ? "vec"
                                    : dot                                       ? "tensor"
                                    : call.host.name() == "aten.matmul.default" ? "other"
                                                                                : "mat2");
    if (a.dim() == 1) a = withUnit(a, 0);
    if (b.dim() == 1) b = withUnit(b, 1);
    return {reshaped(call.device, multiplied(call.device, a, b), call.shape())};
}
/// beta * self + alpha * product; beta 0 ignores self's values, NaN included.
DeviceResults addedProduct(const DeviceCall& call, const DeviceTensor& product) {
    const double beta = call.host.number(3, "beta", 1.0), alpha = call.host.number(4, "alpha", 1.0);
    const DType type = call.type();
    const DeviceTensor shaped = reshaped(call.device, product, call.shape());
    const DeviceTensor scaled = alpha == 1.0 ? shaped : compute(call.device, {"Scale", type, {alpha}}, type, {shaped});
    if (beta == 0.0) return {scaled};
    return {compute(call.device, {"AddScaled", type, {beta}}, type, {scaled, call.tensor(0, "self")})};
}
DeviceResults addmm(const DeviceCall& call) {
    const bool batches = call.host.name() == "aten.baddbmm.default";
    return addedProduct(call, multiplied(call.device, call.tensor(1, batches ? "batch1" : "mat1"),
                                         call.tensor(2, batches ? "batch2" : "mat2")));
}
DeviceResults addmv(const DeviceCall& call) {
    return addedProduct(call, multiplied(call.device, call.tensor(1, "mat"), withUnit(call.tensor(2, "vec"), 1)));
}
DeviceResults outer(const DeviceCall& call) {
    return {compute(call.device, {"Mul", call.type()}, call.type(),
                    {withUnit(call.tensor(0, "self"), 1), call.tensor(1, "vec2")})};
}
DeviceResults linear(const DeviceCall& call) {
    DeviceTensor x = call.tensor(0, "input"), w = call.tensor(1, "weight");
    if (x.dim() == 1) x = withUnit(x, 0);
    if (w.dim() == 1) w = withUnit(w, 0);
    return {reshaped(call.device, multiplied(call.device, x, swapped(w, 0, 1), call.optionalTensor(2, "bias")),
                     call.shape())};
}

/// softmax(q k^T * scale + mask) v
DeviceResults attention(const DeviceCall& call) {
    const DeviceTensor q = call.tensor(0, "query"), k = call.tensor(1, "key"), v = call.tensor(2, "value");
    if (call.host.number(4, "dropout_p", 0.0) != 0.0 || call.host.flag(7, "enable_gqa", false))
        throw Failure{{"unsupported", "Attention with dropout or grouped queries has no kernel of ours."}};
    const double scale = call.host.number(6, "scale", 1.0 / std::sqrt(double(q.shape.back())));
    DeviceTensor scores = multiplied(call.device, q, swapped(k, -2, -1));
    scores = compute(call.device, {"Scale", q.dtype, {scale}}, q.dtype, {scores});
    std::optional<DeviceTensor> mask = call.optionalTensor(3, "attn_mask");
    if (call.host.flag(5, "is_causal", false)) {
        DeviceTensor ones = call.device.make(DType::Bool, {q.shape[q.shape.size() - 2], k.shape[k.shape.size() - 2]});
        fill(call.device, ones, 1.0);
        mask = call.apply("aten.tril.default", {ones});
    }
    if (mask && mask->dtype == DType::Bool)
        scores = compute(call.device, {"Choose", q.dtype}, q.dtype,
                         {*mask, scores, -std::numeric_limits<double>::infinity()});
    else if (mask)
        scores = compute(call.device, {"Add", q.dtype}, q.dtype, {scores, *mask});
    scores = call.apply("aten.softmax.int", {scores, tensor::Value(-1)});
    return {multiplied(call.device, scores, v)};
}

constexpr DeviceEntry productEntries[] = {
    {"aten.matmul.default", matmul},
    {"aten.mm.default", matmul},
    {"aten.bmm.default", matmul},
    {"aten.mv.default", matmul},
    {"aten.dot.default", matmul},
    {"aten.addmm.default", addmm},
    {"aten.addmv.default", addmv},
    {"aten.baddbmm.default", addmm},
    {"aten.outer.default", outer},
    {"aten.linear.default", linear},
    {"aten.scaled_dot_product_attention.default", attention},
};

} // namespace

DeviceFamily deviceProducts() {
    return productEntries;
}

} // namespace kernelarium::operators
