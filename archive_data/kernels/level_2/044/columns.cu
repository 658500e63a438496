// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/44 44_ConvTranspose2d_Multiply_GlobalAvgPool_GlobalAvgPool_Mean
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a column
//          of cells for a group of filters, all in registers: a weight is read once for the column, an input once for
//          the group. What follows the convolution happens before anything is stored.
// Look at: The sums over the image end in one number for each image and filter: nothing of the convolution is stored.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   conv_transpose2d.products[o0 < 128, o1 < 16, o2 < 64, o3 < 64] = sum over r0 < 3, r1 < 3, r2 < 3 of x[o0, r0, (o2 -
//     r1 + 1) / 2, (o3 - r2 + 1) / 2] * conv_transpose[r0, o1, r1, r2]
//   conv_transpose2d[o0 < 128, o1 < 16, o2 < 64, o3 < 64] = conv_transpose2d.products[o0, o1, o2, o3] +
//     conv_transpose_bias[o1]
//   mul[o0 < 128, o1 < 16, o2 < 64, o3 < 64] = conv_transpose2d[o0, o1, o2, o3] * 0.5
//   mean[o0 < 128, o1 < 16, o2 < 1, o3 < 1] = sum over r0 < 64, r1 < 64 of 0.0002441406 * mul[o0, o1, r0, r1]
//   mean_1[o0 < 128, o1 < 16, o2 < 1, o3 < 1] = sum over r0 < 1, r1 < 1 of 1 * mean[o0, o1, 0, 0]
//   mean_2[] = sum over r0 < 128, r1 < 16, r2 < 1, r3 < 1 of 0.0004882812 * mean_1[r0, r1, 0, 0]
#include <torch/extension.h>

constexpr int group = 8;           // tune: 2, 4, 8, 16 # filters that a thread makes at a time
constexpr int column = 2;          // tune: 1, 2, 3, 4, 5, 6, 8 # cells of a thread along the slowest axis
constexpr int threads = 128;       // tune: 64, 128, 256
constexpr int blocksPerSm = 4;     // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int mostWeights = 16000; // of constant memory

constexpr int kernelY = 3, cellY = 2, advanceY = 1, firstY = 0, spanY = 2;
constexpr int kernelX = 3, cellX = 2, advanceX = 1, firstX = 0, spanX = 2;
constexpr int window = 9; // weights for each filter and channel
constexpr int parts = 4;  // outputs of a cell that a thread keeps apart

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int inY, inX;
    int outY, outX;
    int cellsY, cellsX;
};

/// Weights as pack orders them. They are the same for a whole warp.
__constant__ float weights[mostWeights];

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
__host__ __device__ constexpr int offsetY(int part, int k) {
    return (part - k + 1) % 2 ? -1 : (part - k + 1) / 2;
}
__host__ __device__ constexpr int offsetX(int part, int k) {
    return (part - k + 1) % 2 ? -1 : (part - k + 1) / 2;
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
                    for (int f = 0; f < group; ++f)
#pragma unroll
                        for (int n = 0; n < column; ++n)
                            out[n][part][f] = fmaf(in.at[n * advanceY + dy][dx], tap[k * group + f], out[n][part][f]);
                }
}

/// What the formulas after the convolution read.
struct Parameters {
    const float* conv_transpose_bias;
};

/// What follows the convolution, for one output.
__device__ float finish(float v, int filter, const Parameters& p) {
    const float conv_transpose_bias = __ldg(p.conv_transpose_bias + filter);
    const float conv_transpose2d = v + conv_transpose_bias;
    return conv_transpose2d * 0.5f;
}

