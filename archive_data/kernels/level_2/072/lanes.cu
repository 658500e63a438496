// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/72 72_ConvTranspose3d_BatchNorm_AvgPool_AvgPool
// Name:    lanes
// Parent:  none
// Idea:    A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2
//          inputs: 27 of the 64 pairs of an input and an output have a tap. The lanes of a warp are filters: a
//          lane keeps all weights of its filter in registers and walks along lines of cells, whose inputs lie
//          in shared memory so that one load of four floats for each channel brings all that the next cell
//          needs. Once for the sums and sums of squares that the batch norm needs: nothing else of the large
//          output is wanted, since the norm is affine in each filter and moves past the pools. Two pools of 2
//          after the transposed convolution are one ordinary convolution with 27 combined taps and stride 2.
// Look at: The rewrites: two pools are one pool of 4; pool after convolution is one convolution with combined taps; batch
//          norm moved past the pools; a bias before a norm cancels; statistics recompute the convolution
//          instead of storing it.
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

/// Orders the weights by filter group, channel, tap and filter, 0 beyond the extents.
__global__ void packLanes(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * channels * window * filterLanes) return;
    const int k = i / filterLanes % window, c = i / (filterLanes * window) % channels;
    const int filter = i / (filterLanes * window * channels) * filterLanes + i % filterLanes;
    const bool inside = filter < s.filters && c < s.channels;
    to[i] = inside ? weight[(c * s.filters + filter) * window + k] : 0.0f;
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

/// Adds the outputs of a cell to the sums of its four lines, the second of each line only where there is one.
__device__ void addTo(float (&sum)[4], float (&squares)[4], const float (&out)[8], bool second) {
#pragma unroll
    for (int q = 0; q < 4; ++q) {
        sum[q] += out[2 * q];
        squares[q] = fmaf(out[2 * q], out[2 * q], squares[q]);
        if (second) {
            sum[q] += out[2 * q + 1];
            squares[q] = fmaf(out[2 * q + 1], out[2 * q + 1], squares[q]);
        }
    }
}

/// Sums and sums of squares of blocks: partial[image][block of the image][filter][2].
__global__ void __launch_bounds__(threads, blocksPerSm)
    statistics(const float* x, const float* packed, float2* partial, Shape s) {
    __shared__ float2 ofLines[lines][filterLanes];
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
    float2 sums = make_float2(0.0f, 0.0f);
#pragma unroll 1
    for (int pass = 0; pass < passes; ++pass) {
        const int line = (blockIdx.x * passes + pass) * lines + own, z = line / s.cellsY, y = line % s.cellsY;
        __syncwarp();
        stage(slices, image, z, y, s);
        __syncwarp();
        if (z < s.cellsZ) {
            float sum[4] = {}, squares[4] = {}, out[8]; // by line of outputs
            Slice left = slices[0];
#pragma unroll 2
            for (int i = 1; i < s.cellsX; ++i) {
                const Slice right = slices[i];
                convolve(left, right, tap, out);
                addTo(sum, squares, out, true);
                left = right;
            }
            convolve(left, slices[s.cellsX], tap, out);
            addTo(sum, squares, out, false);
#pragma unroll
            for (int q = 0; q < 4; ++q)
                if (!(q & 2 && z == s.depth - 1) && !(q & 1 && y == s.height - 1)) { // else beyond the border
                    sums.x += sum[q];
                    sums.y += squares[q];
                }
        }
    }
    ofLines[own][threadIdx.x % filterLanes] = sums;
    __syncthreads();
    if (threadIdx.x < filterLanes) {
        float2 all = make_float2(0.0f, 0.0f);
        for (int i = 0; i < lines; ++i) {
            all.x += ofLines[i][threadIdx.x].x;
            all.y += ofLines[i][threadIdx.x].y;
        }
        partial[((int64_t(blockIdx.z) * gridDim.x + blockIdx.x) * gridDim.y + blockIdx.y) * filterLanes + threadIdx.x] =
            all;
    }
}

constexpr int reducers = 256;

/// The affine map that the batch norm is, for each filter: affine[filter] = {scale, shift}.
__global__ void __launch_bounds__(reducers)
    finishStatistics(const float* partial, const float* gamma, const float* beta, const float* eps, float2* affine,
                     int blocks, double count, Shape s) {
    __shared__ double sums[reducers][2];
    const int filter = blockIdx.x;
    double sum = 0.0, squares = 0.0;
    for (int b = threadIdx.x; b < blocks; b += reducers) {
        sum += partial[(int64_t(b) * s.groups * filterLanes + filter) * 2];
        squares += partial[(int64_t(b) * s.groups * filterLanes + filter) * 2 + 1];
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
    if (threadIdx.x > 0) return;
    const double mean = sums[0][0] / count, variance = fmax(sums[0][1] / count - mean * mean, 0.0);
    const float scale = float(gamma[filter] / sqrt(variance + *eps));
    affine[filter] = make_float2(scale, float(beta[filter] - mean * scale));
}

/// Weights of the pooled convolution: combined[filter][channel][offset of 3 x 3 x 3].
__global__ void combine(const float* weight, float* combined, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.filters * s.channels * 27) return;
    const int d = i % 27, c = i / 27 % s.channels, filter = i / 27 / s.channels;
    const int from[3] = {1, 0, 0}, to[3] = {2, 2, 0}; // taps that join an input with one of the four outputs
    float sum = 0.0f;
    for (int kz = from[d / 9]; kz <= to[d / 9]; ++kz)
        for (int ky = from[d / 3 % 3]; ky <= to[d / 3 % 3]; ++ky)
            for (int kx = from[d % 3]; kx <= to[d % 3]; ++kx)
                sum += weight[(c * s.filters + filter) * 27 + (kz * 3 + ky) * 3 + kx];
    combined[i] = sum * (1.0f / 64.0f);
}

