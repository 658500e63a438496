// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/1 1_Conv2D_ReLU_BiasAdd
// Name:    implicit_gemm
// Parent:  image_tile
// Idea:    A convolution is a matrix product: filters by windows, with one column of inputs per output
//          pixel. The columns are never written out; a tile of them is gathered from the image straight
//          into shared memory and multiplied like any tile, 2 filters by 4 pixels per thread.
// Look at: The index arithmetic of the gather is the price; it is paid once per tile element and used by
//          all 16 filters.
#include <torch/extension.h>

/// A convolution with stride 1 and no padding.
struct Conv {
    int batch, channels, height, width, filters, kernelHeight, kernelWidth, outHeight, outWidth;
};

/// The bias of the convolution, ReLU, then the second bias.
__device__ float finish(float sum, float convBias, float bias) {
    const float v = sum + convBias;
    return (v < 0.0f ? 0.0f : v) + bias;
}

constexpr int tileFilters = 16;
constexpr int tilePixels = 128;
constexpr int tileK = 16;
constexpr int threads = 256; // 8 pairs of filters times 32 groups of pixels

__global__ void __launch_bounds__(threads)
    convGemm(const float* x, const float* weight, const float* convBias, const float* bias, float* y,
             Conv conv, int64_t columns) {
    __shared__ float filters[tileK][tileFilters + 1];
    __shared__ __align__(16) float windows[tileK][tilePixels];
    const int window = conv.kernelHeight * conv.kernelWidth;
    const int depth = conv.channels * window;
    const int pixels = conv.outHeight * conv.outWidth;
    const int firstFilter = threadIdx.x / 32 * 2;
    const int firstPixel = threadIdx.x % 32 * 4;
    // The column that this thread gathers: always the same pixel, so its image and place are worked out once.
    const int gathered = threadIdx.x % tilePixels;
    const int64_t gatheredColumn = int64_t(blockIdx.x) * tilePixels + gathered;
    const bool inside = gatheredColumn < columns;
    const int64_t image = inside ? gatheredColumn / pixels : 0;
    const int pixel = inside ? gatheredColumn % pixels : 0;
    const float* corner = x + (image * conv.channels * conv.height + pixel / conv.outWidth) * conv.width +
                          pixel % conv.outWidth;

    float sums[2][4] = {};
    for (int start = 0; start < depth; start += tileK) {
        const int filterRow = blockIdx.y * tileFilters + threadIdx.x / tileK;
        const int filterColumn = start + threadIdx.x % tileK;
        filters[threadIdx.x % tileK][threadIdx.x / tileK] =
            filterRow < conv.filters && filterColumn < depth
                ? weight[int64_t(filterRow) * depth + filterColumn]
                : 0.0f;
        for (int i = threadIdx.x / tilePixels; i < tileK; i += threads / tilePixels) {
            const int d = start + i;
            const int c = d / window, ky = d % window / conv.kernelWidth, kx = d % window % conv.kernelWidth;
            windows[i][gathered] =
                inside && d < depth ? corner[(int64_t(c) * conv.height + ky) * conv.width + kx] : 0.0f;
        }
        __syncthreads();
#pragma unroll
        for (int i = 0; i < tileK; ++i) {
            const float4 v = *reinterpret_cast<const float4*>(&windows[i][firstPixel]);
            for (int f = 0; f < 2; ++f) {
                const float w = filters[i][firstFilter + f]; // the same for a whole warp
                sums[f][0] += w * v.x;
                sums[f][1] += w * v.y;
                sums[f][2] += w * v.z;
                sums[f][3] += w * v.w;
            }
        }
        __syncthreads();
    }
    for (int f = 0; f < 2; ++f) {
        const int filter = blockIdx.y * tileFilters + firstFilter + f;
        for (int p = 0; p < 4; ++p) {
            const int64_t column = int64_t(blockIdx.x) * tilePixels + firstPixel + p;
            if (filter < conv.filters && column < columns)
                y[(column / pixels * conv.filters + filter) * pixels + column % pixels] =
                    finish(sums[f][p], convBias[filter], bias[filter]);
        }
    }
}

torch::Tensor forward(torch::Tensor x, torch::Tensor weight, torch::Tensor convBias, torch::Tensor bias) {
    TORCH_CHECK(x.is_cuda() && weight.is_cuda() && convBias.is_cuda() && bias.is_cuda(),
                "all arguments must be CUDA tensors");
    TORCH_CHECK(x.scalar_type() == torch::kFloat32 && weight.scalar_type() == torch::kFloat32 &&
                    convBias.scalar_type() == torch::kFloat32 && bias.scalar_type() == torch::kFloat32,
                "all arguments must be float32");
    TORCH_CHECK(x.dim() == 4 && weight.dim() == 4 && x.size(1) == weight.size(1),
                "x must be [batch, channels, height, width] and weight [filters, channels, height, width]");
    TORCH_CHECK(convBias.numel() == weight.size(0) && bias.numel() == weight.size(0),
                "one bias of each kind per filter");
    x = x.contiguous();
    weight = weight.contiguous();
    convBias = convBias.contiguous();
    bias = bias.contiguous();
    Conv conv;
    conv.batch = x.size(0);
    conv.channels = x.size(1);
    conv.height = x.size(2);
    conv.width = x.size(3);
    conv.filters = weight.size(0);
    conv.kernelHeight = weight.size(2);
    conv.kernelWidth = weight.size(3);
    conv.outHeight = conv.height - conv.kernelHeight + 1;
    conv.outWidth = conv.width - conv.kernelWidth + 1;
    TORCH_CHECK(conv.outHeight > 0 && conv.outWidth > 0, "the filter is larger than the image");
    auto y = torch::empty({conv.batch, conv.filters, conv.outHeight, conv.outWidth}, x.options());
    if (y.numel() == 0) return y;
    const int64_t columns = int64_t(conv.batch) * conv.outHeight * conv.outWidth;
    const dim3 grid((columns + tilePixels - 1) / tilePixels, (conv.filters + tileFilters - 1) / tileFilters);
    convGemm<<<grid, threads>>>(x.data_ptr<float>(), weight.data_ptr<float>(), convBias.data_ptr<float>(),
                                bias.data_ptr<float>(), y.data_ptr<float>(), conv, columns);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Conv2D ReLU BiasAdd (implicit gemm)");
}
