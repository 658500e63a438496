#!/usr/bin/env python3
"""Prints seed kernels from parts. make.py TASK [const=value ...] > file"""
import sys,re

LICENCE='// SPDX-License-Identifier: GPL-3.0-or-later\n//\n'
def header(task,name,idea,rewrites):
    out=LICENCE+f'// Task:    {task}\n// Name:    {name}\n// Parent:  none\n'
    def wrap(label,text):
        words=text.split(); lines=[]; cur=''
        for w in words:
            if len(cur)+1+len(w)>100: lines.append(cur); cur=w
            else: cur=(cur+' '+w).strip()
        lines.append(cur)
        return '// '+(label+':').ljust(9)+('\n//'+' '*10).join(lines)+'\n'
    return out+wrap('Idea',idea)+wrap('Rewrites',rewrites)+'#include <torch/extension.h>\n\n'

CONSTS='''constexpr int group = {group};    // tune: 2, 4, 8, 16; filters at a time
constexpr int column = {column};   // tune: 1, 2, 3, 4, 5; cells along the depth that a thread makes at a time
constexpr int tileX = 32; // cells of a block's tile, across: the lanes of a warp
constexpr int tileY = {tileY}; // tune: 2, 4, 8; and down
constexpr int threads = tileX * tileY;
constexpr int blocksPerSm = {blocks}; // tune: 1, 2, 3, 4, 6, 8
'''
SHAPE='''/// x is [batch, channels, depth, height, width]; cells are of 2 x 2 x 2 outputs of the transposed convolution.
struct Shape {
    int batch, channels, filters, groups, depth, height, width, cellsZ, cellsY, cellsX;%s
};

'''
LOAD='''/// The inputs of a block's columns of cells in one channel; those beyond the border are 0.
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

'''
LOADFLAT=LOAD[:LOAD.index('/// Brings')]+'''/// Brings the tiles of all channels to shared memory.
__device__ void stage(Tile* tiles, const float* image, int z, int y, int x, const Shape& s) {
    constexpr int line = tileX + 1, plane = (tileY + 1) * line, tile = (column + 1) * plane;
    for (int i = threadIdx.x; i < s.channels * tile; i += threads) {
        const int c = i / tile, dz = z + i % tile / plane, dy = y + i % plane / line, dx = x + i % line;
        const bool inside = dz < s.depth && dy < s.height && dx < s.width;
        (&tiles[0].at[0][0][0])[i] = inside ? image[((c * s.depth + dz) * s.height + dy) * s.width + dx] : 0.0f;
    }
}

'''+LOAD[LOAD.index('/// The inputs of a thread'):]
PACK27='''constexpr int window = 27;
constexpr int mostTaps = 12288; // 48 KB of constant memory
/// Weights by group, input channel, tap and filter of the group, 0 beyond the filters.
__constant__ float taps[mostTaps];

/// Brings the weights into the order of taps%s.
__global__ void pack(const float* weight, %sfloat* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int f = i %% group, k = i / group %% window, c = i / (group * window) %% s.channels;
    const int filter = i / (group * window * s.channels) * group + f;
    to[i] = filter < s.filters ? weight[(c * s.filters + filter) * window + k]%s : 0.0f;
}

'''
CONV27='''/// The position in the kernel of the tap from input offset d to output parity p.
__host__ __device__ constexpr int tapOf(int p, int d) { return p == 0 ? 1 : d == 0 ? 2 : 0; }

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

/// All outputs of a column for the filters of group g, added to %s.
__device__ void convolveAll(const Tile* tiles, %sint g, const Shape& s, float (&out)[column][8][group]) {
#pragma unroll
    for (int n = 0; n < column; ++n)
#pragma unroll
        for (int p = 0; p < 8; ++p)
#pragma unroll
            for (int f = 0; f < group; ++f)
                out[n][p][f] = %s;
#pragma unroll 1
    for (int c = 0; c < s.channels; ++c) {
        Inputs in;
        load(in, tiles[c]);
        convolve(in, taps + (g * s.channels + c) * window * group, out);
    }
}

'''
PACK8='''constexpr int window = 8;
constexpr int mostTaps = 12288; // 48 KB of constant memory
/// Combined weights by group, input channel, input offset and filter of the group, 0 beyond the filters.
__constant__ float taps[mostTaps];

/// Whether tap k of the transposed convolution joins input offset d with one of the two outputs of a cell.
__device__ bool joins(int d, int k) { return d == 0 ? k > 0 : k == 0; }

/// Combines the taps of each cell's eight outputs.
__global__ void pack(const float* weight, %sfloat* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * s.channels * window * group) return;
    const int f = i %% group, d = i / group %% window, c = i / (group * window) %% s.channels;
    const int filter = i / (group * window * s.channels) * group + f;
    float sum = 0.0f;
    if (filter < s.filters)
#pragma unroll
        for (int k = 0; k < 27; ++k) {
            const float w = weight[(c * s.filters + filter) * 27 + k];
            sum += joins(d >> 2, k / 9) && joins(d >> 1 & 1, k / 3 %% 3) && joins(d & 1, k %% 3) ? w : 0.0f;
        }
    to[i] = sum * %s;
}

'''
CONV8='''/// Adds one input channel to the outputs of the column.
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
__device__ void convolveAll(const Tile* tiles, int g, const Shape& s, float (&out)[column][group]) {
#pragma unroll
    for (int n = 0; n < column; ++n)
#pragma unroll
        for (int f = 0; f < group; ++f)
            out[n][f] = 0.0f;
#pragma unroll 1
    for (int c = 0; c < s.channels; ++c) {
        Inputs in;
        load(in, tiles[c]);
        convolve(in, taps + (g * s.channels + c) * window * group, out);
    }
}

'''
CHECKS='''    for (const auto& t : {%(tensors)s})
        TORCH_CHECK(t.is_cuda() && t.scalar_type() == torch::kFloat32, "all tensors must be float32 on a CUDA device");
    TORCH_CHECK(%(attributes)s, "only %(attributetext)s");
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
    s.cellsZ = %(cz)s;
    s.cellsY = %(cy)s;
    s.cellsX = %(cx)s;
    TORCH_CHECK(s.batch > 0 && s.cellsZ > 0 && s.cellsY > 0 && s.cellsX > 0, "the output is empty");
    const int packed = s.groups * s.channels * window * group;
    TORCH_CHECK(packed <= mostTaps, "too many weights for constant memory");
    void* to = nullptr;
    TORCH_CHECK(cudaGetSymbolAddress(&to, taps) == cudaSuccess, "no constant memory");
'''
GRID='''    const dim3 grid((s.cellsX + tileX - 1) / tileX * ((s.cellsY + tileY - 1) / tileY), (s.cellsZ + column - 1) / column, s.batch);
    const size_t tileBytes = sizeof(Tile) * s.channels;
    TORCH_CHECK(tileBytes <= 47104, "too many channels for shared memory");
'''
PLACE='''    extern __shared__ Tile tiles[]; // by channel
    const float* image = x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width;
    const int tilesX = (s.cellsX + tileX - 1) / tileX, cellZ = blockIdx.y * column;
    const int firstY = blockIdx.x / tilesX * tileY, firstX = blockIdx.x %% tilesX * tileX;
    const int cellY = firstY + threadIdx.x / tileX, cellX = firstX + threadIdx.x %% tileX;
    stage(tiles, image, cellZ, firstY, firstX, s);
    __syncthreads();
%s'''
RETURN='    if (cellY >= s.cellsY || cellX >= s.cellsX) return;\n'
INSIDE='    const bool inside = cellY < s.cellsY && cellX < s.cellsX;\n'
END='''    TORCH_CHECK(cudaGetLastError() == cudaSuccess, "a launch failed");
    return %s;
}

PYBIND11_MODULE(TORCH_EXTENSION_NAME, m) {
    m.def("forward", &forward, "%s");
}
'''
WORDS='A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2 inputs: 27 of the 64 pairs of an input and an output have a tap. A thread makes a column of cells along the depth for a group of filters, all outputs in registers; a weight comes from constant memory, is the same for the whole warp and serves the whole column.'

