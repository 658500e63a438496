// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/78 78_ConvTranspose3d_Max_Max_Sum
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2
//          inputs: 27 of the 64 pairs of an input and an output have a tap. A thread makes a column of cells
//          along the depth for a group of filters, all outputs in registers; a weight comes from constant
//          memory, is the same for the whole warp and serves the whole column. A column of three cells is the
//          depth of a window of the second pool; its maxima over the other two directions are taken in shared
//          memory, the sum over the filters in registers.
// Look at: The rewrites: two max pools are one of 6; bias moved past the maximum and the sum over filters.
#include <torch/extension.h>

constexpr int group = 4;  // tune: 2, 4, 8, 16 # filters at a time
constexpr int column = 3; // cells along the depth that a thread makes at a time
constexpr int windowsY = 1,
              windowsX = 10; // tune windowsY: 1, 2, 3, 4; windowsX: 2, 3, 5, 10; windows of the second pool in a block
constexpr int threads = windowsY * windowsX * 9;
constexpr int blocksPerSm = 4; // tune: 1, 2, 3, 4, 6, 8
/// x is [batch, channels, depth, height, width]; cells are of 2 x 2 x 2 outputs of the transposed convolution.
struct Shape {
    int batch, channels, filters, groups, depth, height, width, cellsZ, cellsY, cellsX;
    int poolsZ, poolsY, poolsX;
};

constexpr int window = 27;
constexpr int mostTaps = 12288; // 48 KB of constant memory
/// Weights by group, input channel, tap and filter of the group, 0 beyond the filters.
__constant__ float taps[mostTaps];

/// Brings the weights into the order of taps.
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int f = i % group, k = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + f;
    to[i] = filter < s.filters ? weight[(c * s.filters + filter) * window + k] : 0.0f;
}

/// The inputs of a column of cells in one channel; those beyond the border are 0.
struct Inputs {
    float at[column + 1][2][2];
};

__device__ void load(Inputs& in, const float* plane, int z, int y, int x, const Shape& s) {
    const float* from = plane + (z * s.height + y) * s.width + x;
    const bool right = x + 1 < s.width, below = y + 1 < s.height;
#pragma unroll
    for (int dz = 0; dz <= column; ++dz) {
        const bool inside = z + dz < s.depth;
        in.at[dz][0][0] = inside ? from[0] : 0.0f;
        in.at[dz][0][1] = inside && right ? from[1] : 0.0f;
        in.at[dz][1][0] = inside && below ? from[s.width] : 0.0f;
        in.at[dz][1][1] = inside && below && right ? from[s.width + 1] : 0.0f;
        from += s.height * s.width;
    }
}

/// The position in the kernel of the tap from input offset d to output parity p.
__host__ __device__ constexpr int tapOf(int p, int d) {
    return p == 0 ? 1 : d == 0 ? 2 : 0;
}

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

/// All outputs of a column for the filters of group g, added to 0.
__device__ void convolveAll(const float* image, int g, int z, int y, int x, const Shape& s,
                            float (&out)[column][8][group]) {
#pragma unroll
    for (int n = 0; n < column; ++n)
#pragma unroll
        for (int p = 0; p < 8; ++p)
#pragma unroll
            for (int f = 0; f < group; ++f)
                out[n][p][f] = 0.0f;
#pragma unroll 1
    for (int c = 0; c < s.channels; ++c) {
        Inputs in;
        load(in, image + c * s.depth * s.height * s.width, z, y, x, s);
        convolve(in, taps + (g * s.channels + c) * window * group, out);
    }
}

__global__ void __launch_bounds__(threads, blocksPerSm) windows(const float* x, const float* bias, float* y, Shape s) {
    __shared__ float most[group][threads];
    const int tilesX = (s.poolsX + windowsX - 1) / windowsX;
    const int firstY = blockIdx.x / tilesX * windowsY, firstX = blockIdx.x % tilesX * windowsX; // in windows
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int cellY = min(firstY * 3 + int(threadIdx.x) / (windowsX * 3), s.height - 1);
    const int cellX = min(firstX * 3 + int(threadIdx.x) % (windowsX * 3), s.width - 1), cellZ = blockIdx.y * 3;
    const int windowY = threadIdx.x / windowsX, windowX = threadIdx.x % windowsX; // of the thread that finishes one
    float sum = 0.0f;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group];
        convolveAll(image, g, cellZ, cellY, cellX, s, out);
        if (g > 0) __syncthreads(); // the group before has been used
#pragma unroll
        for (int f = 0; f < group; ++f) {
            float v = out[0][0][f];
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int p = 0; p < 8; ++p)
                    v = fmaxf(v, out[n][p][f]);
            most[f][threadIdx.x] = v;
        }
        __syncthreads();
        if (threadIdx.x < windowsY * windowsX)
#pragma unroll
            for (int f = 0; f < group; ++f) {
                const float* corner = &most[f][windowY * 3 * windowsX * 3 + windowX * 3];
                float v = corner[0];
#pragma unroll
                for (int i = 1; i < 9; ++i)
                    v = fmaxf(v, corner[i / 3 * windowsX * 3 + i % 3]);
                if (g * group + f < s.filters) sum += v + bias[g * group + f];
            }
    }
    const int poolY = firstY + windowY, poolX = firstX + windowX;
    if (threadIdx.x < windowsY * windowsX && poolY < s.poolsY && poolX < s.poolsX)
        y[((int64_t(blockIdx.z) * s.poolsZ + blockIdx.y) * s.poolsY + poolY) * s.poolsX + poolX] = sum;
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, torch::Tensor weight, torch::Tensor bias) {
    for (const auto& t : {x, weight, bias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1, "only stride 2, padding 1");
    TORCH_CHECK(x.dim() == 5 && weight.dim() == 5 && x.size(1) == weight.size(0) && weight.size(2) == 3 &&
                    weight.size(3) == 3 && weight.size(4) == 3,
                "x must be [B, C, D, H, W] and weight [C, O, 3, 3, 3]");
    x = x.contiguous();
    weight = weight.contiguous();
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
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int packed = s.groups * s.channels * window * group;
    TORCH_CHECK(packed <= mostTaps, "too many weights for constant memory");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, taps) == cudaSuccess, "no constant memory");
    s.poolsZ = s.cellsZ / 3;
    s.poolsY = s.cellsY / 3;
    s.poolsX = s.cellsX / 3;
    TORCH_CHECK(s.poolsZ > 0 && s.poolsY > 0 && s.poolsX > 0, "the pooled output is empty");
    bias = bias.contiguous();
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(to), s);
    auto y = torch::empty({s.batch, 1, s.poolsZ, s.poolsY, s.poolsX}, x.options());
    const int tiles = (s.poolsY + windowsY - 1) / windowsY * ((s.poolsX + windowsX - 1) / windowsX);
    windows<<<dim3(tiles, s.poolsZ, s.batch), threads>>>(x.data_ptr<float>(), bias.data_ptr<float>(),
                                                         y.data_ptr<float>(), s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d Max Max Sum");
}
