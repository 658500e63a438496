// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/graphs/Products.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::graphs {

namespace {

const char* const byTensorCores =
    R"cu(/// How a product is shared out: pieces of 16 rows and 8 * wide columns, a warp's in turn.
template <int batches, int rowCount, int columnCount, int wideCount> struct Pieces {
    static constexpr int rows = rowCount, columns = columnCount, wide = wideCount;
    static constexpr int down = (rows + 15) / 16, across = (columns + 8 * wide - 1) / (8 * wide);
    static constexpr int all = batches * down * across, each = (all + threads / 32 - 1) / (threads / 32);
    using Sums = float[each][wide][4];
};

/// 16 rows times 8 columns over 8 terms, added in float32.
__device__ void multiplyAdd(float (&sum)[4], const unsigned (&a)[4], const unsigned (&b)[2]) {
    asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0, %1, %2, %3}, "
                 "{%4, %5, %6, %7}, {%8, %9}, {%0, %1, %2, %3};"
                 : "+f"(sum[0]), "+f"(sum[1]), "+f"(sum[2]), "+f"(sum[3])
                 : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
}

/// To the 11 bits that a tensor core multiplies; elements of 16 bits have no more.
__device__ float rounded(float x) {
    unsigned bits;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(bits) : "f"(x));
    return __uint_as_float(bits);
}

/// Adds a product of tiles: `left` and `right` give the elements of a row and of a column. Beyond its last term, up
/// to the next multiple of 8, a tile has zeros.
template <class P, class Left, class Right>
__device__ void multiplyTiles(typename P::Sums& sum, int terms, Left left, Right right) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < P::each; ++i) {
        const int piece = threadIdx.x / 32 + i * (threads / 32);
        if (piece >= P::all) break;
        const int row = piece % P::down * 16 + lane / 4, batch = piece / (P::down * P::across);
        const int column = piece / P::down % P::across * (8 * P::wide) + lane / 4;
#pragma unroll 2
        for (int first = 0; first < terms; first += 8) {
            unsigned a[4];
#pragma unroll
            for (int v = 0; v < 4; ++v) {
                const int r = row + v % 2 * 8, term = first + lane % 4 + v / 2 * 4;
                const bool there = P::rows % 16 == 0 || r < P::rows;
                a[v] = there ? __float_as_uint(left(batch, r, term)) : 0;
            }
#pragma unroll
            for (int c = 0; c < P::wide; ++c) {
                unsigned b[2];
#pragma unroll
                for (int v = 0; v < 2; ++v) {
                    const int own = column + c * 8, term = first + lane % 4 + v * 4;
                    const bool there = P::columns % (8 * P::wide) == 0 || own < P::columns;
                    b[v] = there ? __float_as_uint(right(batch, own, term)) : 0;
                }
                multiplyAdd(sum[i][c], a, b);
            }
        }
    }
}

/// Calls `take` for each sum that the thread has.
template <class P, class Take> __device__ void eachSum(const typename P::Sums& sum, Take take) {
    const int lane = threadIdx.x % 32;
#pragma unroll
    for (int i = 0; i < P::each; ++i) {
        const int piece = threadIdx.x / 32 + i * (threads / 32);
        if (piece >= P::all) break;
#pragma unroll
        for (int v = 0; v < 4 * P::wide; ++v) {
            const int row = piece % P::down * 16 + lane / 4 + v % 4 / 2 * 8;
            const int column = piece / P::down % P::across * (8 * P::wide) + v / 4 * 8 + lane % 4 * 2 + v % 2;
            if (row < P::rows && column < P::columns)
                take(piece / (P::down * P::across), row, column, sum[i][v / 4][v % 4]);
        }
    }
}

)cu";

const char* const byThreads =
    R"cu(/// How a product is shared out: pieces of 4 rows and 4 columns that lie apart, a thread's in turn.
template <int batches, int rowCount, int columnCount> struct Pieces {
    static constexpr int rows = rowCount, columns = columnCount;
    static constexpr int down = (rows + 3) / 4, across = (columns + 3) / 4;
    static constexpr int all = batches * down * across, each = (all + threads - 1) / threads;
    using Sums = float[each][4][4];
};

