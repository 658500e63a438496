// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/60 60_ConvTranspose3d_Swish_GroupNorm_HardSwish
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2
//          inputs: 27 of the 64 pairs of an input and an output have a tap. A thread makes a column of cells
//          along the depth for a group of filters, all outputs in registers; a weight comes from constant
//          memory, is the same for the whole warp and serves the whole column. It is done twice: once for the
//          sums and sums of squares that the group norm needs, once for the values, so that the large output is
//          written once and never read.
// Look at: The rewrites: statistics recompute the convolution instead of storing it; normalisation is an affine map of each
//          image and filter.
#include <torch/extension.h>

constexpr int group = 4;       // tune: 2, 4, 8, 16 # filters at a time
constexpr int column = 2;      // tune: 1, 2, 3, 4, 5 # cells along the depth that a thread makes at a time
constexpr int threads = 128;   // tune: 64, 128, 256
constexpr int blocksPerSm = 4; // tune: 1, 2, 3, 4, 6, 8
/// x is [batch, channels, depth, height, width]; cells are of 2 x 2 x 2 outputs of the transposed convolution.
struct Shape {
    int batch, channels, filters, groups, depth, height, width, cellsZ, cellsY, cellsX;
};

constexpr int window = 27;
constexpr int mostTaps = 12288; // 48 KB of constant memory
/// Weights by group, input channel, tap and filter of the group, 0 beyond the filters.
__constant__ float taps[mostTaps];

/// Brings the weights into the order of taps.
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int f = i % group, k = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + f;
    to[i] = filter < s.filters ? weight[(c * s.filters + filter) * window + k] : 0.0f;
}

/// The inputs of a column of cells in one channel; those beyond the border are 0.
struct Inputs {
    float at[column + 1][2][2];
};

__device__ void load(Inputs& in, const float* plane, int z, int y, int x, const Shape& s) {
    const float* from = plane + (z * s.height + y) * s.width + x;
    const bool right = x + 1 < s.width, below = y + 1 < s.height;
#pragma unroll
    for (int dz = 0; dz <= column; ++dz) {
        const bool inside = z + dz < s.depth;
        in.at[dz][0][0] = inside ? from[0] : 0.0f;
        in.at[dz][0][1] = inside && right ? from[1] : 0.0f;
        in.at[dz][1][0] = inside && below ? from[s.width] : 0.0f;
        in.at[dz][1][1] = inside && below && right ? from[s.width + 1] : 0.0f;
        from += s.height * s.width;
    }
}

/// The position in the kernel of the tap from input offset d to output parity p.
__host__ __device__ constexpr int tapOf(int p, int d) {
    return p == 0 ? 1 : d == 0 ? 2 : 0;
}

/// Adds one input channel to the eight outputs of each cell of the column.
__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][8][group]) {
#pragma unroll
    for (int p = 0; p < 8; ++p)
#pragma unroll
        for (int d = 0; d < 8; ++d) {
            if (d & ~p) continue; // no tap joins them
            const int k = (tapOf(p >> 2, d >> 2) * 3 + tapOf(p >> 1 & 1, d >> 1 & 1)) * 3 + tapOf(p & 1, d & 1);
#pragma unroll
            for (int f = 0; f < group; ++f)
#pragma unroll
                for (int n = 0; n < column; ++n)
                    out[n][p][f] = fmaf(in.at[n + (d >> 2)][d >> 1 & 1][d & 1], tap[k * group + f], out[n][p][f]);
        }
}

/// All outputs of a column for the filters of group g, added to 0.
__device__ void convolveAll(const float* image, int g, int z, int y, int x, const Shape& s,
                            float (&out)[column][8][group]) {
#pragma unroll
    for (int n = 0; n < column; ++n)
#pragma unroll
        for (int p = 0; p < 8; ++p)
#pragma unroll
            for (int f = 0; f < group; ++f)
                out[n][p][f] = 0.0f;
#pragma unroll 1
    for (int c = 0; c < s.channels; ++c) {
        Inputs in;
        load(in, image + c * s.depth * s.height * s.width, z, y, x, s);
        convolve(in, taps + (g * s.channels + c) * window * group, out);
    }
}

/// x times its sigmoid, by the device's instructions for 2 to a power and the reciprocal.
__device__ float swish(float x) {
    float power, sigmoid;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x * -1.44269504f));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(sigmoid) : "f"(1.0f + power));
    return x * sigmoid;
}

