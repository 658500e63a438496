// SPDX-License-Identifier: GPL-3.0-or-later
// What an attention's kernel calls, as text of the emitted files.
#include "core/kernelgen/attention/AttentionText.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen::attention {

using tensor::DType;

const char* const overFourText = "/// Over the four lanes that have a row's elements; each gets the result.\n"
                                 "__device__ float largestOfRow(float x) {\n"
                                 "    x = fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 1));\n"
                                 "    return fmaxf(x, __shfl_xor_sync(0xffffffffu, x, 2));\n"
                                 "}\n\n"
                                 "__device__ float sumOfRow(float x) {\n"
                                 "    x += __shfl_xor_sync(0xffffffffu, x, 1);\n"
                                 "    return x + __shfl_xor_sync(0xffffffffu, x, 2);\n"
                                 "}\n\n";

std::string pairText(DType dtype) {
    const char* type = dtype == DType::Float16 ? "f16x2" : "bf16x2";
    return fmt::format("/// Two neighbours in 16 bits each, the first below.\n"
                       "__device__ unsigned pairOf(float first, float second) {{\n"
                       "    unsigned pair;\n"
                       "    asm(\"cvt.rn.{}.f32 %0, %1, %2;\" : \"=r\"(pair) : \"f\"(second), \"f\"(first));\n"
                       "    return pair;\n"
                       "}}\n\n",
                       type);
}

const char* const joinPartsText =
    "/// Sums of e^logit and of e^logit * value over parts of the keys, each less the part's maximum, put together in the\n"
    "/// parts' order.\n"
    "struct Joined {\n"
    "    float largest, total, sum[4];\n"
    "};\n\n"
    "template <class Largest, class Total, class Sum>\n"
    "__device__ Joined joinParts(int parts, Largest largestOf, Total totalOf, Sum sumOf) {\n"
    "    Joined all = {-INFINITY, 0.0f, {0.0f, 0.0f, 0.0f, 0.0f}};\n"
    "#pragma unroll 8\n"
    "    for (int p = 0; p < parts; ++p)\n"
    "        all.largest = fmaxf(all.largest, largestOf(p));\n"
    "    const float shift = all.largest == -INFINITY ? 0.0f : all.largest;\n"
    "#pragma unroll 8\n"
    "    for (int p = 0; p < parts; ++p) {\n"
    "        const float weight = expf(largestOf(p) - shift);\n"
    "        const float4 four = sumOf(p);\n"
    "        all.total += weight * totalOf(p);\n"
    "        all.sum[0] += weight * four.x, all.sum[1] += weight * four.y;\n"
    "        all.sum[2] += weight * four.z, all.sum[3] += weight * four.w;\n"
    "    }\n"
    "    return all;\n"
    "}\n\n";

KernelText textOfAttention(const KernelFile& file) {
    KernelText text = file.kernel();
    for (const char* word :
         {"rowTiles", "firstRow", "batch",    "end",         "begin",   "warp",      "lane",       "shared",
          "row",      "column",   "k",        "n",           "i",       "j",         "eight",      "own",
          "term",     "from",     "count",    "queries",     "keys",    "values",    "q",          "b",
          "a",        "score",    "sum",      "largest",     "total",   "part",      "start",      "copyKeys",
          "logit",    "rescale",  "shift",    "v",           "element", "partials",  "largests",   "totals",
          "line",     "parts",    "each",     "place",       "weight",  "down",      "across",     "firstKey",
          "tile",     "heads",    "e",        "p",           "value",   "next",      "copyValues", "weights",
          "before",   "finish",   "tileRows", "tileLargest", "ofWarps", "largestOf", "totalOf",    "valuesOf",
          "at",       "key",      "terms",    "all",         "w"})
        (void)text.fresh(word);
    return text;
}

} // namespace kernelarium::kernelgen::attention
