// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    3/31 31_VisionAttention
// Name:    product
// Parent:  none
// Idea:    2 products and 13 other formulas in 7 launches. Each block makes a tile of a product from tiles of its
//          factors in shared memory, each thread a part of it in registers; the next tiles are on their way meanwhile,
//          and formulas of its elements are computed there.
// Look at: Two products whose formulas stay in registers; between them attention over rows of two.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   linear.products[o0 < 4096, o1 < 2, o2 < 384] = sum over r0 < 128 of x[o1, r0, o0 div 64, o0 mod 64] *
//     params.in_proj_weight[o2, r0]
//   linear[o0 < 4096, o1 < 2, o2 < 384] = linear.products[o0, o1, o2] + params.in_proj_bias[o2]
//   mul[o0 < 4096, o1 < 2, o2 < 128] = linear[o0, o1, o2] * 0.1767767
//   matmul[o0 < 4096, o1 < 4, o2 < 2, o3 < 2] = sum over r0 < 32 of mul[o0, o2, 32*o1 + r0] * linear[o0, o3, 32*o1 + r0
//     + 128]
//   softmax.max[o0 < 4096, o1 < 4, o2 < 2, o3 < 1] = max over r0 < 2 of matmul[o0, o1, o2, r0]
//   softmax.exp[o0 < 4096, o1 < 4, o2 < 2, o3 < 2] = exp(matmul[o0, o1, o2, o3] - softmax.max[o0, o1, o2, 0])
//   softmax.sum[o0 < 4096, o1 < 4, o2 < 2, o3 < 1] = sum over r0 < 2 of softmax.exp[o0, o1, o2, r0]
//   softmax[o0 < 4096, o1 < 4, o2 < 2, o3 < 2] = softmax.exp[o0, o1, o2, o3] / softmax.sum[o0, o1, o2, 0]
//   matmul_1[o0 < 4096, o1 < 4, o2 < 2, o3 < 32] = sum over r0 < 2 of softmax[o0, o1, o2, r0] * linear[o0, r0, 32*o1 +
//     o3 + 256]
//   linear_1.products[o0 < 4096, o1 < 2, o2 < 128] = sum over r0 < 128 of matmul_1[o0, r0 div 32, o1, r0 mod 32] *
//     params.out_proj_weight[o2, r0]
//   add[o0 < 4096, o1 < 2, o2 < 128] = linear_1.products[o0, o1, o2] + params.out_proj_bias[o2] + x[o1, o2, o0 div 64,
//     o0 mod 64]
//   layer_norm.mean[o0 < 4096, o1 < 2, o2 < 1] = sum over r0 < 128 of add[o0, o1, r0] * 0.0078125
//   layer_norm.squares[o0 < 4096, o1 < 2, o2 < 1] = sum over r0 < 128 of square(add[o0, o1, r0] - layer_norm.mean[o0,
//     o1, 0])
//   layer_norm.scale[o0 < 4096, o1 < 2, o2 < 1] = 1 / sqrt(layer_norm.squares[o0, o1, 0] * 0.0078125 + 1e-05)
//   output[o0 < 2, o1 < 128, o2 < 64, o3 < 64] = (add[64*o2 + o3, o0, o1] - layer_norm.mean[64*o2 + o3, o0, 0]) *
//     layer_norm.scale[64*o2 + o3, o0, 0] * params.norm_weight[o1] + params.norm_bias[o1]
#include <torch/extension.h>

#include <cmath>
#include <vector>

using Index = int;                          // of elements: each tensor has less than 2^31
constexpr int tileRows = 64;                // tune: pow2 32..128
constexpr int tileColumns = 128;            // tune: pow2 32..128
constexpr int tileSums = 16;                // tune: pow2 8..32
constexpr int rowsEach = 8;                 // a thread's rows; tune: pow2 4..8
constexpr int columnsEach = 4;              // a thread's columns; tune: pow2 4..8
constexpr int threads = 256;                // tune: pow2 64..1024
constexpr int rowThreads = 1;               // tune: pow2 1..32
constexpr int kept = 4;                     // tune: pow2 4..32
constexpr int rowChunk = rowThreads * kept; // of a row's elements: what is in registers
constexpr int rowsPerBlock = rowThreads <= 32 ? 128 / rowThreads : 1;
constexpr int rowThreads2 = 32;                // tune: pow2 32..1024
constexpr int kept2 = 4;                       // tune: pow2 4..32
constexpr int rowChunk2 = rowThreads2 * kept2; // of a row's elements: what is in registers
constexpr int rowsPerBlock2 = rowThreads2 <= 32 ? 128 / rowThreads2 : 1;

