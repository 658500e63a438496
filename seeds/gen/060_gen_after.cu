// SPDX-License-Identifier: GPL-3.0-or-later
//
// Task:    2/60 60_ConvTranspose3d_Swish_GroupNorm_HardSwish
// Name:    columns
// Parent:  none
// Idea:    A transposed convolution divides its outputs into cells that read the same inputs. A thread makes a
//          column of cells for a group of filters, all in registers: a weight is read once for the column, an
//          input once for the group. What follows the convolution happens before anything is stored.
#include <torch/extension.h>

/// The sums that the norm needs: the convolution is done for them and stored nowhere.
namespace statistics {

constexpr int group = 4; // tune: 2, 4, 8, 16; filters that a thread makes at a time
constexpr int column = 3; // tune: 1, 2, 3, 4, 5, 6, 8; cells that a thread makes at a time, along the slowest axis
constexpr int threads = 128; // tune: 64, 128, 256
constexpr int blocksPerSm = 3; // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int mostWeights = 8000; // of constant memory

constexpr int kernelZ = 3, cellZ = 2, advanceZ = 1, firstZ = 0, spanZ = 2;
constexpr int kernelY = 3, cellY = 2, advanceY = 1, firstY = 0, spanY = 2;
constexpr int kernelX = 3, cellX = 2, advanceX = 1, firstX = 0, spanX = 2;
constexpr int window = 27; // weights for each filter and channel
constexpr int parts = 8; // outputs of a cell that a thread keeps apart

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int inZ, inY, inX;
    int outZ, outY, outX;
    int cellsZ, cellsY, cellsX;
};

/// Weights as pack orders them. They are the same for a whole warp.
__constant__ float weights[mostWeights];

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
__host__ __device__ constexpr int offsetZ(int part, int k) { return (1 * part + -1 * k + 1) % 2 ? -1 : (1 * part + -1 * k + 1) / 2; }
__host__ __device__ constexpr int offsetY(int part, int k) { return (1 * part + -1 * k + 1) % 2 ? -1 : (1 * part + -1 * k + 1) / 2; }
__host__ __device__ constexpr int offsetX(int part, int k) { return (1 * part + -1 * k + 1) % 2 ? -1 : (1 * part + -1 * k + 1) / 2; }

/// Orders the weights by group of filters, input channel, tap and filter, 0 beyond the filters.
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int tap = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + i % group;
    to[i] = filter < s.filters ? weight[(c * s.filters + filter) * window + tap] : 0.0f;
}

/// The inputs of a thread's column of cells in one channel; those beyond the border are 0.
struct Inputs {
    float at[(column - 1) * advanceZ + spanZ][spanY][spanX];
};

/// Loads the inputs from (z, y, x) on.
__device__ void load(Inputs& in, const float* channel, int z, int y, int x, const Shape& s) {
    const float* origin = channel + (z * s.inY + y) * s.inX + x;
#pragma unroll
    for (int dz = 0; dz < (column - 1) * advanceZ + spanZ; ++dz)
#pragma unroll
        for (int dy = 0; dy < spanY; ++dy)
#pragma unroll
        for (int dx = 0; dx < spanX; ++dx)
            in.at[dz][dy][dx] = unsigned(z + dz) < unsigned(s.inZ) && unsigned(y + dy) < unsigned(s.inY) && unsigned(x + dx) < unsigned(s.inX) ? origin[(dz * s.inY + dy) * s.inX + dx] : 0.0f;
}

/// Adds one input channel to the outputs of the column.
__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][parts][group]) {
#pragma unroll
    for (int pz = 0; pz < cellZ; ++pz)
#pragma unroll
    for (int kz = 0; kz < kernelZ; ++kz)
#pragma unroll
    for (int py = 0; py < cellY; ++py)
#pragma unroll
    for (int ky = 0; ky < kernelY; ++ky)
#pragma unroll
    for (int px = 0; px < cellX; ++px)
#pragma unroll
    for (int kx = 0; kx < kernelX; ++kx) {
        const int dz = offsetZ(pz, kz), dy = offsetY(py, ky), dx = offsetX(px, kx);
        if (dz < 0 || dy < 0 || dx < 0) continue; // no tap joins them
#pragma unroll
        for (int f = 0; f < group; ++f)
#pragma unroll
            for (int n = 0; n < column; ++n)
                out[n][((pz) * cellY + py) * cellX + px][f] = fmaf(in.at[n * advanceZ + dz][dy][dx], tap[(((kz) * kernelY + ky) * kernelX + kx) * group + f], out[n][((pz) * cellY + py) * cellX + px][f]);
    }
}

