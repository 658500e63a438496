// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/6 6_Conv3d_Softmax_MaxPool_MaxPool
// Name:    columns
// Parent:  none
// Idea:    Outputs side by side share their inputs. A thread makes a column of cells for a group of filters, all in
//          registers: a weight is read once for the column, an input once for the group. What follows the convolution
//          happens before anything is stored.
// Rewrite: two pools are one
// Look at: Two pools in a row are one, and the softmax over channels happens before the pools in registers.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   conv3d.products[o0 < 128, o1 < 16, o2 < 14, o3 < 30, o4 < 30] = sum over r0 < 3, r1 < 3, r2 < 3, r3 < 3 of x[o0,
//     r0, o2 + r1, o3 + r2, o4 + r3] * conv_weight[o1, r0, r1, r2, r3]
//   conv3d[o0 < 128, o1 < 16, o2 < 14, o3 < 30, o4 < 30] = conv3d.products[o0, o1, o2, o3, o4] + conv_bias[o1]
//   softmax.max[o0 < 128, o1 < 1, o2 < 14, o3 < 30, o4 < 30] = max over r0 < 16 of conv3d[o0, r0, o2, o3, o4]
//   softmax.exp[o0 < 128, o1 < 16, o2 < 14, o3 < 30, o4 < 30] = exp(conv3d[o0, o1, o2, o3, o4] - softmax.max[o0, 0, o2,
//     o3, o4])
//   softmax.sum[o0 < 128, o1 < 1, o2 < 14, o3 < 30, o4 < 30] = sum over r0 < 16 of softmax.exp[o0, r0, o2, o3, o4]
//   softmax[o0 < 128, o1 < 16, o2 < 14, o3 < 30, o4 < 30] = softmax.exp[o0, o1, o2, o3, o4] / softmax.sum[o0, 0, o2,
//     o3, o4]
//   max_pool3d[o0 < 128, o1 < 16, o2 < 7, o3 < 15, o4 < 15] = max over r0 < 2, r1 < 2, r2 < 2 of softmax[o0, o1, 2*o2 +
//     r0, 2*o3 + r1, 2*o4 + r2]
//   max_pool3d_1[o0 < 128, o1 < 16, o2 < 3, o3 < 7, o4 < 7] = max over r0 < 2, r1 < 2, r2 < 2 of max_pool3d[o0, o1,
//     2*o2 + r0, 2*o3 + r1, 2*o4 + r2]
#include <torch/extension.h>

constexpr int group = 16;          // the most filters: all are made together
constexpr int column = 4;          // cells of a window along the slowest axis: a thread's
constexpr int windows = 8;         // tune: 2, 4, 7, 8, 10, 14 # windows of a block, side by side
constexpr int blocksPerSm = 4;     // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int mostWeights = 16000; // of constant memory

constexpr int kernelZ = 3, cellZ = 1, advanceZ = 1, firstZ = 0, spanZ = 3;
constexpr int kernelY = 3, cellY = 1, advanceY = 1, firstY = 0, spanY = 3;
constexpr int kernelX = 3, cellX = 1, advanceX = 1, firstX = 0, spanX = 3;
constexpr int repeatZ = 4, repeatY = 4, repeatX = 4; // cells of a window
constexpr int threads = windows * repeatY * repeatX;
constexpr int window = 27; // weights for each filter and channel
constexpr int parts = 1;   // outputs of a cell that a thread keeps apart

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int inZ, inY, inX;
    int outZ, outY, outX;
    int cellsZ, cellsY, cellsX;
    int windowsZ, windowsY, windowsX;
};

/// Weights as pack orders them. They are the same for a whole warp.
__constant__ float weights[mostWeights];

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
__host__ __device__ constexpr int offsetZ(int part, int k) {
    return part + k;
}
__host__ __device__ constexpr int offsetY(int part, int k) {
    return part + k;
}
__host__ __device__ constexpr int offsetX(int part, int k) {
    return part + k;
}