/// Adds a product of tiles: `left` and `right` give the elements of a row and of a column.
template <class P, class Left, class Right>
__device__ void multiplyTiles(typename P::Sums& sum, int terms, Left left, Right right) {
#pragma unroll
    for (int i = 0; i < P::each; ++i) {
        const int piece = threadIdx.x + i * threads;
        if (piece >= P::all) break;
        const int column = piece % P::across, row = piece / P::across % P::down, batch = piece / (P::across * P::down);
#pragma unroll 2
        for (int term = 0; term < terms; ++term) {
            float a[4], b[4];
#pragma unroll
            for (int v = 0; v < 4; ++v) {
                const int r = row + v * P::down, c = column + v * P::across;
                a[v] = P::rows % 4 == 0 || r < P::rows ? left(batch, r, term) : 0.0f;
                b[v] = P::columns % 4 == 0 || c < P::columns ? right(batch, c, term) : 0.0f;
            }
#pragma unroll
            for (int r = 0; r < 4; ++r)
#pragma unroll
                for (int c = 0; c < 4; ++c)
                    sum[i][r][c] += a[r] * b[c];
        }
    }
}

/// Calls `take` for each sum that the thread has.
template <class P, class Take> __device__ void eachSum(const typename P::Sums& sum, Take take) {
#pragma unroll
    for (int i = 0; i < P::each; ++i) {
        const int piece = threadIdx.x + i * threads;
        if (piece >= P::all) break;
#pragma unroll
        for (int v = 0; v < 16; ++v) {
            const int row = piece / P::across % P::down + v / 4 * P::down;
            const int column = piece % P::across + v % 4 * P::across;
            if (row < P::rows && column < P::columns)
                take(piece / (P::across * P::down), row, column, sum[i][v / 4][v % 4]);
        }
    }
}

)cu";

std::string piecesName(std::size_t tensor) {
    return fmt::format("Pieces{}", tensor);
}

/// An operand's element from the numbers of its row, or column, and term.
std::string operandText(const Code& code, const ProductShape& shape, std::size_t tensor, const std::vector<int>& own,
                        const std::string& variable, bool usesTensorCores) {
    std::string text = fmt::format("[&](int batch, int {}, int term) {{\n", variable);
    text += code.declared(shape.batch, "batch", "") + code.declared(own, variable, "") +
            code.declared(shape.terms, "term", "");
    const std::string element = fmt::format("{}[{}]", code.name(tensor), code.tileIndex(tensor, code.indices()));
    const bool isHalf = code.tileType(tensor) != "float";
    const std::string value = isHalf            ? fmt::format("valueOf({})", element)
                              : usesTensorCores ? fmt::format("rounded({})", element)
                                                : element;
    return text + fmt::format("return {};\n}};\n", value);
}

} // namespace

Pieces piecesOf(const Subject& s, std::size_t tensor) {
    const ProductShape shape = shapeOf(s, tensor);
    const auto points = [&](const std::vector<int>& axes) {
        std::int64_t count = 1;
        for (const int axis : axes)
            count *= s.sizes.tile[std::size_t(axis)];
        return count;
    };
    Pieces p{points(shape.batch), points(shape.rows), points(shape.columns), points(shape.terms)};
    const auto share = [](std::int64_t a, std::int64_t b) { return (a + b - 1) / b; };
    if (!s.usesTensorCores()) {
        p.all = p.batches * share(p.rows, 4) * share(p.columns, 4);
        p.each = share(p.all, s.sizes.threads);
        return p;
    }
    for (p.wide = 4; p.wide > 1; p.wide /= 2)
        if (p.columns % (8 * p.wide) == 0 &&
            p.batches * share(p.rows, 16) * (p.columns / (8 * p.wide)) >= s.sizes.threads / 32)
            break;
    p.all = p.batches * share(p.rows, 16) * share(p.columns, 8 * p.wide);
    p.each = share(p.all, s.sizes.threads / 32);
    return p;
}

std::string productHelpers(bool usesTensorCores) {
    return usesTensorCores ? byTensorCores : byThreads;
}

