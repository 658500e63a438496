// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/96 96_ConvTranspose3d_Multiply_Max_GlobalAvgPool_Clamp
// Name:    cells
// Parent:  none
// Idea:    A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2
//          inputs: 27 of the 64 pairs of an input and an output have a tap. A thread makes one cell after
//          another for a group of filters, all eight outputs in registers, so that the max pool is seven
//          comparisons and nothing but the sums over space leave the block. The weights are operands from
//          constant memory at addresses that are known when the kernel is compiled.
// Rewrites: scale folded into weights and bias; bias moved past the maximum; mean as sums of blocks, then of sums.
#include <torch/extension.h>

constexpr int channels = 3; // most input channels
constexpr int group = 8;    // tune: 4, 8, 16; filters at a time
constexpr int groups = 2;   // group * groups is the most filters
constexpr int threads = 256; // tune: 128, 256
constexpr int deep = 4;     // tune: 1, 2, 4, 8; cells that a thread makes along the depth
constexpr int window = 27;
constexpr int filtersMost = group * groups;
static_assert(filtersMost == 16);

/// x is [batch, channels, depth, height, width]; cells are those of the pooled output.
struct Shape {
    int batch, channels, filters, depth, height, width, cellsZ, cellsY, cellsX;
};

/// Weights by group, input channel, tap and filter, zero beyond the extents, then the biases.
struct Packed {
    float tap[groups][channels][window][group];
    float bias[groups][group];
};
__constant__ Packed packed;

/// Scales weights and bias and brings them into the order of Packed.
__global__ void pack(const float* weight, const float* bias, float scale, Packed* to, Shape s) {
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < filtersMost * channels * window; i += gridDim.x * blockDim.x) {
        const int f = i % group, k = i / group % window, c = i / (group * window) % channels, g = i / (group * window * channels);
        const int filter = g * group + f;
        const bool inside = filter < s.filters && c < s.channels;
        to->tap[g][c][k][f] = inside ? weight[(c * s.filters + filter) * window + k] * scale : 0.0f;
        if (i < filtersMost) to->bias[i / group][i % group] = i < s.filters ? bias[i] * scale : 0.0f;
    }
}

/// The eight inputs of a cell, by input channel; those beyond the border are 0.
struct Inputs {
    float at[channels][2][2][2];
};

/// Loads the plane z of the inputs into the place `slot`.
__device__ void loadPlane(Inputs& in, int slot, const float* image, int z, int y, int x, const Shape& s) {
    const int plane = s.height * s.width;
#pragma unroll
    for (int c = 0; c < channels; ++c)
#pragma unroll
        for (int dy = 0; dy < 2; ++dy)
#pragma unroll
            for (int dx = 0; dx < 2; ++dx) {
                const bool inside = c < s.channels && z < s.depth && y + dy < s.height && x + dx < s.width;
                in.at[c][slot][dy][dx] = inside ? image[(c * s.depth + z) * plane + (y + dy) * s.width + x + dx] : 0.0f;
            }
}

/// The position in the kernel of the tap from input offset d to output parity p.
__host__ __device__ constexpr int tapOf(int p, int d) { return p == 0 ? 1 : d == 0 ? 2 : 0; }

/// The eight outputs of a cell for the filters of group g, without bias.
template <int g> __device__ void convolve(const Inputs& in, float (&out)[8][group]) {
#pragma unroll
    for (int p = 0; p < 8; ++p)
#pragma unroll
        for (int f = 0; f < group; ++f)
            out[p][f] = 0.0f;
#pragma unroll
    for (int c = 0; c < channels; ++c)
#pragma unroll
        for (int p = 0; p < 8; ++p)
#pragma unroll
            for (int d = 0; d < 8; ++d) {
                if (d & ~p) continue; // no tap joins them
                const int k = (tapOf(p >> 2, d >> 2) * 3 + tapOf(p >> 1 & 1, d >> 1 & 1)) * 3 + tapOf(p & 1, d & 1);
#pragma unroll
                for (int f = 0; f < group; ++f)
                    out[p][f] = fmaf(in.at[c][d >> 2][d >> 1 & 1][d & 1], packed.tap[g][c][k][f], out[p][f]);
            }
}