__device__ float square(float x) {
    return x * x;
}

constexpr int productThreads = tileRows / rowsEach * (tileColumns / columnsEach); // of a block
constexpr int productBlocks = 512 / productThreads; // of a multiprocessor, for 128 registers a thread

/// Four elements from number `first` on, of which `count` exist; zeros stand for the others. `whole`: they are
/// neighbours in memory and begin on a border of 16 bytes. `at` gives the place of an element.
template <class At> __device__ float4 fourAlong(At at, Index first, Index count, bool whole) {
    if (whole && count >= 4) return *reinterpret_cast<const float4*>(at(first));
    float4 four = make_float4(0.0f, 0.0f, 0.0f, 0.0f);
    if (count > 0) four.x = *at(first);
    if (count > 1) four.y = *at(first + 1);
    if (count > 2) four.z = *at(first + 2);
    if (count > 3) four.w = *at(first + 3);
    return four;
}

/// Keeps neighbours along the tile's rows or columns.
__device__ void keepFour(float* to, float4 four) {
    *reinterpret_cast<float4*>(to) = four;
}

/// Keeps neighbours along the sum: each belongs to another line of the tile.
template <int line> __device__ void keepAcross(float* to, float4 four) {
    to[0] = four.x, to[line] = four.y, to[2 * line] = four.z, to[3 * line] = four.w;
}

/// The tiles' product, added to the thread's own elements: fours of rows and columns that lie a part of the tile
/// apart, so that a warp reads its operands without conflicts.
__device__ void multiplyTiles(float (&sum)[rowsEach][columnsEach], const float (*leftTile)[tileRows + 4],
                              const float (*rightTile)[tileColumns + 4], int ownRow, int ownColumn) {
#pragma unroll
    for (int k = 0; k < tileSums; ++k) {
        __align__(16) float a[rowsEach], b[columnsEach];
#pragma unroll
        for (int r = 0; r < rowsEach; r += 4)
            *reinterpret_cast<float4*>(a + r) =
                *reinterpret_cast<const float4*>(&leftTile[k][ownRow + r * (tileRows / rowsEach)]);
#pragma unroll
        for (int c = 0; c < columnsEach; c += 4)
            *reinterpret_cast<float4*>(b + c) =
                *reinterpret_cast<const float4*>(&rightTile[k][ownColumn + c * (tileColumns / columnsEach)]);
#pragma unroll
        for (int r = 0; r < rowsEach; ++r)
#pragma unroll
            for (int c = 0; c < columnsEach; ++c)
                sum[r][c] += a[r] * b[c];
    }
}

/// Four neighbours, of which `count` exist.
__device__ void storeFour(float* to, const float (&from)[4], Index count, bool whole) {
    if (whole && count >= 4) {
        *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
        return;
    }
#pragma unroll
    for (int v = 0; v < 4; ++v)
        if (v < count) to[v] = from[v];
}

static bool onBorder(const torch::Tensor& tensor) {
    return reinterpret_cast<uintptr_t>(tensor.data_ptr()) % 16 == 0;
}

/// `width` neighbours, 1 or 4: one load of 16 bytes, on a border of that.
template <int width> __device__ void load(float (&to)[width], const float* from) {
    if constexpr (width == 4) {
        const float4 four = *reinterpret_cast<const float4*>(from);
        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
    } else {
        to[0] = *from;
    }
}

/// Over the threads of a row, in an order that never changes; each gets the result.
__device__ float rowSum(float value) {
    for (int offset = min(rowThreads, 32) / 2; offset > 0; offset /= 2)
        value = value + __shfl_xor_sync(0xffffffffu, value, offset);
    if (rowThreads <= 32) return value;
    __shared__ float parts[32];
    __syncthreads(); // parts may be read yet
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = parts[0];
    for (int warp = 1; warp < rowThreads / 32; ++warp)
        value = value + parts[warp];
    return value;
}

