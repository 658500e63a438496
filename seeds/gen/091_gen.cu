// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/91 91_ConvTranspose2d_Softmax_BiasAdd_Scaling_Sigmoid
// Name:    tiles
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a
//          column of cells for a group of filters, all in registers: a weight is read once for the column, an
//          input once for the group. What follows the convolution happens before anything is stored.
#include <torch/extension.h>

constexpr int group = 8; // tune: 4, 8, 16; filters that a thread makes at a time
constexpr int column = 1; // tune: 1, 2, 3, 4, 5, 6, 8; cells that a thread makes at a time, along the slowest axis
constexpr int threads = 32; // tune: 64, 128, 256
constexpr int blocksPerSm = 4; // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int channelsAtATime = 32; // whose weights are in shared memory together

constexpr int kernelY = 4, cellY = 2, advanceY = 1, firstY = -1, spanY = 3;
constexpr int kernelX = 4, cellX = 2, advanceX = 1, firstX = -1, spanX = 3;
constexpr int window = 16; // weights for each filter and channel
constexpr int parts = 4; // outputs of a cell that a thread keeps apart
static_assert(group % 4 == 0, "weights are read four at a time");

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int inY, inX;
    int outY, outX;
    int cellsY, cellsX;
};

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
__host__ __device__ constexpr int offsetY(int part, int k) { return (1 * part + -1 * k + 3) % 2 ? -1 : (1 * part + -1 * k + 3) / 2; }
__host__ __device__ constexpr int offsetX(int part, int k) { return (1 * part + -1 * k + 3) % 2 ? -1 : (1 * part + -1 * k + 3) / 2; }

/// Orders the weights by group of filters, input channel, tap and filter, 0 beyond the filters.
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int tap = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + i % group;
    to[i] = filter < s.filters ? weight[(c * s.filters + filter) * window + tap] : 0.0f;
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
        for (int dx = 0; dx < spanX; ++dx)
            in.at[dy][dx] = unsigned(y + dy) < unsigned(s.inY) && unsigned(x + dx) < unsigned(s.inX) ? origin[dy * s.inX + dx] : 0.0f;
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
#pragma unroll
        for (int f = 0; f < group; f += 4) {
            const float4 w = *reinterpret_cast<const float4*>(tap + ((ky) * kernelX + kx) * group + f);
#pragma unroll
            for (int n = 0; n < column; ++n) {
                const float v = in.at[n * advanceY + dy][dx];
                float* sums = &out[n][(py) * cellX + px][f];
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
    const float* convTransposeBias;
    const float* bias;
};

__device__ float sigmoid(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

/// What follows, for all filters together: their values are rows[filter * stride], the results output[filter * apart].
__device__ void finish(const float* rows, int stride, float* output, int apart, int filters, const Parameters& p) {
    float afterSoftmaxMax = -INFINITY;
    for (int filter = 0; filter < filters; ++filter) {
        const float v = rows[filter * stride];
        const float afterConvTranspose2d = v + p.convTransposeBias[filter];
        afterSoftmaxMax = fmaxf(afterSoftmaxMax, afterConvTranspose2d);
    }
    float afterSoftmaxSum = 0.0f;
    for (int filter = 0; filter < filters; ++filter) {
        const float v = rows[filter * stride];
        const float afterConvTranspose2d = v + p.convTransposeBias[filter];
        const float afterSoftmaxExp = expf((afterConvTranspose2d - afterSoftmaxMax));
        afterSoftmaxSum += afterSoftmaxExp;
    }
    for (int filter = 0; filter < filters; ++filter) {
        const float v = rows[filter * stride];
        const float afterConvTranspose2d = v + p.convTransposeBias[filter];
        const float afterSoftmaxExp = expf((afterConvTranspose2d - afterSoftmaxMax));
        const float afterSoftmax = afterSoftmaxExp / afterSoftmaxSum;
        const float afterAdd = afterSoftmax + p.bias[filter];
        const float afterMul = afterAdd * 2.0f;
        output[filter * apart] = sigmoid(afterMul);
    }
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, const float4* packed, float* output, Parameters p, Shape s) {
    __shared__ float4 weights[channelsAtATime * window * group / 4];
    extern __shared__ float rows[]; // values of all filters
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
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int part = 0; part < parts; ++part)
                    rows[((n * parts + part) * s.filters + filter) * threads + threadIdx.x] = out[n][part][f];
        }
    }
    for (int n = 0; n < column; ++n)
        for (int part = 0; part < parts; ++part) {
            const int ofY = (y + n) * cellY + part / cellX, ofX = x * cellX + part % cellX;
            if (ofY >= s.outY || ofX >= s.outX) continue;
            const int place = (ofY) * s.outX + ofX;
            float* to = output + int64_t(blockIdx.z) * s.filters * (s.outY * s.outX) + place;
            finish(rows + (n * parts + part) * s.filters * threads + threadIdx.x, threads, to, s.outY * s.outX, s.filters, p);
        }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t outputPadding, torch::Tensor convTranspose, torch::Tensor convTransposeBias, torch::Tensor bias, double scalingFactor) {
    for (const auto& t : {x, convTranspose, convTransposeBias, bias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && outputPadding == 1 && scalingFactor == 2, "this file is made for other arguments");
    TORCH_CHECK(x.dim() == 4 && convTranspose.dim() == 4 && x.size(1) == convTranspose.size(0) && convTranspose.size(2) == kernelY && convTranspose.size(3) == kernelX, "these are not the convolution's shapes");
    x = x.contiguous();
    convTranspose = convTranspose.contiguous();
    convTransposeBias = convTransposeBias.contiguous();
    bias = bias.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = convTranspose.size(1);
    s.groups = (s.filters + group - 1) / group;
    s.inY = x.size(2);
    s.outY = (s.inY - 1) * 2 + 3;
    s.cellsY = (s.outY + cellY - 1) / cellY;
    s.inX = x.size(3);
    s.outX = (s.inX - 1) * 2 + 3;
    s.cellsX = (s.outX + cellX - 1) / cellX;
    TORCH_CHECK(s.batch > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    auto packed = torch::empty({count}, x.options());
    pack<<<(count + 127) / 128, 128>>>(convTranspose.data_ptr<float>(), packed.data_ptr<float>(), s);
    const int places = s.cellsX * ((s.cellsY + column - 1) / column); // of a thread each
    const dim3 grid((places + threads - 1) / threads, 1, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    auto output = torch::empty({s.batch, s.filters, s.outY, s.outX}, x.options());
    const size_t rowBytes = sizeof(float) * column * parts * s.filters * threads;
    TORCH_CHECK(rowBytes <= 32768, "too many filters for shared memory");
    cells<<<grid, threads, rowBytes>>>(x.data_ptr<float>(), reinterpret_cast<const float4*>(packed.data_ptr<float>()), output.data_ptr<float>(), Parameters{convTransposeBias.data_ptr<float>(), bias.data_ptr<float>()}, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "91_ConvTranspose2d_Softmax_BiasAdd_Scaling_Sigmoid (tiles)");
}
