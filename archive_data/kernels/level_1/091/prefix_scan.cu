// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    1/91 91_cumsum_reverse
// Name:    prefix_scan
// Parent:  none
// Idea:    2 formulas in 1 launch: maps are written where they are read, and what reduces the same rows is one kernel.
// Look at: A sum that runs backwards: each thread's part first, then what the parts behind it add up to.
//
// The formulas; o0, o1, ... are the axes of what is defined, r0, r1, ... those it is reduced over, at full size:
//   cumsum[o0 < 128, o1 < 4000] = sum over r0 < 4000 of x[o0, -r0 + 3999] where o1 - r0 >= 0, else 0
//   output[o0 < 128, o1 < 4000] = cumsum[o0, -o1 + 3999]
#include <torch/extension.h>

#include <cmath>
#include <vector>

using Index = int;                // of elements: each tensor has less than 2^31
constexpr int threads = 256;      // tune: pow2 64..1024
constexpr int scanThreads = 1024; // tune: pow2 64..1024

/// `width` neighbours, 1 or 4: one load of 16 bytes, on a border of that.
template <int width> __device__ void load(float (&to)[width], const float* from) {
    if constexpr (width == 4) {
        const float4 four = *reinterpret_cast<const float4*>(from);
        to[0] = four.x, to[1] = four.y, to[2] = four.z, to[3] = four.w;
    } else {
        to[0] = *from;
    }
}

template <int width> __device__ void store(float* to, const float (&from)[width]) {
    if constexpr (width == 4)
        *reinterpret_cast<float4*>(to) = make_float4(from[0], from[1], from[2], from[3]);
    else
        *to = from[0];
}

/// What the threads before this one have together, and in `total` what all have. Work grows with the threads,
/// and the order of combining never changes.
__device__ float combinedBefore(float value, float& total) {
    __shared__ float warps[scanThreads / 32];
    const int lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    for (int distance = 1; distance < 32; distance *= 2) {
        const float before = __shfl_up_sync(0xffffffffu, value, distance);
        if (lane >= distance) value = before + value;
    }
    __syncthreads(); // warps may be read yet
    if (lane == 31) warps[warp] = value;
    __syncthreads();
    // Each warp scans the warps' results for itself: cheaper than to wait for one that does.
    float all = lane < scanThreads / 32 ? warps[lane] : 0.0f;
    for (int distance = 1; distance < 32; distance *= 2) {
        const float before = __shfl_up_sync(0xffffffffu, all, distance);
        if (lane >= distance) all = before + all;
    }
    total = __shfl_sync(0xffffffffu, all, 31);
    const float warpsBefore = __shfl_sync(0xffffffffu, all, max(warp - 1, 0));
    const float lanesBefore = __shfl_up_sync(0xffffffffu, value, 1);
    const float own = lane > 0 ? lanesBefore : 0.0f;
    return warp > 0 ? warpsBefore + own : own;
}

/// A block for each row, each thread some neighbours of it.
template <int width>
__global__ void __launch_bounds__(scanThreads)
    cumsumKernel(float* __restrict__ out, const float* __restrict__ x, Index length) {
    const Index row = blockIdx.x;
    float carry = 0.0f; // of the chunks before
    for (Index chunk = 0; chunk < length; chunk += width * scanThreads) {
        const Index k = chunk + width * threadIdx.x;
        const Index place = length - width - k, i = row * length + place; // from the end
        float values[width];
        float xAt[width];
        if (k < length) {
            load(xAt, x + i);
        }
#pragma unroll
        for (int v = 0; v < width; ++v) {
            values[v] = 0.0f;
            if (k < length) {
                values[v] = xAt[width - 1 - v];
            }
            if (v > 0) values[v] = values[v - 1] + values[v];
        }
        float total;
        const float own = combinedBefore(values[width - 1], total);
        const float before = carry + own;
        carry = carry + total;
        float outAt[width];
#pragma unroll
        for (int v = 0; v < width; ++v)
            outAt[width - 1 - v] = before + values[v];
        if (k < length) store(out + i, outAt);
    }
}

/// The tensor without gaps, if it is of this type and shape.
static torch::Tensor checked(const torch::Tensor& tensor, torch::ScalarType type, std::vector<int64_t> shape,
                             const char* name) {
    TORCH_CHECK(tensor.is_cuda() && tensor.scalar_type() == type, name, ": another device or type");
    TORCH_CHECK(tensor.dim() == int64_t(shape.size()), name, ": another number of axes");
    for (size_t k = 0; k < shape.size(); ++k)
        TORCH_CHECK(tensor.size(k) == shape[k], name, ": axis ", k, " has another extent");
    TORCH_CHECK(tensor.numel() <= INT_MAX, name, ": too many elements for Index");
    const torch::Tensor whole = tensor.contiguous();
    const bool isOnBorder = reinterpret_cast<uintptr_t>(whole.data_ptr()) % 16 == 0; // for float4
    return isOnBorder ? whole : whole.clone();
}

static int64_t blocks(int64_t count, int64_t each) {
    return std::max<int64_t>(1, (count + each - 1) / each);
}

torch::Tensor forward(torch::Tensor x, int64_t dim) {
    const int64_t B = x.size(0);
    const int64_t N = x.size(1);
    x = checked(x, torch::kFloat32, {B, N}, "x");
    TORCH_CHECK(dim == 1, "dim: this file was written for 1");
    const auto options = x.options();
    const auto output = torch::empty({B, N}, options.dtype(torch::kFloat32));
    if (N % 4 == 0)
        cumsumKernel<4><<<output.numel() / (N), scanThreads>>>(output.data_ptr<float>(), x.data_ptr<float>(), N);
    else
        cumsumKernel<1><<<output.numel() / (N), scanThreads>>>(output.data_ptr<float>(), x.data_ptr<float>(), N);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "91_cumsum_reverse (prefix_scan)");
}
