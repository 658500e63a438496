// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/15 15_ConvTranspose3d_BatchNorm_Subtract
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a column
//          of cells for a group of filters, all in registers: a weight is read once for the column, an input once for
//          the group. What needs more than a thread has is done with the stored values, which costs less than to make
//          them twice.
// Rewrite: the mean of an affine map is that of the mean
// Look at: Statistics of the batch from a first pass that stores nothing; the second pass subtracts the mean over
//          space.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   conv_transpose3d.products[o0 < 16, o1 < 32, o2 < 31, o3 < 63, o4 < 63] = sum over r0 < 16, r1 < 3, r2 < 3, r3 < 3
//     of x[o0, r0, (o2 - r1 + 1) / 2, (o3 - r2 + 1) / 2, (o4 - r3 + 1) / 2] * conv_transpose[r0, o1, r1, r2, r3]
//   conv_transpose3d[o0 < 16, o1 < 32, o2 < 31, o3 < 63, o4 < 63] = conv_transpose3d.products[o0, o1, o2, o3, o4] +
//     conv_transpose_bias[o1]
//   batch_norm.mean[o0 < 1, o1 < 32, o2 < 1, o3 < 1, o4 < 1] = sum over r0 < 16, r1 < 31, r2 < 63, r3 < 63 of
//     5.07969e-07 * conv_transpose3d[r0, o1, r1, r2, r3]
//   batch_norm.squares[o0 < 1, o1 < 32, o2 < 1, o3 < 1, o4 < 1] = sum over r0 < 16, r1 < 31, r2 < 63, r3 < 63 of
//     square(conv_transpose3d[r0, o1, r1, r2, r3] - batch_norm.mean[0, o1, 0, 0, 0])
//   batch_norm.scale[o0 < 1, o1 < 32, o2 < 1, o3 < 1, o4 < 1] = 1 / sqrt(batch_norm.squares[0, o1, 0, 0, 0] *
//     5.07969e-07 + 1e-05)
//   batch_norm[o0 < 16, o1 < 32, o2 < 31, o3 < 63, o4 < 63] = (conv_transpose3d[o0, o1, o2, o3, o4] -
//     batch_norm.mean[0, o1, 0, 0, 0]) * batch_norm.scale[0, o1, 0, 0, 0] * bn_weight[o1] + bn_bias[o1]
//   mean[o0 < 16, o1 < 32, o2 < 1, o3 < 1, o4 < 1] = sum over r0 < 31, r1 < 63, r2 < 63 of 8.127504e-06 *
//     batch_norm[o0, o1, r0, r1, r2]
//   sub[o0 < 16, o1 < 32, o2 < 31, o3 < 63, o4 < 63] = batch_norm[o0, o1, o2, o3, o4] - mean[o0, o1, 0, 0, 0]
#include <torch/extension.h>

constexpr int group = 4;           // tune: 2, 4, 8, 16 # filters that a thread makes at a time
constexpr int column = 3;          // tune: 1, 2, 3, 4, 5, 6, 8 # cells of a thread along the slowest axis
constexpr int threads = 128;       // tune: 64, 128, 256
constexpr int blocksPerSm = 3;     // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int mostWeights = 16000; // of constant memory

constexpr int kernelZ = 3, cellZ = 2, advanceZ = 1, firstZ = 0, spanZ = 2;
constexpr int kernelY = 3, cellY = 2, advanceY = 1, firstY = 0, spanY = 2;
constexpr int kernelX = 3, cellX = 2, advanceX = 1, firstX = 0, spanX = 2;
constexpr int window = 27; // weights for each filter and channel
constexpr int parts = 8;   // outputs of a cell that a thread keeps apart

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int inZ, inY, inX;
    int outZ, outY, outX;
    int cellsZ, cellsY, cellsX;
};

