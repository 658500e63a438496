// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    4/7 7_Fused_attention
// Name:    online_tiles
// Parent:  none
// Idea:    64 queries stay in registers while tiles of 64 keys and values go by, the next one on its way by cp.async.
//          A row keeps its maximum and sum so far and rescales what it has when a larger score comes, so that no score
//          is stored; scores become weights in the lanes where the second product wants them.
// Look at: The loop in `schedule explain`: 64 mma.sync of over 400 instructions. Between the two products stand maxima
//          over four lanes, exponentials and rescaling, for which tensor cores wait unless another warp feeds them.
#include <climits>
#include <cmath>
#include <cstdint>
#include <cuda_fp16.h>
#include <torch/extension.h>

constexpr int queryTile = 64; // 16 of them for each warp
constexpr int keyTile = 64;
constexpr int headSize = 64; // at most; shorter heads are filled up with zeros
constexpr int warps = queryTile / 16;
constexpr int threads = 32 * warps;
constexpr int elementBytes = sizeof(__half);
constexpr int line = (headSize + 8) * elementBytes; // bytes: rows stay on 16, and eight of them are in different banks
constexpr int tileBytes = 64 * line;

/// Eight neighbours of a row at `from`, of which `left` exist, to 16 bytes of shared memory; zeros stand for the
/// others, and for all if there is no such row. `aligned`: rows begin on 16 bytes and have a multiple of eight
/// elements; then the copy goes on behind the program's back until `waitForCopies`.
template <bool aligned> __device__ void fetchEight(uint32_t to, const __half* from, bool isRow, int left) {
    if (aligned) {
        const int bytes = isRow && left > 0 ? 16 : 0; // of none, nothing is read
        asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(to), "l"(from), "r"(bytes) : "memory");
        return;
    }
    uint32_t pair[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
        const uint32_t low = isRow && 2 * i < left ? __half_as_ushort(from[2 * i]) : 0;
        const uint32_t high = isRow && 2 * i + 1 < left ? __half_as_ushort(from[2 * i + 1]) : 0;
        pair[i] = high << 16 | low;
    }
    asm volatile("st.shared.v4.b32 [%0], {%1, %2, %3, %4};" ::"r"(to), "r"(pair[0]), "r"(pair[1]), "r"(pair[2]),
                 "r"(pair[3])
                 : "memory");
}

__device__ void waitForCopies() {
    asm volatile("cp.async.wait_all;" ::: "memory");
}

/// 64 rows of a head from `first` on: of each the thread's eight columns from `column` on, of every 16th row from `row`
/// on.
template <bool aligned>
__device__ void fetchTile(uint32_t to, const __half* head, int first, int row, int column, int rows, int size) {
    constexpr int rowsAtATime = threads / (headSize / 8);
    const __half* const from = head + size_t(first + row) * size + column;
#pragma unroll
    for (int i = 0; i < 64; i += rowsAtATime)
        fetchEight<aligned>(to + (row + i) * line + column * elementBytes, from + size_t(i) * size,
                            first + row + i < rows, size - column);
}

/// Four 8 by 8 pieces; each lane names a row of one: lanes 0 to 7 the first's.
__device__ void loadPieces(uint32_t (&to)[4], uint32_t row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}

/// The same, each piece transposed.
__device__ void loadTransposed(uint32_t (&to)[4], uint32_t row) {
    asm volatile("ldmatrix.sync.aligned.m8n8.x4.trans.shared.b16 {%0, %1, %2, %3}, [%4];"
                 : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                 : "r"(row)
                 : "memory");
}

/// 16 rows by 8 columns over 16 terms, added in float32.
__device__ void multiplyAdd(float (&sum)[4], const uint32_t (&a)[4], uint32_t b0, uint32_t b1) {
    asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9}, "
                 "{%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/// Two halves in one register, the first in its lower half.
__device__ uint32_t pairOf(float first, float second) {
    const __half2 pair = __floats2half2_rn(first, second);
    return *reinterpret_cast<const uint32_t*>(&pair);
}

/// 2^x to two units in the last place, and 0 where that is less than the smallest normal float.
__device__ float powerOfTwo(float x) {
    float power;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    return power;
}

