// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/96 96_ConvTranspose3d_Multiply_Max_GlobalAvgPool_Clamp
// Name:    lanes
// Parent:  none
// Idea:    A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2
//          inputs: 27 of the 64 pairs of an input and an output have a tap. The lanes of a warp are filters: a
//          lane keeps all weights of its filter in registers and walks along lines of cells, whose inputs lie
//          in shared memory so that one load of four floats for each channel brings all that the next cell
//          needs. Nothing but sums over space leaves the block.
// Look at: The rewrites: scale folded into weights and bias; bias moved past maximum and mean; mean as sums of blocks, then
//          of sums.
#include <torch/extension.h>

constexpr int channels = 3;     // the most input channels: their weights stay in registers
constexpr int filterLanes = 16; // tune: 8, 16, 32 # lanes of a warp that take different filters
constexpr int passes = 4;       // tune: 1, 2, 4, 8 # lines of cells that each lane makes one after another
constexpr int threads = 128;    // tune: 64, 128, 256
constexpr int blocksPerSm = 4;  // tune: 2, 3, 4, 5, 8
constexpr int window = 27;
constexpr int lines = threads / filterLanes; // lines that a block makes at a time

/// x is [batch, channels, depth, height, width]; cells are of 2 x 2 x 2 outputs of the transposed convolution.
struct Shape {
    int batch, channels, filters, groups, depth, height, width, cellsZ, cellsY, cellsX;
};

/// Orders the weights, scaled, by filter group, channel, tap and filter, 0 beyond the extents.
__global__ void packLanes(const float* weight, float scale, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * channels * window * filterLanes) return;
    const int k = i / filterLanes % window, c = i / (filterLanes * window) % channels;
    const int filter = i / (filterLanes * window * channels) * filterLanes + i % filterLanes;
    const bool inside = filter < s.filters && c < s.channels;
    to[i] = inside ? weight[(c * s.filters + filter) * window + k] * scale : 0.0f;
}

/// The position in the kernel of the tap from input offset d to output parity p.
__host__ __device__ constexpr int tapOf(int p, int d) {
    return p == 0 ? 1 : d == 0 ? 2 : 0;
}

/// The inputs of a line of cells at one place; by channel the four of both planes and lines.
struct Slice {
    float4 of[channels];
};
__device__ float part(const float4& v, int i) {
    return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w;
}

/// The eight outputs of a cell between two slices, without bias.
__device__ void convolve(const Slice& left, const Slice& right, const float (&tap)[channels][window], float (&out)[8]) {
#pragma unroll
    for (int p = 0; p < 8; ++p)
        out[p] = 0.0f;
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

/// Brings the slices of a line of cells to shared memory.
__device__ void stage(Slice* to, const float* image, int z, int y, const Shape& s) {
    const int plane = s.height * s.width;
    const bool inside = z < s.depth && y < s.height, below = inside && y + 1 < s.height,
               behind = inside && z + 1 < s.depth;
    const float* line = image + (z * s.height + y) * s.width;
#pragma unroll 2
    for (int x = threadIdx.x % filterLanes; x <= s.cellsX; x += filterLanes)
#pragma unroll
        for (int c = 0; c < channels; ++c) {
            const bool has = c < s.channels && x < s.width;
            const float* from = line + c * s.depth * plane + x;
            float4 v;
            v.x = has && inside ? from[0] : 0.0f;
            v.y = has && below ? from[s.width] : 0.0f;
            v.z = has && behind ? from[plane] : 0.0f;
            v.w = has && below && behind ? from[plane + s.width] : 0.0f;
            to[x].of[c] = v;
        }
}

/// Sums of blocks: partial[image][block of the image][filter].
__global__ void __launch_bounds__(threads, blocksPerSm)
    cellSums(const float* x, const float* packed, float* partial, Shape s) {
    __shared__ float ofLines[lines][filterLanes];
    extern __shared__ float4 lineMemory[];
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const float* mine = packed + blockIdx.y * channels * window * filterLanes + threadIdx.x % filterLanes;
    float tap[channels][window];
#pragma unroll
    for (int c = 0; c < channels; ++c)
#pragma unroll
        for (int k = 0; k < window; ++k)
            tap[c][k] = mine[(c * window + k) * filterLanes];
    const int own = threadIdx.x / filterLanes; // the place of this lane's line among the block's
    Slice* slices = reinterpret_cast<Slice*>(lineMemory) + own * (s.cellsX + 1);
    float sum = 0.0f;
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        const int line = (blockIdx.x * passes + pass) * lines + own;
        __syncwarp();
        stage(slices, image, line / s.cellsY, line % s.cellsY, s);
        __syncwarp();
        const int cells = line < s.cellsZ * s.cellsY ? s.cellsX : 0;
        Slice left = slices[0];
#pragma unroll 2
        for (int i = 1; i <= cells; ++i) {
            const Slice right = slices[i];
            float out[8];
            convolve(left, right, tap, out);
            sum += fmaxf(fmaxf(fmaxf(out[0], out[1]), fmaxf(out[2], out[3])),
                         fmaxf(fmaxf(out[4], out[5]), fmaxf(out[6], out[7])));
            left = right;
        }
    }
    ofLines[own][threadIdx.x % filterLanes] = sum;
    __syncthreads();
    if (threadIdx.x < filterLanes) {
        float all = 0.0f;
        for (int i = 0; i < lines; ++i)
            all += ofLines[i][threadIdx.x];
        partial[((int64_t(blockIdx.z) * gridDim.x + blockIdx.x) * gridDim.y + blockIdx.y) * filterLanes + threadIdx.x] =
            all;
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
    for (const auto& t : {x, weight, bias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && maxpoolKernelSize == 2, "only stride 2, padding 1, pool 2");
    TORCH_CHECK(x.dim() == 5 && weight.dim() == 5 && x.size(1) == weight.size(0) && weight.size(2) == 3 &&
                    weight.size(3) == 3 && weight.size(4) == 3,
                "x must be [B, C, D, H, W] and weight [C, O, 3, 3, 3]");
    x = x.contiguous();
    weight = weight.contiguous();
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
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    bias = bias.contiguous();
    TORCH_CHECK(s.channels <= channels, "too many input channels for weights in registers");
    const int count = s.groups * channels * window * filterLanes;
    auto packed = torch::empty({count}, x.options());
    packLanes<<<(count + 127) / 128, 128>>>(weight.data_ptr<float>(), float(scale), packed.data_ptr<float>(), s);
    const int perBlock = passes * lines;
    const dim3 grid((s.cellsZ * s.cellsY + perBlock - 1) / perBlock, s.groups, s.batch);
    const size_t shared = sizeof(Slice) * lines * (s.cellsX + 1);
    TORCH_CHECK(shared <= 40960, "the lines are too long for shared memory");
    const int blocks = grid.x;
    auto partial = torch::empty({s.batch, blocks, s.groups * filterLanes}, x.options());
    auto y = torch::empty({s.batch, s.filters, 1, 1, 1}, x.options());
    cellSums<<<grid, threads, shared>>>(x.data_ptr<float>(), packed.data_ptr<float>(), partial.data_ptr<float>(), s);
    finish<<<dim3(s.batch, (s.filters + 7) / 8), dim3(32, 8)>>>(partial.data_ptr<float>(), bias.data_ptr<float>(),
                                                                float(scale), y.data_ptr<float>(), blocks, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d Multiply MaxPool GlobalAvgPool Clamp");
}