__device__ float hardSwish(float x) {
    return x * fminf(fmaxf(fmaf(x, 1.0f / 6.0f, 0.5f), 0.0f), 1.0f);
}

/// Sums and sums of squares of blocks: partial[image][block of the image][filter][2].
__global__ void __launch_bounds__(threads, blocksPerSm)
    statistics(const float* x, const float* bias, float* partial, Shape s) {
    __shared__ float ofWarps[threads / 32][group][2];
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int places = s.cellsY * s.cellsX, place = min(int(blockIdx.x) * threads + int(threadIdx.x), places - 1);
    const bool inside = blockIdx.x * threads + threadIdx.x < places;
    const int cellY = place / s.cellsX, cellX = place % s.cellsX, cellZ = blockIdx.y * column;
    const int layers = 2 * s.depth - 1 - 2 * cellZ; // of outputs, from the column's first to the border
    const bool odd[4] = {inside, inside && cellX < s.width - 1, inside && cellY < s.height - 1,
                         inside && cellX < s.width - 1 && cellY < s.height - 1}; // which outputs of a layer there are
    const int block = blockIdx.y * gridDim.x + blockIdx.x, blocks = gridDim.x * gridDim.y;
    float* sumsOfBlock = partial + (int64_t(blockIdx.z) * blocks + block) * s.groups * group * 2;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group], sum[group] = {}, squares[group] = {};
        convolveAll(image, g, cellZ, cellY, cellX, s, out);
        float own[group];
#pragma unroll
        for (int f = 0; f < group; ++f)
            own[f] = g * group + f < s.filters ? bias[g * group + f] : 0.0f;
#pragma unroll
        for (int layer = 0; layer < 2 * column; ++layer) {
            if (layer >= layers) break;
#pragma unroll
            for (int p = 0; p < 4; ++p)
#pragma unroll
                for (int f = 0; f < group; ++f) {
                    const float v = swish(odd[p] ? out[layer / 2][layer % 2 * 4 + p][f] + own[f] : 0.0f);
                    sum[f] += v;
                    squares[f] = fmaf(v, v, squares[f]);
                }
        }
        if (g > 0) __syncthreads(); // the group before has been stored
#pragma unroll
        for (int f = 0; f < group; ++f) {
#pragma unroll
            for (int step = 16; step > 0; step /= 2) {
                sum[f] += __shfl_xor_sync(0xffffffffu, sum[f], step);
                squares[f] += __shfl_xor_sync(0xffffffffu, squares[f], step);
            }
            if (threadIdx.x % 32 == 0) {
                ofWarps[threadIdx.x / 32][f][0] = sum[f];
                ofWarps[threadIdx.x / 32][f][1] = squares[f];
            }
        }
        __syncthreads();
        if (threadIdx.x < group * 2) {
            float all = 0.0f;
            for (int w = 0; w < threads / 32; ++w)
                all += ofWarps[w][threadIdx.x / 2][threadIdx.x % 2];
            sumsOfBlock[g * group * 2 + threadIdx.x] = all;
        }
    }
}

constexpr int reducers = 128;

/// The affine map that the norm is: affine[image][filter] = {scale, shift}; one block for each image and norm group.
__global__ void __launch_bounds__(reducers)
    finishStatistics(const float* partial, const float* gamma, const float* beta, float eps, float2* affine, int blocks,
                     int perNorm, double count, Shape s) {
    __shared__ double sums[reducers][2];
    const int first = blockIdx.x * perNorm, image = blockIdx.y;
    double sum = 0.0, squares = 0.0;
    for (int i = threadIdx.x; i < blocks * perNorm; i += reducers) {
        const int64_t at = (int64_t(image) * blocks + i / perNorm) * s.groups * group + first + i % perNorm;
        sum += partial[at * 2];
        squares += partial[at * 2 + 1];
    }
    sums[threadIdx.x][0] = sum;
    sums[threadIdx.x][1] = squares;
    for (int half = reducers / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            sums[threadIdx.x][0] += sums[threadIdx.x + half][0];
            sums[threadIdx.x][1] += sums[threadIdx.x + half][1];
        }
    }
    __syncthreads();
    const double mean = sums[0][0] / count, variance = fmax(sums[0][1] / count - mean * mean, 0.0);
    for (int i = threadIdx.x; i < perNorm; i += reducers) {
        const float scale = float(gamma[first + i] / sqrt(variance + eps));
        affine[image * s.filters + first + i] = make_float2(scale, float(beta[first + i] - mean * scale));
    }
}

