// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/74 74_ConvTranspose3d_LeakyReLU_Multiply_LeakyReLU_Max
// Name:    tiles
// Parent:  none
// Idea:    A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2
//          inputs: 27 of the 64 pairs of an input and an output have a tap. A thread makes a column of cells
//          along the depth for a group of filters, all outputs in registers; a weight comes from constant
//          memory, is the same for the whole warp and serves the whole column. Leaky ReLU, multiplication and
//          leaky ReLU are one monotone map of each filter, rising or falling with the sign of its multiplier:
//          the max pool goes before it, over values whose sign is turned where the map falls.
// Look at: The rewrites: monotone maps moved past the maximum.
#include <torch/extension.h>

constexpr int group = 4;  // tune: 2, 4, 8, 16 # filters at a time
constexpr int column = 3; // tune: 1, 2, 3, 4, 5 # cells along the depth that a thread makes at a time
constexpr int tileX = 32; // cells of a block's tile, across: the lanes of a warp
constexpr int tileY = 2;  // tune: 2, 4, 8 # and down
constexpr int threads = tileX * tileY;
constexpr int blocksPerSm = 6; // tune: 1, 2, 3, 4, 6, 8
/// x is [batch, channels, depth, height, width]; cells are of 2 x 2 x 2 outputs of the transposed convolution.
struct Shape {
    int batch, channels, filters, groups, depth, height, width, cellsZ, cellsY, cellsX;
};

constexpr int window = 27;
constexpr int mostTaps = 16000; // 62.5 KB of constant memory
/// Weights by group, input channel, tap and filter of the group, 0 beyond the filters.
__constant__ float taps[mostTaps];

/// Brings the weights into the order of taps, turned in sign where the multiplier is negative.
__global__ void pack(const float* weight, const float* multiplier, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int f = i % group, k = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + f;
    to[i] = filter < s.filters
                ? weight[(c * s.filters + filter) * window + k] * (multiplier[filter] < 0.0f ? -1.0f : 1.0f)
                : 0.0f;
}

/// The inputs of a block's columns of cells in one channel; those beyond the border are 0.
struct Tile {
    float at[column + 1][tileY + 1][tileX + 1];
};

/// Brings the tiles of all channels to shared memory; a warp brings a line.
__device__ void stage(Tile* tiles, const float* image, int z, int y, int x, const Shape& s) {
    constexpr int lines = (column + 1) * (tileY + 1);
    for (int line = threadIdx.x / 32; line < s.channels * lines; line += threads / 32) {
        const int c = line / lines, dz = line % lines / (tileY + 1), dy = line % (tileY + 1);
        const bool inside = z + dz < s.depth && y + dy < s.height;
        const float* from = image + ((c * s.depth + z + dz) * s.height + y + dy) * s.width + x;
#pragma unroll
        for (int i = threadIdx.x % 32; i <= tileX; i += 32)
            tiles[c].at[dz][dy][i] = inside && x + i < s.width ? from[i] : 0.0f;
    }
}

/// The inputs of a thread's column in one channel.
struct Inputs {
    float at[column + 1][2][2];
};

__device__ void load(Inputs& in, const Tile& tile) {
#pragma unroll
    for (int dz = 0; dz <= column; ++dz)
#pragma unroll
        for (int dy = 0; dy < 2; ++dy)
#pragma unroll
            for (int dx = 0; dx < 2; ++dx)
                in.at[dz][dy][dx] = tile.at[dz][threadIdx.x / tileX + dy][threadIdx.x % tileX + dx];
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
__device__ void convolveAll(const Tile* tiles, int g, const Shape& s, float (&out)[column][8][group]) {
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
        load(in, tiles[c]);
        convolve(in, taps + (g * s.channels + c) * window * group, out);
    }
}

__device__ float leaky(float x) {
    return x > 0.0f ? x : 0.2f * x;
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cellValues(const float* x, const float* bias, const float* multiplier, float* y, Shape s) {
    extern __shared__ Tile tiles[]; // by channel
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int tilesX = (s.cellsX + tileX - 1) / tileX, cellZ = blockIdx.y * column;
    const int firstY = blockIdx.x / tilesX * tileY, firstX = blockIdx.x % tilesX * tileX;
    const int cellY = firstY + threadIdx.x / tileX, cellX = firstX + threadIdx.x % tileX;
    stage(tiles, image, cellZ, firstY, firstX, s);
    __syncthreads();
    if (cellY >= s.cellsY || cellX >= s.cellsX) return;
    const int plane = s.cellsY * s.cellsX;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group];
        convolveAll(tiles, g, s, out);
        float* first =
            y + ((int64_t(blockIdx.z) * s.filters + g * group) * s.cellsZ + cellZ) * plane + cellY * s.cellsX + cellX;
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
            const float own = bias[filter], by = multiplier[filter], sign = by < 0.0f ? -1.0f : 1.0f;
            float* to = first;
#pragma unroll
            for (int n = 0; n < column; ++n) {
                float most = out[n][0][f];
#pragma unroll
                for (int p = 1; p < 8; ++p)
                    most = fmaxf(most, out[n][p][f]);
                if (cellZ + n < s.cellsZ) *to = leaky(leaky(most * sign + own) * by);
                to += plane;
            }
            first += s.cellsZ * plane;
        }
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t outputPadding, torch::Tensor weight,
                      torch::Tensor bias, torch::Tensor multiplier) {
    for (const auto& t : {x, weight, bias, multiplier})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && outputPadding == 1, "only stride 2, padding 1, output padding 1");
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
    bias = bias.contiguous();
    multiplier = multiplier.contiguous();
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), multiplier.data_ptr<float>(), static_cast<float*>(to),
                                        s);
    const dim3 grid((s.cellsX + tileX - 1) / tileX * ((s.cellsY + tileY - 1) / tileY), (s.cellsZ + column - 1) / column,
                    s.batch);
    const size_t tileBytes = sizeof(Tile) * s.channels;
    TORCH_CHECK(tileBytes <= 47104, "too many channels for shared memory");
    auto y = torch::empty({s.batch, s.filters, s.cellsZ, s.cellsY, s.cellsX}, x.options());
    cellValues<<<grid, threads, tileBytes>>>(x.data_ptr<float>(), bias.data_ptr<float>(), multiplier.data_ptr<float>(),
                                             y.data_ptr<float>(), s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d LeakyReLU Multiply LeakyReLU MaxPool");
}
