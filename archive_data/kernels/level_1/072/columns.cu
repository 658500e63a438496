// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/72 72_conv_transposed_3D_asymmetric_input_asymmetric_kernel___strided_padded_grouped_
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a column
//          of cells for a group of filters, all in registers: a weight is read once for the column, an input once for
//          the group. What follows the convolution happens before anything is stored.
// Look at: Groups of filters that share no input channel, and cells whose sides differ by axis.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   conv_transpose3d[o0 < 16, o1 < 64, o2 < 32, o3 < 64, o4 < 128] = sum over r0 < 8, r1 < 3, r2 < 5, r3 < 7 of x[o0,
//     8*(o1 div 16) + r0, (o2 - r1 + 1) / 2, (o3 - r2 + 2) / 2, (o4 - r3 + 3) / 2] * weight[8*(o1 div 16) + r0, o1 mod
//     16, r1, r2, r3]
#include <torch/extension.h>

constexpr int group = 4;           // tune: 4, 8, 16 # filters that a thread makes at a time
constexpr int column = 3;          // tune: 1, 2, 3, 4, 5, 6, 8 # cells of a thread along the slowest axis
constexpr int threads = 128;       // tune: 64, 128, 256
constexpr int blocksPerSm = 3;     // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int channelsAtATime = 8; // whose weights are in shared memory together

constexpr int kernelZ = 3, cellZ = 2, advanceZ = 1, firstZ = 0, spanZ = 2;
constexpr int kernelY = 5, cellY = 2, advanceY = 1, firstY = -1, spanY = 3;
constexpr int kernelX = 7, cellX = 2, advanceX = 1, firstX = -1, spanX = 4;
constexpr int window = 105; // weights for each filter and channel
constexpr int parts = 8;    // outputs of a cell that a thread keeps apart
static_assert(group % 4 == 0, "weights are read four at a time");

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int sections; ///< of channels, each with filters of its own
    int inZ, inY, inX;
    int outZ, outY, outX;
    int cellsZ, cellsY, cellsX;
};

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
__host__ __device__ constexpr int offsetZ(int part, int k) {
    return (part - k + 1) % 2 ? -1 : (part - k + 1) / 2;
}
__host__ __device__ constexpr int offsetY(int part, int k) {
    return (part - k + 4) % 2 ? -1 : (part - k + 4) / 2;
}
__host__ __device__ constexpr int offsetX(int part, int k) {
    return (part - k + 5) % 2 ? -1 : (part - k + 5) / 2;
}

/// Orders the weights by group of filters, input channel, tap and filter, 0 beyond the filters.
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int tap = i / group % window, c = i / (group * window) % s.channels;
    const int g = i / (group * window * s.channels);
    const int each = s.groups / s.sections, section = g / each; // groups of a section
    const int filter = g % each * group + i % group;            // in its section
    const int row = (section * s.channels + c) * s.filters + filter;
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
    int none;
};

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, const float4* packed, float* output, Parameters p, Shape s) {
    __shared__ float4 weights[channelsAtATime * window * group / 4];
    const float* image = input + int64_t(blockIdx.z) * s.channels * s.sections * (s.inZ * s.inY * s.inX);
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
                load(in, image + int64_t(g / (s.groups / s.sections) * s.channels + c + k) * (s.inZ * s.inY * s.inX),
                     z * advanceZ + firstZ, y * advanceY + firstY, x * advanceX + firstX, s);
                convolve(in, reinterpret_cast<const float*>(weights) + k * window * group, out);
            }
        }
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int each = s.groups / s.sections, own = g % each * group + f; // in its section
            if (own >= s.filters) break;
            const int filter = g / each * s.filters + own;
            const int64_t first = (int64_t(blockIdx.z) * s.filters * s.sections + filter) * (s.outZ * s.outY * s.outX);
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int pz = 0; pz < cellZ; ++pz)
#pragma unroll
                    for (int py = 0; py < cellY; ++py)
#pragma unroll
                        for (int px = 0; px < cellX; ++px) {
                            const int part = (pz * cellY + py) * cellX + px;
                            const float value = out[n][part][f];
                            const int ofZ = (z + n) * cellZ + pz, ofY = y * cellY + py, ofX = x * cellX + px;
                            if (ofZ >= s.outZ || ofY >= s.outY || ofX >= s.outX) continue;
                            const int place = (ofZ * s.outY + ofY) * s.outX + ofX;
                            output[first + place] = value;
                        }
        }
    }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, py::object bias, std::vector<int64_t> stride,
                      std::vector<int64_t> padding, std::vector<int64_t> output_padding, int64_t groups) {
    for (const auto& t : {x, weight})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(bias.is_none() && (stride == std::vector<int64_t>{2, 2, 2}) &&
                    (padding == std::vector<int64_t>{1, 2, 3}) && (output_padding == std::vector<int64_t>{1, 1, 1}) &&
                    groups == 4,
                "this file is made for other arguments");
    TORCH_CHECK(x.dim() == 5 && weight.dim() == 5 && x.size(1) == weight.size(0) && x.size(1) % 4 == 0 &&
                    weight.size(2) == kernelZ && weight.size(3) == kernelY && weight.size(4) == kernelX,
                "these are not the convolution's shapes");
    x = x.contiguous();
    weight = weight.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.sections = 4;
    s.channels = x.size(1) / s.sections;
    s.filters = weight.size(1); // of a section
    s.groups = (s.filters + group - 1) / group * s.sections;
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
    pack<<<(count + 127) / 128, 128>>>(weight.data_ptr<float>(), packed.data_ptr<float>(), s);
    const int places = s.cellsX * s.cellsY; // of a thread each
    const dim3 grid((places + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    const Parameters p{};
    auto output = torch::empty({s.batch, s.filters * s.sections, s.outZ, s.outY, s.outX}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), reinterpret_cast<const float4*>(packed.data_ptr<float>()),
                             output.data_ptr<float>(), p, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward,
          "72_conv_transposed_3D_asymmetric_input_asymmetric_kernel___strided_padded_grouped_ (columns)");
}