/// Over the four lanes that share a row.
__device__ float rowMaximum(float x) {
    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));
    return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));
}

__device__ float rowSum(float x) {
    x += __shfl_xor_sync(0xffffffffu, x, 1);
    return x + __shfl_xor_sync(0xffffffffu, x, 2);
}

/// A block has 64 queries of the head blockIdx.y. `scale`: of the scores, times log2(e). Of each fragment a
/// lane has two neighbours of the row lane / 4, and two of the row eight below.
template <bool aligned>
__global__ void __launch_bounds__(threads)
    attentionOnline(const __half* __restrict__ Q, const __half* __restrict__ K, const __half* __restrict__ V,
                    __half* __restrict__ out, int rows, int size, float scale) {
    // Queries, then two tiles of keys and two of values.
    __shared__ __align__(16) unsigned char shared[5 * tileBytes];
    const size_t head = blockIdx.y * size_t(rows) * size;
    const int firstQuery = blockIdx.x * queryTile;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const uint32_t queries = uint32_t(__cvta_generic_to_shared(shared));
    const uint32_t keys = queries + tileBytes, values = keys + 2 * tileBytes;
    const auto fetch = [&](uint32_t to, const __half* from, int first) {
        const int row = threadIdx.x / (headSize / 8), column = threadIdx.x % (headSize / 8) * 8;
        fetchTile<aligned>(to, from + head, first, row, column, rows, size);
    };
    // Where the lane's row of the first four pieces begins: of left factors and values, and of keys, whose rows are
    // columns of the right factor.
    const uint32_t ownRow = lane % 16 * line + lane / 16 * 8 * elementBytes;
    const uint32_t ownKey = (lane / 16 * 8 + lane % 8) * line + lane / 8 % 2 * 8 * elementBytes;

    fetch(queries, Q, firstQuery);
    fetch(keys, K, 0);
    fetch(values, V, 0);
    uint32_t query[headSize / 16][4];
    float sum[headSize / 8][4] = {};
    float largest[2] = {-INFINITY, -INFINITY}, total[2] = {};
    const int tiles = (rows + keyTile - 1) / keyTile;
    for (int tile = 0; tile < tiles; ++tile) {
        waitForCopies();
        __syncthreads(); // this tile has come for all, and all are done with the one before it
        const int now = tile % 2 * tileBytes, next = tileBytes - now;
        if (tile == 0) {
#pragma unroll
            for (int k = 0; k < headSize / 16; ++k)
                loadPieces(query[k], queries + 16 * warp * line + 16 * k * elementBytes + ownRow);
        }
        if (tile + 1 < tiles) {
            fetch(keys + next, K, (tile + 1) * keyTile);
            fetch(values + next, V, (tile + 1) * keyTile);
        }

        float score[keyTile / 8][4] = {};
#pragma unroll
        for (int k = 0; k < headSize / 16; ++k)
#pragma unroll
            for (int j = 0; j < keyTile / 16; ++j) {
                uint32_t key[4];
                loadPieces(key, keys + now + 16 * j * line + 16 * k * elementBytes + ownKey);
                multiplyAdd(score[2 * j], query[k], key[0], key[1]);
                multiplyAdd(score[2 * j + 1], query[k], key[2], key[3]);
            }

        if ((tile + 1) * keyTile > rows) {
#pragma unroll
            for (int j = 0; j < keyTile / 8; ++j)
#pragma unroll
                for (int i = 0; i < 4; ++i)
                    if (tile * keyTile + 8 * j + lane % 4 * 2 + i % 2 >= rows) score[j][i] = -INFINITY;
        }
#pragma unroll
        for (int below = 0; below < 2; ++below) {
            float most = largest[below];
#pragma unroll
            for (int j = 0; j < keyTile / 8; ++j)
                most = fmaxf(most, fmaxf(score[j][2 * below], score[j][2 * below + 1]));
            most = rowMaximum(most);
            const float shift = most * scale;                                 // finite: every tile has a key
            const float rescale = powerOfTwo(largest[below] * scale - shift); // 0 at first
            largest[below] = most;
            total[below] *= rescale;
#pragma unroll
            for (int j = 0; j < headSize / 8; ++j) {
                sum[j][2 * below] *= rescale;
                sum[j][2 * below + 1] *= rescale;
            }
#pragma unroll
            for (int j = 0; j < keyTile / 8; ++j)
#pragma unroll
                for (int i = 2 * below; i < 2 * below + 2; ++i) {
                    score[j][i] = powerOfTwo(score[j][i] * scale - shift);
                    total[below] += score[j][i];
                }
        }

#pragma unroll
        for (int k = 0; k < keyTile / 16; ++k) {
            // What a product leaves in a lane is what the next one's left factor has there.
            const uint32_t weight[4] = {
                pairOf(score[2 * k][0], score[2 * k][1]), pairOf(score[2 * k][2], score[2 * k][3]),
                pairOf(score[2 * k + 1][0], score[2 * k + 1][1]), pairOf(score[2 * k + 1][2], score[2 * k + 1][3])};
#pragma unroll
            for (int j = 0; j < headSize / 16; ++j) {
                uint32_t value[4];
                loadTransposed(value, values + now + 16 * k * line + 16 * j * elementBytes + ownRow);
                multiplyAdd(sum[2 * j], weight, value[0], value[1]);
                multiplyAdd(sum[2 * j + 1], weight, value[2], value[3]);
            }
        }
    }

#pragma unroll
    for (int below = 0; below < 2; ++below) {
        const float share = 1.0f / rowSum(total[below]);
        const int row = firstQuery + 16 * warp + lane / 4 + 8 * below;
        if (row >= rows) continue;
#pragma unroll
        for (int j = 0; j < headSize / 8; ++j) {
            const int column = 8 * j + lane % 4 * 2;
            const float x = sum[j][2 * below] * share, y = sum[j][2 * below + 1] * share;
            __half* const to = out + head + size_t(row) * size + column;
            if (aligned) {
                if (column < size) *reinterpret_cast<__half2*>(to) = __floats2half2_rn(x, y);
                continue;
            }
            if (column < size) to[0] = __float2half_rn(x);
            if (column + 1 < size) to[1] = __float2half_rn(y);
        }
    }
}