/// Adds the pooled cell of each filter of group g, and of those after it, to its sum.
template <int g> __device__ void poolInto(const Inputs& in, float (&sums)[filtersMost], bool counts) {
    float out[8][group];
    convolve<g>(in, out);
#pragma unroll
    for (int f = 0; f < group; ++f) {
        float most = out[0][f];
#pragma unroll
        for (int p = 1; p < 8; ++p)
            most = fmaxf(most, out[p][f]);
        sums[g * group + f] += counts ? most + packed.bias[g][f] : 0.0f;
    }
    if constexpr (g + 1 < groups) poolInto<g + 1>(in, sums, counts);
}

/// Sums of blocks: partial[image][block of the image][filter].
__global__ void __launch_bounds__(threads, 2) cellSums(const float* x, float* partial, Shape s) {
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int place = blockIdx.x * threads + threadIdx.x;
    const bool inside = place < s.cellsY * s.cellsX;
    const int y = place / s.cellsX, xx = place % s.cellsX;
    const int firstZ = blockIdx.y * deep;
    float sums[filtersMost] = {};
    Inputs in;
    loadPlane(in, 0, image, firstZ, y, xx, s);
    for (int z = firstZ; z < min(firstZ + deep, s.cellsZ); ++z) {
        loadPlane(in, 1, image, z + 1, y, xx, s);
        poolInto<0>(in, sums, inside);
#pragma unroll
        for (int c = 0; c < channels; ++c)
#pragma unroll
            for (int d = 0; d < 4; ++d)
                in.at[c][0][d >> 1][d & 1] = in.at[c][1][d >> 1][d & 1];
    }
    __shared__ float ofWarps[threads / 32][filtersMost];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
#pragma unroll
    for (int f = 0; f < filtersMost; ++f) {
        float v = sums[f];
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            v += __shfl_xor_sync(0xffffffffu, v, step);
        if (lane == 0) ofWarps[warp][f] = v;
    }
    __syncthreads();
    if (threadIdx.x < filtersMost) {
        float v = 0.0f;
        for (int w = 0; w < threads / 32; ++w)
            v += ofWarps[w][threadIdx.x];
        const int block = blockIdx.y * gridDim.x + blockIdx.x, blocks = gridDim.x * gridDim.y;
        partial[(int64_t(blockIdx.z) * blocks + block) * filtersMost + threadIdx.x] = v;
    }
}

/// Adds up the blocks' sums in their order, divides and clamps: one warp for each image and filter.
__global__ void finish(const float* partial, float* y, int blocks, Shape s) {
    const int filter = threadIdx.y, image = blockIdx.x;
    if (filter >= s.filters) return;
    float v = 0.0f;
    for (int b = threadIdx.x; b < blocks; b += 32)
        v += partial[(int64_t(image) * blocks + b) * filtersMost + filter];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    if (threadIdx.x == 0)
        y[image * s.filters + filter] = fminf(fmaxf(v / (float(s.cellsZ) * s.cellsY * s.cellsX), 0.0f), 1.0f);
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
    TORCH_CHECK(x.size(1) <= channels && weight.size(1) <= filtersMost, "too many channels or filters");
    x = x.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = weight.size(1);
    s.depth = x.size(2);
    s.height = x.size(3);
    s.width = x.size(4);
    s.cellsZ = (2 * s.depth - 1) / 2;
    s.cellsY = (2 * s.height - 1) / 2;
    s.cellsX = (2 * s.width - 1) / 2;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the pooled output is empty");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, packed) == cudaSuccess, "no constant memory");
    pack<<<6, 256>>>(weight.data_ptr<float>(), bias.data_ptr<float>(), float(scale), static_cast<Packed*>(to), s);
    const dim3 grid((s.cellsY * s.cellsX + threads - 1) / threads, (s.cellsZ + deep - 1) / deep, s.batch);
    auto partial = torch::empty({s.batch, int64_t(grid.x) * grid.y, filtersMost}, x.options());
    auto y = torch::empty({s.batch, s.filters, 1, 1, 1}, x.options());
    cellSums<<<grid, threads>>>(x.data_ptr<float>(), partial.data_ptr<float>(), s);
    finish<<<s.batch, dim3(32, filtersMost)>>>(partial.data_ptr<float>(), y.data_ptr<float>(), int(grid.x * grid.y), s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d Multiply MaxPool GlobalAvgPool Clamp (cells)");
}