/// What the formulas after the convolution read.
struct Parameters {
    const float* convTransposeBias;
    const float* groupNormWeight;
    const float* groupNormBias;
};

__device__ float sigmoid(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }

/// What follows the convolution, for one output.
__device__ float finish(float v, int filter, int64_t element, const Parameters& p) {
    const float afterConvTranspose3d = (v + __ldg(p.convTransposeBias + filter));
    const float afterSigmoid = sigmoid(afterConvTranspose3d);
    return afterSigmoid * afterConvTranspose3d;
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, float2* output, Parameters p, Shape s) {
    __shared__ float2 ofWarps[threads / 32][group];
    const float* image = input + int64_t(blockIdx.z) * s.channels * (s.inZ * s.inY * s.inX);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int z = blockIdx.y * column, y = thread / s.cellsX, x = thread % s.cellsX; // this thread's first cell
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][parts][group] = {};
#pragma unroll 1
        for (int c = 0; c < s.channels; ++c) {
            Inputs in;
            load(in, image + int64_t(c) * (s.inZ * s.inY * s.inX), z * advanceZ + firstZ, y * advanceY + firstY, x * advanceX + firstX, s);
            convolve(in, weights + (g * s.channels + c) * window * group, out);
        }
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
            const float pivot = finish(0.0f, filter, 0, p); // near the mean: keeps squares small
            float sum = 0.0f, squares = 0.0f;
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int pz = 0; pz < cellZ; ++pz)
#pragma unroll
                for (int py = 0; py < cellY; ++py)
#pragma unroll
                for (int px = 0; px < cellX; ++px) {
                    const float value = finish(out[n][((pz) * cellY + py) * cellX + px][f], filter, 0, p);
                    const int ofZ = (z + n) * cellZ + pz, ofY = y * cellY + py, ofX = x * cellX + px;
                    if (ofZ >= s.outZ || ofY >= s.outY || ofX >= s.outX) continue;
                    const float v = value - pivot;
                    sum += v;
                    squares = fmaf(v, v, squares);
                }
#pragma unroll
            for (int step = 16; step > 0; step /= 2) {
                sum += __shfl_xor_sync(0xffffffffu, sum, step);
                squares += __shfl_xor_sync(0xffffffffu, squares, step);
            }
            if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32][f] = make_float2(sum, squares);
        }
        __syncthreads();
        if (threadIdx.x < group) {
            float2 sum = make_float2(0.0f, 0.0f);
            for (int w = 0; w < threads / 32; ++w) {
                sum.x += ofWarps[w][threadIdx.x].x;
                sum.y += ofWarps[w][threadIdx.x].y;
            }
            const int64_t block = (int64_t(blockIdx.z) * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
            output[(block * s.groups + g) * group + threadIdx.x] = sum;
        }
        __syncthreads(); // the sums of warps have been read
    }
}

constexpr int normThreads = 256;

/// Mean and scale, by image and filter, from the sums of blocks in their order: a block for each mean.
__global__ void __launch_bounds__(normThreads) means(const float2* sums, float2* norms, int blocks, Parameters p, Shape s) {
    __shared__ double2 all[normThreads];
    const int perNorm = s.filters / 4; // filters
    const int firstFilter = blockIdx.x * perNorm, firstImage = blockIdx.y, images = 1;
    double2 sum = make_double2(0.0, 0.0);
    for (int i = threadIdx.x; i < images * blocks * perNorm; i += normThreads) {
        const int64_t block = int64_t(firstImage) * blocks + i / perNorm;
        const float2 part = sums[block * s.groups * group + firstFilter + i % perNorm];
        sum.x += part.x;
        sum.y += part.y + 2.0 * finish(0.0f, firstFilter + i % perNorm, 0, p) * part.x;
    }
    all[threadIdx.x] = sum;
    for (int half = normThreads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            all[threadIdx.x].x += all[threadIdx.x + half].x;
            all[threadIdx.x].y += all[threadIdx.x + half].y;
        }
    }
    __syncthreads();
    const double perFilter = double(images) * s.outZ * s.outY * s.outX, count = perFilter * perNorm;
    double first = all[0].x, second = all[0].y; // moments
    for (int filter = firstFilter; filter < firstFilter + perNorm; ++filter) {
        const double pivot = finish(0.0f, filter, 0, p); // what was taken from every value
        first += perFilter * pivot;
        second += perFilter * pivot * pivot;
    }
    const double mean = first / count, variance = fmax(second / count - mean * mean, 0.0);
    const float2 norm = make_float2(float(mean), float(1.0 / sqrt(variance + 1e-05)));
    for (int i = threadIdx.x; i < images * perNorm; i += normThreads)
        norms[int64_t(firstImage + i / perNorm) * s.filters + firstFilter + i % perNorm] = norm;
}

