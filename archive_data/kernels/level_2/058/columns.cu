// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/58 58_ConvTranspose3d_LogSumExp_HardSwish_Subtract_Clamp_Max
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2
//          inputs: 27 of the 64 pairs of an input and an output have a tap. A thread makes a column of cells
//          along the depth for a group of filters, all outputs in registers; a weight comes from constant
//          memory, is the same for the whole warp and serves the whole column. Exponentials are added up over
//          the filters as they come, so that one value for each position leaves the registers. No maximum is
//          taken from the exponents first: a sum that leaves the safe range is computed again with it.
// Look at: The rewrites: exponentials to base 2 by scaled weights; shift by the maximum only where it is needed; clamp and
//          subtraction are monotone, so the maximum over the second bias is a subtraction of its least element.
#include <torch/extension.h>

constexpr int group = 4;       // tune: 2, 4, 8, 16 # filters at a time
constexpr int column = 2;      // tune: 1, 2, 3, 4, 5 # cells along the depth that a thread makes at a time
constexpr int threads = 128;   // tune: 64, 128, 256
constexpr int blocksPerSm = 4; // tune: 1, 2, 3, 4, 6, 8
/// x is [batch, channels, depth, height, width]; cells are of 2 x 2 x 2 outputs of the transposed convolution.
struct Shape {
    int batch, channels, filters, groups, depth, height, width, cellsZ, cellsY, cellsX;
};

constexpr float log2e = 1.44269504f, ln2 = 0.693147181f;
constexpr int window = 27;
constexpr int mostTaps = 12288; // 48 KB of constant memory
/// Weights by group, input channel, tap and filter of the group, 0 beyond the filters.
__constant__ float taps[mostTaps];

/// Brings the weights into the order of taps, scaled by log2(e).
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int f = i % group, k = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + f;
    to[i] = filter < s.filters ? weight[(c * s.filters + filter) * window + k] * log2e : 0.0f;
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

/// All outputs of a column for the filters of group g, added to start.
__device__ void convolveAll(const float* image, const float (&start)[group], int g, int z, int y, int x, const Shape& s,
                            float (&out)[column][8][group]) {
#pragma unroll
    for (int n = 0; n < column; ++n)
#pragma unroll
        for (int p = 0; p < 8; ++p)
#pragma unroll
            for (int f = 0; f < group; ++f)
                out[n][p][f] = start[f];
#pragma unroll 1
    for (int c = 0; c < s.channels; ++c) {
        Inputs in;
        load(in, image + c * s.depth * s.height * s.width, z, y, x, s);
        convolve(in, taps + (g * s.channels + c) * window * group, out);
    }
}

/// log2 of the sum over filters of 2 to the outputs, for one position, with the maximum taken out first.
__device__ __noinline__ float carefulLogSum(const float* image, const float* bias, int oz, int oy, int ox, Shape s) {
    float largest = -INFINITY, sum = 0.0f;
    for (int filter = 0; filter < s.filters; ++filter) {
        float v = bias[filter] * log2e;
        for (int c = 0; c < s.channels; ++c)
            for (int k = 0; k < window; ++k) {
                const int z = oz + 1 - k / 9, yy = oy + 1 - k / 3 % 3, xx = ox + 1 - k % 3; // twice the input's place
                if ((z | yy | xx) < 0 || (z | yy | xx) & 1) continue;
                if (z >= 2 * s.depth || yy >= 2 * s.height || xx >= 2 * s.width) continue;
                v = fmaf(image[((c * s.depth + z / 2) * s.height + yy / 2) * s.width + xx / 2],
                         taps[((filter / group * s.channels + c) * window + k) * group + filter % group], v);
            }
        const float more = fmaxf(largest, v);
        sum = v == largest ? sum + 1.0f : sum * exp2f(largest - more) + exp2f(v - more);
        largest = more;
    }
    return largest + log2f(sum);
}

/// 2 to the x, by the device's instruction: 2 units in the last place.
__device__ float power(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// What follows the logarithm of the sum.
__device__ float finish(float v, float least) {
    const float swished = __fdividef(v, 1.0f + __expf(-(v + 3.0f))) * (1.0f / 6.0f);
    return fminf(fmaxf(swished - least, -1.0f), 1.0f);
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    positions(const float* x, const float* bias, const float* subtract, int subtracted, float* y, Shape s) {
    __shared__ float least;
    if (threadIdx.x < 32) {
        float v = INFINITY;
        for (int i = threadIdx.x; i < subtracted; i += 32)
            v = fminf(v, subtract[i]);
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            v = fminf(v, __shfl_xor_sync(0xffffffffu, v, step));
        if (threadIdx.x == 0) least = v;
    }
    __syncthreads();
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int place = blockIdx.x * threads + threadIdx.x;
    if (place >= s.cellsY * s.cellsX) return;
    const int cellY = place / s.cellsX, cellX = place % s.cellsX, cellZ = blockIdx.y * column;
    float sums[column][8] = {};
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group], start[group];
#pragma unroll
        for (int f = 0; f < group; ++f)
            start[f] = g * group + f < s.filters ? bias[g * group + f] * log2e : -INFINITY;
        convolveAll(image, start, g, cellZ, cellY, cellX, s, out);
#pragma unroll
        for (int f = 0; f < group; ++f)
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int p = 0; p < 8; ++p)
                    sums[n][p] += power(out[n][p][f]);
    }
    const int depth = 2 * s.depth - 1, height = 2 * s.height - 1, width = 2 * s.width - 1;
    float* to = y + ((int64_t(blockIdx.z) * depth + 2 * cellZ) * height + 2 * cellY) * width + 2 * cellX;
#pragma unroll
    for (int n = 0; n < column; ++n)
#pragma unroll
        for (int p = 0; p < 8; ++p) {
            const int oz = 2 * (cellZ + n) + (p >> 2), oy = 2 * cellY + (p >> 1 & 1), ox = 2 * cellX + (p & 1);
            if (oz >= depth || oy >= height || ox >= width) continue;
            float v = __log2f(sums[n][p]);
            if (!(sums[n][p] > 1e-30f && sums[n][p] < 1e30f)) v = carefulLogSum(image, bias, oz, oy, ox, s);
            to[((2 * n + (p >> 2)) * height + (p >> 1 & 1)) * width + (p & 1)] = finish(v * ln2, least);
        }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, torch::Tensor weight, torch::Tensor bias,
                      torch::Tensor subtract) {
    for (const auto& t : {x, weight, bias, subtract})
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
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(to), s);
    const dim3 grid((s.cellsY * s.cellsX + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    auto y = torch::empty({s.batch, 1, 2 * s.depth - 1, 2 * s.height - 1, 2 * s.width - 1}, x.options());
    bias = bias.contiguous();
    subtract = subtract.contiguous();
    positions<<<grid, threads>>>(x.data_ptr<float>(), bias.data_ptr<float>(), subtract.data_ptr<float>(),
                                 int(subtract.numel()), y.data_ptr<float>(), s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d LogSumExp HardSwish Subtract Clamp Max");
}