def cells(kind): # pooled without output padding: D-1; with: D; all: D
    return dict(cz={'pool':'(2 * s.depth - 1) / 2','all':'s.depth'}[kind],cy={'pool':'(2 * s.height - 1) / 2','all':'s.height'}[kind],cx={'pool':'(2 * s.width - 1) / 2','all':'s.width'}[kind])

CONV27S=CONV27%('start','const float (&start)[group], ','start[f]')
CONV27=CONV27%('0','','0.0f')
def t089(o):
    t=header('2/89 89_ConvTranspose3d_MaxPool_Softmax_Subtract_Swish_Max',o['name'],WORDS+' The max pool is seven comparisons; the pooled values of all filters wait in shared memory for softmax and what follows, which leave one value for each cell.','bias moved past the maximum; maximum, softmax, swish and maximum over filters never stored.')
    t+=CONSTS.format(**o)+SHAPE%''+PACK27%('','','')+LOAD+CONV27
    t+='''/// Softmax over filters, minus `subtract`, swish, largest: of the values rows[filter * threads].
__device__ float finish(float* rows, const float* subtract, int filters) {
    float largest = rows[0];
    for (int f = 1; f < filters; ++f)
        largest = fmaxf(largest, rows[f * threads]);
    float sum = 0.0f;
    for (int f = 0; f < filters; ++f) {
        const float e = __expf(rows[f * threads] - largest);
        rows[f * threads] = e;
        sum += e;
    }
    const float scale = 1.0f / sum;
    float most = -INFINITY;
    for (int f = 0; f < filters; ++f) {
        const float v = rows[f * threads] * scale - subtract[f];
        most = fmaxf(most, __fdividef(v, 1.0f + __expf(-v)));
    }
    return most;
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    cellValues(const float* x, const float* bias, const float* subtract, float* y, Shape s) {
'''+PLACE%RETURN+'''    float* pooled = reinterpret_cast<float*>(tiles + s.channels); // [cell of the column][filter][thread]
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group];
        convolveAll(tiles, g, s, out);
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
#pragma unroll
            for (int n = 0; n < column; ++n) {
                float most = out[n][0][f];
#pragma unroll
                for (int p = 1; p < 8; ++p)
                    most = fmaxf(most, out[n][p][f]);
                pooled[(n * s.filters + filter) * threads + threadIdx.x] = most + bias[filter];
            }
        }
    }
    for (int n = 0; n < column; ++n)
        if (cellZ + n < s.cellsZ)
            y[(int64_t(blockIdx.z) * s.cellsZ + cellZ + n) * s.cellsY * s.cellsX + cellY * s.cellsX + cellX] =
                finish(pooled + n * s.filters * threads + threadIdx.x, subtract, s.filters);
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t outputPadding, int64_t poolKernelSize,
                      int64_t poolStride, int64_t poolPadding, torch::Tensor weight, torch::Tensor bias, torch::Tensor subtract) {
'''+CHECKS%dict(tensors='x, weight, bias, subtract',attributes='stride == 2 && padding == 1 && outputPadding == 1 && poolKernelSize == 2 && poolStride == 2 && poolPadding == 0',attributetext='stride 2, padding 1, output padding 1, pool 2',**cells('all'))+'''    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(to), s);
'''+GRID+'''    auto y = torch::empty({s.batch, s.cellsZ, s.cellsY, s.cellsX}, x.options());
    const size_t shared = tileBytes + sizeof(float) * column * s.filters * threads;
    TORCH_CHECK(shared <= 49152, "too many filters for shared memory");
    bias = bias.contiguous();
    subtract = subtract.contiguous();
    cellValues<<<grid, threads, shared>>>(x.data_ptr<float>(), bias.data_ptr<float>(), subtract.data_ptr<float>(), y.data_ptr<float>(), s);
'''+END%('y','ConvTranspose3d MaxPool Softmax Subtract Swish Max')
    return t