/// Mean and scale of the norm, [image, filter, 2].
torch::Tensor norms(torch::Tensor x, torch::Tensor convTranspose, torch::Tensor convTransposeBias, torch::Tensor groupNormWeight, torch::Tensor groupNormBias) {
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = convTranspose.size(1);
    s.groups = (s.filters + group - 1) / group;
    s.inZ = x.size(2);
    s.outZ = (s.inZ - 1) * 2 + 1;
    s.cellsZ = (s.outZ + cellZ - 1) / cellZ;
    s.inY = x.size(3);
    s.outY = (s.inY - 1) * 2 + 1;
    s.cellsY = (s.outY + cellY - 1) / cellY;
    s.inX = x.size(4);
    s.outX = (s.inX - 1) * 2 + 1;
    s.cellsX = (s.outX + cellX - 1) / cellX;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    TORCH_CHECK(count <= mostWeights, "too many weights for constant memory");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, weights) == cudaSuccess, "no constant memory");
    pack<<<(count + 127) / 128, 128>>>(convTranspose.data_ptr<float>(), static_cast<float*>(to), s);
    const int places = s.cellsX * s.cellsY; // of a thread each
    const dim3 grid((places + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    TORCH_CHECK(s.filters % 4 == 0, "the norm's groups must divide the filters");
    const int blocks = int(grid.x * grid.y); // of an image
    auto sums = torch::empty({s.batch, blocks, s.groups * group, 2}, x.options());
    auto norms = torch::empty({s.batch, s.filters, 2}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), reinterpret_cast<float2*>(sums.data_ptr<float>()), Parameters{convTransposeBias.data_ptr<float>(), groupNormWeight.data_ptr<float>(), groupNormBias.data_ptr<float>()}, s);
    means<<<dim3(4, s.batch), normThreads>>>(reinterpret_cast<const float2*>(sums.data_ptr<float>()),
                                    reinterpret_cast<float2*>(norms.data_ptr<float>()), blocks, Parameters{convTransposeBias.data_ptr<float>(), groupNormWeight.data_ptr<float>(), groupNormBias.data_ptr<float>()}, s);
    return norms;
}

} // namespace statistics

constexpr int group = 4; // tune: 2, 4, 8, 16; filters that a thread makes at a time
constexpr int column = 3; // tune: 1, 2, 3, 4, 5, 6, 8; cells that a thread makes at a time, along the slowest axis
constexpr int threads = 128; // tune: 64, 128, 256
constexpr int blocksPerSm = 3; // tune: 1, 2, 3, 4, 5, 6, 8
constexpr int mostWeights = 8000; // of constant memory

constexpr int kernelZ = 3, cellZ = 2, advanceZ = 1, firstZ = 0, spanZ = 2;
constexpr int kernelY = 3, cellY = 2, advanceY = 1, firstY = 0, spanY = 2;
constexpr int kernelX = 3, cellX = 2, advanceX = 1, firstX = 0, spanX = 2;
constexpr int window = 27; // weights for each filter and channel
constexpr int parts = 8; // outputs of a cell that a thread keeps apart

/// Extents: inputs, outputs of the convolution, and cells of them.
struct Shape {
    int batch, channels, filters, groups;
    int inZ, inY, inX;
    int outZ, outY, outX;
    int cellsZ, cellsY, cellsX;
};

/// Weights as pack orders them. They are the same for a whole warp.
__constant__ float weights[mostWeights];

