// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/products/HalfSums.h"

#include "core/kernelgen/products/Epilogue.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::products {

namespace {

void storeFragments(KernelText& text, const std::string& condition, const std::string& place) {
    text.open(fmt::format("if ({}) {{", condition));
    text.line("#pragma unroll");
    text.open("for (int f = 0; f < fragments; ++f)");
    text.line(fmt::format("{} = make_float4(sum[f][0], sum[f][1], sum[f][2], sum[f][3]);", place));
    text.indent(-1);
    text.close();
}
void addFragments(KernelText& text, const std::string& other, const std::string& before = "") {
    text.line("#pragma unroll");
    text.open("for (int f = 0; f < fragments; ++f) {");
    if (!before.empty()) text.line(before);
    text.line(fmt::format("const float4 four = {};", other));
    text.line("sum[f][0] += four.x, sum[f][1] += four.y, sum[f][2] += four.z, sum[f][3] += four.w;");
    text.close();
}

} // namespace

void writeHalfJoin(KernelText& text, bool isSplit) {
    text.line("constexpr int sides = 32 * warpsDown * warpsAcross; // threads with sums of their own");
    text.line("const int side = threadIdx.x % sides;");
    text.line("__syncthreads(); // the tiles are read, their place is free");
    text.open("if (warpsDeep > 1) {");
    text.line("float4* const others = reinterpret_cast<float4*>(shared) + side;");
    storeFragments(text, "deep > 0", "others[((deep - 1) * fragments + f) * sides]");
    text.line("__syncthreads();");
    text.open("for (int w = 0; w < warpsDeep - 1 && deep == 0; ++w) {");
    addFragments(text, "others[(w * fragments + f) * sides]");
    text.close();
    text.line("__syncthreads();");
    text.close();
    if (!isSplit) return;
    text.open("if (parts > 1) {");
    text.line("float4* const mine = reinterpret_cast<float4*>(partials) + tile * parts * fragments * sides + side;");
    storeFragments(text, "deep == 0", "mine[(part * fragments + f) * sides]");
    text.line("if (!isLast(&finished[tile], parts)) return;");
    text.line("// The parts in their order; this block's own comes from memory as well.");
    text.open("for (Index p = 0; p < parts && deep == 0; ++p) {");
    text.line("const float4* const theirs = mine + p * fragments * sides;");
    text.line("float4 other[fragments]; // all of them are on their way at the same time");
    text.line("#pragma unroll");
    text.open("for (int f = 0; f < fragments; ++f)");
    text.line("other[f] = __ldcg(theirs + f * sides);");
    text.indent(-1);
    addFragments(text, "other[f]", "if (p == 0) sum[f][0] = sum[f][1] = sum[f][2] = sum[f][3] = 0.0f;");
    text.close();
    text.close();
}

void writeHalfFinish(KernelFile& file, KernelText& text, const ProductUnit& unit, const std::set<std::size_t>& inlined,
                     const std::string& rows, const std::string& columns) {
    const ProductForm& form = unit.first();
    const bool isOne = unit.forms.size() == 1;
    text.line("float* const sums = reinterpret_cast<float*>(shared);");
    text.open("if (deep == 0) {");
    text.line("#pragma unroll");
    text.open("for (int f = 0; f < fragments; ++f) {");
    if (!isOne)
        text.line("const int n = f / fragmentsAcross / fragmentsDown, i = f / fragmentsAcross % fragmentsDown;");
    text.line(fmt::format("const int row = {}down * ownRows + {} * 16 + lane / 4;", isOne ? "" : "n * tileRows + ",
                          isOne ? "f / fragmentsAcross" : "i"));
    text.line("const int column = across * ownColumns + f % fragmentsAcross * 8 + lane % 4 * 2;");
    text.line("float* const place = sums + row * (tileColumns + 4) + column;");
    text.line("*reinterpret_cast<float2*>(place) = make_float2(sum[f][0], sum[f][1]);");
    text.line("*reinterpret_cast<float2*>(place + 8 * (tileColumns + 4)) = make_float2(sum[f][2], sum[f][3]);");
    text.close();
    text.close();
    text.line("__syncthreads();");
    text.line("#pragma unroll 4");
    text.open("for (int e = threadIdx.x; e < tileRows * tileColumns; e += productThreads) {");
    text.line("const Index row = firstRow + e / tileColumns, column = firstColumn + e % tileColumns;");
    const bool isAnywhere = readsProductsAlone(file, unit); // without branches, several at the same time
    if (!isAnywhere) text.line(fmt::format("if (row >= {} || column >= {}) continue;", rows, columns));
    text.line("const float* const place = sums + e / tileColumns * (tileColumns + 4) + e % tileColumns;");
    PointNames names = namesOfPoint(form);
    for (std::size_t k = 0; k < unit.forms.size(); ++k)
        names.sums.push_back(k == 0   ? "place[0]"
                             : k == 1 ? "place[tileRows * (tileColumns + 4)]"
                                      : fmt::format("place[{} * tileRows * (tileColumns + 4)]", k));
    text.line(fmt::format("const Index element = {};", elementOf(text, file.tensor(form.tensor), form)));
    const std::string condition = isAnywhere ? fmt::format("if (row < {} && column < {}) ", rows, columns) : "";
    writeFormulas(file, text, unit, inlined, names, [&](std::size_t id, const std::string& value) {
        storeElement(file, text, id, "element", value, condition);
    });
    text.close();
}

} // namespace kernelarium::kernelgen::products