/// Weights as pack orders them. They are the same for a whole warp.
__constant__ float weights[mostWeights];

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
__host__ __device__ constexpr int offsetZ(int part, int k) {
    return (part - k + 1) % 2 ? -1 : (part - k + 1) / 2;
}
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
                            for (int f = 0; f < group; ++f)
#pragma unroll
                                for (int n = 0; n < column; ++n)
                                    out[n][part][f] =
                                        fmaf(in.at[n * advanceZ + dz][dy][dx], tap[k * group + f], out[n][part][f]);
                        }
}

/// What the formulas after the convolution read.
struct Parameters {
    const float* conv_transpose_bias;
    const float* bn_weight;
    const float* bn_bias;
};

/// What follows the convolution, for one output.
__device__ float finish(float v, int filter, const Parameters& p) {
    const float conv_transpose_bias = __ldg(p.conv_transpose_bias + filter);
    return v + conv_transpose_bias;
}

/// The mean over space of what is normalised, from that of the values.
__device__ float averaged(float v, float2 norm, int filter, const Parameters& p) {
    const float bn_weight = __ldg(p.bn_weight + filter);
    const float bn_bias = __ldg(p.bn_bias + filter);
    return (v - norm.x) * norm.y * bn_weight + bn_bias;
}

/// The norm and what follows it, for one value.
__device__ float normalised(float v, float2 norm, float average, int filter, const Parameters& p) {
    const float bn_weight = __ldg(p.bn_weight + filter);
    const float bn_bias = __ldg(p.bn_bias + filter);
    const float batch_norm = (v - norm.x) * norm.y * bn_weight + bn_bias;
    return batch_norm - average;
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, float* output, Parameters p, Shape s) {
    const float* image = input + int64_t(blockIdx.z) * s.channels * (s.inZ * s.inY * s.inX);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int z = blockIdx.y * column, y = thread / s.cellsX, x = thread % s.cellsX; // this thread's first cell
    if (y >= s.cellsY) return;
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

constexpr int lateThreads = 256; // tune: 128, 256, 512

/// The sum over a block, in every thread.
__device__ float blockTotal(float v) {
    __shared__ float ofWarps[lateThreads / 32];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        v += __shfl_xor_sync(0xffffffffu, v, step);
    __syncthreads();
    if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32] = v;
    __syncthreads();
    float sum = 0.0f;
    for (int w = 0; w < lateThreads / 32; ++w)
        sum += ofWarps[w];
    return sum;
}

/// Mean and sum of squared distances from it, of an image and a filter: a block for each.
__global__ void __launch_bounds__(lateThreads) moments(const float* stored, float2* of, int volume) {
    const float* from = stored + int64_t(blockIdx.x) * volume;
    float sum = 0.0f, squares = 0.0f;
    for (int i = threadIdx.x; i < volume; i += lateThreads)
        sum += from[i];
    const float mean = blockTotal(sum) / float(volume);
    for (int i = threadIdx.x; i < volume; i += lateThreads)
        squares = fmaf(from[i] - mean, from[i] - mean, squares);
    squares = blockTotal(squares);
    if (threadIdx.x == 0) of[blockIdx.x] = make_float2(mean, squares);
}

/// Mean and scale of each norm, for all images and filters that share it: a thread for each norm.
__global__ void join(const float2* of, float2* norms, int volume, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, each = 1; // filters of a norm
    const int first = i, images = s.batch, step = s.filters;       // rows of the norm
    if (i >= s.filters) return;
    double mean = 0.0, squares = 0.0;
    for (int image = 0; image < images; ++image)
        for (int filter = 0; filter < each; ++filter)
            mean += of[first + image * step + filter].x;
    mean /= double(images) * each;
    for (int image = 0; image < images; ++image)
        for (int filter = 0; filter < each; ++filter) {
            const float2 row = of[first + image * step + filter];
            squares += row.y + volume * (row.x - mean) * (row.x - mean);
        }
    const double variance = squares / (double(images) * each * volume);
    const float2 norm = make_float2(float(mean), float(1.0 / sqrt(variance + 1e-05)));
    for (int image = 0; image < images; ++image)
        for (int filter = 0; filter < each; ++filter)
            norms[first + image * step + filter] = norm;
}