def t058(o):
    t=header('2/58 58_ConvTranspose3d_LogSumExp_HardSwish_Subtract_Clamp_Max',o['name'],WORDS+' Exponentials are added up over the filters as they come, so that one value for each position leaves the registers. No maximum is taken from the exponents first: a sum that leaves the safe range is computed again with it.','exponentials to base 2 by scaled weights; shift by the maximum only where it is needed; clamp and subtraction are monotone, so the maximum over the second bias is a subtraction of its least element.')
    t+=CONSTS.format(**o)+SHAPE%' '+'constexpr float log2e = 1.44269504f, ln2 = 0.693147181f;\n'+PACK27%(', scaled by log2(e)','',' * log2e')+LOAD+CONV27S
    t+='''/// log2 of the sum over filters of 2 to the outputs, for one position, with the maximum taken out first.
__device__ __noinline__ float carefulLogSum(const float* image, const float* bias, int oz, int oy, int ox, Shape s) {
    float largest = -INFINITY, sum = 0.0f;
    for (int filter = 0; filter < s.filters; ++filter) {
        float v = bias[filter] * log2e;
        for (int c = 0; c < s.channels; ++c)
            for (int k = 0; k < window; ++k) {
                const int z = oz + 1 - k / 9, yy = oy + 1 - k / 3 % 3, xx = ox + 1 - k % 3; // twice the input's place
                if ((z | yy | xx) < 0 || (z | yy | xx) & 1) continue;
                if (z >= 2 * s.depth || yy >= 2 * s.height || xx >= 2 * s.width) continue;
                v = fmaf(image[((c * s.depth + z / 2) * s.height + yy / 2) * s.width + xx / 2],
                         taps[((filter / group * s.channels + c) * window + k) * group + filter % group], v);
            }
        const float more = fmaxf(largest, v);
        sum = v == largest ? sum + 1.0f : sum * exp2f(largest - more) + exp2f(v - more);
        largest = more;
    }
    return largest + log2f(sum);
}

/// 2 to the x, by the device's instruction: 2 units in the last place.
__device__ float power(float x) {
    float y;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(y) : "f"(x));
    return y;
}

/// What follows the sum, by the device's instructions for powers, logarithms and reciprocals.
__device__ float finish(float log2Sum, float least) {
    float sigmoid;
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(sigmoid) : "f"(1.0f + power(-log2Sum - 3.0f * log2e)));
    return fminf(fmaxf(log2Sum * (ln2 / 6.0f) * sigmoid - least, -1.0f), 1.0f);
}

__global__ void __launch_bounds__(threads, blocksPerSm)
    positions(const float* x, const float* bias, const float* subtract, int subtracted, float* y, Shape s) {
    __shared__ float least;
    if (threadIdx.x < 32) {
        float v = INFINITY;
        for (int i = threadIdx.x; i < subtracted; i += 32)
            v = fminf(v, subtract[i]);
#pragma unroll
        for (int step = 16; step > 0; step /= 2)
            v = fminf(v, __shfl_xor_sync(0xffffffffu, v, step));
        if (threadIdx.x == 0) least = v;
    }
    __syncthreads();
'''+PLACE%RETURN+'''    float sums[column][8] = {};
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group], start[group];
#pragma unroll
        for (int f = 0; f < group; ++f)
            start[f] = g * group + f < s.filters ? bias[g * group + f] * log2e : -INFINITY;
        convolveAll(tiles, start, g, s, out);
#pragma unroll
        for (int f = 0; f < group; ++f)
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int p = 0; p < 8; ++p)
                    sums[n][p] += power(out[n][p][f]);
    }
    const int depth = 2 * s.depth - 1, height = 2 * s.height - 1, width = 2 * s.width - 1;
    float* to = y + ((int64_t(blockIdx.z) * depth + 2 * cellZ) * height + 2 * cellY) * width + 2 * cellX;
    const int layers = depth - 2 * cellZ; // of outputs, from the column's first to the border
    const bool odd[2][2] = {{true, cellX < s.width - 1},
                            {cellY < s.height - 1, cellX < s.width - 1 && cellY < s.height - 1}}; // which there are
    float smallest = INFINITY, all = 0.0f;
#pragma unroll
    for (int layer = 0; layer < 2 * column; ++layer)
#pragma unroll
        for (int line = 0; line < 2; ++line)
#pragma unroll
            for (int i = 0; i < 2; ++i) {
                const float sum = sums[layer / 2][layer % 2 * 4 + line * 2 + i];
                smallest = fminf(smallest, sum);
                all += sum;
                float log2Sum;
                asm("lg2.approx.ftz.f32 %0, %1;" : "=f"(log2Sum) : "f"(sum));
                const float result = finish(log2Sum, least);
                if (layer < layers && odd[line][i]) to[(layer * height + line) * width + i] = result;
            }
    if (smallest > 1e-30f && all < 1e30f) return;
    for (int i = 0; i < 8 * column; ++i) { // what came from sums out of range, again
        const int oz = 2 * cellZ + (i >> 2), oy = 2 * cellY + (i >> 1 & 1), ox = 2 * cellX + (i & 1);
        if (oz >= depth || oy >= height || ox >= width) continue;
        to[((i >> 2) * height + (i >> 1 & 1)) * width + (i & 1)] = finish(carefulLogSum(image, bias, oz, oy, ox, s), least);
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, torch::Tensor weight, torch::Tensor bias,
                      torch::Tensor subtract) {
'''+CHECKS%dict(tensors='x, weight, bias, subtract',attributes='stride == 2 && padding == 1',attributetext='stride 2, padding 1',**cells('all'))+'''    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(to), s);
'''+GRID+'''    auto y = torch::empty({s.batch, 1, 2 * s.depth - 1, 2 * s.height - 1, 2 * s.width - 1}, x.options());
    bias = bias.contiguous();
    subtract = subtract.contiguous();
    positions<<<grid, threads, tileBytes>>>(x.data_ptr<float>(), bias.data_ptr<float>(), subtract.data_ptr<float>(), int(subtract.numel()),
                                 y.data_ptr<float>(), s);
'''+END%('y','ConvTranspose3d LogSumExp HardSwish Subtract Clamp Max')
    return t

def t038(o):
    t=header('2/38 38_ConvTranspose3d_AvgPool_Clamp_Softmax_Multiply',o['name'],'The mean over 2 x 2 x 2 outputs of a transposed convolution with stride 2 is linear in the 2 x 2 x 2 inputs that they are made of: one ordinary convolution with 8 taps, whose weights are sums of the 27. A thread makes a column of outputs along the depth for all filters, so that clamp and softmax over the filters stay in registers; a weight comes from constant memory, is the same for the whole warp and serves the whole column.','pool after convolution is one convolution with combined taps; softmax in registers.')
    t+=CONSTS.format(**o)+SHAPE%''+PACK8%('','0.125f')+LOAD+CONV8
    t+='''__global__ void __launch_bounds__(threads, blocksPerSm)
    cellValues(const float* x, const float* bias, float low, float high, float* y, Shape s) {
'''+PLACE%RETURN+'''    float out[column][group];
    convolveAll(tiles, 0, s, out);
    const int64_t volume = int64_t(s.cellsZ) * s.cellsY * s.cellsX;
    float* to = y + blockIdx.z * s.filters * volume + cellZ * s.cellsY * s.cellsX + cellY * s.cellsX + cellX;
#pragma unroll
    for (int f = 0; f < group; ++f) {
        const float own = f < s.filters ? bias[f] : 0.0f;
#pragma unroll
        for (int n = 0; n < column; ++n)
            out[n][f] = f < s.filters ? fminf(fmaxf(out[n][f] + own, low), high) : -INFINITY;
    }
#pragma unroll
    for (int n = 0; n < column; ++n) {
        float largest = out[n][0], sum = 0.0f;
#pragma unroll
        for (int f = 1; f < group; ++f)
            largest = fmaxf(largest, out[n][f]);
#pragma unroll
        for (int f = 0; f < group; ++f) {
            out[n][f] = __expf(out[n][f] - largest);
            sum += out[n][f];
        }
        const float scale = 2.0f / sum;
        if (cellZ + n < s.cellsZ) {
#pragma unroll
            for (int f = 0; f < group; ++f)
                if (f < s.filters) to[f * volume] = out[n][f] * scale;
        }
        to += s.cellsY * s.cellsX;
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t outputPadding, int64_t poolKernelSize,
                      double clampMin, double clampMax, torch::Tensor weight, torch::Tensor bias) {
'''+CHECKS%dict(tensors='x, weight, bias',attributes='stride == 2 && padding == 1 && outputPadding == 1 && poolKernelSize == 2',attributetext='stride 2, padding 1, output padding 1, pool 2',**cells('all'))+'''    TORCH_CHECK(s.filters <= group, "too many filters for registers");
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(to), s);
'''+GRID+'''    auto y = torch::empty({s.batch, s.filters, s.cellsZ, s.cellsY, s.cellsX}, x.options());
    bias = bias.contiguous();
    cellValues<<<grid, threads, tileBytes>>>(x.data_ptr<float>(), bias.data_ptr<float>(), float(clampMin), float(clampMax),
                                  y.data_ptr<float>(), s);
'''+END%('y','ConvTranspose3d AvgPool Clamp Softmax Multiply')
    return t