static bool onBorder(const torch::Tensor& tensor) {
    return reinterpret_cast<uintptr_t>(tensor.data_ptr()) % 16 == 0;
}

torch::Tensor forward(torch::Tensor q, torch::Tensor k, torch::Tensor v) {
    TORCH_CHECK(q.is_cuda() && k.is_cuda() && v.is_cuda(), "q, k and v must be CUDA tensors");
    TORCH_CHECK(q.scalar_type() == torch::kFloat16 && k.scalar_type() == torch::kFloat16 &&
                    v.scalar_type() == torch::kFloat16,
                "q, k and v must be float16");
    TORCH_CHECK(q.dim() == 4 && k.sizes() == q.sizes() && v.sizes() == q.sizes(),
                "q, k and v must all be [batch, heads, rows, size]");
    TORCH_CHECK(q.size(3) <= headSize, "heads of more than 64 elements");
    TORCH_CHECK(q.size(0) * q.size(1) <= 65535, "too many heads for one launch");
    TORCH_CHECK(q.size(2) <= INT_MAX - keyTile, "too many rows");
    q = q.contiguous();
    k = k.contiguous();
    v = v.contiguous();
    auto out = torch::empty_like(q);
    if (q.numel() == 0) return out;
    const int heads = q.size(0) * q.size(1), rows = q.size(2), size = q.size(3);
    const float scale = float(1.4426950408889634 / std::sqrt(double(size)));
    const bool aligned = size % 8 == 0 && onBorder(q) && onBorder(k) && onBorder(v);
    const auto kernel = aligned ? attentionOnline<true> : attentionOnline<false>;
    kernel<<<dim3((rows + queryTile - 1) / queryTile, heads), threads>>>(
        reinterpret_cast<const __half*>(q.data_ptr<at::Half>()),
        reinterpret_cast<const __half*>(k.data_ptr<at::Half>()),
        reinterpret_cast<const __half*>(v.data_ptr<at::Half>()), reinterpret_cast<__half*>(out.data_ptr<at::Half>()),
        rows, size, scale);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return out;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Attention (online softmax over tiles of keys)");
}
