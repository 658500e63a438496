// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/38 38_ConvTranspose3d_AvgPool_Clamp_Softmax_Multiply
// Name:    tiles
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a
//          column of cells for a group of filters, all in registers: a weight is read once for the column, an
//          input once for the group. What follows the convolution happens before anything is stored.
// Rewrites:the mean of a cell is one convolution with sums of the taps; affine maps moved past the mean
#include <torch/extension.h>

constexpr int group = 16; // tune: 2, 4, 8, 16; filters that a thread makes at a time
constexpr int column = 4; // tune: 1, 2, 3, 4, 5, 6, 8; cells that a thread makes at a time, along the slowest axis
constexpr int threads = 128; // tune: 64, 128, 256
constexpr int blocksPerSm = 4; // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int mostWeights = 16000; // of constant memory

constexpr int kernelZ = 3, cellZ = 2, advanceZ = 1, firstZ = 0, spanZ = 2;
constexpr int kernelY = 3, cellY = 2, advanceY = 1, firstY = 0, spanY = 2;
constexpr int kernelX = 3, cellX = 2, advanceX = 1, firstX = 0, spanX = 2;
constexpr int window = 8; // weights for each filter and channel
constexpr int parts = 1; // outputs of a cell that a thread keeps apart

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
__host__ __device__ constexpr int offsetZ(int part, int k) { return (1 * part + -1 * k + 1) % 2 ? -1 : (1 * part + -1 * k + 1) / 2; }
__host__ __device__ constexpr int offsetY(int part, int k) { return (1 * part + -1 * k + 1) % 2 ? -1 : (1 * part + -1 * k + 1) / 2; }
__host__ __device__ constexpr int offsetX(int part, int k) { return (1 * part + -1 * k + 1) % 2 ? -1 : (1 * part + -1 * k + 1) / 2; }

/// How many outputs of a cell meet this input at kernel position k.
__device__ int timesZ(int d, int k) {
    int n = 0;
    for (int part = 0; part < cellZ; ++part)
        n += offsetZ(part, k) == d;
    return n;
}
__device__ int timesY(int d, int k) {
    int n = 0;
    for (int part = 0; part < cellY; ++part)
        n += offsetY(part, k) == d;
    return n;
}
__device__ int timesX(int d, int k) {
    int n = 0;
    for (int part = 0; part < cellX; ++part)
        n += offsetX(part, k) == d;
    return n;
}

/// Orders the weights by group of filters, input channel, tap and filter, 0 beyond the filters;
/// a tap is the sum of those that the outputs of a cell have for one input.
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int tap = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + i % group;
    const int dx = tap % spanX;
    const int dy = tap / spanX % spanY;
    const int dz = tap / spanX / spanY;
    float sum = 0.0f;
    if (filter < s.filters)
        for (int kz = 0; kz < kernelZ; ++kz)
        for (int ky = 0; ky < kernelY; ++ky)
        for (int kx = 0; kx < kernelX; ++kx)
            sum += float(timesZ(dz, kz) * timesY(dy, ky) * timesX(dx, kx)) * weight[(c * s.filters + filter) * (kernelZ * kernelY * kernelX) + ((kz) * kernelY + ky) * kernelX + kx];
    to[i] = sum / (cellZ * cellY * cellX);
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
        for (int dx = 0; dx < spanX; ++dx)
            in.at[dz][dy][dx] = unsigned(z + dz) < unsigned(s.inZ) && unsigned(y + dy) < unsigned(s.inY) && unsigned(x + dx) < unsigned(s.inX) ? origin[(dz * s.inY + dy) * s.inX + dx] : 0.0f;
}

/// Adds one input channel to the outputs of the column.
__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][parts][group]) {
#pragma unroll
    for (int dz = 0; dz < spanZ; ++dz)
#pragma unroll
    for (int dy = 0; dy < spanY; ++dy)
#pragma unroll
    for (int dx = 0; dx < spanX; ++dx) {
#pragma unroll
        for (int f = 0; f < group; ++f)
#pragma unroll
            for (int n = 0; n < column; ++n)
                out[n][0][f] = fmaf(in.at[n * advanceZ + dz][dy][dx], tap[(((dz) * spanY + dy) * spanX + dx) * group + f], out[n][0][f]);
    }
}

/// What the formulas after the convolution read.
struct Parameters {
    const float* convTransposeBias;
};

__device__ float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

