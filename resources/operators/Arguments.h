// SPDX-License-Identifier: GPL-3.0-or-later
// What the kernels of this folder take: each one struct, read by the host's compiler and by NVRTC alike.
// Addresses are 64-bit device addresses; sizes, strides and offsets count elements.
#pragma once

namespace kernelarium::operators {

using Address = unsigned long long;
using Long = long long;

inline constexpr int maxRank = 8;     ///< dimensions of a walk, neighbours merged
inline constexpr int maxOperands = 6; ///< a result and five inputs

/// A walk over a shape, the last dimension fastest, with the strides of several operands.
struct Walk {
    Long sizes[maxRank];
    Long strides[maxOperands][maxRank];
    int rank; ///< at least 1
};

/// Elementwise: out[i] = f(in[0][i], ...). An input without address is the number beside it.
struct MapArguments {
    Address out;
    Address in[maxOperands - 1];
    double number[maxOperands - 1];
    Long integer[maxOperands - 1];
    double p[4]; ///< parameters of f
    Long count;
    Walk walk; ///< operand 0 is the result
    int packs; ///< whether four neighbours at a time can be read and written: see packsFit() of Elementwise.cpp
};
inline constexpr int perPack = 4;

/// Output o folds the elements at outer(o) + inner(i), i below length, cut into chunks of `chunk`.
struct ReduceArguments {
    Address in, out, secondOut; ///< secondOut is 0 where nobody wants it
    Address partial;            ///< states of [chunks, outputs]; unused with one chunk
    Long outputs, length, chunk, chunks;
    double p[4];
    Walk outer, inner; ///< operand 0
};

/// Running values along a dimension: one thread for each of [outer, inner], or a block for each of `outer` where inner
/// is 1.
struct ScanArguments {
    Address in, out;
    Long outer, length, inner;
};

/// out[b] = a[b] x b[b] + bias, [m, k] x [k, n], out dense.
struct ProductArguments {
    Address a, b, out, bias; ///< bias is 0 or one number for each column
    Long m, n, k, batches;
    Long aRow, aColumn, bRow, bColumn, biasStep;
    Walk batch; ///< operands 0 and 1 are a and b
};

/// One element of a convolution's sum: where its factor lies in the input, from a position's origin, and in
/// the weight.
struct alignas(16) Tap {
    int offset, depth, height, width; ///< the offset in elements within a sample, and its three parts
    Long weight;
    Long unused;
};

/// Output positions q of a grid: origin = q * step in the input, place = q * spread + phase in the output.
struct ConvolutionArguments {
    Address in, weight, bias, out, taps; ///< bias may be 0
    Long batch, channelsIn, channelsOut; ///< channelsOut: of one group
    Long groups, tapCount, weightRow, weightGroup, channelsInGroup;
    int grid[3], step[3], size[3], outSize[3], spread[3], phase[3];
    int padding[3], dilation[3]; ///< the taps have them already
};

struct PoolArguments {
    Address in, out, indices; ///< indices may be 0
    Long planes;
    int size[3], outSize[3], kernel[3], stride[3], padding[3], dilation[3];
    int adaptive;       ///< regions from the sizes alone
    int includePadding; ///< in the mean's divisor
    int divisor;        ///< 0: the number of elements
};

/// Keeps what lies on one side of a diagonal of dense matrices.
struct TriangleArguments {
    Address in, out;
    Long count, rows, columns, diagonal;
    int upper;
};

/// out[i] = start + i * step.
struct RangeArguments {
    Address out;
    Long count;
    double start, step;
};

/// out[o, k, i] = in[o, index[k], i]; an index out of range is noted in `status`.
struct GatherArguments {
    Address in, index, out, status;
    Long outer, size, chosen, inner;
};

/// losses and weights of rows [outer, classes, inner] for a target class each.
struct PickArguments {
    Address logs, target, losses, weights, status;
    Long count, classes, inner, ignored;
};

/// A step of a recurrent layer for [batch, hidden]; gates from the input (rows `gateRow` apart) and from the
/// state.
struct CellArguments {
    Address gates, fromState, state, memory, out;
    Long batch, hidden, gateRow, outRow;
    int kind; ///< 0 LSTM, 1 GRU, 2 tanh, 3 relu
};

/// Elements dropped with probability p by the numbers of `seed`.
struct DropArguments {
    Address in, out;
    unsigned long long seed;
    Long count;
    double p;
};

/// Elements as core/verify/inputs/InputPlan.h draws them; `kind` is the number of a verify::Distribution::Kind.
struct DrawArguments {
    Address out, values;
    unsigned long long seed;
    unsigned index, stream;
    double a, b;
    Long count, valueCount;
    Long slices;            ///< of the first dimension
    Long rows, columns;     ///< of the last two dimensions
    int kind, lower;        ///< lower: what lies above the diagonal is zeroed, else what lies below
    double shift, from, to; ///< of the verify::Ramp
    Long sizes[maxRank];    ///< of the last dimensions, the last one first
    int rank;               ///< how many of them: maxRank at most
    int signs;              ///< the number of a verify::Signs
};

/// Judges `count` elements of a tile whose first is number `first` of its tensor.
struct CompareArguments {
    Address got, expected, parts;
    Long first, count;
    double scale, strict, legacy, largest;
    int exact;
};
/// What a block found. Indices are those of the tensor, -1 where there is none.
struct ComparePart {
    Long beyondStrict, beyondLegacy, unexpectedNan, firstStrict, firstLegacy;
    double largestAbsolute, largestRelative, squaredError;
};
struct SquaresPart {
    double sum; ///< over the finite elements
    Long finite;
};

/// The same over two outputs and two references: how they moved. Outputs are of one type, references of one.
struct MovementArguments {
    Address out0, out1, reference0, reference1, parts;
    Long count;
};
/// Sums of squares over the elements where all four are finite.
struct MovementPart {
    double reference, output, difference, scale;
};
struct SumArguments {
    Address in, parts;
    Long count;
};
struct SumPart {
    double sum;
    Long notFinite;
};
/// One block for each cell of a map: the worst of its elements. See core/verify/ErrorMap.h.
struct ErrorMapArguments {
    Address got, expected, worst;
    Long rows, columns, cellRows, cellColumns, mapColumns;
    double scale, legacy, largest;
    int exact;
};
/// Two ranges of bytes; `firsts` gets the first byte that differs for each block, or -1.
struct DifferenceArguments {
    Address a, b, firsts;
    Long bytes;
};

/// A pattern of four bytes over and over, from an address that is a multiple of four.
struct PatternArguments {
    Address start, firsts; ///< firsts: for each block the first byte that differs, or -1
    Long bytes;
    unsigned pattern;
};

} // namespace kernelarium::operators
