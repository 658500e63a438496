// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/34 34_ConvTranspose3d_LayerNorm_GELU_Scaling
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a column
//          of cells for a group of filters, all in registers: a weight is read once for the column, an input once for
//          the group. What needs more than a thread has is done with the stored values, which costs less than to make
//          them twice.
// Look at: The layer norm is done with stored values in a second kernel: making them twice would cost more than reading
//          them.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   conv_transpose3d.products[o0 < 128, o1 < 64, o2 < 32, o3 < 64, o4 < 64] = sum over r0 < 32, r1 < 4, r2 < 4, r3 < 4
//     of x[o0, r0, (o2 - r1 + 1) / 2, (o3 - r2 + 1) / 2, (o4 - r3 + 1) / 2] * conv_transpose_weight[r0, o1, r1, r2, r3]
//   conv_transpose3d[o0 < 128, o1 < 64, o2 < 32, o3 < 64, o4 < 64] = conv_transpose3d.products[o0, o1, o2, o3, o4] +
//     conv_transpose_bias[o1]
//   layer_norm.mean[o0 < 128, o1 < 64, o2 < 32, o3 < 64, o4 < 1] = sum over r0 < 64 of 0.015625 * conv_transpose3d[o0,
//     o1, o2, o3, r0]
//   layer_norm.squares[o0 < 128, o1 < 64, o2 < 32, o3 < 64, o4 < 1] = sum over r0 < 64 of square(conv_transpose3d[o0,
//     o1, o2, o3, r0] - layer_norm.mean[o0, o1, o2, o3, 0])
//   layer_norm.scale[o0 < 128, o1 < 64, o2 < 32, o3 < 64, o4 < 1] = 1 / sqrt(layer_norm.squares[o0, o1, o2, o3, 0] *
//     0.015625 + 1e-05)
//   layer_norm[o0 < 128, o1 < 64, o2 < 32, o3 < 64, o4 < 64] = (conv_transpose3d[o0, o1, o2, o3, o4] -
//     layer_norm.mean[o0, o1, o2, o3, 0]) * layer_norm.scale[o0, o1, o2, o3, 0] * layer_norm_weight[o4] +
//     layer_norm_bias[o4]
//   gelu[o0 < 128, o1 < 64, o2 < 32, o3 < 64, o4 < 64] = gelu(layer_norm[o0, o1, o2, o3, o4])
//   mul[o0 < 128, o1 < 64, o2 < 32, o3 < 64, o4 < 64] = gelu[o0, o1, o2, o3, o4]
#include <torch/extension.h>

constexpr int group = 4;            // tune: 4, 8, 16 # filters that a thread makes at a time
constexpr int column = 3;           // tune: 1, 2, 3, 4, 5, 6, 8 # cells of a thread along the slowest axis
constexpr int threads = 128;        // tune: 64, 128, 256
constexpr int blocksPerSm = 3;      // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int channelsAtATime = 16; // whose weights are in shared memory together

constexpr int kernelZ = 4, cellZ = 2, advanceZ = 1, firstZ = -1, spanZ = 3;
constexpr int kernelY = 4, cellY = 2, advanceY = 1, firstY = -1, spanY = 3;
constexpr int kernelX = 4, cellX = 2, advanceX = 1, firstX = -1, spanX = 3;
constexpr int window = 64; // weights for each filter and channel
constexpr int parts = 8;   // outputs of a cell that a thread keeps apart
static_assert(group % 4 == 0, "weights are read four at a time");

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int inZ, inY, inX;
    int outZ, outY, outX;
    int cellsZ, cellsY, cellsX;
};

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
__host__ __device__ constexpr int offsetZ(int part, int k) {
    return (part - k + 3) % 2 ? -1 : (part - k + 3) / 2;
}
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
                            if (dz < 0 || dy < 0 || dx < 0) continue; // no tap joins them
                            const int part = (pz * cellY + py) * cellX + px, k = (kz * kernelY + ky) * kernelX + kx;
#pragma unroll
                            for (int f = 0; f < group; f += 4) {
                                const float4 w = *reinterpret_cast<const float4*>(tap + k * group + f);
#pragma unroll
                                for (int n = 0; n < column; ++n) {
                                    const float v = in.at[n * advanceZ + dz][dy][dx];
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
    const float* layer_norm_weight;
    const float* layer_norm_bias;
};

__device__ float gelu(float x) {
    return 0.5f * x * (1.0f + erff(x * 0.707106781f)); // 1 / sqrt(2)
}

/// What follows the convolution, for one output.
__device__ float finish(float v, int filter, const Parameters& p) {
    const float conv_transpose_bias = __ldg(p.conv_transpose_bias + filter);
    return v + conv_transpose_bias;
}

/// The norm and what follows it, for one value of a row.
__device__ float normalised(float v, float2 norm, int filter, int last, const Parameters& p) {
    const float layer_norm_weight = __ldg(p.layer_norm_weight + last);
    const float layer_norm_bias = __ldg(p.layer_norm_bias + last);
    const float layer_norm = (v - norm.x) * norm.y * layer_norm_weight + layer_norm_bias;
    const float gelu_ = gelu(layer_norm);
    return gelu_;
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, const float4* packed, float* output, Parameters p, Shape s) {
    __shared__ float4 weights[channelsAtATime * window * group / 4];
    const float* image = input + int64_t(blockIdx.z) * s.channels * (s.inZ * s.inY * s.inX);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int z = blockIdx.y * column, y = thread / s.cellsX, x = thread % s.cellsX; // this thread's first cell
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
                load(in, image + int64_t(c + k) * (s.inZ * s.inY * s.inX), z * advanceZ + firstZ, y * advanceY + firstY,
                     x * advanceX + firstX, s);
                convolve(in, reinterpret_cast<const float*>(weights) + k * window * group, out);
            }
        }
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
            const int64_t first = (int64_t(blockIdx.z) * s.filters + filter) * (s.outZ * s.outY * s.outX);
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int pz = 0; pz < cellZ; ++pz)
#pragma unroll
                    for (int py = 0; py < cellY; ++py)