/// Orders the weights by group of filters, input channel, tap and filter, 0 beyond the filters.
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int tap = i / group % window, c = i / (group * window) % s.channels;
    const int g = i / (group * window * s.channels);
    const int filter = g * group + i % group;
    const int row = filter * s.channels + c;
    to[i] = filter < s.filters ? weight[row * window + tap] : 0.0f;
}

/// The inputs of a thread's column of cells in one channel; those beyond the border are 0.
struct Inputs {
    float at[(column - 1) * advanceZ + spanZ][spanY][spanX];
};

/// Loads the inputs from (z, y, x) on.
__device__ void load(Inputs& in, const float* channel, int z, int y, int x, const Shape& s) {
    const float* origin = channel + (z * s.inY + y) * s.inX + x;
#pragma unroll
    for (int dz = 0; dz < (column - 1) * advanceZ + spanZ; ++dz)
#pragma unroll
        for (int dy = 0; dy < spanY; ++dy)
#pragma unroll
            for (int dx = 0; dx < spanX; ++dx) {
                const bool inside = unsigned(z + dz) < unsigned(s.inZ) && unsigned(y + dy) < unsigned(s.inY) &&
                                    unsigned(x + dx) < unsigned(s.inX);
                in.at[dz][dy][dx] = inside ? origin[(dz * s.inY + dy) * s.inX + dx] : 0.0f;
            }
}

/// Adds one input channel to the outputs of the column.
__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][parts][group]) {
#pragma unroll
    for (int pz = 0; pz < cellZ; ++pz)
#pragma unroll
        for (int kz = 0; kz < kernelZ; ++kz)
#pragma unroll
            for (int py = 0; py < cellY; ++py)
#pragma unroll
                for (int ky = 0; ky < kernelY; ++ky)
#pragma unroll
                    for (int px = 0; px < cellX; ++px)
#pragma unroll
                        for (int kx = 0; kx < kernelX; ++kx) {
                            const int dz = offsetZ(pz, kz), dy = offsetY(py, ky), dx = offsetX(px, kx);
                            const int part = (pz * cellY + py) * cellX + px, k = (kz * kernelY + ky) * kernelX + kx;
#pragma unroll
                            for (int f = 0; f < group; ++f)
#pragma unroll
                                for (int n = 0; n < column; ++n)
                                    out[n][part][f] =
                                        fmaf(in.at[n * advanceZ + dz][dy][dx], tap[k * group + f], out[n][part][f]);
                        }
}

/// What the formulas after the convolution read.
struct Parameters {
    const float* conv_bias;
};

/// What follows, for all filters of a place together; the results take the values' places.
__device__ void across(float (&values)[group], int filters, const Parameters& p) {
    float softmax_max = -INFINITY;
#pragma unroll
    for (int filter = 0; filter < group; ++filter) {
        if (filter >= filters) break;
        const float v = values[filter];
        const float conv_bias = __ldg(p.conv_bias + filter);
        const float conv3d = v + conv_bias;
        values[filter] = conv3d;
        softmax_max = fmaxf(softmax_max, conv3d);
    }
    float softmax_sum = 0.0f;
#pragma unroll
    for (int filter = 0; filter < group; ++filter) {
        if (filter >= filters) break;
        const float v = values[filter];
        const float softmax_exp = expf(v - softmax_max);
        values[filter] = softmax_exp;
        softmax_sum += softmax_exp;
    }
#pragma unroll
    for (int filter = 0; filter < group; ++filter) {
        if (filter >= filters) break;
        const float v = values[filter];
        values[filter] = v / softmax_sum;
    }
}

/// A thread makes a column of a window's cells; what threads have found of one window meets in shared memory.
__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, float* output, Parameters p, Shape s) {
    __shared__ float ofThreads[group][threads];
    const float* image = input + int64_t(blockIdx.z) * s.channels * (s.inZ * s.inY * s.inX);
    const int firstWindow = blockIdx.x * windows; // in its plane, like `of`
    const int line = threadIdx.x / (windows * repeatX), own = threadIdx.x % (windows * repeatX) / repeatX;
    const int of = min(firstWindow + own, s.windowsY * s.windowsX - 1);
    const int z = blockIdx.y * repeatZ, y = of / s.windowsX * repeatY + line;
    const int x = of % s.windowsX * repeatX + threadIdx.x % repeatX; // this thread's first cell
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][parts][group] = {};
#pragma unroll 1
        for (int c = 0; c < s.channels; ++c) {
            Inputs in;
            load(in, image + int64_t(c) * (s.inZ * s.inY * s.inX), z * advanceZ + firstZ, y * advanceY + firstY,
                 x * advanceX + firstX, s);
            convolve(in, weights + (g * s.channels + c) * window * group, out);
        }
        if (g > 0) __syncthreads(); // the group before has been used
        float pooled[group];