/// The outputs, normalised.
__global__ void __launch_bounds__(threads, blocksPerSm)
    normalised(const float* x, const float* bias, const float2* affine, float* y, Shape s) {
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int place = blockIdx.x * threads + threadIdx.x;
    if (place >= s.cellsY * s.cellsX) return;
    const int cellY = place / s.cellsX, cellX = place % s.cellsX, cellZ = blockIdx.y * column;
    const int depth = 2 * s.depth - 1, height = 2 * s.height - 1, width = 2 * s.width - 1;
    const int layers = depth - 2 * cellZ; // of outputs, from the column's first to the border
    const bool odd[2][2] = {{true, cellX < s.width - 1},
                            {cellY < s.height - 1, cellX < s.width - 1 && cellY < s.height - 1}}; // which there are
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group];
        convolveAll(image, g, cellZ, cellY, cellX, s, out);
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
            const float own = bias[filter];
            const float2 map = affine[blockIdx.z * s.filters + filter];
            float* to =
                y + (((int64_t(blockIdx.z) * s.filters + filter) * depth + 2 * cellZ) * height + 2 * cellY) * width +
                2 * cellX;
#pragma unroll
            for (int layer = 0; layer < 2 * column; ++layer) {
#pragma unroll
                for (int line = 0; line < 2; ++line)
#pragma unroll
                    for (int i = 0; i < 2; ++i) {
                        const float v = out[layer / 2][layer % 2 * 4 + line * 2 + i][f] + own;
                        const float result = hardSwish(fmaf(swish(v), map.x, map.y));
                        if (layer < layers && odd[line][i]) to[line * width + i] = result;
                    }
                to += height * width;
            }
        }
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t norms, double eps, torch::Tensor weight,
                      torch::Tensor bias, torch::Tensor gamma, torch::Tensor beta) {
    for (const auto& t : {x, weight, bias, gamma, beta})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1, "only stride 2, padding 1");
    TORCH_CHECK(x.dim() == 5 && weight.dim() == 5 && x.size(1) == weight.size(0) && weight.size(2) == 3 &&
                    weight.size(3) == 3 && weight.size(4) == 3,
                "x must be [B, C, D, H, W] and weight [C, O, 3, 3, 3]");
    x = x.contiguous();
    weight = weight.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = weight.size(1);
    s.groups = (s.filters + group - 1) / group;
    s.depth = x.size(2);
    s.height = x.size(3);
    s.width = x.size(4);
    s.cellsZ = s.depth;
    s.cellsY = s.height;
    s.cellsX = s.width;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int packed = s.groups * s.channels * window * group;
    TORCH_CHECK(packed <= mostTaps, "too many weights for constant memory");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, taps) == cudaSuccess, "no constant memory");
    TORCH_CHECK(norms > 0 && s.filters % norms == 0, "the norm's groups must divide the filters");
    bias = bias.contiguous();
    gamma = gamma.contiguous();
    beta = beta.contiguous();
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(to), s);
    const dim3 grid((s.cellsY * s.cellsX + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    const int blocks = grid.x * grid.y, perNorm = s.filters / norms;
    auto partial = torch::empty({s.batch, blocks, s.groups * group, 2}, x.options());
    statistics<<<grid, threads>>>(x.data_ptr<float>(), bias.data_ptr<float>(), partial.data_ptr<float>(), s);
    auto affine = torch::empty({s.batch, s.filters, 2}, x.options());
    auto* maps = reinterpret_cast<float2*>(affine.data_ptr<float>());
    const double count = double(perNorm) * (2 * s.depth - 1) * (2 * s.height - 1) * (2 * s.width - 1);
    finishStatistics<<<dim3(norms, s.batch), reducers>>>(partial.data_ptr<float>(), gamma.data_ptr<float>(),
                                                         beta.data_ptr<float>(), float(eps), maps, blocks, perNorm,
                                                         count, s);
    auto y = torch::empty({s.batch, s.filters, 2 * s.depth - 1, 2 * s.height - 1, 2 * s.width - 1}, x.options());
    normalised<<<grid, threads>>>(x.data_ptr<float>(), bias.data_ptr<float>(), maps, y.data_ptr<float>(), s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d Swish GroupNorm HardSwish");
}