BLOCKSUMS='''/// Adds up `v` over the block; valid in the threads of the first warp's lane 0... see ofWarps.
'''
STATS='''/// Sums and sums of squares of blocks: partial[image][block of the image][filter][2].
__global__ void __launch_bounds__(threads, blocksPerSm) statistics(const float* x, %(sargs)sfloat* partial, Shape s) {
    __shared__ float ofWarps[threads / 32][group][2];
@PLACE@    const int layers = 2 * s.depth - 1 - 2 * cellZ; // of outputs, from the column's first to the border
    const bool odd[4] = {inside, inside && cellX < s.width - 1, inside && cellY < s.height - 1,
                         inside && cellX < s.width - 1 && cellY < s.height - 1}; // which outputs of a layer there are
    const int block = blockIdx.y * gridDim.x + blockIdx.x, blocks = gridDim.x * gridDim.y;
    float* sumsOfBlock = partial + (int64_t(blockIdx.z) * blocks + block) * s.groups * group * 2;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group], sum[group] = {}, squares[group] = {};
%(sown)s        convolveAll(tiles, %(start)sg, s, out);
#pragma unroll
        for (int layer = 0; layer < 2 * column; ++layer) {
            if (layer >= layers) break;
#pragma unroll
            for (int p = 0; p < 4; ++p)
#pragma unroll
                for (int f = 0; f < group; ++f) {
                    const float v = %(sv)s;
                    if (odd[p]) {
                        sum[f] += v;
                        squares[f] = fmaf(v, v, squares[f]);
                    }
                }
        }
        if (g > 0) __syncthreads(); // the group before has been stored
#pragma unroll
        for (int f = 0; f < group; ++f) {
#pragma unroll
            for (int step = 16; step > 0; step /= 2) {
                sum[f] += __shfl_xor_sync(0xffffffffu, sum[f], step);
                squares[f] += __shfl_xor_sync(0xffffffffu, squares[f], step);
            }
            if (threadIdx.x % 32 == 0) {
                ofWarps[threadIdx.x / 32][f][0] = sum[f];
                ofWarps[threadIdx.x / 32][f][1] = squares[f];
            }
        }
        __syncthreads();
        if (threadIdx.x < group * 2) {
            float all = 0.0f;
            for (int w = 0; w < threads / 32; ++w)
                all += ofWarps[w][threadIdx.x / 2][threadIdx.x % 2];
            sumsOfBlock[g * group * 2 + threadIdx.x] = all;
        }
    }
}

'''
def stats(a,b,c): return STATS.replace('@PLACE@',PLACE%INSIDE).replace('%(start)s','start, ' if b else '').replace('%(sargs)s',a).replace('%(sown)s',b).replace('%(sv)s',c)

def t072(o):
    t=header('2/72 72_ConvTranspose3d_BatchNorm_AvgPool_AvgPool',o['name'],WORDS+' Once for the sums and sums of squares that the batch norm needs: nothing else of the large output is wanted, since the norm is affine in each filter and moves past the pools. Two pools of 2 after the transposed convolution are one ordinary convolution with 27 combined taps and stride 2.','two pools are one pool of 4; pool after convolution is one convolution with combined taps; batch norm moved past the pools; a bias before a norm cancels; statistics recompute the convolution instead of storing it.')
    t+=CONSTS.format(**o)+SHAPE%' '+PACK27%('','','')+LOAD+CONV27
    t+=stats('','','out[layer / 2][layer % 2 * 4 + p][f]')
    t+='''constexpr int reducers = 256;

/// The affine map that the batch norm is, for each filter: affine[filter] = {scale, shift}.
__global__ void __launch_bounds__(reducers) finishStatistics(const float* partial, const float* gamma, const float* beta, float eps,
                                                             float2* affine, int blocks, double count, Shape s) {
    __shared__ double sums[reducers][2];
    const int filter = blockIdx.x;
    double sum = 0.0, squares = 0.0;
    for (int b = threadIdx.x; b < blocks; b += reducers) {
        sum += partial[(int64_t(b) * s.groups * group + filter) * 2];
        squares += partial[(int64_t(b) * s.groups * group + filter) * 2 + 1];
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
    const float scale = float(gamma[filter] / sqrt(variance + eps));
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

constexpr int poolGroup = 8; // tune: 4, 8, 16; filters that a thread of the pooled convolution makes

/// y = affine(convolution with stride 2 and 3 x 3 x 3 combined taps).
__global__ void __launch_bounds__(128) pooledConvolution(const float* x, const float* combined, const float2* affine, float* y,
                                                         int poolsZ, int poolsY, int poolsX, Shape s) {
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
        const float* from = x + (((int64_t(blockIdx.z) * s.channels + c) * s.depth + 2 * pz) * s.height + 2 * py) * s.width + 2 * px;
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

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, torch::Tensor weight, torch::Tensor bias, torch::Tensor gamma,
                      torch::Tensor beta, torch::Tensor runningMean, torch::Tensor runningVar, torch::Tensor eps, torch::Tensor momentum) {
'''+CHECKS%dict(tensors='x, weight, bias, gamma, beta',attributes='stride == 2 && padding == 1',attributetext='stride 2, padding 1',**cells('all'))+'''    gamma = gamma.contiguous();
    beta = beta.contiguous();
    const int poolsZ = (2 * s.depth - 1) / 4, poolsY = (2 * s.height - 1) / 4, poolsX = (2 * s.width - 1) / 4;
    TORCH_CHECK(poolsZ > 0 && poolsY > 0 && poolsX > 0, "the pooled output is empty");
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(to), s);
    auto combined = torch::empty({s.filters, s.channels, 27}, x.options());
    combine<<<(s.filters * s.channels * 27 + 127) / 128, 128>>>(weight.data_ptr<float>(), combined.data_ptr<float>(), s);
'''+GRID+'''    const int blocks = grid.x * grid.y * grid.z;
    auto partial = torch::empty({blocks, s.groups * group, 2}, x.options());
    statistics<<<grid, threads, tileBytes>>>(x.data_ptr<float>(), partial.data_ptr<float>(), s);
    auto affine = torch::empty({s.filters, 2}, x.options());
    const double count = double(s.batch) * (2 * s.depth - 1) * (2 * s.height - 1) * (2 * s.width - 1);
    finishStatistics<<<s.filters, reducers>>>(partial.data_ptr<float>(), gamma.data_ptr<float>(), beta.data_ptr<float>(),
                                              EPS, reinterpret_cast<float2*>(affine.data_ptr<float>()), blocks, count, s);
    auto y = torch::empty({s.batch, s.filters, poolsZ, poolsY, poolsX}, x.options());
    const dim3 poolGrid((poolsZ * poolsY * poolsX + 127) / 128, (s.filters + poolGroup - 1) / poolGroup, s.batch);
    pooledConvolution<<<poolGrid, 128, sizeof(float) * s.channels * 27 * poolGroup>>>(
        x.data_ptr<float>(), combined.data_ptr<float>(), reinterpret_cast<const float2*>(affine.data_ptr<float>()), y.data_ptr<float>(),
        poolsZ, poolsY, poolsX, s);
'''+END%('y','ConvTranspose3d BatchNorm AvgPool AvgPool')
    # eps is a tensor on the device: read there
    t=t.replace('const float* beta, float eps,\n','const float* beta, const float* eps,\n').replace('variance + eps)','variance + *eps)').replace('EPS, rein','eps.data_ptr<float>(), rein')
    return t

