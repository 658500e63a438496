// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    4/8 8_Matmul_leaky_ReLU
// Name:    async_stages
// Parent:  none
// Idea:    Tensor cores are fed from four tiles of shared memory, three of which are on their way from memory while
//          one is multiplied: cp.async copies without a register in between. ldmatrix hands out 8 by 8 pieces as
//          mma.sync wants them, and leaky ReLU is taken of sums that are still in registers.
// Look at: The loop in `schedule explain`: from two warps a scheduler on the matrix pipe is the limit, and mma.sync
//          waits for ldmatrix, never for memory. Rows that do not begin on 16 bytes go through registers.
#include <climits>
#include <cstdint>
#include <cuda_fp16.h>
#include <torch/extension.h>

constexpr int tileM = 128;
constexpr int tileN = 128;
constexpr int tileK = 32;
constexpr int stages = 4;
constexpr int warpM = 64; // of the tile, for each warp
constexpr int warpN = 32;
constexpr int warpsAcross = tileN / warpN;
constexpr int threads = 32 * (tileM / warpM) * warpsAcross;
// Bytes: rows stay on 16, and eight of them are in different banks.
constexpr int elementBytes = sizeof(__half);
constexpr int lineA = (tileK + 8) * elementBytes;
constexpr int lineB = (tileN + 8) * elementBytes;
constexpr int stageA = tileM * lineA;
constexpr int stageBytes = stageA + tileK * lineB;
constexpr int sharedBytes = stages * stageBytes;
constexpr float slope = 0.01f;

/// Eight neighbours of a row at `from`, of which `left` exist, to 16 bytes of shared memory; zeros stand for the
/// others, and for all if there is no such row. `aligned`: rows begin on 16 bytes and have a multiple of eight
/// elements; then the copy goes on behind the program's back until `waitForStages`.
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

__device__ void endStage() {
    asm volatile("cp.async.commit_group;" ::: "memory");
}