/// What follows, for all filters of a place together: rows[filter * stride] are their values, output[filter * apart]
/// the results.
__device__ void finish(float* rows, int64_t stride, float* output, int64_t apart, int filters, const Parameters& p) {
    float mean_2 = 0.0f;
    for (int filter = 0; filter < filters; ++filter) {
        const float v = rows[filter * stride];
        mean_2 += v;
    }
    mean_2 /= float(filters);
    *output = mean_2;
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, float* output, Parameters p, Shape s) {
    __shared__ float ofWarps[threads / 32][group];
    const float* image = input + int64_t(blockIdx.z) * s.channels * (s.inY * s.inX);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int y = thread / s.cellsX * column, x = thread % s.cellsX; // this thread's first cell
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][parts][group] = {};
#pragma unroll 1
        for (int c = 0; c < s.channels; ++c) {
            Inputs in;
            load(in, image + int64_t(c) * (s.inY * s.inX), y * advanceY + firstY, x * advanceX + firstX, s);
            convolve(in, weights + (g * s.channels + c) * window * group, out);
        }
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int py = 0; py < cellY; ++py)
#pragma unroll
                    for (int px = 0; px < cellX; ++px) {
                        const int part = py * cellX + px;
                        const float value = finish(out[n][part][f], filter, p);
                        const int ofY = (y + n) * cellY + py, ofX = x * cellX + px;
                        if (ofY >= s.outY || ofX >= s.outX) continue;
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
    extern __shared__ float rows[];
    for (int filter = threadIdx.x / 32; filter < s.filters; filter += summaryThreads / 32) {
        float sum = 0.0f;
        for (int b = threadIdx.x % 32; b < blocks; b += 32)
            sum += sums[(int64_t(blockIdx.x) * blocks + b) * s.groups * group + filter];
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (threadIdx.x % 32 == 0) rows[filter] = sum / (1.0f * s.outY * s.outX);
    }
    __syncthreads();
    if (threadIdx.x == 0) finish(rows, 1, output + blockIdx.x, 1, s.filters, p);
}

/// Adds up what images have come to: one warp.
__global__ void total(const float* ofImages, float* output, int images) {
    float sum = 0.0f;
    for (int i = threadIdx.x; i < images; i += 32)
        sum += ofImages[i];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    if (threadIdx.x == 0) *output = sum / float(images);
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t output_padding,
                      torch::Tensor conv_transpose, torch::Tensor conv_transpose_bias, double multiplier) {
    for (const auto& t : {x, conv_transpose, conv_transpose_bias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && output_padding == 1 && multiplier == 0.5,
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
    s.cellsY = (s.outY + cellY - 1) / cellY;
    s.inX = x.size(3);
    s.outX = 2 * (s.inX - 1) + 2;
    s.cellsX = (s.outX + cellX - 1) / cellX;
    TORCH_CHECK(s.batch > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    TORCH_CHECK(count <= mostWeights, "too many weights for constant memory");
    void* constant = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&constant, weights) == cudaSuccess, "no constant memory");
    pack<<<(count + 127) / 128, 128>>>(conv_transpose.data_ptr<float>(), static_cast<float*>(constant), s);
    const int places = s.cellsX * ((s.cellsY + column - 1) / column); // of a thread each
    const dim3 grid((places + threads - 1) / threads, 1, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    const Parameters p{conv_transpose_bias.data_ptr<float>()};
    const int blocks = int(grid.x * grid.y); // of an image
    auto sums = torch::empty({s.batch, blocks, s.groups * group}, x.options());
    auto ofImages = torch::empty({s.batch}, x.options());
    auto output = torch::empty({}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), sums.data_ptr<float>(), p, s);
    TORCH_CHECK(s.filters <= 12288, "too many filters for shared memory");
    const float* from = sums.data_ptr<float>();
    float* to = ofImages.data_ptr<float>();
    summary<<<s.batch, summaryThreads, s.filters * sizeof(float)>>>(from, to, blocks, p, s);
    total<<<1, 32>>>(to, output.data_ptr<float>(), s.batch);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "44_ConvTranspose2d_Multiply_GlobalAvgPool_GlobalAvgPool_Mean (columns)");
}
