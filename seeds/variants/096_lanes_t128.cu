// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/96 96_ConvTranspose3d_Multiply_Max_GlobalAvgPool_Clamp
// Name:    lanes
// Parent:  none
// Idea:    A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2
//          inputs: 27 of the 64 pairs of an input and an output have a tap. The lanes of a
//          warp are filters: a lane keeps all weights of its filter in registers and walks along rows of cells,
//          whose inputs lie in shared memory so that three loads of four floats bring all that the next cell
//          needs. Only the sums over space leave the block.
// Rewrites: scale folded into weights and bias; bias moved past the maximum; mean as sums of blocks, then of sums.
#include <torch/extension.h>

constexpr int channels = 3;     // the most input channels: their weights stay in registers
constexpr int filterLanes = 16; // tune: 8, 16, 32; lanes of a warp that take different filters
constexpr int passes = 4;       // tune: 1, 2, 4, 8; rows that each lane makes one after another
constexpr int threads = 128;    // tune: 128, 256
constexpr int blocksPerSm = 4;
constexpr int window = 27;
constexpr int streams = 32 / filterLanes;     // rows that a warp makes at a time
constexpr int rows = threads / filterLanes;   // rows that a block makes at a time

/// x is [batch, channels, depth, height, width]; cells are those of the pooled output.
struct Shape {
    int batch, channels, filters, groups, depth, height, width, cellsZ, cellsY, cellsX;
};

/// Scales the weights and orders them by tap and filter, zero beyond the extents.
__global__ void pack(const float* weight, float scale, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x, filters = s.groups * filterLanes;
    if (i >= channels * window * filters) return;
    const int filter = i % filters, k = i / filters % window, c = i / (filters * window);
    const bool inside = filter < s.filters && c < s.channels;
    to[i] = inside ? weight[(c * s.filters + filter) * window + k] * scale : 0.0f;
}

/// The position in the kernel of the tap from input offset d to output parity p.
__host__ __device__ constexpr int tapOf(int p, int d) { return p == 0 ? 1 : d == 0 ? 2 : 0; }

/// The inputs of a row of cells at one place; by channel the four of both planes and lines.
struct Slice {
    float4 of[channels];
};
__device__ float part(const float4& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }

/// The eight outputs of a cell between two slices, without bias.
__device__ void convolve(const Slice& left, const Slice& right, const float (&tap)[channels][window], float (&out)[8]) {
#pragma unroll
    for (int p = 0; p < 8; ++p) {
        out[p] = 0.0f;
    }
#pragma unroll
    for (int c = 0; c < channels; ++c)
#pragma unroll
        for (int d = 0; d < 8; ++d)
#pragma unroll
            for (int p = 0; p < 8; ++p) {
                if (d & ~p) continue; // no tap joins them
                const int k = (tapOf(p >> 2, d >> 2) * 3 + tapOf(p >> 1 & 1, d >> 1 & 1)) * 3 + tapOf(p & 1, d & 1);
                out[p] = fmaf(part(d & 1 ? right.of[c] : left.of[c], d >> 1), tap[c][k], out[p]);
            }
}

__device__ float maxPool(const float (&out)[8]) {
    return fmaxf(fmaxf(fmaxf(out[0], out[1]), fmaxf(out[2], out[3])), fmaxf(fmaxf(out[4], out[5]), fmaxf(out[6], out[7])));
}

/// Brings the slices of a row of cells to shared memory:
__device__ void stage(Slice* to, const float* image, int row, const Shape& s, int lane, int lanes) {
    const int z = row / s.cellsY, y = row % s.cellsY;
    const int plane = s.height * s.width;
    for (int i = lane; i < (s.cellsX + 1) * channels; i += lanes) {
        const int c = i / (s.cellsX + 1), x = i % (s.cellsX + 1);
        const float* from = image + (c * s.depth + z) * plane + y * s.width + x;
        const bool inside = c < s.channels && z < s.depth && x < s.width;
        const bool below = y + 1 < s.height, behind = z + 1 < s.depth;
        float4 v;
        v.x = inside ? from[0] : 0.0f;
        v.y = inside && below ? from[s.width] : 0.0f;
        v.z = inside && behind ? from[plane] : 0.0f;
        v.w = inside && below && behind ? from[plane + s.width] : 0.0f;
        to[x].of[c] = v;
    }
}