/// The norm and what follows it, in place: blocks for each image and filter.
__global__ void __launch_bounds__(lateThreads)
    normalise(float* stored, const float2* of, const float2* norms, int volume, Parameters p, Shape s) {
    const int filter = blockIdx.y % s.filters;
    const float2 norm = norms[blockIdx.y];
    const float average = averaged(of[blockIdx.y].x, norm, filter, p);
    const int64_t first = int64_t(blockIdx.y) * volume;
    const int place = blockIdx.x * lateThreads + threadIdx.x;
    if (place < volume) stored[first + place] = normalised(stored[first + place], norm, average, filter, p);
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, torch::Tensor conv_transpose,
                      torch::Tensor conv_transpose_bias, torch::Tensor bn_weight, torch::Tensor bn_bias,
                      torch::Tensor bn_running_mean, torch::Tensor bn_running_var) {
    for (const auto& t : {x, conv_transpose, conv_transpose_bias, bn_weight, bn_bias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1, "this file is made for other arguments");
    TORCH_CHECK(x.dim() == 5 && conv_transpose.dim() == 5 && x.size(1) == conv_transpose.size(0) &&
                    conv_transpose.size(2) == kernelZ && conv_transpose.size(3) == kernelY &&
                    conv_transpose.size(4) == kernelX,
                "these are not the convolution's shapes");
    x = x.contiguous();
    conv_transpose = conv_transpose.contiguous();
    conv_transpose_bias = conv_transpose_bias.contiguous();
    bn_weight = bn_weight.contiguous();
    bn_bias = bn_bias.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = conv_transpose.size(1);
    s.groups = (s.filters + group - 1) / group;
    s.inZ = x.size(2);
    s.outZ = 2 * (s.inZ - 1) + 1;
    s.cellsZ = (s.outZ + cellZ - 1) / cellZ;
    s.inY = x.size(3);
    s.outY = 2 * (s.inY - 1) + 1;
    s.cellsY = (s.outY + cellY - 1) / cellY;
    s.inX = x.size(4);
    s.outX = 2 * (s.inX - 1) + 1;
    s.cellsX = (s.outX + cellX - 1) / cellX;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    TORCH_CHECK(count <= mostWeights, "too many weights for constant memory");
    void* constant = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&constant, weights) == cudaSuccess, "no constant memory");
    pack<<<(count + 127) / 128, 128>>>(conv_transpose.data_ptr<float>(), static_cast<float*>(constant), s);
    const int places = s.cellsX * s.cellsY; // of a thread each
    const dim3 grid((places + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    Parameters p;
    p.conv_transpose_bias = conv_transpose_bias.data_ptr<float>();
    p.bn_weight = bn_weight.data_ptr<float>();
    p.bn_bias = bn_bias.data_ptr<float>();
    auto output = torch::empty({s.batch, s.filters, s.outZ, s.outY, s.outX}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), output.data_ptr<float>(), p, s);
    const int volume = s.outZ * s.outY * s.outX, rows = s.batch * s.filters, ofNorms = s.filters;
    TORCH_CHECK(rows <= 65535, "too many images and filters for one grid");
    auto ofRows = torch::empty({2, rows, 2}, x.options()); // moments, then means and scales
    float2* of = reinterpret_cast<float2*>(ofRows.data_ptr<float>());
    moments<<<rows, lateThreads>>>(output.data_ptr<float>(), of, volume);
    join<<<(ofNorms + 127) / 128, 128>>>(of, of + rows, volume, s);
    const dim3 all((volume + lateThreads - 1) / lateThreads, rows);
    normalise<<<all, lateThreads>>>(output.data_ptr<float>(), of, of + rows, volume, p, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "15_ConvTranspose3d_BatchNorm_Subtract (columns)");
}