/// The place among a cell's inputs that output `part` of the cell reads with kernel position k; -1: none.
__host__ __device__ constexpr int offsetZ(int part, int k) { return (1 * part + -1 * k + 1) % 2 ? -1 : (1 * part + -1 * k + 1) / 2; }
__host__ __device__ constexpr int offsetY(int part, int k) { return (1 * part + -1 * k + 1) % 2 ? -1 : (1 * part + -1 * k + 1) / 2; }
__host__ __device__ constexpr int offsetX(int part, int k) { return (1 * part + -1 * k + 1) % 2 ? -1 : (1 * part + -1 * k + 1) / 2; }

/// Orders the weights by group of filters, input channel, tap and filter, 0 beyond the filters.
__global__ void pack(const float* weight, float* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int tap = i / group % window, c = i / (group * window) % s.channels;
    const int filter = i / (group * window * s.channels) * group + i % group;
    to[i] = filter < s.filters ? weight[(c * s.filters + filter) * window + tap] : 0.0f;
}

/// The inputs of a thread's column of cells in one channel; those beyond the border are 0.
struct Inputs {
    float at[(column - 1) * advanceZ + spanZ][spanY][spanX];
};

/// Loads the inputs from (z, y, x) on.
__device__ void load(Inputs& in, const float* channel, int z, int y, int x, const Shape& s) {
    const float* origin = channel + (z * s.inY + y) * s.inX + x;
#pragma unroll
    for (int dz = 0; dz < (column - 1) * advanceZ + spanZ; ++dz)
#pragma unroll
        for (int dy = 0; dy < spanY; ++dy)
#pragma unroll
        for (int dx = 0; dx < spanX; ++dx)
            in.at[dz][dy][dx] = unsigned(z + dz) < unsigned(s.inZ) && unsigned(y + dy) < unsigned(s.inY) && unsigned(x + dx) < unsigned(s.inX) ? origin[(dz * s.inY + dy) * s.inX + dx] : 0.0f;
}

/// Adds one input channel to the outputs of the column.
__device__ void convolve(const Inputs& in, const float* tap, float (&out)[column][parts][group]) {
#pragma unroll
    for (int pz = 0; pz < cellZ; ++pz)
#pragma unroll
    for (int kz = 0; kz < kernelZ; ++kz)
#pragma unroll
    for (int py = 0; py < cellY; ++py)
#pragma unroll
    for (int ky = 0; ky < kernelY; ++ky)
#pragma unroll
    for (int px = 0; px < cellX; ++px)
#pragma unroll
    for (int kx = 0; kx < kernelX; ++kx) {
        const int dz = offsetZ(pz, kz), dy = offsetY(py, ky), dx = offsetX(px, kx);
        if (dz < 0 || dy < 0 || dx < 0) continue; // no tap joins them
#pragma unroll
        for (int f = 0; f < group; ++f)
#pragma unroll
            for (int n = 0; n < column; ++n)
                out[n][((pz) * cellY + py) * cellX + px][f] = fmaf(in.at[n * advanceZ + dz][dy][dx], tap[(((kz) * kernelY + ky) * kernelX + kx) * group + f], out[n][((pz) * cellY + py) * cellX + px][f]);
    }
}

/// What the formulas after the convolution read.
struct Parameters {
    const float* convTransposeBias;
    const float* groupNormWeight;
    const float* groupNormBias;
    const float2* norms; ///< mean and scale, by image and filter
};

__device__ float sigmoid(float x) { return __fdividef(1.0f, 1.0f + __expf(-x)); }
__device__ float clamp(float x, float low, float high) { return x < low ? low : x > high ? high : x; }
__device__ float hardsigmoid(float x) { return clamp(x + 3.0f, 0.0f, 6.0f) * (1.0f / 6.0f); }
__device__ float hardswish(float x) { return x * hardsigmoid(x); }