/// Sums of blocks: partial[image][block of the image][filter].
__global__ void __launch_bounds__(threads, blocksPerSm) cellSums(const float* x, const float* packed, float* partial, Shape s) {
    extern __shared__ float4 staged[];
    __shared__ float ofRows[rows][filterLanes];
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int filter = blockIdx.y * filterLanes + threadIdx.x % filterLanes, filters = s.groups * filterLanes;
    float tap[channels][window];
#pragma unroll
    for (int c = 0; c < channels; ++c)
#pragma unroll
        for (int k = 0; k < window; ++k)
            tap[c][k] = packed[(c * window + k) * filters + filter];
    const int mine = threadIdx.x / filterLanes; // the place of this lane's row among the block's
    Slice* slices = reinterpret_cast<Slice*>(staged) + mine * (s.cellsX + 1);
    float sum = 0.0f;
    for (int pass = 0; pass < passes; ++pass) {
        const int row = (blockIdx.x * passes + pass) * rows + mine;
        __syncwarp();
        stage(slices, image, row, s, threadIdx.x % filterLanes, filterLanes);
        __syncwarp();
        const int cells = row < s.cellsZ * s.cellsY ? s.cellsX : 0;
        Slice left = slices[0];
        #pragma unroll 2
        for (int i = 1; i <= cells; ++i) {
            const Slice right = slices[i];
            float out[8];
            convolve(left, right, tap, out);
            sum += maxPool(out);
            left = right;
        }
    }
    ofRows[mine][threadIdx.x % filterLanes] = sum;
    __syncthreads();
    if (threadIdx.x < filterLanes) {
        float all = 0.0f;
        for (int r = 0; r < rows; ++r)
            all += ofRows[r][threadIdx.x];
        partial[(int64_t(blockIdx.z) * gridDim.x + blockIdx.x) * filters + filter] = all;
    }
}

/// Adds up the blocks' sums in their order; mean, bias and clamp: one warp for each image and filter.
__global__ void finish(const float* partial, const float* bias, float scale, float* y, int blocks, Shape s) {
    const int filter = blockIdx.y * blockDim.y + threadIdx.y, image = blockIdx.x;
    if (filter >= s.filters) return;
    float sum = 0.0f;
    for (int b = threadIdx.x; b < blocks; b += 32)
        sum += partial[(int64_t(image) * blocks + b) * s.groups * filterLanes + filter];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    const float mean = sum / (float(s.cellsZ) * s.cellsY * s.cellsX) + bias[filter] * scale;
    if (threadIdx.x == 0) y[image * s.filters + filter] = fminf(fmaxf(mean, 0.0f), 1.0f);
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, double scale, int64_t maxpoolKernelSize,
                      torch::Tensor weight, torch::Tensor bias) {
    TORCH_CHECK(x.is_cuda() && weight.is_cuda() && bias.is_cuda(), "all tensors must be CUDA tensors");
    TORCH_CHECK(x.scalar_type() == torch::kFloat32 && weight.scalar_type() == torch::kFloat32 &&
                    bias.scalar_type() == torch::kFloat32,
                "all tensors must be float32");
    TORCH_CHECK(stride == 2 && padding == 1 && maxpoolKernelSize == 2, "only stride 2, padding 1, pool 2");
    TORCH_CHECK(x.dim() == 5 && weight.dim() == 5 && x.size(1) == weight.size(0) && weight.size(2) == 3 &&
                    weight.size(3) == 3 && weight.size(4) == 3,
                "x must be [B, C, D, H, W] and weight [C, O, 3, 3, 3]");
    x = x.contiguous();
    weight = weight.contiguous();
    bias = bias.contiguous();
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = weight.size(1);
    s.groups = (s.filters + filterLanes - 1) / filterLanes;
    s.depth = x.size(2);
    s.height = x.size(3);
    s.width = x.size(4);
    s.cellsZ = (2 * s.depth - 1) / 2;
    s.cellsY = (2 * s.height - 1) / 2;
    s.cellsX = (2 * s.width - 1) / 2;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the pooled output is empty");
    TORCH_CHECK(s.channels <= channels, "too many input channels for weights in registers");
    const int packed = channels * window * s.groups * filterLanes;
    auto packedTaps = torch::empty({packed}, x.options());
    pack<<<(packed + 255) / 256, 256>>>(weight.data_ptr<float>(), float(scale), packedTaps.data_ptr<float>(), s);
    const int tile = passes * rows;
    const dim3 grid((s.cellsZ * s.cellsY + tile - 1) / tile, s.groups, s.batch);
    const size_t shared = sizeof(Slice) * rows * (s.cellsX + 1);
    TORCH_CHECK(shared <= 40960, "the rows are too long for shared memory");
    const int blocks = grid.x;
    auto partial = torch::empty({s.batch, blocks, s.groups * filterLanes}, x.options());
    auto y = torch::empty({s.batch, s.filters, 1, 1, 1}, x.options());
    cellSums<<<grid, threads, shared>>>(x.data_ptr<float>(), packedTaps.data_ptr<float>(), partial.data_ptr<float>(), s);
    finish<<<dim3(s.batch, (s.filters + 7) / 8), dim3(32, 8)>>>(partial.data_ptr<float>(), bias.data_ptr<float>(),
                                                               float(scale), y.data_ptr<float>(), blocks, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d Multiply MaxPool GlobalAvgPool Clamp (lanes)");
}
