// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/1 1_Conv2D_ReLU_BiasAdd
// Name:    filters_in_registers
// Parent:  direct
// Idea:    Each thread computes its pixel for eight filters at once: a loaded input value is used eight
//          times from a register. The filters' weights are staged in shared memory, ordered so that the
//          eight a thread needs next lie side by side.
// Look at: Global loads per multiplication: two in the direct kernel, one eighth here.
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

constexpr int group = 8; // filters per thread
constexpr int threads = 128;
constexpr int mostStaged = 1024; // weights per filter and pass through shared memory: 32 KB

__global__ void __launch_bounds__(threads)
    convRegisters(const float* x, const float* weight, const float* convBias, const float* bias, float* y,
                  Conv conv, int groups) {
    __shared__ __align__(16) float staged[mostStaged][group];
    const int firstFilter = int(blockIdx.y % groups) * group;
    const int64_t image = blockIdx.y / groups;
    const int pixels = conv.outHeight * conv.outWidth;
    const int pixel = blockIdx.x * threads + threadIdx.x;
    const bool inside = pixel < pixels;
    const int row = inside ? pixel / conv.outWidth : 0;
    const int column = inside ? pixel % conv.outWidth : 0;
    const int window = conv.kernelHeight * conv.kernelWidth;
    const int perFilter = conv.channels * window;
    const float* input = x + (image * conv.channels * conv.height + row) * conv.width + column;

    float sums[group] = {};
    for (int start = 0; start < perFilter; start += mostStaged) {
        const int here = min(mostStaged, perFilter - start);
        __syncthreads(); // the pass before has been used
        for (int i = threadIdx.x; i < here * group; i += threads) {
            const int filter = firstFilter + i / here;
            const int w = start + i % here;
            staged[i % here][i / here] =
                filter < conv.filters ? weight[int64_t(filter) * perFilter + w] : 0.0f;
        }
        __syncthreads();
        int c = start / window, ky = start % window / conv.kernelWidth, kx = start % conv.kernelWidth;
        for (int i = 0; i < here; ++i) {
            const float v = input[(int64_t(c) * conv.height + ky) * conv.width + kx];
#pragma unroll
            for (int f = 0; f < group; ++f)
                sums[f] += v * staged[i][f];
            if (++kx == conv.kernelWidth) { // counted on, not divided out
                kx = 0;
                if (++ky == conv.kernelHeight) {
                    ky = 0;
                    ++c;
                }
            }
        }
    }
    for (int f = 0; f < group; ++f) {
        const int filter = firstFilter + f;
        if (inside && filter < conv.filters)
            y[(image * conv.filters + filter) * pixels + pixel] =
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
    const dim3 grid((conv.outHeight * conv.outWidth + threads - 1) / threads, conv.batch * groups);
    convRegisters<<<grid, threads>>>(x.data_ptr<float>(), weight.data_ptr<float>(),
                                     convBias.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(),
                                     conv, groups);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "the launch failed");
    return y;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "Conv2D ReLU BiasAdd (filters in registers)");
}