/// Over the threads of a row, in an order that never changes; each gets the result.
__device__ float rowMax(float value) {
    for (int offset = min(rowThreads, 32) / 2; offset > 0; offset /= 2)
        value = fmaxf(value, __shfl_xor_sync(0xffffffffu, value, offset));
    if (rowThreads <= 32) return value;
    __shared__ float parts[32];
    __syncthreads(); // parts may be read yet
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = parts[0];
    for (int warp = 1; warp < rowThreads / 32; ++warp)
        value = fmaxf(value, parts[warp]);
    return value;
}

/// Over the threads of a row, in an order that never changes; each gets the result.
__device__ float rowSum2(float value) {
    for (int offset = min(rowThreads2, 32) / 2; offset > 0; offset /= 2)
        value = value + __shfl_xor_sync(0xffffffffu, value, offset);
    if (rowThreads2 <= 32) return value;
    __shared__ float parts[32];
    __syncthreads(); // parts may be read yet
    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;
    __syncthreads();
    value = parts[0];
    for (int warp = 1; warp < rowThreads2 / 32; ++warp)
        value = value + parts[warp];
    return value;
}

/// A tile of the product for each block, and the formulas after it in registers.
__global__ void __launch_bounds__(productThreads, productBlocks)
    linear_productsProductKernel(const float* __restrict__ x, const float* __restrict__ params_in_proj_weight,
                                 Index rowCount, Index stride, Index H, Index linear_products_0,
                                 const float* __restrict__ params_in_proj_bias, float* __restrict__ linearOut,
                                 bool leftWhole, bool rightWhole, bool outWhole) {
    __shared__ __align__(16) float leftTile[2][tileSums][tileRows + 4];
    __shared__ __align__(16) float rightTile[2][tileSums][tileColumns + 4];
    const Index columnTiles = (384 + tileColumns - 1) / tileColumns;
    const Index firstColumn = Index(blockIdx.x) % columnTiles * tileColumns;
    const Index firstRow = Index(blockIdx.x) / columnTiles * tileRows;
    Index begin = 0;
    Index end = 128;
    // A warp's threads have 4 by 8 fours of the tile, its warps one another's neighbours.
    constexpr int across = tileColumns / columnsEach / 8;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int ownRow = (warp / across * 4 + lane / 8) * 4;
    const int ownColumn = (warp % across * 8 + lane % 8) * 4;
    constexpr int leftLoads = tileRows * tileSums / 4 / productThreads;
    constexpr int rightLoads = tileColumns * tileSums / 4 / productThreads;
    float4 nextLeft[leftLoads], nextRight[rightLoads];
    const auto load = [&](Index start) {
#pragma unroll
        for (int n = 0; n < leftLoads; ++n) {
            const int four = n * productThreads + threadIdx.x;
            const Index row = firstRow + four % (tileRows / 4) * 4;
            const Index k = start + four / (tileRows / 4);
            const auto from = [&](Index row) {
                return x + (row % 2 * stride + row / 2 / H * H + row / 2 % H + k * linear_products_0);
            };
            nextLeft[n] = fourAlong(from, row, k < end ? rowCount - row : 0, leftWhole);
        }
#pragma unroll
        for (int n = 0; n < rightLoads; ++n) {
            const int four = n * productThreads + threadIdx.x;
            const Index column = firstColumn + four / 2 % tileColumns;
            const Index k = start + four / (2 * tileColumns) * 8 + four % 2 * 4;
            const auto from = [&](Index k) { return params_in_proj_weight + (column * 128 + k); };
            nextRight[n] = fourAlong(from, k, column < 384 ? end - k : 0, rightWhole);
        }
    };
    const auto keep = [&](int copy) {
#pragma unroll
        for (int n = 0; n < leftLoads; ++n) {
            const int four = n * productThreads + threadIdx.x;
            keepFour(&leftTile[copy][four / (tileRows / 4)][four % (tileRows / 4) * 4], nextLeft[n]);
        }
#pragma unroll
        for (int n = 0; n < rightLoads; ++n) {
            const int four = n * productThreads + threadIdx.x;
            const int k = four / (2 * tileColumns) * 8 + four % 2 * 4;
            keepAcross<tileColumns + 4>(&rightTile[copy][k][four / 2 % tileColumns], nextRight[n]);
        }
    };
    float sum[rowsEach][columnsEach] = {};
    if (begin < end) {
        load(begin);
        keep(0);
    }
    __syncthreads();
    int copy = 0;
    for (Index start = begin; start < end; start += tileSums) {
        const bool more = start + tileSums < end; // the same for the whole block
        if (more) load(start + tileSums);
        multiplyTiles(sum, leftTile[copy], rightTile[copy], ownRow, ownColumn);
        if (more) keep(copy ^ 1); // everyone left this copy at the last barrier
        __syncthreads();
        copy ^= 1;
    }
#pragma unroll
    for (int r = 0; r < rowsEach; ++r) {
        const Index row = firstRow + ownRow + r / 4 * (tileRows / rowsEach * 4) + r % 4;
        if (row >= rowCount) continue;
#pragma unroll
        for (int c = 0; c < columnsEach; c += 4) {
            const Index firstOwn = firstColumn + ownColumn + c * (tileColumns / columnsEach);
            if (firstOwn >= 384) continue;
            const Index firstElement = row * 384 + firstOwn;
            float linearFour[4];
#pragma unroll
            for (int v = 0; v < 4; ++v) {
                const Index column = firstOwn + v;
                if (column >= 384) break;
                const float linearValue = sum[r][c + v] + params_in_proj_bias[column];
                linearFour[v] = linearValue;
            }
            storeFour(linearOut + firstElement, linearFour, 384 - firstOwn, outWhole);
        }
    }
}

