// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/50 50_ConvTranspose3d_Scaling_AvgPool_BiasAdd_Scaling
// Name:    columns
// Parent:  none
// Idea:    The mean over 2 x 2 x 2 outputs of a transposed convolution with stride 2 is linear in the 2 x 2 x 2
//          inputs that they are made of: one ordinary convolution with 8 taps, whose weights are sums of the
//          27. A thread makes a column of outputs along the depth for a group of filters; a weight comes from
//          constant memory, is the same for the whole warp and serves the whole column.
// Look at: The rewrites: pool after convolution is one convolution with combined taps; both scales and both biases folded
//          in.
#include <torch/extension.h>

constexpr int group = 16;      // tune: 2, 4, 8, 16 # filters at a time
constexpr int column = 3;      // tune: 1, 2, 3, 4, 5 # cells along the depth that a thread makes at a time
constexpr int threads = 128;   // tune: 64, 128, 256
constexpr int blocksPerSm = 5; // tune: 1, 2, 3, 4, 6, 8
/// x is [batch, channels, depth, height, width]; cells are of 2 x 2 x 2 outputs of the transposed convolution.
struct Shape {
    int batch, channels, filters, groups, depth, height, width, cellsZ, cellsY, cellsX;
};

constexpr int window = 8;
constexpr int mostTaps = 12288; // 48 KB of constant memory
/// Combined weights by group, input channel, input offset and filter of the group, 0 beyond the filters.
__constant__ float taps[mostTaps];

/// Whether tap k of the transposed convolution joins input offset d with one of the two outputs of a cell.
__device__ bool joins(int d, int k) {
    return d == 0 ? k > 0 : k == 0;
}

/// Combines the taps of each cell's eight outputs.
__global__ void pack(const float* weight, const float* scale1, const float* scale2, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int f = i % group, d = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + f;
    float sum = 0.0f;
    if (filter < s.filters)
#pragma unroll
        for (int k = 0; k < 27; ++k) {
            const float w = weight[(c * s.filters + filter) * 27 + k];
            sum += joins(d >> 2, k / 9) && joins(d >> 1 & 1, k / 3 % 3) && joins(d & 1, k % 3) ? w : 0.0f;
        }
    to[i] = sum * (0.125f * *scale1 * *scale2);
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

/// Adds one input channel to the outputs of the column.
__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][group]) {
#pragma unroll
    for (int d = 0; d < window; ++d)
#pragma unroll
        for (int f = 0; f < group; ++f)
#pragma unroll
            for (int n = 0; n < column; ++n)
                out[n][f] = fmaf(in.at[n + (d >> 2)][d >> 1 & 1][d & 1], tap[d * group + f], out[n][f]);
}

/// The pooled outputs of a column for the filters of group g, without bias.
__device__ void convolveAll(const float* image, int g, int z, int y, int x, const Shape& s,
                            float (&out)[column][group]) {
#pragma unroll
    for (int n = 0; n < column; ++n)
#pragma unroll
        for (int f = 0; f < group; ++f)
            out[n][f] = 0.0f;
#pragma unroll 1
    for (int c = 0; c < s.channels; ++c) {
        Inputs in;
        load(in, image + c * s.depth * s.height * s.width, z, y, x, s);
        convolve(in, taps + (g * s.channels + c) * window * group, out);
    }
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cellValues(const float* x, const float* convBias, const float* bias, const float* scale1, const float* scale2,
               float* y, Shape s) {
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int place = blockIdx.x * threads + threadIdx.x;
    if (place >= s.cellsY * s.cellsX) return;
    const int cellY = place / s.cellsX, cellX = place % s.cellsX, cellZ = blockIdx.y * column;
    const int plane = s.cellsY * s.cellsX;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][group];
        convolveAll(image, g, cellZ, cellY, cellX, s, out);
        float* first = y + ((int64_t(blockIdx.z) * s.filters + g * group) * s.cellsZ + cellZ) * plane + place;
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
            const float own = (convBias[filter] * *scale1 + bias[filter]) * *scale2;
            float* to = first;
#pragma unroll
            for (int n = 0; n < column; ++n) {
                if (cellZ + n < s.cellsZ) *to = out[n][f] + own;
                to += plane;
            }
            first += s.cellsZ * plane;
        }
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, torch::Tensor weight, torch::Tensor convBias,
                      torch::Tensor scale1, torch::Tensor scale2, torch::Tensor bias) {
    for (const auto& t : {x, weight, convBias, scale1, scale2, bias})
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
    s.cellsZ = (2 * s.depth - 1) / 2;
    s.cellsY = (2 * s.height - 1) / 2;
    s.cellsX = (2 * s.width - 1) / 2;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int packed = s.groups * s.channels * window * group;
    TORCH_CHECK(packed <= mostTaps, "too many weights for constant memory");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, taps) == cudaSuccess, "no constant memory");
    convBias = convBias.contiguous();
    bias = bias.contiguous();
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), scale1.data_ptr<float>(), scale2.data_ptr<float>(),
                                        static_cast<float*>(to), s);
    const dim3 grid((s.cellsY * s.cellsX + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    auto y = torch::empty({s.batch, s.filters, s.cellsZ, s.cellsY, s.cellsX}, x.options());
    cellValues<<<grid, threads>>>(x.data_ptr<float>(), convBias.data_ptr<float>(), bias.data_ptr<float>(),
                                  scale1.data_ptr<float>(), scale2.data_ptr<float>(), y.data_ptr<float>(), s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d Scaling AvgPool BiasAdd Scaling");
}