def t060(o):
    t=header('2/60 60_ConvTranspose3d_Swish_GroupNorm_HardSwish',o['name'],WORDS+' It is done twice: once for the sums and sums of squares that the group norm needs, once for the values, so that the large output is written once and never read.','statistics recompute the convolution instead of storing it; normalisation is an affine map of each image and filter.')
    t+=CONSTS.format(**o)+SHAPE%' '+'constexpr float log2e = 1.44269504f, ln2 = 0.693147181f;\n'+PACK27%(', scaled by -log2(e)','',' * -log2e')+LOAD+CONV27S
    t+='''/// x times its sigmoid, for -log2(e) x and with this factor in the result.
__device__ float swish(float x) {
    float power, sigmoid;
    asm("ex2.approx.ftz.f32 %0, %1;" : "=f"(power) : "f"(x));
    asm("rcp.approx.ftz.f32 %0, %1;" : "=f"(sigmoid) : "f"(1.0f + power));
    return x * sigmoid;
}

__device__ float hardSwish(float x) { return x * __saturatef(fmaf(x, 1.0f / 6.0f, 0.5f)); }

'''
    t+=stats('const float* bias, ','''        float start[group];
#pragma unroll
        for (int f = 0; f < group; ++f)
            start[f] = g * group + f < s.filters ? bias[g * group + f] * -log2e : 0.0f;
''','swish(out[layer / 2][layer % 2 * 4 + p][f])')
    t+='''constexpr int reducers = 128;

/// The affine map that the norm is: affine[image][filter] = {scale, shift}; one block for each image and norm group.
__global__ void __launch_bounds__(reducers) finishStatistics(const float* partial, const float* gamma, const float* beta, float eps,
                                                             float2* affine, int blocks, int perNorm, double count, Shape s) {
    __shared__ double sums[reducers][2];
    const int first = blockIdx.x * perNorm, image = blockIdx.y;
    double sum = 0.0, squares = 0.0;
    for (int i = threadIdx.x; i < blocks * perNorm; i += reducers) {
        const int64_t at = (int64_t(image) * blocks + i / perNorm) * s.groups * group + first + i % perNorm;
        sum += partial[at * 2];
        squares += partial[at * 2 + 1];
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
    __syncthreads();
    const double mean = sums[0][0] / count, variance = fmax(sums[0][1] / count - mean * mean, 0.0); // of -log2(e) times the values
    for (int i = threadIdx.x; i < perNorm; i += reducers) {
        const double scale = -gamma[first + i] / sqrt(variance + eps * (double(log2e) * log2e));
        affine[image * s.filters + first + i] = make_float2(float(scale), float(beta[first + i] - mean * scale));
    }
}

/// The outputs, normalised.
__global__ void __launch_bounds__(threads, blocksPerSm)
    normalised(const float* x, const float* bias, const float2* affine, float* y, Shape s) {
'''+PLACE%RETURN+'''    const int depth = 2 * s.depth - 1, height = 2 * s.height - 1, width = 2 * s.width - 1;
    const int layers = depth - 2 * cellZ; // of outputs, from the column's first to the border
    const bool odd[2][2] = {{true, cellX < s.width - 1},
                            {cellY < s.height - 1, cellX < s.width - 1 && cellY < s.height - 1}}; // which there are
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group], start[group];
#pragma unroll
        for (int f = 0; f < group; ++f)
            start[f] = g * group + f < s.filters ? bias[g * group + f] * -log2e : 0.0f;
        convolveAll(tiles, start, g, s, out);
#pragma unroll
        for (int f = 0; f < group; ++f) {
            const int filter = g * group + f;
            if (filter >= s.filters) break;
            const float2 map = affine[blockIdx.z * s.filters + filter];
            float* to = y + (((int64_t(blockIdx.z) * s.filters + filter) * depth + 2 * cellZ) * height + 2 * cellY) * width + 2 * cellX;
#pragma unroll
            for (int layer = 0; layer < 2 * column; ++layer) {
#pragma unroll
                for (int line = 0; line < 2; ++line)
#pragma unroll
                    for (int i = 0; i < 2; ++i) {
                        const float v = out[layer / 2][layer % 2 * 4 + line * 2 + i][f];
                        const float result = hardSwish(fmaf(swish(v), map.x, map.y));
                        if (layer < layers && odd[line][i]) to[line * width + i] = result;
                    }
                to += height * width;
            }
        }
    }
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, int64_t norms, double eps, torch::Tensor weight,
                      torch::Tensor bias, torch::Tensor gamma, torch::Tensor beta) {
'''+CHECKS%dict(tensors='x, weight, bias, gamma, beta',attributes='stride == 2 && padding == 1',attributetext='stride 2, padding 1',**cells('all'))+'''    TORCH_CHECK(norms > 0 && s.filters % norms == 0, "the norm's groups must divide the filters");
    bias = bias.contiguous();
    gamma = gamma.contiguous();
    beta = beta.contiguous();
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(to), s);
'''+GRID+'''    const int blocks = grid.x * grid.y, perNorm = s.filters / norms;
    auto partial = torch::empty({s.batch, blocks, s.groups * group, 2}, x.options());
    statistics<<<grid, threads, tileBytes>>>(x.data_ptr<float>(), bias.data_ptr<float>(), partial.data_ptr<float>(), s);
    auto affine = torch::empty({s.batch, s.filters, 2}, x.options());
    auto* maps = reinterpret_cast<float2*>(affine.data_ptr<float>());
    const double count = double(perNorm) * (2 * s.depth - 1) * (2 * s.height - 1) * (2 * s.width - 1);
    finishStatistics<<<dim3(norms, s.batch), reducers>>>(partial.data_ptr<float>(), gamma.data_ptr<float>(), beta.data_ptr<float>(),
                                                         float(eps), maps, blocks, perNorm, count, s);
    auto y = torch::empty({s.batch, s.filters, 2 * s.depth - 1, 2 * s.height - 1, 2 * s.width - 1}, x.options());
    normalised<<<grid, threads, tileBytes>>>(x.data_ptr<float>(), bias.data_ptr<float>(), maps, y.data_ptr<float>(), s);
'''+END%('y','ConvTranspose3d Swish GroupNorm HardSwish')
    return t