/// matmul[o0 < 4096, o1 < 4, o2 < 2, o3 < 2] = sum over r0 < 32 of mul[o0, o2, 32*o1 + r0] * linear[o0, o3, 32*o1 + r0
/// + 128]
__global__ void matmulKernel(float* __restrict__ out, const float* __restrict__ linear, Index count) {
    const Index i = Index(blockIdx.x) * threads + threadIdx.x;
    if (i >= count) return;
    const Index o3 = i % 2;
    const Index o2 = i / 2 % 2;
    const Index o1 = i / (2 * 2) % 4;
    const Index o0 = i / (2 * 2 * 4);
    float value = 0.0f;
    for (Index r0 = 0; r0 < 32; ++r0) {
        const Index mul_At2 = o1 * 32 + r0;
        const float mul_ = linear[(o0 * 2 + o2) * 384 + mul_At2] * 0.17677669f;
        value += mul_ * linear[(o0 * 2 + o3) * 384 + o1 * 32 + r0 + 128];
    }
    out[i] = value;
}

/// Some threads for each row, which keep its elements between the passes.
template <int width>
__global__ void __launch_bounds__(rowThreads * rowsPerBlock)
    softmax_sumRowsKernel(const float* __restrict__ matmul, float* __restrict__ softmax_maxOut,
                          float* __restrict__ softmax_sumOut, Index rows, Index length) {
    const Index row = Index(blockIdx.x) * rowsPerBlock + threadIdx.y;
    if (row >= rows) return; // a whole warp, or the whole block
    const Index begin = 0, end = length;
    const Index first = width * threadIdx.x;
    const Index lastChunk = begin + (end - begin - 1) / rowChunk * rowChunk;
    float matmulKept[kept / width][width];
    const auto fetch = [&](Index chunk) {
#pragma unroll
        for (int c = 0; c < kept / width; ++c) {
            const Index k = chunk + first + c * width * rowThreads;
            if (k >= end) continue;
            load(matmulKept[c], matmul + row * length + k);
        }
    };
    float softmax_maxRow = -INFINITY;
    for (Index chunk = begin; chunk < end; chunk += rowChunk) {
        fetch(chunk);
#pragma unroll
        for (int c = 0; c < kept / width; ++c) {
            const Index k = chunk + first + c * width * rowThreads;
            if (k >= end) continue;
#pragma unroll
            for (int v = 0; v < width; ++v) {
                softmax_maxRow = fmaxf(softmax_maxRow, matmulKept[c][v]);
            }
        }
    }
    softmax_maxRow = rowMax(softmax_maxRow);
    if (threadIdx.x == 0) softmax_maxOut[row] = softmax_maxRow;
    float softmax_sumRow = 0.0f;
    for (Index chunk = lastChunk; chunk >= begin; chunk -= rowChunk) {
        if (chunk != lastChunk) fetch(chunk); // else it is there
#pragma unroll
        for (int c = 0; c < kept / width; ++c) {
            const Index k = chunk + first + c * width * rowThreads;
            if (k >= end) continue;
#pragma unroll
            for (int v = 0; v < width; ++v) {
                const float softmax_exp = expf(matmulKept[c][v] - softmax_maxRow);
                softmax_sumRow += softmax_exp;
            }
        }
    }
    softmax_sumRow = rowSum(softmax_sumRow);
    if (threadIdx.x == 0) softmax_sumOut[row] = softmax_sumRow;
}