#pragma unroll
                        for (int px = 0; px < cellX; ++px) {
                            const int part = (pz * cellY + py) * cellX + px;
                            const float value = finish(out[n][part][f], filter, p);
                            const int ofZ = (z + n) * cellZ + pz, ofY = y * cellY + py, ofX = x * cellX + px;
                            if (ofZ >= s.outZ || ofY >= s.outY || ofX >= s.outX) continue;
                            const int place = (ofZ * s.outY + ofY) * s.outX + ofX;
                            output[first + place] = value;
                        }
        }
    }
}

constexpr int lateThreads = 128; // tune: 64, 128, 256

/// Mean and scale of a row, in every lane of the warp.
__device__ float2 rowNorm(const float* from, int extent) {
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x % 32; i < extent; i += 32)
        sum += from[i];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    const float mean = sum / float(extent);
    for (int i = threadIdx.x % 32; i < extent; i += 32)
        squares = fmaf(from[i] - mean, from[i] - mean, squares);
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        squares += __shfl_xor_sync(0xffffffffu, squares, step);
    return make_float2(mean, rsqrtf(squares / float(extent) + 1e-05f));
}

/// Norms of rows and what follows them: a warp for each row of the result.
__global__ void __launch_bounds__(lateThreads) later(const float* stored, float* output, Parameters p, Shape s) {
    const int64_t row = int64_t(blockIdx.x) * (lateThreads / 32) + threadIdx.x / 32;
    const int64_t rows = int64_t(s.batch) * s.filters * (s.outZ * s.outY);
    if (row >= rows) return;
    const int64_t unit = row / (s.outZ * s.outY); // image and filter
    const int filter = unit % s.filters;
    const float* from = stored + row * s.outX;
    const float2 norm = rowNorm(from, s.outX);
    for (int last = threadIdx.x % 32; last < s.outX; last += 32)
        output[row * s.outX + last] = normalised(from[last], norm, filter, last, p);
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, double eps, double scaling_factor,
                      torch::Tensor conv_transpose_weight, torch::Tensor conv_transpose_bias,
                      torch::Tensor layer_norm_weight, torch::Tensor layer_norm_bias) {
    for (const auto& t : {x, conv_transpose_weight, conv_transpose_bias, layer_norm_weight, layer_norm_bias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && eps == 1e-05 && scaling_factor == 1,
                "this file is made for other arguments");
    TORCH_CHECK(x.dim() == 5 && conv_transpose_weight.dim() == 5 && x.size(1) == conv_transpose_weight.size(0) &&
                    conv_transpose_weight.size(2) == kernelZ && conv_transpose_weight.size(3) == kernelY &&
                    conv_transpose_weight.size(4) == kernelX,
                "these are not the convolution's shapes");
    x = x.contiguous();
    conv_transpose_weight = conv_transpose_weight.contiguous();
    conv_transpose_bias = conv_transpose_bias.contiguous();
    layer_norm_weight = layer_norm_weight.contiguous();
    layer_norm_bias = layer_norm_bias.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = conv_transpose_weight.size(1);
    s.groups = (s.filters + group - 1) / group;
    s.inZ = x.size(2);
    s.outZ = 2 * (s.inZ - 1) + 2;
    s.cellsZ = (s.outZ + cellZ - 1) / cellZ;
    s.inY = x.size(3);
    s.outY = 2 * (s.inY - 1) + 2;
    s.cellsY = (s.outY + cellY - 1) / cellY;
    s.inX = x.size(4);
    s.outX = 2 * (s.inX - 1) + 2;
    s.cellsX = (s.outX + cellX - 1) / cellX;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    auto packed = torch::empty({count}, x.options());
    pack<<<(count + 127) / 128, 128>>>(conv_transpose_weight.data_ptr<float>(), packed.data_ptr<float>(), s);
    const int places = s.cellsX * s.cellsY; // of a thread each
    const dim3 grid((places + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    Parameters p;
    p.conv_transpose_bias = conv_transpose_bias.data_ptr<float>();
    p.layer_norm_weight = layer_norm_weight.data_ptr<float>();
    p.layer_norm_bias = layer_norm_bias.data_ptr<float>();
    auto output = torch::empty({s.batch, s.filters, s.outZ, s.outY, s.outX}, x.options());
    auto stored = torch::empty({s.batch, s.filters, s.outZ, s.outY, s.outX}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), reinterpret_cast<const float4*>(packed.data_ptr<float>()),
                             stored.data_ptr<float>(), p, s);
    const int64_t rows = int64_t(s.batch) * s.filters * s.outZ * s.outY;
    const int64_t each = lateThreads / 32; // rows of a block
    const float* from = stored.data_ptr<float>();
    later<<<(rows + each - 1) / each, lateThreads>>>(from, output.data_ptr<float>(), p, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "34_ConvTranspose3d_LayerNorm_GELU_Scaling (columns)");
}
