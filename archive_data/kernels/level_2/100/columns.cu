// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/100 100_ConvTranspose3d_Clamp_Min_Divide
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a column
//          of cells for a group of filters, all in registers: a weight is read once for the column, an input once for
//          the group. What follows the convolution happens before anything is stored.
// Look at: A clamp and a division in registers behind a transposed convolution that is bound by arithmetic.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   conv_transpose3d.products[o0 < 16, o1 < 16, o2 < 31, o3 < 63, o4 < 63] = sum over r0 < 32, r1 < 3, r2 < 3, r3 < 3
//     of x[o0, r0, (o2 - r1 + 1) / 2, (o3 - r2 + 1) / 2, (o4 - r3 + 1) / 2] * conv_transpose[r0, o1, r1, r2, r3]
//   conv_transpose3d[o0 < 16, o1 < 16, o2 < 31, o3 < 63, o4 < 63] = conv_transpose3d.products[o0, o1, o2, o3, o4] +
//     conv_transpose_bias[o1]
//   clamp[o0 < 16, o1 < 16, o2 < 31, o3 < 63, o4 < 63] = clamp(conv_transpose3d[o0, o1, o2, o3, o4], -1, inf)
//   div[o0 < 16, o1 < 16, o2 < 31, o3 < 63, o4 < 63] = clamp[o0, o1, o2, o3, o4] / 2
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
};

/// What follows the convolution, for one output.
__device__ float finish(float v, int filter, const Parameters& p) {
    const float conv_transpose_bias = __ldg(p.conv_transpose_bias + filter);
    const float conv_transpose3d = v + conv_transpose_bias;
    const float clamp_ = fmaxf(conv_transpose3d, -1.0f);
    return clamp_ / 2.0f;
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

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, double min_value, double divisor,
                      torch::Tensor conv_transpose, torch::Tensor conv_transpose_bias) {
    for (const auto& t : {x, conv_transpose, conv_transpose_bias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && min_value == -1 && divisor == 2,
                "this file is made for other arguments");
    TORCH_CHECK(x.dim() == 5 && conv_transpose.dim() == 5 && x.size(1) == conv_transpose.size(0) &&
                    conv_transpose.size(2) == kernelZ && conv_transpose.size(3) == kernelY &&
                    conv_transpose.size(4) == kernelX,
                "these are not the convolution's shapes");
    x = x.contiguous();
    conv_transpose = conv_transpose.contiguous();
    conv_transpose_bias = conv_transpose_bias.contiguous();
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
    const Parameters p{conv_transpose_bias.data_ptr<float>()};
    auto output = torch::empty({s.batch, s.filters, s.outZ, s.outY, s.outX}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), output.data_ptr<float>(), p, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "100_ConvTranspose3d_Clamp_Min_Divide (columns)");
}