/// matmul_1[o0 < 4096, o1 < 4, o2 < 2, o3 < 32] = sum over r0 < 2 of softmax[o0, o1, o2, r0] * linear[o0, r0, 32*o1 +
/// o3 + 256]
__global__ void matmul_1Kernel(float* __restrict__ out, const float* __restrict__ matmul,
                               const float* __restrict__ softmax_max, const float* __restrict__ softmax_sum,
                               const float* __restrict__ linear, Index count) {
    const Index i = Index(blockIdx.x) * threads + threadIdx.x;
    if (i >= count) return;
    const Index o3 = i % 32;
    const Index o2 = i / 32 % 2;
    const Index o1 = i / (32 * 2) % 4;
    const Index o0 = i / (32 * 2 * 4);
    float value = 0.0f;
    for (Index r0 = 0; r0 < 2; ++r0) {
        const float softmax_exp = expf(matmul[((o0 * 4 + o1) * 2 + o2) * 2 + r0] - softmax_max[(o0 * 4 + o1) * 2 + o2]);
        const float softmax = softmax_exp / softmax_sum[(o0 * 4 + o1) * 2 + o2];
        value += softmax * linear[(o0 * 2 + r0) * 384 + o1 * 32 + o3 + 256];
    }
    out[i] = value;
}

/// A tile of the product for each block, and the formulas after it in registers.
__global__ void __launch_bounds__(productThreads, productBlocks)
    linear_1_productsProductKernel(const float* __restrict__ matmul_1, const float* __restrict__ params_out_proj_weight,
                                   Index rowCount, Index linear_products_0, const float* __restrict__ x, Index H,
                                   const float* __restrict__ params_out_proj_bias, float* __restrict__ add_Out,
                                   bool leftWhole, bool rightWhole, bool outWhole) {
    __shared__ __align__(16) float leftTile[2][tileSums][tileRows + 4];
    __shared__ __align__(16) float rightTile[2][tileSums][tileColumns + 4];
    const Index columnTiles = (128 + tileColumns - 1) / tileColumns;
    const Index firstColumn = Index(blockIdx.x) % columnTiles * tileColumns;
    const Index firstRow = Index(blockIdx.x) / columnTiles * tileRows;
    Index begin = 0;
    Index end = 128;
    // A warp's threads have 4 by 8 fours of the tile, its warps one another's neighbours.
    constexpr int across = tileColumns / columnsEach / 8;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int ownRow = (warp / across * 4 + lane / 8) * 4;
    const int ownColumn = (warp % across * 8 + lane % 8) * 4;
    constexpr int leftLoads = tileRows * tileSums / 4 / productThreads;
    constexpr int rightLoads = tileColumns * tileSums / 4 / productThreads;
    float4 nextLeft[leftLoads], nextRight[rightLoads];
    const auto load = [&](Index start) {
#pragma unroll
        for (int n = 0; n < leftLoads; ++n) {
            const int four = n * productThreads + threadIdx.x;
            const Index row = firstRow + four / 2 % tileRows;
            const Index k = start + four / (2 * tileRows) * 8 + four % 2 * 4;
            const auto from = [&](Index k) {
                return matmul_1 + (row % 2 * 32 + row / 2 * 256 + k / 32 * 64 + k % 32);
            };
            nextLeft[n] = fourAlong(from, k, row < rowCount ? end - k : 0, leftWhole);
        }
#pragma unroll
        for (int n = 0; n < rightLoads; ++n) {
            const int four = n * productThreads + threadIdx.x;
            const Index column = firstColumn + four / 2 % tileColumns;
            const Index k = start + four / (2 * tileColumns) * 8 + four % 2 * 4;
            const auto from = [&](Index k) { return params_out_proj_weight + (column * 128 + k); };
            nextRight[n] = fourAlong(from, k, column < 128 ? end - k : 0, rightWhole);
        }
    };
    const auto keep = [&](int copy) {
#pragma unroll
        for (int n = 0; n < leftLoads; ++n) {
            const int four = n * productThreads + threadIdx.x;
            const int k = four / (2 * tileRows) * 8 + four % 2 * 4;
            keepAcross<tileRows + 4>(&leftTile[copy][k][four / 2 % tileRows], nextLeft[n]);
        }
#pragma unroll
        for (int n = 0; n < rightLoads; ++n) {
            const int four = n * productThreads + threadIdx.x;
            const int k = four / (2 * tileColumns) * 8 + four % 2 * 4;
            keepAcross<tileColumns + 4>(&rightTile[copy][k][four / 2 % tileColumns], nextRight[n]);
        }
    };
    float sum[rowsEach][columnsEach] = {};
    if (begin < end) {
        load(begin);
        keep(0);
    }
    __syncthreads();
    int copy = 0;
    for (Index start = begin; start < end; start += tileSums) {
        const bool more = start + tileSums < end; // the same for the whole block
        if (more) load(start + tileSums);
        multiplyTiles(sum, leftTile[copy], rightTile[copy], ownRow, ownColumn);
        if (more) keep(copy ^ 1); // everyone left this copy at the last barrier
        __syncthreads();
        copy ^= 1;
    }
#pragma unroll
    for (int r = 0; r < rowsEach; ++r) {
        const Index row = firstRow + ownRow + r / 4 * (tileRows / rowsEach * 4) + r % 4;
        if (row >= rowCount) continue;
#pragma unroll
        for (int c = 0; c < columnsEach; c += 4) {
            const Index firstOwn = firstColumn + ownColumn + c * (tileColumns / columnsEach);
            if (firstOwn >= 128) continue;
            const Index firstElement = row * 128 + firstOwn;
            float add_Four[4];
#pragma unroll
            for (int v = 0; v < 4; ++v) {
                const Index column = firstOwn + v;
                if (column >= 128) break;
                const Index o1 = row % 2;
                const Index o0 = row / 2;
                const float add_Value =
                    sum[r][c + v] + params_out_proj_bias[column] + x[((o1 * 128 + column) * H + o0 / H) * H + o0 % H];
                add_Four[v] = add_Value;
            }
            storeFour(add_Out + firstElement, add_Four, 128 - firstOwn, outWhole);
        }
    }
}

