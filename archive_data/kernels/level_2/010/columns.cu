// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/10 10_ConvTranspose2d_MaxPool_Hardtanh_Mean_Tanh
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a column
//          of cells for a group of filters, all in registers: a weight is read once for the column, an input once for
//          the group. What follows the convolution happens before anything is stored.
// Rewrite: rising maps moved past the maximum
// Look at: The mean over the image, which a thread's cells begin and one number for each filter ends.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   conv_transpose2d.products[o0 < 128, o1 < 64, o2 < 32, o3 < 32] = sum over r0 < 32, r1 < 4, r2 < 4 of x[o0, r0, (o2
//     - r1 + 1) / 2, (o3 - r2 + 1) / 2] * conv_transpose[r0, o1, r1, r2]
//   conv_transpose2d[o0 < 128, o1 < 64, o2 < 32, o3 < 32] = conv_transpose2d.products[o0, o1, o2, o3] +
//     conv_transpose_bias[o1]
//   max_pool2d[o0 < 128, o1 < 64, o2 < 16, o3 < 16] = max over r0 < 2, r1 < 2 of conv_transpose2d[o0, o1, 2*o2 + r0,
//     2*o3 + r1]
//   hardtanh[o0 < 128, o1 < 64, o2 < 16, o3 < 16] = clamp(max_pool2d[o0, o1, o2, o3], -1, 1)
//   mean[o0 < 128, o1 < 64, o2 < 1, o3 < 1] = sum over r0 < 16, r1 < 16 of 0.00390625 * hardtanh[o0, o1, r0, r1]
//   tanh[o0 < 128, o1 < 64, o2 < 1, o3 < 1] = tanh(mean[o0, o1, 0, 0])
#include <torch/extension.h>

constexpr int group = 8;            // tune: 4, 8, 16 # filters that a thread makes at a time
constexpr int column = 2;           // tune: 1, 2, 3, 4, 5, 6, 8 # cells of a thread along the slowest axis
constexpr int threads = 128;        // tune: 64, 128, 256
constexpr int blocksPerSm = 4;      // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int channelsAtATime = 32; // whose weights are in shared memory together

constexpr int kernelY = 4, cellY = 2, advanceY = 1, firstY = -1, spanY = 3;
constexpr int kernelX = 4, cellX = 2, advanceX = 1, firstX = -1, spanX = 3;
constexpr int window = 16; // weights for each filter and channel
constexpr int parts = 4;   // outputs of a cell that a thread keeps apart
static_assert(group % 4 == 0, "weights are read four at a time");

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int inY, inX;
    int outY, outX;
    int cellsY, cellsX;
};

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
__host__ __device__ constexpr int offsetY(int part, int k) {
    return (part - k + 3) % 2 ? -1 : (part - k + 3) / 2;
}
__host__ __device__ constexpr int offsetX(int part, int k) {
    return (part - k + 3) % 2 ? -1 : (part - k + 3) / 2;
}

/// Orders the weights by group of filters, input channel, tap and filter, 0 beyond the filters.
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int tap = i / group % window, c = i / (group * window) % s.channels;
    const int g = i / (group * window * s.channels);
    const int filter = g * group + i % group;
    const int row = c * s.filters + filter;
    to[i] = filter < s.filters ? weight[row * window + tap] : 0.0f;
}

/// The inputs of a thread's column of cells in one channel; those beyond the border are 0.
struct Inputs {
    float at[(column - 1) * advanceY + spanY][spanX];
};

/// Loads the inputs from (y, x) on.
__device__ void load(Inputs& in, const float* channel, int y, int x, const Shape& s) {
    const float* origin = channel + y * s.inX + x;
#pragma unroll
    for (int dy = 0; dy < (column - 1) * advanceY + spanY; ++dy)
#pragma unroll
        for (int dx = 0; dx < spanX; ++dx) {
            const bool inside = unsigned(y + dy) < unsigned(s.inY) && unsigned(x + dx) < unsigned(s.inX);
            in.at[dy][dx] = inside ? origin[dy * s.inX + dx] : 0.0f;
        }
}

/// Adds one input channel to the outputs of the column.
__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][parts][group]) {
#pragma unroll
    for (int py = 0; py < cellY; ++py)
#pragma unroll
        for (int ky = 0; ky < kernelY; ++ky)
#pragma unroll
            for (int px = 0; px < cellX; ++px)
#pragma unroll
                for (int kx = 0; kx < kernelX; ++kx) {
                    const int dy = offsetY(py, ky), dx = offsetX(px, kx);
                    if (dy < 0 || dx < 0) continue; // no tap joins them
                    const int part = py * cellX + px, k = ky * kernelX + kx;
#pragma unroll
                    for (int f = 0; f < group; f += 4) {
                        const float4 w = *reinterpret_cast<const float4*>(tap + k * group + f);
#pragma unroll
                        for (int n = 0; n < column; ++n) {
                            const float v = in.at[n * advanceY + dy][dx];
                            float* sums = &out[n][part][f];
                            sums[0] = fmaf(v, w.x, sums[0]);
                            sums[1] = fmaf(v, w.y, sums[1]);
                            sums[2] = fmaf(v, w.z, sums[2]);
                            sums[3] = fmaf(v, w.w, sums[3]);
                        }
                    }
                }
}