def t050(o):
    t=header('2/50 50_ConvTranspose3d_Scaling_AvgPool_BiasAdd_Scaling',o['name'],'The mean over 2 x 2 x 2 outputs of a transposed convolution with stride 2 is linear in the 2 x 2 x 2 inputs that they are made of: one ordinary convolution with 8 taps, whose weights are sums of the 27. A thread makes a column of outputs along the depth for a group of filters; a weight comes from constant memory, is the same for the whole warp and serves the whole column.','pool after convolution is one convolution with combined taps; both scales and both biases folded in.')
    t+=CONSTS.format(**o)+SHAPE%''+(PACK8%('const float* scale1, const float* scale2, ','(0.125f * *scale1 * *scale2)'))+LOAD+CONV8
    t+='''__global__ void __launch_bounds__(threads, blocksPerSm)
    cellValues(const float* x, const float* convBias, const float* bias, const float* scale1, const float* scale2, float* y, Shape s) {
'''+PLACE%RETURN+'''    const int plane = s.cellsY * s.cellsX;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][group];
        convolveAll(tiles, g, s, out);
        float* first = y + ((int64_t(blockIdx.z) * s.filters + g * group) * s.cellsZ + cellZ) * plane + cellY * s.cellsX + cellX;
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
'''+CHECKS%dict(tensors='x, weight, convBias, scale1, scale2, bias',attributes='stride == 2 && padding == 1',attributetext='stride 2, padding 1',**cells('pool'))+'''    convBias = convBias.contiguous();
    bias = bias.contiguous();
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), scale1.data_ptr<float>(), scale2.data_ptr<float>(),
                                        static_cast<float*>(to), s);
'''+GRID+'''    auto y = torch::empty({s.batch, s.filters, s.cellsZ, s.cellsY, s.cellsX}, x.options());
    cellValues<<<grid, threads, tileBytes>>>(x.data_ptr<float>(), convBias.data_ptr<float>(), bias.data_ptr<float>(), scale1.data_ptr<float>(),
                                  scale2.data_ptr<float>(), y.data_ptr<float>(), s);
'''+END%('y','ConvTranspose3d Scaling AvgPool BiasAdd Scaling')
    return t

def t074(o):
    t=header('2/74 74_ConvTranspose3d_LeakyReLU_Multiply_LeakyReLU_Max',o['name'],WORDS+' Leaky ReLU, multiplication and leaky ReLU are one monotone map of each filter, rising or falling with the sign of its multiplier: the max pool goes before it, over values whose sign is turned where the map falls.','monotone maps moved past the maximum.')
    t+=CONSTS.format(**o)+SHAPE%''+PACK27%(', turned in sign where the multiplier is negative','const float* multiplier, ',' * (multiplier[filter] < 0.0f ? -1.0f : 1.0f)')+LOAD+CONV27
    t=t.replace('mostTaps = 12288; // 48 KB','mostTaps = 16000; // 62.5 KB')
    t+='''__device__ float leaky(float x) { return x > 0.0f ? x : 0.2f * x; }

__global__ void __launch_bounds__(threads, blocksPerSm)
    cellValues(const float* x, const float* bias, const float* multiplier, float* y, Shape s) {
'''+PLACE%RETURN+'''    const int plane = s.cellsY * s.cellsX;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group];
        convolveAll(tiles, g, s, out);
        float* first = y + ((int64_t(blockIdx.z) * s.filters + g * group) * s.cellsZ + cellZ) * plane + cellY * s.cellsX + cellX;
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
'''+CHECKS%dict(tensors='x, weight, bias, multiplier',attributes='stride == 2 && padding == 1 && outputPadding == 1',attributetext='stride 2, padding 1, output padding 1',**cells('all'))+'''    bias = bias.contiguous();
    multiplier = multiplier.contiguous();
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), multiplier.data_ptr<float>(), static_cast<float*>(to), s);
'''+GRID+'''    auto y = torch::empty({s.batch, s.filters, s.cellsZ, s.cellsY, s.cellsX}, x.options());
    cellValues<<<grid, threads, tileBytes>>>(x.data_ptr<float>(), bias.data_ptr<float>(), multiplier.data_ptr<float>(), y.data_ptr<float>(), s);
'''+END%('y','ConvTranspose3d LeakyReLU Multiply LeakyReLU MaxPool')
    return t

def t096(o):
    t=header('2/96 96_ConvTranspose3d_Multiply_Max_GlobalAvgPool_Clamp',o['name'],WORDS+' The max pool is seven comparisons; nothing but sums over space leaves the block.','scale folded into weights and bias; bias moved past maximum and mean; mean as sums of blocks, then of sums.')
    t+=CONSTS.format(**o)+SHAPE%' '+PACK27%(', scaled','float scale, ',' * scale')+LOAD+CONV27
    t+='''/// Sums of blocks: partial[image][block of the image][filter].
__global__ void __launch_bounds__(threads, blocksPerSm) cellSums(const float* x, float* partial, Shape s) {
    __shared__ float ofWarps[threads / 32][group];
'''+PLACE%INSIDE+'''    const int block = blockIdx.y * gridDim.x + blockIdx.x, blocks = gridDim.x * gridDim.y;
    float* sumsOfBlock = partial + (int64_t(blockIdx.z) * blocks + block) * s.groups * group;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group];
        convolveAll(tiles, g, s, out);
        if (g > 0) __syncthreads(); // the group before has been stored
#pragma unroll
        for (int f = 0; f < group; ++f) {
            float sum = 0.0f;
#pragma unroll
            for (int n = 0; n < column; ++n) {
                float most = out[n][0][f];
#pragma unroll
                for (int p = 1; p < 8; ++p)
                    most = fmaxf(most, out[n][p][f]);
                sum += inside && cellZ + n < s.cellsZ ? most : 0.0f;
            }
#pragma unroll
            for (int step = 16; step > 0; step /= 2)
                sum += __shfl_xor_sync(0xffffffffu, sum, step);
            if (threadIdx.x % 32 == 0) ofWarps[threadIdx.x / 32][f] = sum;
        }
        __syncthreads();
        if (threadIdx.x < group) {
            float sum = 0.0f;
            for (int w = 0; w < threads / 32; ++w)
                sum += ofWarps[w][threadIdx.x];
            sumsOfBlock[g * group + threadIdx.x] = sum;
        }
    }
}

/// Adds up the blocks' sums in their order; mean, bias and clamp: one warp for each image and filter.
__global__ void finish(const float* partial, const float* bias, float scale, float* y, int blocks, Shape s) {
    const int filter = blockIdx.y * blockDim.y + threadIdx.y, image = blockIdx.x;
    if (filter >= s.filters) return;
    float sum = 0.0f;
    for (int b = threadIdx.x; b < blocks; b += 32)
        sum += partial[(int64_t(image) * blocks + b) * s.groups * group + filter];
#pragma unroll
    for (int step = 16; step > 0; step /= 2)
        sum += __shfl_xor_sync(0xffffffffu, sum, step);
    const float mean = sum / (float(s.cellsZ) * s.cellsY * s.cellsX) + bias[filter] * scale;
    if (threadIdx.x == 0) y[image * s.filters + filter] = fminf(fmaxf(mean, 0.0f), 1.0f);
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, double scale, int64_t maxpoolKernelSize,
                      torch::Tensor weight, torch::Tensor bias) {
'''+CHECKS%dict(tensors='x, weight, bias',attributes='stride == 2 && padding == 1 && maxpoolKernelSize == 2',attributetext='stride 2, padding 1, pool 2',**cells('pool'))+'''    bias = bias.contiguous();
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), float(scale), static_cast<float*>(to), s);
'''+GRID+'''    const int blocks = grid.x * grid.y;
    auto partial = torch::empty({s.batch, blocks, s.groups * group}, x.options());
    auto y = torch::empty({s.batch, s.filters, 1, 1, 1}, x.options());
    cellSums<<<grid, threads, tileBytes>>>(x.data_ptr<float>(), partial.data_ptr<float>(), s);
    finish<<<dim3(s.batch, (s.filters + 7) / 8), dim3(32, 8)>>>(partial.data_ptr<float>(), bias.data_ptr<float>(),
                                                               float(scale), y.data_ptr<float>(), blocks, s);
'''+END%('y','ConvTranspose3d Multiply MaxPool GlobalAvgPool Clamp')
    return t

