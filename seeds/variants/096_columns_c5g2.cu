// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/96 96_ConvTranspose3d_Multiply_Max_GlobalAvgPool_Clamp
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2
//          inputs: 27 of the 64 pairs of an input and an output have a tap. A thread makes a
//          column of cells along the depth for a group of filters, all outputs in registers, so that the max
//          pool is seven comparisons and nothing but the sums over space leave the block. A weight, which is
//          the same for the whole warp and comes from constant memory, serves all cells of the column.
// Rewrites: scale folded into weights and bias; bias moved past the maximum; mean as sums of blocks, then of sums.
#include <torch/extension.h>

constexpr int group = 2;     // tune: 2, 4, 8; filters at a time
constexpr int column = 5;    // tune: 1, 2, 3, 4, 5; cells along the depth that a thread makes at a time
constexpr int threads = 128; // tune: 64, 128, 256
constexpr int blocksPerSm = 4; // tune: 1, 2, 3, 4
constexpr int window = 27;
constexpr int mostTaps = 12288; // 48 KB of constant memory

/// x is [batch, channels, depth, height, width]; cells are those of the pooled output.
struct Shape {
    int batch, channels, filters, groups, depth, height, width, cellsZ, cellsY, cellsX;
};

/// Weights by group, input channel, tap and filter of the group, zero beyond the filters.
__constant__ float taps[mostTaps];

/// Scales the weights and brings them into the order of taps.
__global__ void pack(const float* weight, float scale, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int f = i % group, k = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + f;
    to[i] = filter < s.filters ? weight[(c * s.filters + filter) * window + k] * scale : 0.0f;
}

/// The inputs of a column of cells in one channel; those beyond the border are 0.
struct Inputs {
    float at[column + 1][2][2];
};

__device__ void load(Inputs& in, const float* plane, int z, int y, int x, const Shape& s) {
#pragma unroll
    for (int dz = 0; dz <= column; ++dz)
#pragma unroll
        for (int dy = 0; dy < 2; ++dy)
#pragma unroll
            for (int dx = 0; dx < 2; ++dx) {
                const bool inside = z + dz < s.depth && y + dy < s.height && x + dx < s.width;
                in.at[dz][dy][dx] = inside ? plane[((z + dz) * s.height + y + dy) * s.width + x + dx] : 0.0f;
            }
}

/// The position in the kernel of the tap from input offset d to output parity p.
__host__ __device__ constexpr int tapOf(int p, int d) { return p == 0 ? 1 : d == 0 ? 2 : 0; }

/// Adds one input channel to the eight outputs of each cell of the column.
__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][8][group]) {
#pragma unroll
    for (int p = 0; p < 8; ++p)
#pragma unroll
        for (int d = 0; d < 8; ++d) {
            if (d & ~p) continue; // no tap joins them
            const int k = (tapOf(p >> 2, d >> 2) * 3 + tapOf(p >> 1 & 1, d >> 1 & 1)) * 3 + tapOf(p & 1, d & 1);
#pragma unroll
            for (int f = 0; f < group; ++f)
#pragma unroll
                for (int n = 0; n < column; ++n)
                    out[n][p][f] = fmaf(in.at[n + (d >> 2)][d >> 1 & 1][d & 1], tap[k * group + f], out[n][p][f]);
        }
}

/// Sums of blocks: partial[image][block of the image][filter].
__global__ void __launch_bounds__(threads, blocksPerSm) cellSums(const float* x, float* partial, Shape s) {
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int place = blockIdx.x * threads + threadIdx.x;
    const bool inside = place < s.cellsY * s.cellsX;
    const int cellY = place / s.cellsX, cellX = place % s.cellsX, cellZ = blockIdx.y * column;
    const int block = blockIdx.y * gridDim.x + blockIdx.x, blocks = gridDim.x * gridDim.y;
    float* sumsOfBlock = partial + (int64_t(blockIdx.z) * blocks + block) * s.groups * group;
    __shared__ float ofWarps[threads / 32][group];
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group] = {};
#pragma unroll 1
        for (int c = 0; c < s.channels; ++c) {
            Inputs in;
            load(in, image + c * s.depth * s.height * s.width, cellZ, cellY, cellX, s);
            convolve(in, taps + (g * s.channels + c) * window * group, out);
        }
        // Max pool of each cell, then the sum over the block.
        if (g > 0) __syncthreads(); // the group before has been stored