std::string piecesText(const Code& code, std::size_t tensor) {
    const ProductShape shape = shapeOf(code.subject(), tensor);
    std::string text = fmt::format("using {} = Pieces<{}, {}, {}", piecesName(tensor), code.elements(shape.batch),
                                   code.elements(shape.rows), code.elements(shape.columns));
    if (code.subject().usesTensorCores()) text += fmt::format(", {}", piecesOf(code.subject(), tensor).wide);
    return text + ">;\n";
}

std::string sumsName(std::size_t accumulated) {
    return fmt::format("sums{}", accumulated);
}

BlockFunction productFor(const Code& code, const Action& action, bool isSecond) {
    const Subject& s = code.subject();
    const bool isKept = action.kind == Action::Kind::keep;
    const std::size_t product = isKept ? s.step(action.made).a : action.product;
    const ProductShape shape = shapeOf(s, product);
    const std::string pieces = piecesName(product);
    const std::vector<std::string> indices = code.indices();
    const std::string ofSums = code.declared(shape.batch, "batch", "") + code.declared(shape.rows, "row", "") +
                               code.declared(shape.columns, "column", "");
    const std::string take =
        fmt::format("const auto take = [&](int batch, int row, int column, float v{}) {{\n", product);
    const std::string visit = fmt::format("}};\neachSum<{}>(sum, take);\n}}\n\n", pieces);
    const std::string place = code.tileIndex(action.made, indices);
    if (isKept) {
        BlockFunction f{fmt::format("keep{}", action.made), {}, {}};
        f.text = fmt::format("/// {}: from registers into shared memory.\n", code.formula(action.made));
        f.text += fmt::format("__device__ void {}(float* to, const {}::Sums& sum) {{\n", f.name, pieces);
        f.text += take + ofSums + fmt::format("to[{}] = v{};\n", place, product) + visit;
        f.call = fmt::format("{}({}, {});", f.name, code.tilePlace(action.made, isSecond), sumsName(action.made));
        return f;
    }
    const std::vector<Code::Parameter> reads = code.reads(action, isSecond);
    BlockFunction f{fmt::format("multiply{}", action.made), {}, {}};
    f.text = fmt::format("/// {}", code.formula(product));
    if (action.isAdded)
        f.text += ", added over the steps of the loop";
    else if (action.value != product)
        f.text += fmt::format(", and {} of it", code.formula(action.value));
    f.text += ".\n";
    // Of an axis that a block has whole, there may be far fewer than the tile has room for.
    const bool isWhole = shape.terms.size() == 1 && s.axes[std::size_t(shape.terms[0])].kind == Axis::Kind::whole;
    const std::string terms = isWhole ? s.axes[std::size_t(shape.terms[0])].extent() : code.elements(shape.terms);
    const std::string multiply =
        fmt::format("const auto left = {}const auto right = {}multiplyTiles<{}>(sum, {}, left, right);\n",
                    operandText(code, shape, shape.left, shape.rows, "row", s.usesTensorCores()),
                    operandText(code, shape, shape.right, shape.columns, "column", s.usesTensorCores()), pieces, terms);
    if (action.isAdded) {
        f.text += fmt::format("__device__ void {}({}::Sums& sum, {}) {{\n{}}}\n\n", f.name, pieces,
                              parameterList(reads), multiply);
        f.call = fmt::format("{}({}, {});", f.name, sumsName(action.made), argumentList(reads));
        return f;
    }
    f.text += fmt::format("__device__ void {}(float* to, {}) {{\n{}::Sums sum = {{}};\n{}{}", f.name,
                          parameterList(reads), pieces, multiply, take + ofSums);
    const std::vector<int> axes = listed(s.tiles[action.made].axes);
    if (action.value == product) {
        f.text += fmt::format("to[{}] = v{};\n", place, product);
    } else {
        const Code::Value value =
            code.value(action.value, action.phase, indices, {{product, fmt::format("v{}", product)}}, "", false);
        f.text += fmt::format("float value = 0.0f;\nif ({}) {{\n{}value = {};\n}}\nto[{}] = value;\n",
                              code.isInside(axes, indices), value.statements, value.name, place);
    }
    f.text += visit;
    f.call = fmt::format("{}({}, {});", f.name, code.tilePlace(action.made, isSecond), argumentList(reads));
    return f;
}

} // namespace kernelarium::kernelgen::graphs