/// What follows the convolution, for one output.
__device__ float finish(float v, int filter, int64_t element, const Parameters& p) {
    const float afterConvTranspose3d = (v + __ldg(p.convTransposeBias + filter));
    const float afterSigmoid = sigmoid(afterConvTranspose3d);
    const float afterMul = afterSigmoid * afterConvTranspose3d;
    const float afterGroupNorm = (((afterMul - __ldg(p.norms + filter).x) * __ldg(p.norms + filter).y * __ldg(p.groupNormWeight + filter)) + __ldg(p.groupNormBias + filter));
    return hardswish(afterGroupNorm);
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cells(const float* input, float* output, Parameters p, Shape s) {
    p.norms += int64_t(blockIdx.z) * s.filters; // those of this image
    const float* image = input + int64_t(blockIdx.z) * s.channels * (s.inZ * s.inY * s.inX);
    const int thread = blockIdx.x * threads + threadIdx.x;
    const int z = blockIdx.y * column, y = thread / s.cellsX, x = thread % s.cellsX; // this thread's first cell
    if (y >= s.cellsY) return;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][parts][group] = {};
#pragma unroll 1
        for (int c = 0; c < s.channels; ++c) {
            Inputs in;
            load(in, image + int64_t(c) * (s.inZ * s.inY * s.inX), z * advanceZ + firstZ, y * advanceY + firstY, x * advanceX + firstX, s);
            convolve(in, weights + (g * s.channels + c) * window * group, out);
        }
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
            const int64_t first = (int64_t(blockIdx.z) * s.filters + filter) * (s.outZ * s.outY * s.outX);
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int pz = 0; pz < cellZ; ++pz)
#pragma unroll
                for (int py = 0; py < cellY; ++py)
#pragma unroll
                for (int px = 0; px < cellX; ++px) {
                    const float value = finish(out[n][((pz) * cellY + py) * cellX + px][f], filter, 0, p);
                    const int ofZ = (z + n) * cellZ + pz, ofY = y * cellY + py, ofX = x * cellX + px;
                    if (ofZ >= s.outZ || ofY >= s.outY || ofX >= s.outX) continue;
                    const int place = ((ofZ) * s.outY + ofY) * s.outX + ofX;
                    output[first + place] = value;
                }
        }
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t groups, double eps, torch::Tensor convTranspose, torch::Tensor convTransposeBias, torch::Tensor groupNormWeight, torch::Tensor groupNormBias) {
    for (const auto& t : {x, convTranspose, convTransposeBias, groupNormWeight, groupNormBias})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(stride == 2 && padding == 1 && groups == 4 && eps == 1.0000000000000001e-05, "this file is made for other arguments");
    TORCH_CHECK(x.dim() == 5 && convTranspose.dim() == 5 && x.size(1) == convTranspose.size(0) && convTranspose.size(2) == kernelZ && convTranspose.size(3) == kernelY && convTranspose.size(4) == kernelX, "these are not the convolution's shapes");
    x = x.contiguous();
    convTranspose = convTranspose.contiguous();
    convTransposeBias = convTransposeBias.contiguous();
    groupNormWeight = groupNormWeight.contiguous();
    groupNormBias = groupNormBias.contiguous();
    auto norms = statistics::norms(x, convTranspose, convTransposeBias, groupNormWeight, groupNormBias);
    Shape s;
    s.batch = x.size(0);
    s.channels = x.size(1);
    s.filters = convTranspose.size(1);
    s.groups = (s.filters + group - 1) / group;
    s.inZ = x.size(2);
    s.outZ = (s.inZ - 1) * 2 + 1;
    s.cellsZ = (s.outZ + cellZ - 1) / cellZ;
    s.inY = x.size(3);
    s.outY = (s.inY - 1) * 2 + 1;
    s.cellsY = (s.outY + cellY - 1) / cellY;
    s.inX = x.size(4);
    s.outX = (s.inX - 1) * 2 + 1;
    s.cellsX = (s.outX + cellX - 1) / cellX;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int count = s.groups * s.channels * window * group;
    TORCH_CHECK(count <= mostWeights, "too many weights for constant memory");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, weights) == cudaSuccess, "no constant memory");
    pack<<<(count + 127) / 128, 128>>>(convTranspose.data_ptr<float>(), static_cast<float*>(to), s);
    const int places = s.cellsX * s.cellsY; // of a thread each
    const dim3 grid((places + threads - 1) / threads, (s.cellsZ + column - 1) / column, s.batch);
    TORCH_CHECK(grid.y <= 65535 && grid.z <= 65535, "too many images or cells for one grid");
    auto output = torch::empty({s.batch, s.filters, s.outZ, s.outY, s.outX}, x.options());
    cells<<<grid, threads>>>(x.data_ptr<float>(), output.data_ptr<float>(), Parameters{convTransposeBias.data_ptr<float>(), groupNormWeight.data_ptr<float>(), groupNormBias.data_ptr<float>(), reinterpret_cast<const float2*>(norms.data_ptr<float>())}, s);
    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return output;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "60_ConvTranspose3d_Swish_GroupNorm_HardSwish (columns)");
}