/// What follows, for all filters together: their values are rows[filter * stride], the results output[filter * apart].
__device__ void finish(const float* rows, int stride, float* output, int apart, int filters, const Parameters& p) {
    float afterSoftmaxMax = -INFINITY;
    for (int filter = 0; filter < filters; ++filter) {
        const float v = rows[filter * stride];
        const float afterConvTranspose3d = v + p.convTransposeBias[filter];
        const float afterClamp = clamp(afterConvTranspose3d, 0.0f, 1.0f);
        afterSoftmaxMax = fmaxf(afterSoftmaxMax, afterClamp);
    }
    float afterSoftmaxSum = 0.0f;
    for (int filter = 0; filter < filters; ++filter) {
        const float v = rows[filter * stride];
        const float afterConvTranspose3d = v + p.convTransposeBias[filter];
        const float afterClamp = clamp(afterConvTranspose3d, 0.0f, 1.0f);
        const float afterSoftmaxExp = expf((afterClamp - afterSoftmaxMax));
        afterSoftmaxSum += afterSoftmaxExp;
    }
    for (int filter = 0; filter < filters; ++filter) {
        const float v = rows[filter * stride];
        const float afterConvTranspose3d = v + p.convTransposeBias[filter];
        const float afterClamp = clamp(afterConvTranspose3d, 0.0f, 1.0f);
        const float afterSoftmaxExp = expf((afterClamp - afterSoftmaxMax));
        const float afterSoftmax = afterSoftmaxExp / afterSoftmaxSum;
        output[filter * apart] = afterSoftmax * 2.0f;
    }
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, float* output, Parameters p, Shape s) {
    extern __shared__ float rows[]; // values of all filters
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
            load(in, image + int64_t(c) * (s.inZ * s.inY * s.inX), z * advanceZ + firstZ, y * advanceY + firstY, x * advanceX + firstX, s);
            convolve(in, weights + (g * s.channels + c) * window * group, out);
        }
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
#pragma unroll
            for (int n = 0; n < column; ++n) {
                const float pooled = out[n][0][f];
                rows[(n * s.filters + filter) * threads + threadIdx.x] = pooled;
            }
        }
    }
    for (int n = 0; n < column; ++n) {
            const int ofZ = (z + n), ofY = y, ofX = x;
            if (ofZ >= s.cellsZ || ofY >= s.cellsY || ofX >= s.cellsX) continue;
            const int place = ((ofZ) * s.cellsY + ofY) * s.cellsX + ofX;
            float* to = output + int64_t(blockIdx.z) * s.filters * (s.cellsZ * s.cellsY * s.cellsX) + place;
            finish(rows + n * s.filters * threads + threadIdx.x, threads, to, s.cellsZ * s.cellsY * s.cellsX, s.filters, p);
        }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t outputPadding, int64_t poolKernelSize, double clampMin, double clampMax, torch::Tensor convTranspose, torch::Tensor convTransposeBias) {
    for (const auto& t : {x, convTranspose, convTransposeBias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && outputPadding == 1 && poolKernelSize == 2 && clampMin == 0 && clampMax == 1, "this file is made for other arguments");
    TORCH_CHECK(x.dim() == 5 && convTranspose.dim() == 5 && x.size(1) == convTranspose.size(0) && convTranspose.size(2) == kernelZ && convTranspose.size(3) == kernelY && convTranspose.size(4) == kernelX, "these are not the convolution's shapes");
    x = x.contiguous();
    convTranspose = convTranspose.contiguous();
    convTransposeBias = convTransposeBias.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = convTranspose.size(1);
    s.groups = (s.filters + group - 1) / group;
    s.inZ = x.size(2);
    s.outZ = (s.inZ - 1) * 2 + 2;
    s.cellsZ = s.outZ / cellZ;
    s.inY = x.size(3);
    s.outY = (s.inY - 1) * 2 + 2;
    s.cellsY = s.outY / cellY;
    s.inX = x.size(4);
    s.outX = (s.inX - 1) * 2 + 2;
    s.cellsX = s.outX / cellX;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    TORCH_CHECK(count <= mostWeights, "too many weights for constant memory");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, weights) == cudaSuccess, "no constant memory");
    pack<<<(count + 127) / 128, 128>>>(convTranspose.data_ptr<float>(), static_cast<float*>(to), s);
    const int places = s.cellsX * s.cellsY; // of a thread each
    const dim3 grid((places + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    auto output = torch::empty({s.batch, s.filters, s.cellsZ, s.cellsY, s.cellsX}, x.options());
    const size_t rowBytes = sizeof(float) * column * s.filters * threads;
    TORCH_CHECK(rowBytes <= 49152, "too many filters for shared memory");
    cells<<<grid, threads, rowBytes>>>(x.data_ptr<float>(), output.data_ptr<float>(), Parameters{convTransposeBias.data_ptr<float>()}, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "38_ConvTranspose3d_AvgPool_Clamp_Softmax_Multiply (tiles)");
}