def t078(o):
    t=header('2/78 78_ConvTranspose3d_Max_Max_Sum',o['name'],WORDS+' A column of three cells is the depth of a window of the second pool; its maxima over the other two directions are taken in shared memory, the sum over the filters in registers.','two max pools are one of 6; bias moved past the maximum and the sum over filters.')
    o=dict(o); o['column']=3
    t+=CONSTS.format(**o).replace('// tune: 1, 2, 3, 4, 5; cells','// cells')
    k=t.index('constexpr int tileX'); l=t.index('constexpr int blocksPerSm')
    t=t[:k]+'''constexpr int windowsX = %d; // tune: 2, 3, 5, 10; windows of the second pool in a block's tile, across
constexpr int windowsY = %d; // tune: 1, 2, 3; and down
constexpr int tileX = 3 * windowsX, tileY = 3 * windowsY; // the tile in cells
constexpr int threads = tileX * tileY;
'''%(o.get('wx',10),o.get('wy',1))+t[l:]
    t+=SHAPE%'\n    int poolsZ, poolsY, poolsX;'+PACK27%('','','')+LOADFLAT+CONV27
    t+='''__global__ void __launch_bounds__(threads, blocksPerSm) windows(const float* x, const float* bias, float* y, Shape s) {
    extern __shared__ Tile tiles[]; // by channel
    __shared__ float most[group][threads];
    const int tilesX = (s.poolsX + windowsX - 1) / windowsX;
    const int firstY = blockIdx.x / tilesX * windowsY, firstX = blockIdx.x % tilesX * windowsX; // in windows
    stage(tiles, x + int64_t(blockIdx.z) * s.channels * s.depth * s.height * s.width, blockIdx.y * column, firstY * 3, firstX * 3, s);
    __syncthreads();
    const int windowY = threadIdx.x / windowsX, windowX = threadIdx.x % windowsX; // of the thread that finishes one
    float sum = 0.0f;
#pragma unroll 1
    for (int g = 0; g < s.groups; ++g) {
        float out[column][8][group];
        convolveAll(tiles, g, s, out);
        if (g > 0) __syncthreads(); // the group before has been used
#pragma unroll
        for (int f = 0; f < group; ++f) {
            float v = out[0][0][f];
#pragma unroll
            for (int n = 0; n < column; ++n)
#pragma unroll
                for (int p = 0; p < 8; ++p)
                    v = fmaxf(v, out[n][p][f]);
            most[f][threadIdx.x] = v;
        }
        __syncthreads();
        if (threadIdx.x < windowsY * windowsX)
#pragma unroll
            for (int f = 0; f < group; ++f) {
                const float* corner = &most[f][windowY * 3 * tileX + windowX * 3];
                float v = corner[0];
#pragma unroll
                for (int i = 1; i < 9; ++i)
                    v = fmaxf(v, corner[i / 3 * tileX + i % 3]);
                if (g * group + f < s.filters) sum += v + bias[g * group + f];
            }
    }
    const int poolY = firstY + windowY, poolX = firstX + windowX;
    if (threadIdx.x < windowsY * windowsX && poolY < s.poolsY && poolX < s.poolsX)
        y[((int64_t(blockIdx.z) * s.poolsZ + blockIdx.y) * s.poolsY + poolY) * s.poolsX + poolX] = sum;
}

torch::Tensor forward(torch::Tensor x, int64_t stride, int64_t padding, torch::Tensor weight, torch::Tensor bias) {
'''+CHECKS%dict(tensors='x, weight, bias',attributes='stride == 2 && padding == 1',attributetext='stride 2, padding 1',**cells('pool'))+'''    s.poolsZ = s.cellsZ / 3;
    s.poolsY = s.cellsY / 3;
    s.poolsX = s.cellsX / 3;
    TORCH_CHECK(s.poolsZ > 0 && s.poolsY > 0 && s.poolsX > 0, "the pooled output is empty");
    bias = bias.contiguous();
    pack<<<(packed + 127) / 128, 128>>>(weight.data_ptr<float>(), static_cast<float*>(to), s);
    auto y = torch::empty({s.batch, 1, s.poolsZ, s.poolsY, s.poolsX}, x.options());
    TORCH_CHECK(sizeof(Tile) * s.channels <= 40960, "too many channels for shared memory");
    const int tiles = (s.poolsY + windowsY - 1) / windowsY * ((s.poolsX + windowsX - 1) / windowsX);
    windows<<<dim3(tiles, s.poolsZ, s.batch), threads, sizeof(Tile) * s.channels>>>(x.data_ptr<float>(), bias.data_ptr<float>(), y.data_ptr<float>(), s);
'''+END%('y','ConvTranspose3d Max Max Sum')
    return t

