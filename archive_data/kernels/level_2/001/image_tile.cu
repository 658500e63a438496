// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/1 1_Conv2D_ReLU_BiasAdd
// Name:    image_tile
// Parent:  filters_in_registers
// Idea:    A block stages a 32 by 8 tile of one channel with the border that the filter needs, and all 16
//          filters of a group read it from there. Input values come from global memory once per group of
//          filters instead of once per window position.
// Look at: Global sectors against the parent, and the share of the tile that is border: (34 x 10) / (32 x
//          8) for a 3 by 3 filter.
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

constexpr int outX = 32;
constexpr int outY = 8;
constexpr int group = 16; // filters per thread

__global__ void __launch_bounds__(outX* outY)
    convTile(const float* x, const float* weight, const float* convBias, const float* bias, float* y,
             Conv conv, int groups) {
    extern __shared__ float shared[];
    const int window = conv.kernelHeight * conv.kernelWidth;
    const int tileWidth = outX + conv.kernelWidth - 1;
    const int tileHeight = outY + conv.kernelHeight - 1;
    float* tile = shared;                             // [tileHeight][tileWidth]
    float* filters = shared + tileHeight * tileWidth; // [window][group]
    const int thread = threadIdx.y * outX + threadIdx.x;
    const int firstFilter = int(blockIdx.z % groups) * group;
    const int64_t image = blockIdx.z / groups;
    const int top = blockIdx.y * outY;
    const int left = blockIdx.x * outX;

    float sums[group] = {};
    for (int c = 0; c < conv.channels; ++c) {
        const float* channel = x + (image * conv.channels + c) * conv.height * conv.width;
        __syncthreads(); // the channel before has been used
        for (int i = thread; i < tileHeight * tileWidth; i += outX * outY) {
            const int h = top + i / tileWidth, w = left + i % tileWidth;
            tile[i] = h < conv.height && w < conv.width ? channel[h * conv.width + w] : 0.0f;
        }
        for (int i = thread; i < window * group; i += outX * outY) {
            const int filter = firstFilter + i % group;
            filters[i] = filter < conv.filters
                             ? weight[(int64_t(filter) * conv.channels + c) * window + i / group]
                             : 0.0f;
        }
        __syncthreads();
        for (int ky = 0; ky < conv.kernelHeight; ++ky)
            for (int kx = 0; kx < conv.kernelWidth; ++kx) {
                const float v = tile[(threadIdx.y + ky) * tileWidth + threadIdx.x + kx];
                const float* here = filters + (ky * conv.kernelWidth + kx) * group;
#pragma unroll
                for (int f = 0; f < group; ++f)
                    sums[f] += v * here[f]; // a broadcast
            }
    }
    const int row = top + threadIdx.y;
    const int column = left + threadIdx.x;
    if (row >= conv.outHeight || column >= conv.outWidth) return;
    for (int f = 0; f < group && firstFilter + f < conv.filters; ++f) {
        const int filter = firstFilter + f;
        y[((image * conv.filters + filter) * conv.outHeight + row) * conv.outWidth + column] =
            finish(sums[f], convBias[filter], bias[filter]);
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
    const int groups = (conv.filters + group - 1) / group;
    TORCH_CHECK(int64_t(conv.batch) * groups <= 65535, "at most 65535 pairs of image and filter group");
    const int64_t bytes = (int64_t(outX + conv.kernelWidth - 1) * (outY + conv.kernelHeight - 1) +
                           int64_t(conv.kernelHeight) * conv.kernelWidth * group) *
                          sizeof(float);
    TORCH_CHECK(bytes <= 48 * 1024, "the filter is too large for a tile in shared memory");
    const dim3 block(outX, outY);
    const dim3 grid((conv.outWidth + outX - 1) / outX, (conv.outHeight + outY - 1) / outY,
                    conv.batch * groups);
    convTile<<<grid, block, bytes>>>(x.data_ptr<float>(), weight.data_ptr<float>(),
                                     convBias.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(),
                                     conv, groups);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Conv2D ReLU BiasAdd (image tile)");
}
