// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/attention/AttentionJoin.h"

#include "core/kernelgen/products/Epilogue.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::attention {

namespace {

/// A loop over the tile's rows and fours of columns.
void openFours(KernelText& text, const std::string& rows, const std::string& width) {
    text.open("for (int e = threadIdx.x; e < attentionRows * widthTile / 4; e += attentionThreads) {");
    text.line("const int own = e / (widthTile / 4), at = e % (widthTile / 4) * 4;");
    text.line("const Index row = firstRow + own;");
    text.line(fmt::format("if (row >= {} || at >= {}) continue;", rows, width));
}

} // namespace

void writeWarpsJoin(KernelText& text) {
    text.line("waitForCopies<0>();");
    text.line("__syncthreads(); // the tiles are read, their place is free");
    text.line("float* const valuesOf = reinterpret_cast<float*>(keys);");
    text.line("float* const largestOf = valuesOf + keyWarps * attentionRows * (widthTile + 8);");
    text.line("float* const totalOf = largestOf + keyWarps * attentionRows;");
    text.line("#pragma unroll");
    text.open("for (int i = 0; i < 2; ++i) {");
    text.line("const int line = across * attentionRows + down * 16 + lane / 4 + i * 8;");
    text.line("total[i] = sumOfRow(total[i]);");
    text.line("if (lane % 4 == 0) largestOf[line] = largest[i], totalOf[line] = total[i];");
    text.line("#pragma unroll");
    text.open("for (int j = 0; j < widthTile / 8; ++j) {");
    text.line("float* const place = valuesOf + line * (widthTile + 8) + j * 8 + lane % 4 * 2;");
    text.line("*reinterpret_cast<float2*>(place) = make_float2(sum[j][2 * i], sum[j][2 * i + 1]);");
    text.close();
    text.close();
    text.line("__syncthreads();");
}

void writeAttentionFinish(KernelFile& file, KernelText& text, const AttentionUnit& unit,
                          const std::set<std::size_t>& inlined, const std::string& rows, const std::string& width) {
    text.open("const auto finish = [&](Index row, int at, const Joined& all) {");
    text.open(fmt::format("for (int v = 0; v < 4 && at + v < {}; ++v) {{", width));
    text.line("const Index column = at + v;");
    text.line("const float value = all.sum[v] / all.total;");
    const products::ProductForm& output = unit.output.first();
    products::PointNames names = products::namesOfPoint(output);
    names.sums = {"value"};
    text.line(fmt::format("const Index element = {};", products::elementOf(text, file.tensor(output.tensor), output)));
    products::writeFormulas(file, text, unit.output, inlined, names, [&](std::size_t id, const std::string& value) {
        products::storeElement(file, text, id, "element", value);
    });
    text.close();
    text.close("};");
    openFours(text, rows, width);
    text.line("const Joined all = joinParts(");
    text.line("    keyWarps, [&](int w) { return largestOf[w * attentionRows + own]; },");
    text.line("    [&](int w) { return totalOf[w * attentionRows + own]; },");
    text.open("    [&](int w) {");
    text.line("    const float* const from = valuesOf + (w * attentionRows + own) * (widthTile + 8) + at;");
    text.line("    return *reinterpret_cast<const float4*>(from);");
    text.close("    });");
    text.open("if (parts == 1) {");
    text.line("finish(row, at, all);");
    text.line("continue;");
    text.close();
    text.line("const Index line = (tile * parts + part) * attentionRows + own;");
    text.line("float4* const place = reinterpret_cast<float4*>(partials + line * widthTile + at);");
    text.line("*place = make_float4(all.sum[0], all.sum[1], all.sum[2], all.sum[3]);");
    text.line("if (at == 0) largests[line] = all.largest, totals[line] = all.total;");
    text.close();
    text.line("if (parts == 1 || !isLast(&finished[tile], parts)) return;");
    openFours(text, rows, width);
    text.line("const Index first = tile * parts * attentionRows + own;");
    text.line("finish(row, at,");
    text.line("       joinParts(");
    text.line("           parts, [&](int p) { return __ldcg(largests + first + p * attentionRows); },");
    text.line("           [&](int p) { return __ldcg(totals + first + p * attentionRows); },");
    text.open("           [&](int p) {");
    text.line("           const float* const from = partials + (first + p * attentionRows) * widthTile + at;");
    text.line("           return __ldcg(reinterpret_cast<const float4*>(from));");
    text.close("           }));");
    text.close();
}

} // namespace kernelarium::kernelgen::attention