/// Some threads for each row, which keep its elements between the passes.
template <int width>
__global__ void __launch_bounds__(rowThreads2 * rowsPerBlock2)
    layer_norm_squaresRowsKernel(const float* __restrict__ add_, float* __restrict__ layer_norm_meanOut,
                                 float* __restrict__ layer_norm_squaresOut, Index rows, Index length) {
    const Index row = Index(blockIdx.x) * rowsPerBlock2 + threadIdx.y;
    if (row >= rows) return; // a whole warp, or the whole block
    const Index begin = 0, end = length;
    const Index first = width * threadIdx.x;
    const Index lastChunk = begin + (end - begin - 1) / rowChunk2 * rowChunk2;
    float add_Kept[kept2 / width][width];
    const auto fetch = [&](Index chunk) {
#pragma unroll
        for (int c = 0; c < kept2 / width; ++c) {
            const Index k = chunk + first + c * width * rowThreads2;
            if (k >= end) continue;
            load(add_Kept[c], add_ + row * length + k);
        }
    };
    float layer_norm_meanRow = 0.0f;
    for (Index chunk = begin; chunk < end; chunk += rowChunk2) {
        fetch(chunk);
#pragma unroll
        for (int c = 0; c < kept2 / width; ++c) {
            const Index k = chunk + first + c * width * rowThreads2;
            if (k >= end) continue;
#pragma unroll
            for (int v = 0; v < width; ++v) {
                layer_norm_meanRow += add_Kept[c][v];
            }
        }
    }
    layer_norm_meanRow = rowSum2(layer_norm_meanRow);
    layer_norm_meanRow *= 0.0078125f;
    if (threadIdx.x == 0) layer_norm_meanOut[row] = layer_norm_meanRow;
    float layer_norm_squaresRow = 0.0f;
    for (Index chunk = lastChunk; chunk >= begin; chunk -= rowChunk2) {
        if (chunk != lastChunk) fetch(chunk); // else it is there
#pragma unroll
        for (int c = 0; c < kept2 / width; ++c) {
            const Index k = chunk + first + c * width * rowThreads2;
            if (k >= end) continue;
#pragma unroll
            for (int v = 0; v < width; ++v) {
                layer_norm_squaresRow += square(add_Kept[c][v] - layer_norm_meanRow);
            }
        }
    }
    layer_norm_squaresRow = rowSum2(layer_norm_squaresRow);
    if (threadIdx.x == 0) layer_norm_squaresOut[row] = layer_norm_squaresRow;
}

