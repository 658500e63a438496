// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/83 83_conv_depthwise_2D_square_input_asymmetric_kernel
// Name:    columns
// Parent:  none
// Idea:    Outputs side by side share their inputs. A thread makes a column of cells for a group of filters, all in
//          registers: a weight is read once for the column, an input once for the group. What follows the convolution
//          happens before anything is stored.
// Look at: A filter of one column for each channel: nothing to share but the input's rows.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   conv2d[o0 < 16, o1 < 3, o2 < 254, o3 < 256] = sum over r0 < 1, r1 < 3, r2 < 1 of x[o0, o1, o2 + r1, o3] *
//     weight[o1, 0, r1, 0]
#include <torch/extension.h>

constexpr int group = 1;           // tune: 1, 2, 4, 8, 16 # filters that a thread makes at a time
constexpr int column = 8;          // tune: 1, 2, 3, 4, 5, 6, 8 # cells of a thread along the slowest axis
constexpr int threads = 128;       // tune: 64, 128, 256
constexpr int blocksPerSm = 4;     // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int mostWeights = 16000; // of constant memory

constexpr int kernelY = 3, cellY = 1, advanceY = 1, firstY = 0, spanY = 3;
constexpr int kernelX = 1, cellX = 1, advanceX = 1, firstX = 0, spanX = 1;
constexpr int window = 3; // weights for each filter and channel
constexpr int parts = 1;  // outputs of a cell that a thread keeps apart

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int sections; ///< of channels, each with filters of its own
    int inY, inX;
    int outY, outX;
    int cellsY, cellsX;
};

/// Weights as pack orders them. They are the same for a whole warp.
__constant__ float weights[mostWeights];

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
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
    const int each = s.groups / s.sections, section = g / each; // groups of a section
    const int filter = g % each * group + i % group;            // in its section
    const int row = (section * s.filters + filter) * s.channels + c;
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
    int none;
};

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, float* output, Parameters p, Shape s) {
    const float* image = input + int64_t(blockIdx.z) * s.channels * s.sections * (s.inY * s.inX);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int y = thread / s.cellsX * column, x = thread % s.cellsX; // this thread's first cell
    if (y >= s.cellsY) return;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][parts][group] = {};
#pragma unroll 1
        for (int c = 0; c < s.channels; ++c) {
            Inputs in;
            load(in, image + int64_t(g / (s.groups / s.sections) * s.channels + c) * (s.inY * s.inX),
                 y * advanceY + firstY, x * advanceX + firstX, s);
            convolve(in, weights + (g * s.channels + c) * window * group, out);
        }
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int each = s.groups / s.sections, own = g % each * group + f; // in its section
            if (own >= s.filters) break;
            const int filter = g / each * s.filters + own;
            const int64_t first = (int64_t(blockIdx.z) * s.filters * s.sections + filter) * (s.outY * s.outX);
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int py = 0; py < cellY; ++py)
#pragma unroll
                    for (int px = 0; px < cellX; ++px) {
                        const int part = py * cellX + px;
                        const float value = out[n][part][f];
                        const int ofY = (y + n) * cellY + py, ofX = x * cellX + px;
                        if (ofY >= s.outY || ofX >= s.outX) continue;
                        const int place = ofY * s.outX + ofX;
                        output[first + place] = value;
                    }
        }
    }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, py::object bias, int64_t stride, int64_t padding,
                      int64_t dilation, int64_t groups) {
    for (const auto& t : {x, weight})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(bias.is_none() && stride == 1 && padding == 0 && dilation == 1 && groups == 3,
                "this file is made for other arguments");
    TORCH_CHECK(x.dim() == 4 && weight.dim() == 4 && x.size(1) % weight.size(1) == 0 && weight.size(2) == kernelY &&
                    weight.size(3) == kernelX,
                "these are not the convolution's shapes");
    x = x.contiguous();
    weight = weight.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.sections = x.size(1) / weight.size(1);
    s.channels = x.size(1) / s.sections;
    s.filters = weight.size(0) / s.sections;
    s.groups = (s.filters + group - 1) / group * s.sections;
    s.inY = x.size(2);
    s.outY = s.inY - 2;
    s.cellsY = (s.outY + cellY - 1) / cellY;
    s.inX = x.size(3);
    s.outX = s.inX;
    s.cellsX = (s.outX + cellX - 1) / cellX;
    TORCH_CHECK(s.batch > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    TORCH_CHECK(count <= mostWeights, "too many weights for constant memory");
    void* constant = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&constant, weights) == cudaSuccess, "no constant memory");
    pack<<<(count + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(constant), s);
    const int places = s.cellsX * ((s.cellsY + column - 1) / column); // of a thread each
    const dim3 grid((places + threads - 1) / threads, 1, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    const Parameters p{};
    auto output = torch::empty({s.batch, s.filters * s.sections, s.outY, s.outX}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), output.data_ptr<float>(), p, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "83_conv_depthwise_2D_square_input_asymmetric_kernel (columns)");
}
