// SPDX-License-Identifier: GPL-3.0-or-later
#include "core/kernelgen/fused/RowText.h"

#include <fmt/format.h>

namespace kernelarium::kernelgen {

using algebra::Combine;

namespace {

std::string pairOf(Combine c, const std::string& a, const std::string& b) {
    switch (c) {
    case Combine::sum: return a + " + " + b;
    case Combine::product: return a + " * " + b;
    case Combine::maximum: return fmt::format("fmaxf({}, {})", a, b);
    case Combine::minimum: return fmt::format("fminf({}, {})", a, b);
    case Combine::argMax: return fmt::format("larger({}, {})", a, b);
    default: return fmt::format("smaller({}, {})", a, b);
    }
}

std::string ending(Combine c) {
    switch (c) {
    case Combine::sum: return "Sum";
    case Combine::product: return "Product";
    case Combine::maximum: return "Max";
    case Combine::minimum: return "Min";
    case Combine::argMax: return "ArgMax";
    default: return "ArgMin";
    }
}

std::string shuffled(Combine c) {
    const char* const exchange = "__shfl_xor_sync(0xffffffffu, {}, offset)";
    const auto other = [&](const char* value) { return fmt::format(fmt::runtime(exchange), value); };
    return pairOf(c, "value",
                  isPlace(c) ? fmt::format("Placed{{{}, {}}}", other("value.value"), other("value.place"))
                             : other("value"));
}

} // namespace

const char* const isLastText =
    "constexpr int mostCounted = 1024;\n"
    "__device__ unsigned int finished[mostCounted]; // 0 between launches: whoever comes last puts it back\n\n"
    "/// Brings a counter into the cache while the block loads what it works on: it is asked for at the end.\n"
    "__device__ void expect(const unsigned int* counter) {\n"
    "    if (threadIdx.x + threadIdx.y == 0) asm volatile(\"prefetch.global.L2 [%0];\" ::\"l\"(counter));\n"
    "}\n\n"
    "/// Whether this block is the last of `count` to come here. What the others stored before is there for it.\n"
    "__device__ bool isLast(unsigned int* counter, unsigned int count) {\n"
    "    __shared__ bool last;\n"
    "    __syncthreads();\n"
    "    if (threadIdx.x + threadIdx.y == 0) {\n"
    "        __threadfence(); // behind what the block has stored\n"
    "        last = atomicInc(counter, count - 1) == count - 1;\n"
    "        __threadfence();\n"
    "    }\n"
    "    __syncthreads();\n"
    "    return last;\n"
    "}\n\n";

bool isPlace(Combine combine) {
    return combine == Combine::argMax || combine == Combine::argMin;
}

std::string combinerName(Combine combine, const std::string& suffix) {
    return "row" + ending(combine) + suffix;
}

std::string placedText(Combine combine) {
    const bool isMax = combine == Combine::argMax;
    return fmt::format("/// The {} of two, or of equal ones the first.\n"
                       "__device__ Placed {}(Placed a, Placed b) {{\n"
                       "    return b.value {} a.value || (b.value == a.value && b.place < a.place) ? b : a;\n"
                       "}}\n\n",
                       isMax ? "larger" : "smaller", isMax ? "larger" : "smaller", isMax ? ">" : "<");
}

std::string combinerText(Combine c, RowLayout::Kind kind, const std::string& suffix) {
    const std::string type = isPlace(c) ? "Placed" : "float";
    std::string out = "/// Over the threads of a row, in an order that never changes; each gets the result.\n";
    out += fmt::format("__device__ {} {}({} value) {{\n", type, combinerName(c, suffix), type);
    if (kind == RowLayout::Kind::columns) {
        out += fmt::format("    if (rowThreads{0} == 1) return value;\n"
                           "    __shared__ {1} parts[rowThreads{0}][columnsPerBlock{0}];\n"
                           "    __syncthreads(); // parts may be read yet\n"
                           "    parts[threadIdx.y][threadIdx.x] = value;\n"
                           "    __syncthreads();\n"
                           "    for (int half = rowThreads{0} / 2; half > 0; half /= 2) {{\n"
                           "        if (threadIdx.y < half) {{\n"
                           "            value = {2};\n"
                           "            parts[threadIdx.y][threadIdx.x] = value;\n"
                           "        }}\n"
                           "        __syncthreads();\n"
                           "    }}\n"
                           "    return parts[0][threadIdx.x];\n"
                           "}}\n\n",
                           suffix, type, pairOf(c, "value", "parts[threadIdx.y + half][threadIdx.x]"));
        return out;
    }
    out += fmt::format("    constexpr int warps = (rowThreads{0} + 31) / 32;\n"
                       "    for (int offset = min(rowThreads{0}, 32) / 2; offset > 0; offset /= 2)\n"
                       "        value = {2};\n"
                       "    if (warps == 1) return value;\n"
                       "    __shared__ {1} parts[warps];\n"
                       "    __syncthreads(); // parts may be read yet\n"
                       "    if (threadIdx.x % 32 == 0) parts[threadIdx.x / 32] = value;\n"
                       "    __syncthreads();\n"
                       "    value = parts[threadIdx.x % warps]; // each warp for itself: cheaper than to wait for one\n"
                       "    for (int offset = warps / 2; offset > 0; offset /= 2)\n"
                       "        value = {2};\n"
                       "    return value;\n"
                       "}}\n\n",
                       suffix, type, shuffled(c));
    return out;
}

std::string blockCombinerName(Combine combine, const std::string& suffix) {
    return "block" + ending(combine) + suffix;
}

std::string blockCombinerText(Combine c, const std::string& suffix) {
    return fmt::format("/// Over all threads of the block, in an order that never changes; each gets the result.\n"
                       "__device__ float {1}(float value) {{\n"
                       "    constexpr int warps = rowThreads{0} * rowsPerBlock{0} / 32;\n"
                       "    __shared__ float parts[warps];\n"
                       "    const int thread = threadIdx.y * rowThreads{0} + threadIdx.x;\n"
                       "    for (int offset = 16; offset > 0; offset /= 2)\n"
                       "        value = {2};\n"
                       "    if (thread % 32 == 0) parts[thread / 32] = value;\n"
                       "    __syncthreads();\n"
                       "    value = parts[thread % warps];\n"
                       "    for (int offset = warps / 2; offset > 0; offset /= 2)\n"
                       "        value = {2};\n"
                       "    return value;\n"
                       "}}\n\n",
                       suffix, blockCombinerName(c, suffix), shuffled(c));
}

} // namespace kernelarium::kernelgen