/// output[o0 < 2, o1 < 128, o2 < 64, o3 < 64] = (add[64*o2 + o3, o0, o1] - layer_norm.mean[64*o2 + o3, o0, 0]) *
/// layer_norm.scale[64*o2 + o3, o0, 0] * params.norm_weight[o1] + params.norm_bias[o1]
__global__ void outputKernel(float* __restrict__ out, Index H, const float* __restrict__ add_,
                             const float* __restrict__ layer_norm_mean, const float* __restrict__ layer_norm_squares,
                             const float* __restrict__ params_norm_weight, const float* __restrict__ params_norm_bias,
                             Index count) {
    const Index i = Index(blockIdx.x) * threads + threadIdx.x;
    if (i >= count) return;
    const Index o3 = i % H;
    const Index o2 = i / H % H;
    const Index o1 = i / (H * H) % 128;
    const Index o0 = i / (H * H * 128);
    const Index layer_norm_scaleAt0 = o2 * H + o3;
    const float layer_norm_scale = 1.0f / sqrtf(layer_norm_squares[layer_norm_scaleAt0 * 2 + o0] * 0.0078125f + 1e-05f);
    out[i] =
        (add_[((o2 * H + o3) * 2 + o0) * 128 + o1] - layer_norm_mean[(o2 * H + o3) * 2 + o0]) * layer_norm_scale * params_norm_weight[o1] + params_norm_bias[o1];
}

/// The tensor without gaps, if it is of this type and shape.
static torch::Tensor checked(const torch::Tensor& tensor, torch::ScalarType type, std::vector<int64_t> shape,
                             const char* name) {
    TORCH_CHECK(tensor.is_cuda() && tensor.scalar_type() == type, name, ": another device or type");
    TORCH_CHECK(tensor.dim() == int64_t(shape.size()), name, ": another number of axes");
    for (size_t k = 0; k < shape.size(); ++k)
        TORCH_CHECK(tensor.size(k) == shape[k], name, ": axis ", k, " has another extent");
    TORCH_CHECK(tensor.numel() <= INT_MAX, name, ": too many elements for Index");
    const torch::Tensor whole = tensor.contiguous();
    const bool isOnBorder = reinterpret_cast<uintptr_t>(whole.data_ptr()) % 16 == 0; // for float4
    return isOnBorder ? whole : whole.clone();
}

static int64_t blocks(int64_t count, int64_t each) {
    return std::max<int64_t>(1, (count + each - 1) / each);
}