#pragma unroll
        for (int f = 0; f < group; ++f)
            pooled[f] = -INFINITY;
#pragma unroll
        for (int n = 0; n < column; ++n)
#pragma unroll
            for (int part = 0; part < parts; ++part) {
                float values[group];
#pragma unroll
                for (int f = 0; f < group; ++f)
                    values[f] = out[n][part][f];
                across(values, s.filters, p);
#pragma unroll
                for (int f = 0; f < group; ++f)
                    pooled[f] = fmaxf(pooled[f], values[f]);
            }
#pragma unroll
        for (int f = 0; f < group; ++f)
            ofThreads[f][threadIdx.x] = pooled[f];
        __syncthreads();
        for (int i = threadIdx.x; i < windows * group; i += threads) {
            const int w = i % windows, f = i / windows, filter = g * group + f;
            if (filter >= s.filters || firstWindow + w >= s.windowsY * s.windowsX) continue;
            float pooled = -INFINITY;
#pragma unroll
            for (int dy = 0; dy < repeatY; ++dy)
#pragma unroll
                for (int dx = 0; dx < repeatX; ++dx) {
                    const float v = ofThreads[f][(dy * windows + w) * repeatX + dx];
                    pooled = fmaxf(pooled, v);
                }
            const int64_t unit = int64_t(blockIdx.z) * s.filters + filter;
            const int place = blockIdx.y * (s.windowsY * s.windowsX) + firstWindow + w;
            output[unit * (s.windowsZ * s.windowsY * s.windowsX) + place] = pooled;
        }
    }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor conv_weight, torch::Tensor conv_bias) {
    for (const auto& t : {x, conv_weight, conv_bias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(x.dim() == 5 && conv_weight.dim() == 5 && x.size(1) == conv_weight.size(1) &&
                    conv_weight.size(2) == kernelZ && conv_weight.size(3) == kernelY && conv_weight.size(4) == kernelX,
                "these are not the convolution's shapes");
    x = x.contiguous();
    conv_weight = conv_weight.contiguous();
    conv_bias = conv_bias.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = conv_weight.size(0);
    s.groups = (s.filters + group - 1) / group;
    TORCH_CHECK(s.filters <= group, "more filters than this file keeps in registers");
    s.inZ = x.size(2);
    s.outZ = s.inZ - 2;
    s.cellsZ = s.outZ / cellZ;
    s.windowsZ = s.cellsZ / repeatZ;
    s.inY = x.size(3);
    s.outY = s.inY - 2;
    s.cellsY = s.outY / cellY;
    s.windowsY = s.cellsY / repeatY;
    s.inX = x.size(4);
    s.outX = s.inX - 2;
    s.cellsX = s.outX / cellX;
    s.windowsX = s.cellsX / repeatX;
    TORCH_CHECK(s.batch > 0 && s.windowsZ > 0 && s.windowsY > 0 && s.windowsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    TORCH_CHECK(count <= mostWeights, "too many weights for constant memory");
    void* constant = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&constant, weights) == cudaSuccess, "no constant memory");
    pack<<<(count + 127) / 128, 128>>>(conv_weight.data_ptr<float>(), static_cast<float*>(constant), s);
    const dim3 grid((s.windowsY * s.windowsX + windows - 1) / windows, s.windowsZ, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    const Parameters p{conv_bias.data_ptr<float>()};
    auto output = torch::empty({s.batch, s.filters, s.windowsZ, s.windowsY, s.windowsX}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), output.data_ptr<float>(), p, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "6_Conv3d_Softmax_MaxPool_MaxPool (columns)");
}