LWORDS='A transposed convolution with stride 2 gives every cell of 2 x 2 x 2 outputs from the same 2 x 2 x 2 inputs: 27 of the 64 pairs of an input and an output have a tap. The lanes of a warp are filters: a lane keeps all weights of its filter in registers and walks along lines of cells, whose inputs lie in shared memory so that one load of four floats for each channel brings all that the next cell needs.'
LCONSTS='''constexpr int channels = {channels};     // the most input channels: their weights stay in registers
constexpr int filterLanes = {lanes}; // tune: 8, 16, 32; lanes of a warp that take different filters
constexpr int passes = {passes};       // tune: 1, 2, 4, 8; lines of cells that each lane makes one after another
constexpr int threads = {threads};    // tune: 64, 128, 256
constexpr int blocksPerSm = {blocks}; // tune: 2, 3, 4, 5, 8
constexpr int window = 27;
constexpr int lines = threads / filterLanes; // lines that a block makes at a time

'''
LPACK='''/// Orders the weights%s by filter group, channel, tap and filter, 0 beyond the extents.
__global__ void packLanes(const float* weight, %sfloat* to, Shape s) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= s.groups * channels * window * filterLanes) return;
    const int k = i / filterLanes %% window, c = i / (filterLanes * window) %% channels;
    const int filter = i / (filterLanes * window * channels) * filterLanes + i %% filterLanes;
    const bool inside = filter < s.filters && c < s.channels;
    to[i] = inside ? weight[(c * s.filters + filter) * window + k]%s : 0.0f;
}

/// The position in the kernel of the tap from input offset d to output parity p.
__host__ __device__ constexpr int tapOf(int p, int d) { return p == 0 ? 1 : d == 0 ? 2 : 0; }

/// The inputs of a line of cells at one place; by channel the four of both planes and lines.
struct Slice {
    float4 of[channels];
};
__device__ float part(const float4& v, int i) { return i == 0 ? v.x : i == 1 ? v.y : i == 2 ? v.z : v.w; }

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
    const bool inside = z < s.depth && y < s.height, below = inside && y + 1 < s.height, behind = inside && z + 1 < s.depth;
    const float* line = image + (z * s.height + y) * s.width;
#pragma unroll 2
    for (int x = threadIdx.x %% filterLanes; x <= s.cellsX; x += filterLanes)
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

'''
LHEAD='''    extern __shared__ float4 lineMemory[];
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
'''
def l096(o):
    base=t096(dict(DEF,**o))
    t=header('2/96 96_ConvTranspose3d_Multiply_Max_GlobalAvgPool_Clamp',o['name'],LWORDS+' Nothing but sums over space leaves the block.','scale folded into weights and bias; bias moved past maximum and mean; mean as sums of blocks, then of sums.')
    t+=LCONSTS.format(**o)+SHAPE%' '+LPACK%(', scaled,','float scale, ',' * scale')
    t+='''/// Sums of blocks: partial[image][block of the image][filter].
__global__ void __launch_bounds__(threads, blocksPerSm) cellSums(const float* x, const float* packed, float* partial, Shape s) {
    __shared__ float ofLines[lines][filterLanes];
'''+LHEAD+'''    float sum = 0.0f;
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
            sum += fmaxf(fmaxf(fmaxf(out[0], out[1]), fmaxf(out[2], out[3])), fmaxf(fmaxf(out[4], out[5]), fmaxf(out[6], out[7])));
            left = right;
        }
    }
    ofLines[own][threadIdx.x % filterLanes] = sum;
    __syncthreads();
    if (threadIdx.x < filterLanes) {
        float all = 0.0f;
        for (int i = 0; i < lines; ++i)
            all += ofLines[i][threadIdx.x];
        partial[((int64_t(blockIdx.z) * gridDim.x + blockIdx.x) * gridDim.y + blockIdx.y) * filterLanes + threadIdx.x] = all;
    }
}

'''
    b=base[base.index("/// Adds up the blocks' sums"):]
    b=b.replace('s.groups * group + filter','s.groups * filterLanes + filter').replace('(s.filters + group - 1) / group','(s.filters + filterLanes - 1) / filterLanes')
    i=b.index('    const int packed ='); j=b.index('    TORCH_CHECK(cudaGetLastError')
    b=b[:i]+'''    bias = bias.contiguous();
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
'''+b[j:]
    return t+b

def l072(o):
    base=t072(dict(DEF,**o))
    t=header('2/72 72_ConvTranspose3d_BatchNorm_AvgPool_AvgPool',o['name'],LWORDS+' Once for the sums and sums of squares that the batch norm needs: nothing else of the large output is wanted, since the norm is affine in each filter and moves past the pools. Two pools of 2 after the transposed convolution are one ordinary convolution with 27 combined taps and stride 2.','two pools are one pool of 4; pool after convolution is one convolution with combined taps; batch norm moved past the pools; a bias before a norm cancels; statistics recompute the convolution instead of storing it.')
    t+=LCONSTS.format(**o)+SHAPE%' '+LPACK%('','','')
    t+='''/// Adds the outputs of a cell to the sums of its four lines, the second of each line only where there is one.
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
__global__ void __launch_bounds__(threads, blocksPerSm) statistics(const float* x, const float* packed, float2* partial, Shape s) {
    __shared__ float2 ofLines[lines][filterLanes];
'''+LHEAD+'''    float2 sums = make_float2(0.0f, 0.0f);
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
        partial[((int64_t(blockIdx.z) * gridDim.x + blockIdx.x) * gridDim.y + blockIdx.y) * filterLanes + threadIdx.x] = all;
    }
}

'''
    b=base[base.index("constexpr int reducers"):]
    b=b.replace('s.groups * group','s.groups * filterLanes').replace('(s.filters + group - 1) / group','(s.filters + filterLanes - 1) / filterLanes')
    i=b.index('    const int packed ='); j=b.index('    gamma = gamma.contiguous();')
    b=b[:i]+b[j:]
    i=b.index('    pack<<<'); j=b.index('    auto combined')
    b=b[:i]+'''    TORCH_CHECK(s.channels <= channels, "too many input channels for weights in registers");
    const int count = s.groups * channels * window * filterLanes;
    auto packed = torch::empty({count}, x.options());
    packLanes<<<(count + 127) / 128, 128>>>(weight.data_ptr<float>(), packed.data_ptr<float>(), s);
'''+b[j:]
    i=b.index('    const dim3 grid('); j=b.index('    auto affine')
    b=b[:i]+'''    const int perBlock = passes * lines;
    const dim3 grid((s.cellsZ * s.cellsY + perBlock - 1) / perBlock, s.groups, s.batch);
    const size_t shared = sizeof(Slice) * lines * (s.cellsX + 1);
    TORCH_CHECK(shared <= 40960, "the lines are too long for shared memory");
    const int blocks = grid.x * grid.z;
    auto partial = torch::empty({blocks, s.groups * filterLanes, 2}, x.options());
    statistics<<<grid, threads, shared>>>(x.data_ptr<float>(), packed.data_ptr<float>(),
                                          reinterpret_cast<float2*>(partial.data_ptr<float>()), s);
'''+b[j:]
    b=b.replace("const double count = double(s.batch)","const double outputs = double(s.batch)").replace("blocks, count, s);","blocks, outputs, s);")
    return t+b

DEF=dict(group=4,column=3,tileY=4,blocks=4,name='tiles')
if __name__=='__main__':
    o=dict(DEF,channels=3,lanes=16,passes=2,threads=128); task=sys.argv[1]; kind='t'
    if task[0]=='l': kind='l'; task=task[1:]; o['name']='lanes'
    if task=='050': o.update(group=16,column=3,blocks=5)
    if task=='038': o.update(group=16,column=2,blocks=8)
    for a in sys.argv[2:]:
        k,v=a.split('='); o[k]=int(v) if v.isdigit() else v
    sys.stdout.write(globals()[kind+task](o))