/// What the formulas after the convolution read.
struct Parameters {
    const float* conv_transpose_bias;
};

/// What follows the pool.
__device__ float finish(float v, int filter, const Parameters& p) {
    const float conv_transpose_bias = __ldg(p.conv_transpose_bias + filter);
    const float conv_transpose2d = v + conv_transpose_bias;
    return fminf(fmaxf(conv_transpose2d, -1.0f), 1.0f);
}

/// What follows the sum over space, for an image and a filter.
__device__ float summarise(float v, int filter, const Parameters& p) {
    return tanhf(v);
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, const float4* packed, float* output, Parameters p, Shape s) {
    __shared__ float4 weights[channelsAtATime * window * group / 4];
    __shared__ float ofWarps[threads / 32][group];
    const float* image = input + int64_t(blockIdx.z) * s.channels * (s.inY * s.inX);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int y = thread / s.cellsX * column, x = thread % s.cellsX; // this thread's first cell
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][parts][group] = {};
#pragma unroll 1
        for (int c = 0; c < s.channels; c += channelsAtATime) {
            const int count = min(channelsAtATime, s.channels - c);
            __syncthreads(); // the weights before have been used
            for (int i = threadIdx.x; i < count * window * group / 4; i += threads)
                weights[i] = packed[(g * s.channels + c) * window * group / 4 + i];
            __syncthreads();
#pragma unroll 1
            for (int k = 0; k < count; ++k) {
                Inputs in;
                load(in, image + int64_t(c + k) * (s.inY * s.inX), y * advanceY + firstY, x * advanceX + firstX, s);
                convolve(in, reinterpret_cast<const float*>(weights) + k * window * group, out);
            }
        }
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < column; ++n) {
                float pooled = out[n][0][f];
#pragma unroll
                for (int part = 1; part < parts; ++part)
                    pooled = fmaxf(pooled, out[n][part][f]);
                const float value = finish(pooled, filter, p);
                const int ofY = y + n, ofX = x;
                if (ofY >= s.cellsY || ofX >= s.cellsX) continue;
                sum += value;
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
            const int64_t block = (int64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
            output[(block * s.groups + g) * group + threadIdx.x] = sum;
        }
        __syncthreads(); // the sums of warps have been read
    }
}

constexpr int summaryThreads = 256;

/// Adds up the sums of an image's blocks, in their order: a block for each image, a warp for each filter.
__global__ void __launch_bounds__(summaryThreads)
    summary(const float* sums, float* output, int blocks, Parameters p, Shape s) {
    for (int filter = threadIdx.x / 32; filter < s.filters; filter += summaryThreads / 32) {
        float sum = 0.0f;
        for (int b = threadIdx.x % 32; b < blocks; b += 32)
            sum += sums[(int64_t(blockIdx.x) * blocks + b) * s.groups * group + filter];
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (threadIdx.x % 32 == 0)
            output[blockIdx.x * s.filters + filter] = summarise(sum / (1.0f * s.cellsY * s.cellsX), filter, p);
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t maxpool_kernel_size,
                      int64_t maxpool_stride, int64_t hardtanh_min, int64_t hardtanh_max, torch::Tensor conv_transpose,
                      torch::Tensor conv_transpose_bias) {
    for (const auto& t : {x, conv_transpose, conv_transpose_bias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && maxpool_kernel_size == 2 && maxpool_stride == 2 && hardtanh_min == -1 &&
                    hardtanh_max == 1,
                "this file is made for other arguments");
    TORCH_CHECK(x.dim() == 4 && conv_transpose.dim() == 4 && x.size(1) == conv_transpose.size(0) &&
                    conv_transpose.size(2) == kernelY && conv_transpose.size(3) == kernelX,
                "these are not the convolution's shapes");
    x = x.contiguous();
    conv_transpose = conv_transpose.contiguous();
    conv_transpose_bias = conv_transpose_bias.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = conv_transpose.size(1);
    s.groups = (s.filters + group - 1) / group;
    s.inY = x.size(2);
    s.outY = 2 * (s.inY - 1) + 2;
    s.cellsY = s.outY / cellY;
    s.inX = x.size(3);
    s.outX = 2 * (s.inX - 1) + 2;
    s.cellsX = s.outX / cellX;
    TORCH_CHECK(s.batch > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    auto packed = torch::empty({count}, x.options());
    pack<<<(count + 127) / 128, 128>>>(conv_transpose.data_ptr<float>(), packed.data_ptr<float>(), s);
    const int places = s.cellsX * ((s.cellsY + column - 1) / column); // of a thread each
    const dim3 grid((places + threads - 1) / threads, 1, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    const Parameters p{conv_transpose_bias.data_ptr<float>()};
    const int blocks = int(grid.x * grid.y); // of an image
    auto sums = torch::empty({s.batch, blocks, s.groups * group}, x.options());
    auto output = torch::empty({s.batch, s.filters, 1, 1}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), reinterpret_cast<const float4*>(packed.data_ptr<float>()),
                             sums.data_ptr<float>(), p, s);
    const float* from = sums.data_ptr<float>();
    float* to = output.data_ptr<float>();
    summary<<<s.batch, summaryThreads>>>(from, to, blocks, p, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "10_ConvTranspose2d_MaxPool_Hardtanh_Mean_Tanh (columns)");
}