torch::Tensor forward(torch::Tensor x, py::dict params, int64_t embed_dim, int64_t num_heads) {
    const int64_t H = x.size(2);
    const int64_t linear_products_0 = H * H;
    x = checked(x, torch::kFloat32, {2, 128, H, H}, "x");
    const torch::Tensor in_proj_weight = checked(params["in_proj_weight"].cast<torch::Tensor>(), torch::kFloat32,
                                                 {384, 128}, "in_proj_weight");
    const torch::Tensor in_proj_bias = checked(params["in_proj_bias"].cast<torch::Tensor>(), torch::kFloat32, {384},
                                               "in_proj_bias");
    const torch::Tensor out_proj_weight = checked(params["out_proj_weight"].cast<torch::Tensor>(), torch::kFloat32,
                                                  {128, 128}, "out_proj_weight");
    const torch::Tensor out_proj_bias = checked(params["out_proj_bias"].cast<torch::Tensor>(), torch::kFloat32, {128},
                                                "out_proj_bias");
    const torch::Tensor norm_weight = checked(params["norm_weight"].cast<torch::Tensor>(), torch::kFloat32, {128},
                                              "norm_weight");
    const torch::Tensor norm_bias = checked(params["norm_bias"].cast<torch::Tensor>(), torch::kFloat32, {128},
                                            "norm_bias");
    TORCH_CHECK(embed_dim == 128, "embed_dim: this file was written for 128");
    TORCH_CHECK(num_heads == 4, "num_heads: this file was written for 4");
    const auto options = x.options();
    const auto linear = torch::empty({linear_products_0, 2, 384}, options.dtype(torch::kFloat32));
    const int64_t linear_productsBlocks = blocks(2 * linear_products_0, tileRows) * blocks(384, tileColumns);
    linear_productsProductKernel<<<linear_productsBlocks, productThreads>>>(
        x.data_ptr<float>(), in_proj_weight.data_ptr<float>(), 2 * linear_products_0, 128 * linear_products_0, H,
        linear_products_0, in_proj_bias.data_ptr<float>(), linear.data_ptr<float>(), false, onBorder(in_proj_weight),
        true);
    const auto matmul = torch::empty({linear_products_0, 4, 2, 2}, options.dtype(torch::kFloat32));
    matmulKernel<<<blocks(matmul.numel(), threads), threads>>>(matmul.data_ptr<float>(), linear.data_ptr<float>(),
                                                               matmul.numel());
    const auto softmax_max = torch::empty({linear_products_0, 4, 2, 1}, options.dtype(torch::kFloat32));
    const auto softmax_sum = torch::empty({linear_products_0, 4, 2, 1}, options.dtype(torch::kFloat32));
    const int64_t rows_ = linear_products_0 * 4 * 2, length = 2;
    if (length % 4 == 0)
        softmax_sumRowsKernel<4><<<blocks(rows_, rowsPerBlock), dim3(rowThreads, rowsPerBlock)>>>(
            matmul.data_ptr<float>(), softmax_max.data_ptr<float>(), softmax_sum.data_ptr<float>(), rows_, length);
    else
        softmax_sumRowsKernel<1><<<blocks(rows_, rowsPerBlock), dim3(rowThreads, rowsPerBlock)>>>(
            matmul.data_ptr<float>(), softmax_max.data_ptr<float>(), softmax_sum.data_ptr<float>(), rows_, length);
    const auto matmul_1 = torch::empty({linear_products_0, 4, 2, 32}, options.dtype(torch::kFloat32));
    matmul_1Kernel<<<blocks(matmul_1.numel(), threads), threads>>>(
        matmul_1.data_ptr<float>(), matmul.data_ptr<float>(), softmax_max.data_ptr<float>(),
        softmax_sum.data_ptr<float>(), linear.data_ptr<float>(), matmul_1.numel());
    const auto add_ = torch::empty({linear_products_0, 2, 128}, options.dtype(torch::kFloat32));
    const int64_t linear_1_productsBlocks = blocks(2 * linear_products_0, tileRows) * blocks(128, tileColumns);
    linear_1_productsProductKernel<<<linear_1_productsBlocks, productThreads>>>(
        matmul_1.data_ptr<float>(), out_proj_weight.data_ptr<float>(), 2 * linear_products_0, linear_products_0,
        x.data_ptr<float>(), H, out_proj_bias.data_ptr<float>(), add_.data_ptr<float>(), onBorder(matmul_1),
        onBorder(out_proj_weight), true);
    const auto layer_norm_mean = torch::empty({linear_products_0, 2, 1}, options.dtype(torch::kFloat32));
    const auto layer_norm_squares = torch::empty({linear_products_0, 2, 1}, options.dtype(torch::kFloat32));
    const int64_t rows__2 = linear_products_0 * 2, length_2 = 128;
    if (length_2 % 4 == 0)
        layer_norm_squaresRowsKernel<4><<<blocks(rows__2, rowsPerBlock2), dim3(rowThreads2, rowsPerBlock2)>>>(
            add_.data_ptr<float>(), layer_norm_mean.data_ptr<float>(), layer_norm_squares.data_ptr<float>(), rows__2,
            length_2);
    else
        layer_norm_squaresRowsKernel<1><<<blocks(rows__2, rowsPerBlock2), dim3(rowThreads2, rowsPerBlock2)>>>(
            add_.data_ptr<float>(), layer_norm_mean.data_ptr<float>(), layer_norm_squares.data_ptr<float>(), rows__2,
            length_2);
    const auto output = torch::empty({2, 128, H, H}, options.dtype(torch::kFloat32));
    outputKernel<<<blocks(output.numel(), threads), threads>>>(
        output.data_ptr<float>(), H, add_.data_ptr<float>(), layer_norm_mean.data_ptr<float>(),
        layer_norm_squares.data_ptr<float>(), norm_weight.data_ptr<float>(), norm_bias.data_ptr<float>(),
        output.numel());
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "31_VisionAttention (product)");
}