constexpr int poolGroup = 8; // tune: 4, 8, 16 # filters that a thread of the pooled convolution makes

/// y = affine(convolution with stride 2 and 3 x 3 x 3 combined taps).
__global__ void __launch_bounds__(128) pooledConvolution(const float* x, const float* combined, const float2* affine,
                                                         float* y, int poolsZ, int poolsY, int poolsX, Shape s) {
    extern __shared__ float staged[]; // [channel][offset][filter of the group]
    const int first = blockIdx.y * poolGroup;
    for (int i = threadIdx.x; i < s.channels * 27 * poolGroup; i += blockDim.x) {
        const int filter = first + i % poolGroup;
        staged[i] = filter < s.filters ? combined[filter * s.channels * 27 + i / poolGroup] : 0.0f;
    }
    __syncthreads();
    const int place = blockIdx.x * blockDim.x + threadIdx.x, volume = poolsZ * poolsY * poolsX;
    if (place >= volume) return;
    const int px = place % poolsX, py = place / poolsX % poolsY, pz = place / (poolsX * poolsY);
    float sums[poolGroup] = {};
    for (int c = 0; c < s.channels; ++c) {
        const float* from =
            x + (((int64_t(blockIdx.z) * s.channels + c) * s.depth + 2 * pz) * s.height + 2 * py) * s.width + 2 * px;
#pragma unroll
        for (int d = 0; d < 27; ++d) {
            const float v = from[(d / 9 * s.height + d / 3 % 3) * s.width + d % 3];
#pragma unroll
            for (int f = 0; f < poolGroup; ++f)
                sums[f] = fmaf(v, staged[(c * 27 + d) * poolGroup + f], sums[f]);
        }
    }
#pragma unroll
    for (int f = 0; f < poolGroup; ++f) {
        if (first + f >= s.filters) break;
        const float2 map = affine[first + f];
        y[(int64_t(blockIdx.z) * s.filters + first + f) * volume + place] = fmaf(sums[f], map.x, map.y);
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, torch::Tensor weight, torch::Tensor bias,
                      torch::Tensor gamma, torch::Tensor beta, torch::Tensor runningMean, torch::Tensor runningVar,
                      torch::Tensor eps, torch::Tensor momentum) {
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
    s.groups = (s.filters + filterLanes - 1) / filterLanes;
    s.depth = x.size(2);
    s.height = x.size(3);
    s.width = x.size(4);
    s.cellsZ = s.depth;
    s.cellsY = s.height;
    s.cellsX = s.width;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    gamma = gamma.contiguous();
    beta = beta.contiguous();
    const int poolsZ = (2 * s.depth - 1) / 4, poolsY = (2 * s.height - 1) / 4, poolsX = (2 * s.width - 1) / 4;
    TORCH_CHECK(poolsZ > 0 && poolsY > 0 && poolsX > 0, "the pooled output is empty");
    TORCH_CHECK(s.channels <= channels, "too many input channels for weights in registers");
    const int count = s.groups * channels * window * filterLanes;
    auto packed = torch::empty({count}, x.options());
    packLanes<<<(count + 127) / 128, 128>>>(weight.data_ptr<float>(), packed.data_ptr<float>(), s);
    auto combined = torch::empty({s.filters, s.channels, 27}, x.options());
    combine<<<(s.filters * s.channels * 27 + 127) / 128, 128>>>(weight.data_ptr<float>(), combined.data_ptr<float>(),
                                                                s);
    const int perBlock = passes * lines;
    const dim3 grid((s.cellsZ * s.cellsY + perBlock - 1) / perBlock, s.groups, s.batch);
    const size_t shared = sizeof(Slice) * lines * (s.cellsX + 1);
    TORCH_CHECK(shared <= 40960, "the lines are too long for shared memory");
    const int blocks = grid.x * grid.z;
    auto partial = torch::empty({blocks, s.groups * filterLanes, 2}, x.options());
    statistics<<<grid, threads, shared>>>(x.data_ptr<float>(), packed.data_ptr<float>(),
                                          reinterpret_cast<float2*>(partial.data_ptr<float>()), s);
    auto affine = torch::empty({s.filters, 2}, x.options());
    const double outputs = double(s.batch) * (2 * s.depth - 1) * (2 * s.height - 1) * (2 * s.width - 1);
    finishStatistics<<<s.filters, reducers>>>(partial.data_ptr<float>(), gamma.data_ptr<float>(),
                                              beta.data_ptr<float>(), eps.data_ptr<float>(),
                                              reinterpret_cast<float2*>(affine.data_ptr<float>()), blocks, outputs, s);
    auto y = torch::empty({s.batch, s.filters, poolsZ, poolsY, poolsX}, x.options());
    const dim3 poolGrid((poolsZ * poolsY * poolsX + 127) / 128, (s.filters + poolGroup - 1) / poolGroup, s.batch);
    pooledConvolution<<<poolGrid, 128, sizeof(float) * s.channels * 27 * poolGroup>>>(
        x.data_ptr<float>(), combined.data_ptr<float>(), reinterpret_cast<const float2*>(affine.data_ptr<float>()),
        y.data_ptr<float>(), poolsZ, poolsY, poolsX, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "ConvTranspose3d BatchNorm AvgPool AvgPool");
}
