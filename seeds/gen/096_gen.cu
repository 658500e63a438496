// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/96 96_ConvTranspose3d_Multiply_Max_GlobalAvgPool_Clamp
// Name:    tiles
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a
//          column of cells for a group of filters, all in registers: a weight is read once for the column, an
//          input once for the group. What follows the convolution happens before anything is stored.
// Rewrites:rising maps moved past the maximum
#include <torch/extension.h>

constexpr int group = 4; // tune: 2, 4, 8, 16; filters that a thread makes at a time
constexpr int column = 3; // tune: 1, 2, 3, 4, 5, 6, 8; cells that a thread makes at a time, along the slowest axis
constexpr int threads = 128; // tune: 64, 128, 256
constexpr int blocksPerSm = 3; // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int mostWeights = 16000; // of constant memory

constexpr int kernelZ = 3, cellZ = 2, advanceZ = 1, firstZ = 0, spanZ = 2;
constexpr int kernelY = 3, cellY = 2, advanceY = 1, firstY = 0, spanY = 2;
constexpr int kernelX = 3, cellX = 2, advanceX = 1, firstX = 0, spanX = 2;
constexpr int window = 27; // weights for each filter and channel
constexpr int parts = 8; // outputs of a cell that a thread keeps apart

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
#pragma unroll
        for (int f = 0; f < group; ++f)
#pragma unroll
            for (int n = 0; n < column; ++n)
                out[n][((pz) * cellY + py) * cellX + px][f] = fmaf(in.at[n * advanceZ + dz][dy][dx], tap[(((kz) * kernelY + ky) * kernelX + kx) * group + f], out[n][((pz) * cellY + py) * cellX + px][f]);
    }
}

/// What the formulas after the convolution read.
struct Parameters {
    const float* convTransposeBias;
};

__device__ float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }

/// What follows the pool.
__device__ float finish(float v, int filter, int64_t element, const Parameters& p) {
    const float afterConvTranspose3d = v + p.convTransposeBias[filter];
    return afterConvTranspose3d * 0.5f;
}

/// What follows the sum over space, for an image and a filter.
__device__ float summarise(float v, int filter, int64_t element, const Parameters& p) {
    return clamp(v, 0.0f, 1.0f);
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, float* output, Parameters p, Shape s) {
    __shared__ float ofWarps[threads / 32][group];
    const float* image = input + int64_t(blockIdx.z) * s.channels * (s.inZ * s.inY * s.inX);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int z = blockIdx.y * column, y = thread / s.cellsX, x = thread % s.cellsX; // this thread's first cell
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
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < column; ++n) {
                float pooled = out[n][0][f];
#pragma unroll
                for (int part = 1; part < parts; ++part)
                    pooled = fmaxf(pooled, out[n][part][f]);
                const int ofZ = z + n, ofY = y, ofX = x;
                if (ofZ >= s.cellsZ || ofY >= s.cellsY || ofX >= s.cellsX) continue;
                sum += finish(pooled, filter, 0, p);
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
__global__ void __launch_bounds__(summaryThreads) summary(const float* sums, float* output, int blocks, Parameters p, Shape s) {
    for (int filter = threadIdx.x / 32; filter < s.filters; filter += summaryThreads / 32) {
        float sum = 0.0f;
        for (int b = threadIdx.x % 32; b < blocks; b += 32)
            sum += sums[(int64_t(blockIdx.x) * blocks + b) * s.groups * group + filter];
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            sum += __shfl_xor_sync(0xffffffffu, sum, step);
        if (threadIdx.x % 32 == 0) output[blockIdx.x * s.filters + filter] = summarise(sum / (1.0f * s.cellsZ * s.cellsY * s.cellsX), filter, 0, p);
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, double scale, int64_t maxpoolKernelSize, torch::Tensor convTranspose, torch::Tensor convTransposeBias) {
    for (const auto& t : {x, convTranspose, convTransposeBias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && scale == 0.5 && maxpoolKernelSize == 2, "this file is made for other arguments");
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
    s.outZ = (s.inZ - 1) * 2 + 1;
    s.cellsZ = s.outZ / cellZ;
    s.inY = x.size(3);
    s.outY = (s.inY - 1) * 2 + 1;
    s.cellsY = s.outY / cellY;
    s.inX = x.size(4);
    s.outX = (s.inX - 1) * 2 + 1;
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
    const int blocks = int(grid.x * grid.y); // of an image
    auto sums = torch::empty({s.batch, blocks, s.groups * group}, x.options());
    auto output = torch::empty({s.batch, s.filters, 1, 1, 1}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), sums.data_ptr<float>(), Parameters{convTransposeBias.data_ptr<float>()}, s);
    summary<<<s.batch, summaryThreads>>>(sums.data_ptr<float>(), output.data_ptr<float>(), blocks, Parameters{convTransposeBias.data_ptr<float>()}, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "96_ConvTranspose3d_Multiply_Max_GlobalAvgPool_Clamp (tiles)");
}