#pragma unroll
        for (int f = 0; f < group; ++f) {
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < column; ++n) {
                float most = out[n][0][f];
#pragma unroll
                for (int p = 1; p < 8; ++p)
                    most = fmaxf(most, out[n][p][f]);
                sum += inside && cellZ + n < s.cellsZ ? most : 0.0f;
            }
#pragma unroll
            for (int step = 16; step > 0; step /= 2)
                sum += __shfl_xor_sync(0xffffffffu, sum, step);
            if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32][f] = sum;
        }
        __syncthreads();
        if (threadIdx.x < group) {
            float sum = 0.0f;
            for (int w = 0; w < threads / 32; ++w)
                sum += ofWarps[w][threadIdx.x];
            sumsOfBlock[g * group + threadIdx.x] = sum;
        }
    }
}

/// Adds up the blocks' sums in their order; mean, bias and clamp: one warp for each image and filter.
__global__ void finish(const float* partial, const float* bias, float scale, float* y, int blocks, Shape s) {
    const int filter = blockIdx.y * blockDim.y + threadIdx.y, image = blockIdx.x;
    if (filter >= s.filters) return;
    float sum = 0.0f;
    for (int b = threadIdx.x; b < blocks; b += 32)
        sum += partial[(int64_t(image) * blocks + b) * s.groups * group + filter];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    const float mean = sum / (float(s.cellsZ) * s.cellsY * s.cellsX) + bias[filter] * scale;
    if (threadIdx.x == 0) y[image * s.filters + filter] = fminf(fmaxf(mean, 0.0f), 1.0f);
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, double scale, int64_t maxpoolKernelSize,
                      torch::Tensor weight, torch::Tensor bias) {
    TORCH_CHECK(x.is_cuda() && weight.is_cuda() && bias.is_cuda(), "all tensors must be CUDA tensors");
    TORCH_CHECK(x.scalar_type() == torch::kFloat32 && weight.scalar_type() == torch::kFloat32 &&
                    bias.scalar_type() == torch::kFloat32,
                "all tensors must be float32");
    TORCH_CHECK(stride == 2 && padding == 1 && maxpoolKernelSize == 2, "only stride 2, padding 1, pool 2");
    TORCH_CHECK(x.dim() == 5 && weight.dim() == 5 && x.size(1) == weight.size(0) && weight.size(2) == 3 &&
                    weight.size(3) == 3 && weight.size(4) == 3,
                "x must be [B, C, D, H, W] and weight [C, O, 3, 3, 3]");
    x = x.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = weight.size(1);
    s.groups = (s.filters + group - 1) / group;
    s.depth = x.size(2);
    s.height = x.size(3);
    s.width = x.size(4);
    s.cellsZ = (2 * s.depth - 1) / 2;
    s.cellsY = (2 * s.height - 1) / 2;
    s.cellsX = (2 * s.width - 1) / 2;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the pooled output is empty");
    const int packed = s.groups * s.channels * window * group;
    TORCH_CHECK(packed <= mostTaps, "too many weights for constant memory");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, taps) == cudaSuccess, "no constant memory");
    pack<<<(packed + 255) / 256, 256>>>(weight.data_ptr<float>(), float(scale), static_cast<float*>(to), s);
    const dim3 grid((s.cellsY * s.cellsX + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    const int blocks = grid.x * grid.y;
    auto partial = torch::empty({s.batch, blocks, s.groups * group}, x.options());
    auto y = torch::empty({s.batch, s.filters, 1, 1, 1}, x.options());
    cellSums<<<grid, threads>>>(x.data_ptr<float>(), partial.data_ptr<float>(), s);
    finish<<<dim3(s.batch, (s.filters + 7) / 8), dim3(32, 8)>>>(partial.data_ptr<float>(), bias.data_ptr<float>(),
                                                               float(scale), y.data_ptr<float>(), blocks, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d Multiply MaxPool GlobalAvgPool Clamp (columns)");
}