/// Until no more than `most` of the stages asked for are on their way.
template <int most> __device__ void waitForStages() {
    asm volatile("cp.async.wait_group %0;" ::"n"(most) : "memory");
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

__device__ float leakyRelu(float x) {
    return x > 0.0f ? x : slope * x;
}

/// Eight warps in a 2 by 4 arrangement, each with 64 by 32 of the block's 128 by 128.
template <bool aligned>
__global__ void __launch_bounds__(threads, 2)
    productLeakyRelu(const __half* __restrict__ A, const __half* __restrict__ B, __half* __restrict__ C, int m, int n,
                     int k) {
    extern __shared__ __align__(16) __half shared[];
    const int firstRow = blockIdx.y * tileM, firstColumn = blockIdx.x * tileN;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int warpRow = warp / warpsAcross * warpM, warpColumn = warp % warpsAcross * warpN;

    // A thread copies the same eight columns of several rows.
    constexpr int rowsA = threads / (tileK / 8), rowsB = threads / (tileN / 8); // at a time
    const int rowA = threadIdx.x / (tileK / 8), columnA = threadIdx.x % (tileK / 8) * 8;
    const int rowB = threadIdx.x / (tileN / 8), columnB = threadIdx.x % (tileN / 8) * 8;
    const __half* const fromA = A + size_t(firstRow + rowA) * k + columnA;
    const __half* const fromB = B + size_t(rowB) * n + firstColumn + columnB;
    const uint32_t tiles = uint32_t(__cvta_generic_to_shared(shared));
    const uint32_t toA = tiles + rowA * lineA + columnA * elementBytes,
                   toB = tiles + stageA + rowB * lineB + columnB * elementBytes;
    const auto fetchStage = [&](int step) {
        const int stage = step % stages * stageBytes, start = step * tileK;
#pragma unroll
        for (int i = 0; i < tileM; i += rowsA)
            fetchEight<aligned>(toA + stage + i * lineA, fromA + size_t(i) * k + start, firstRow + rowA + i < m,
                                k - start - columnA);
#pragma unroll
        for (int i = 0; i < tileK; i += rowsB)
            fetchEight<aligned>(toB + stage + i * lineB, fromB + size_t(start + i) * n, start + rowB + i < k,
                                n - firstColumn - columnB);
    };

    // Where the lane's rows of the first pieces begin.
    const uint32_t piecesA = tiles + (warpRow + lane % 16) * lineA + lane / 16 * 8 * elementBytes;
    const uint32_t piecesB = tiles + stageA + lane % 16 * lineB + (warpColumn + lane / 16 * 8) * elementBytes;
    float sum[warpM / 16][warpN / 8][4] = {};
    const int steps = (k + tileK - 1) / tileK;
    for (int step = 0; step < stages - 1; ++step) {
        if (step < steps) fetchStage(step);
        endStage(); // also of nothing, so that stages can be counted
    }
    for (int step = 0; step < steps; ++step) {
        waitForStages<stages - 2>();
        __syncthreads(); // this stage has come for all, and all are done with the one before it
        if (step + stages - 1 < steps) fetchStage(step + stages - 1);
        endStage();
        const int stage = step % stages * stageBytes;
#pragma unroll
        for (int term = 0; term < tileK; term += 16) {
            uint32_t a[warpM / 16][4], b[warpN / 16][4];
#pragma unroll
            for (int r = 0; r < warpM / 16; ++r)
                loadPieces(a[r], piecesA + stage + 16 * r * lineA + term * elementBytes);
#pragma unroll
            for (int c = 0; c < warpN / 16; ++c)
                loadTransposed(b[c], piecesB + stage + term * lineB + 16 * c * elementBytes);
#pragma unroll
            for (int r = 0; r < warpM / 16; ++r)
#pragma unroll
                for (int c = 0; c < warpN / 16; ++c) {
                    multiplyAdd(sum[r][2 * c], a[r], b[c][0], b[c][1]);
                    multiplyAdd(sum[r][2 * c + 1], a[r], b[c][2], b[c][3]);
                }
        }
    }
    // A lane has two neighbours of a row, and two of the row eight below.
#pragma unroll
    for (int r = 0; r < warpM / 16; ++r)
#pragma unroll
        for (int c = 0; c < warpN / 8; ++c)
#pragma unroll
            for (int below = 0; below < 2; ++below) {
                const int row = firstRow + warpRow + 16 * r + lane / 4 + 8 * below;
                const int column = firstColumn + warpColumn + 8 * c + lane % 4 * 2;
                if (row >= m || column >= n) continue;
                const float x = leakyRelu(sum[r][c][2 * below]), y = leakyRelu(sum[r][c][2 * below + 1]);
                __half* const to = C + size_t(row) * n + column;
                if (aligned) {
                    *reinterpret_cast<__half2*>(to) = __floats2half2_rn(x, y);
                    continue;
                }
                to[0] = __float2half_rn(x);
                if (column + 1 < n) to[1] = __float2half_rn(y);
            }
}

static bool onBorder(const torch::Tensor& tensor) {
    return reinterpret_cast<uintptr_t>(tensor.data_ptr()) % 16 == 0;
}

torch::Tensor forward(torch::Tensor a, torch::Tensor b) {
    TORCH_CHECK(a.is_cuda() && b.is_cuda(), "a and b must be CUDA tensors");
    TORCH_CHECK(a.scalar_type() == torch::kFloat16 && b.scalar_type() == torch::kFloat16, "a and b must be float16");
    TORCH_CHECK(a.dim() == 2 && b.dim() == 2 && a.size(1) == b.size(0), "a must be [m, k] and b [k, n]");
    TORCH_CHECK(a.size(0) <= INT_MAX && a.size(1) <= INT_MAX - tileK && b.size(1) <= INT_MAX, "an extent is too large");
    a = a.contiguous();
    b = b.contiguous();
    const int m = a.size(0), k = a.size(1), n = b.size(1);
    auto c = torch::empty({m, n}, a.options());
    if (m == 0 || n == 0) return c;
    const dim3 grid((n + tileN - 1) / tileN, (m + tileM - 1) / tileM);
    TORCH_CHECK(grid.y <= 65535, "a has too many rows for one launch");
    const bool aligned = k % 8 == 0 && n % 8 == 0 && onBorder(a) && onBorder(b);
    const auto kernel = aligned ? productLeakyRelu<true> : productLeakyRelu<false>;
    cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, sharedBytes);
    kernel<<<grid, threads, sharedBytes>>>(reinterpret_cast<const __half*>(a.data_ptr<at::Half>()),
                                           reinterpret_cast<const __half*>(b.data_ptr<at::Half>()),
                                           reinterpret_cast<__half*>(c.data_ptr<at::Half>()), m, n, k);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return c;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Product and leaky ReLU (tensor cores fed in stages)");
}
